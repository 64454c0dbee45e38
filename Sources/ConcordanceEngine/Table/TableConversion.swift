import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// Why an FTS5 table cannot be converted to a table of the engine.
public enum ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The database has no table of that name.
    case noSuchTable(String)
    /// The table is not one of FTS5.
    case notFullText(String)
    /// The table was created with `content=''`, so there are no texts to index: its rows have to be inserted again.
    case contentless(String)
    /// A statement of the connection is reading, perhaps the one that calls `concordance_convert`, so SQLite drops no
    /// table.
    case connectionIsReading(String)

    public var description: String {
        switch self {
        case .noSuchTable(let table): "no such table: \(table)"
        case .notFullText(let table): "\(table) is not an FTS5 table, so it cannot be converted"
        case .contentless(let table):
            "\(table) is contentless, so FTS5 has kept none of its texts: create a concordance table, and insert the texts again"
        case .connectionIsReading(let table):
            "\(table) cannot be converted while a statement of this connection reads from the database, including the one that "
                + "calls concordance_convert: fetch the names first, then convert each, or convert all full-text tables "
                + "with SELECT concordance_convert()"
        }
    }
}

extension Database {
    /// Converts an FTS5 table to one of the engine, in place: name, columns, options, rows, `rank` and other settings
    /// stay, and triggers and views are not touched. The table is then declared `USING fts5concordance`, so tools that
    /// look for full-text tables still find it.
    ///
    /// The conversion is one transaction, or a savepoint in the open one; while it runs, no other statement of the
    /// connection may be reading.
    ///
    /// A table with its own texts keeps them where they are; only the index is rebuilt. Vocabulary tables over the
    /// table, `fts5vocab`, have to be created again, with `concordancevocab`.
    ///
    ///     SELECT concordance_convert('documents')
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - schema: The attached database; by default the first in SQLite's order that has the table.
    /// - Returns: False if the table is already one of the engine.
    /// - Throws: `ConversionError`; `DatabaseError`, after which everything is as before.
    @discardableResult
    public func convertToConcordance(table: String, schema: String? = nil) throws -> Bool {
        let sql = "SELECT count(*) FROM pragma_function_list WHERE name = ?"
        if try Int.fetchOne(self, sql: sql, arguments: [ConversionFunction.name]) == 0 {
            try ConcordanceModule.register(on: self)
        }
        // In a function, since SQLite lets only these write to shadow tables of a defensive connection.
        return try Bool.fetchOne(self, sql: "SELECT concordance_convert(?, ?)", arguments: [table, schema]) ?? false
    }
}

/// The function `concordance_convert(table [, schema])`, which returns 1, or 0 if the table is already one of the
/// engine; and `concordance_convert()`, which converts all of FTS5's tables in the main database but the contentless
/// ones, and returns how many it has converted.
enum ConversionFunction {
    static let name = "concordance_convert"

    /// Adds the function to a connection; triggers and views cannot call it.
    static func register(on connection: OpaquePointer) throws {
        for count: Int32 in 0...2 {
            let code = csqlite_create_function_v2(
                connection, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
                { context, count, values in
                    ConversionFunction.call(BorrowedValues(count: count, start: values), ResultContext(context))
                }, nil, nil, nil)
            // Busy: while a statement runs, perhaps the one that loads the extension, SQLite does not allow replacing
            // an existing function, so this one exists.
            guard code == SQLITE_OK || code == SQLITE_BUSY else { throw KeptStatement.error(code, on: connection) }
        }
    }

    private static func call(_ arguments: BorrowedValues, _ result: ResultContext) {
        do {
            guard let connection = csqlite_context_db_handle(result.pointer) else { return }
            let db = try Database.from(connection)
            guard !arguments.isEmpty else { return result.set(Int64(try TableConversion.runAll(in: db))) }
            let conversion = try TableConversion(db, table: arguments[0].string ?? "", schema: arguments[1].string)
            result.set(Int64(try conversion.run() ? 1 : 0))
        } catch {
            Database.fail(result.pointer, with: error)
        }
    }
}

/// One conversion.
private struct TableConversion {
    private let db: Database
    private let schema: String
    private let table: String
    private let declaration: VirtualTableStatement
    /// What FTS5 reads in the declaration; empty for another module.
    private let options: TableOptions

    init(_ db: Database, table: String, schema: String?) throws {
        self.db = db
        let schemas = try schema.map { [$0] } ?? Self.searchOrder(db)
        for schema in schemas {
            let found = try Row.fetchOne(
                db,
                sql: """
                    SELECT name, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_schema
                    WHERE type = 'table' AND name = ? COLLATE NOCASE
                    """, arguments: [table])
            guard let found, let name: String = found[0], let sql: String = found[1] else { continue }
            guard let declaration = VirtualTableStatement(sql) else { throw ConversionError.notFullText(name) }
            self.schema = schema
            self.table = name
            self.declaration = declaration
            let isFTS5 = declaration.module.equalsIgnoringASCIICase("fts5")
            options = try isFTS5 ? TableOptions(parsing: declaration.arguments, table: name) { _ in } : TableOptions()
            return
        }
        throw ConversionError.noSuchTable(table)
    }

