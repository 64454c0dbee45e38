import CConcordanceSQLite

// `trusted_schema=off` keeps triggers and views from using anything that is not marked innocuous. SQLite's FTS5 is
// harmless, but its tables are not marked in the libraries of Debian 12 and macOS 13, and its auxiliary functions are
// not marked in any; then a trigger that feeds an index fails with "unsafe use of virtual table". Changing the setting
// makes SQLite compile every statement again, so it cannot be changed around each one. Instead, the first statement
// whose schema needs FTS5 turns the setting on for its connection. JSON functions are just as harmless, and not marked
// in SQLite 3.40 either. The app's own functions, which the setting protects, stay protected: those that are not
// innocuous are marked SQLITE_DIRECTONLY, which forbids the same whatever the setting.
extension Database {
    /// The flags for functions and the like that are not innocuous.
    var unsafeFlags: Int32 { configuration.trustedSchema || isBorrowed ? 0 : SQLITE_DIRECTONLY }

    /// Turns the setting on if `error` comes from a schema's use of FTS5 or JSON; returns whether to try again.
    ///
    /// - Throws: The error that keeps it from reading the schema, such as SQLITE_BUSY.
    func trustsSchema(after error: any Error) throws -> Bool {
        guard let error = error as? DatabaseError, let message = error.message,
            message.rest(after: "unsafe use of ") != nil,
            !isBorrowed, !configuration.trustedSchema, !isSchemaTrusted, let handle
        else { return false }
        switch try culprit(of: message) {
        case .harmless:
            isSchemaTrusted = true
            return csqlite_db_config_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nil) == SQLITE_OK
        case .gone:
            // Once for each state of the schema: the table may have no entry in it, like a table-valued function.
            let version = try Int64.fetchOne(self, sql: "PRAGMA main.schema_version")
            defer { schemaVersionTriedAgain = version }
            return version != schemaVersionTriedAgain
        case .other:
            return false
        }
    }

    /// What a schema may not use.
    private enum Culprit {
        /// An FTS5 table, an auxiliary function of FTS5, or one of SQLite's own JSON functions.
        case harmless
        /// A table that another connection has dropped or renamed since this one read the schema.
        case gone
        case other
    }

    /// The object that the message is about: `unsafe use of virtual table "name"`, or of a function, `name()`.
    private func culprit(of message: String) throws -> Culprit {
        if message.hasSuffix("()"), let name = message.rest(after: "unsafe use of ")?.dropLast(2),
            name.hasPrefix("json")
        {
            let isBuiltIn = try Bool.fetchOne(
                self, sql: "SELECT min(builtin) FROM pragma_function_list WHERE name = ? COLLATE NOCASE",
                arguments: [String(name)])
            return isBuiltIn == true ? .harmless : .other
        }
        if ["bm25", "highlight", "snippet"].contains(where: { message.rest(after: "unsafe use of \($0)()") != nil }) {
            return .harmless
        }
        guard let name = message.rest(after: "unsafe use of virtual table \"")?.dropLast(), message.hasSuffix("\"")
        else { return .other }
        let definitions = try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list").compactMap { schema in
            try String.fetchOne(
                self,
                sql: """
                    SELECT sql FROM \(schema.quotedDatabaseIdentifier).sqlite_schema
                    WHERE type = 'table' AND name = ? COLLATE NOCASE
                    """, arguments: [String(name)])
        }
        if definitions.isEmpty { return .gone }
        return definitions.contains { $0.lowercased().rest(after: "using fts5") != nil } ? .harmless : .other
    }
}
