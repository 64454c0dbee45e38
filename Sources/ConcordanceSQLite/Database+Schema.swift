import CConcordanceSQLite

// Names match as in SQL, ignoring ASCII case. Without `schema`, all attached databases are searched, in SQLite's order:
// temp, main, the others.
extension Database {
    /// Returns whether there is a table with that name, ordinary or virtual.
    public func tableExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try refreshSchema(schema)
        return try hasColumn(nil, table: name, in: schema)
    }

    /// Whether there is a view with that name.
    package func viewExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try schemaHolds("view", name, in: schema)
    }

    /// Whether there is an index with that name.
    package func indexExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try schemaHolds("index", name, in: schema)
    }

    /// Whether there is a trigger with that name.
    package func triggerExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try schemaHolds("trigger", name, in: schema)
    }

    /// Returns the columns of a table or view, including hidden and generated ones.
    /// - Throws: SQLITE_ERROR if there is no such table or view.
    public func columns(in table: String, schema: String? = nil) throws -> [ColumnInfo] {
        let columns = try rows(of: "table_xinfo", table, schema).map { row in
            ColumnInfo(
                name: row["name"] ?? "", type: row["type"] ?? "", isNotNull: row["notnull"] ?? false,
                defaultSQL: row["dflt_value"], primaryKeyIndex: row["pk"].flatMap { $0 > 0 ? $0 : nil },
                kind: row["hidden"].flatMap(ColumnInfo.Kind.init(rawValue:)) ?? .ordinary)
        }
        if columns.isEmpty {
            throw DatabaseError(message: "no such table: \(table)", advice: "Check the name, and that it was created.")
        }
        return columns
    }

    /// Returns how the rows of a table are identified.
    /// - Throws: SQLITE_ERROR if there is no such table or view.
    public func primaryKey(_ table: String, schema: String? = nil) throws -> PrimaryKeyInfo {
        let columns = try columns(in: table, schema: schema).filter { $0.primaryKeyIndex != nil }
            .sorted { ($0.primaryKeyIndex ?? 0) < ($1.primaryKeyIndex ?? 0) }
        // A primary key that is the rowid needs no index; WITHOUT ROWID tables and INTEGER PRIMARY KEY DESC have one.
        let hasIndex = try indexes(on: table, schema: schema).contains { $0.origin == .primaryKey }
        let isRowID = columns.count == 1 && columns[0].type.uppercased() == "INTEGER" && !hasIndex
        return PrimaryKeyInfo(
            columns: columns.map(\.name), rowIDColumn: isRowID ? columns[0].name : nil,
            hasRowID: try hasColumn("_rowid_", table: table, in: schema))
    }

    /// Returns the indexes of a table, including those of its constraints.
    public func indexes(on table: String, schema: String? = nil) throws -> [IndexInfo] {
        try rows(of: "index_list", table, schema).map { row in
            let name: String = row["name"] ?? ""
            return IndexInfo(
                name: name, columns: try rows(of: "index_info", name, schema).map { $0["name"] },
                isUnique: row["unique"] ?? false, isPartial: row["partial"] ?? false,
                origin: row["origin"].flatMap(IndexInfo.Origin.init(rawValue:)) ?? .createIndex)
        }
    }

    /// Returns the foreign keys of a table.
    public func foreignKeys(on table: String, schema: String? = nil) throws -> [ForeignKeyInfo] {
        var rowsByKey: [Int: [Row]] = [:]
        for row in try rows(of: "foreign_key_list", table, schema) {
            rowsByKey[row["id"] ?? 0, default: []].append(row)
        }
        return try rowsByKey.sorted { $0.key > $1.key }.map { _, rows in  // SQLite numbers them backwards
            let destination: String = rows[0]["table"] ?? ""
            var columns: [String] = rows.compactMap { $0["to"] }
            // A key without columns refers to the primary key.
            if columns.isEmpty { columns = try primaryKey(destination, schema: schema).columns }
            return ForeignKeyInfo(
                destinationTable: destination, originColumns: rows.compactMap { $0["from"] },
                destinationColumns: columns)
        }
    }

    private func rows(of pragma: String, _ name: String, _ schema: String?) throws -> [Row] {
        try Row.fetchAll(self, sql: "SELECT * FROM pragma_\(pragma)(?, ?)", arguments: [name, schema])
    }

    private func schemaHolds(_ type: String, _ name: String, in schema: String?) throws -> Bool {
        let schemas = try schema.map { [$0] } ?? String.fetchAll(self, sql: "SELECT name FROM pragma_database_list")
        return try schemas.contains { schema in
            try Bool.fetchOne(
                self,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_schema
                    WHERE type = ? AND name = ? COLLATE NOCASE)
                    """, arguments: [type, name]) ?? false
        }
    }

    /// Updates the connection's copy of the schemas to what other connections have changed, as running any statement
    /// does, but `sqlite3_table_column_metadata` does not.
    private func refreshSchema(_ schema: String?) throws {
        let schemas = try String.fetchAll(
            self, sql: "SELECT name FROM pragma_database_list WHERE ?1 IS NULL OR name = ?1 COLLATE NOCASE",
            arguments: [schema])
        for schema in schemas {
            _ = try Int.fetchOne(self, sql: "SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_schema LIMIT 1")
        }
    }

    /// Whether a table has a column or, if that is nil, exists; every table with rowids has a column `_rowid_`.
    private func hasColumn(_ column: String?, table: String, in schema: String?) throws -> Bool {
        guard !table.utf8.contains(0) else { return false }
        let code = csqlite_table_column_metadata(
            try sqliteConnection, schema, table, column, nil, nil, nil, nil, nil)
        if code == SQLITE_ERROR { return false }
        try check(code)
        return true
    }
}