    /// Where SQLite looks for a table whose database is not named: the temporary one, the main one, the others as attached.
    private static func searchOrder(_ db: Database) throws -> [String] {
        let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list ORDER BY seq")
        return names.filter { $0 == "temp" } + names.filter { $0 != "temp" }
    }

    /// Converts every table of FTS5 in the main database that has its texts; returns how many there were.
    static func runAll(in db: Database) throws -> Int {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM main.sqlite_schema
                WHERE type = 'table' AND rootpage = 0 AND sql LIKE 'CREATE VIRTUAL TABLE%USING%fts5%' ORDER BY rowid
                """)
        var count = 0
        try db.inSavepoint {
            for name in names {
                let conversion = try TableConversion(db, table: name, schema: "main")
                guard conversion.declaration.module.equalsIgnoringASCIICase("fts5"),
                    conversion.options.content != .none
                else { continue }
                count += try conversion.run() ? 1 : 0
            }
            return .commit
        }
        return count
    }

    /// False if the table is already one of the engine.
    func run() throws -> Bool {
        let names = [ConcordanceModule.name, ConcordanceModule.fts5Name]
        if names.contains(where: { declaration.module.equalsIgnoringASCIICase($0) }) { return false }
        guard declaration.module.equalsIgnoringASCIICase("fts5") else { throw ConversionError.notFullText(table) }
        guard options.content != .none else { throw ConversionError.contentless(table) }
        let rowID = db.lastInsertedRowID
        let isLegacy = try Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") ?? false
        // Views and triggers stay as they are written, though what they name is away for a moment.
        try db.execute(sql: "PRAGMA legacy_alter_table = ON")
        defer { if !isLegacy { try? db.execute(sql: "PRAGMA legacy_alter_table = OFF") } }
        do {
            try db.inSavepoint {
                try convert()
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_LOCKED {
            throw ConversionError.connectionIsReading(table)
        }
        csqlite_set_last_insert_rowid(try db.sqliteConnection, rowID)
        return true
    }

    private func quoted(_ suffix: String) -> String {
        ShadowNames(schema: schema, table: table).quoted(suffix)
    }

    private var quotedTable: String { "\(schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)" }

    private func convert() throws {
        let settings = try Row.fetchAll(db, sql: "SELECT k, v FROM \(quoted("config")) WHERE k <> 'version'")
        // What FTS5 would drop with the table, and is needed later. A table that the engine made under the name `fts5` knows
        // sizes in another way.
        let kept: String? =
            if options.content == .stored {
                "content"
            } else {
                try has("docsize") ? "docsize" : nil
            }
        if let kept { try rename(kept, to: "converted") }
        try db.execute(sql: "DROP TABLE \(quotedTable)")
        try db.execute(
            sql: "CREATE VIRTUAL TABLE \(schema.quotedDatabaseIdentifier).\(declaration.writtenName) "
                + "USING \(ConcordanceModule.fts5Name)\(declaration.rest)")
        try restore(settings)
        try fill(from: kept)
    }

    private func has(_ suffix: String) throws -> Bool {
        let sql = "SELECT count(*) FROM \(schema.quotedDatabaseIdentifier).sqlite_schema WHERE name = ? COLLATE NOCASE"
        return try Int.fetchOne(db, sql: sql, arguments: ["\(table)_\(suffix)"]) ?? 0 > 0
    }

    private func rename(_ suffix: String, to new: String) throws {
        try db.execute(
            sql: "ALTER TABLE \(quoted(suffix)) RENAME TO \("\(table)_\(new)".quotedDatabaseIdentifier)")
    }

    /// Gives the new table the settings of the old one. Those that only newer versions of FTS5 know are kept as they are.
    private func restore(_ settings: [Row]) throws {
        let name = table.quotedDatabaseIdentifier
        for setting in settings {
            guard let key: String = setting[0], let value = setting.databaseValues.last else { continue }
            let sql =
                TableSettings.Key(rawValue: key) == nil
                ? "INSERT INTO \(quoted("config")) VALUES (?, ?)"
                : "INSERT INTO \(quotedTable)(\(name), rank) VALUES (?, ?)"
            try db.execute(sql: sql, arguments: [key, value])
        }
    }

    private func fill(from kept: String?) throws {
        let name = table.quotedDatabaseIdentifier
        switch (options.content, kept) {
        case (.external(let content, let rowID), _?):
            // An index can have fewer rows than its content: those that FTS5 knew.
            let columns = options.columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
            let key = rowID.quotedDatabaseIdentifier
            try db.execute(
                sql: """
                    INSERT INTO \(quotedTable)(rowid, \(columns)) SELECT \(key), \(columns)
                    FROM \(schema.quotedDatabaseIdentifier).\(content.quotedDatabaseIdentifier)
                    WHERE \(key) IN (SELECT id FROM \(quoted("converted")))
                    """)
            try db.execute(sql: "DROP TABLE \(quoted("converted"))")
        case (.stored, _):
            try db.execute(sql: "DROP TABLE \(quoted("content"))")
            try rename("converted", to: "content")
            fallthrough
        default:
            try db.execute(sql: "INSERT INTO \(quotedTable)(\(name)) VALUES ('rebuild')")
        }
    }
}
