import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

extension ConcordanceModule {
    /// Registers the module so that it also serves tables that a program creates `USING fts5`, for programs whose SQL
    /// cannot be changed. Tables that FTS5 has created remain FTS5's.
    ///
    /// Only connections on which this was called can open such a table: SQLite's FTS5 refuses to open it. Vocabulary
    /// tables over it are `concordancevocab`.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses during the call.
    /// - Throws: `DatabaseError`.
    public static func registerAsFTS5(on connection: OpaquePointer) throws {
        let db = try Database.from(connection)
        try register(on: db)
        try FTS5Replacement.install(on: db)
    }
}

/// The module `fts5`, as the engine's where it makes tables, and as SQLite's where these are.
private enum FTS5Replacement {
    static func install(on db: Database) throws {
        let connection = try db.sqliteConnection
        let registry = try ExtensionRegistry.of(connection)
        guard registry.beginReplacingFTS5() else { return }
        let context = FullTextTable.Context(registry)
        guard let api = registry.fts5 else {
            return try db.create(module: "fts5", FullTextTable.self, context: context)
        }
        let original = try OriginalFTS5(db, api, registry)
        try db.create(
            module: "fts5", FullTextTable.self, context: context, over: original,
            isShadowName: { virtualTableName($0, isOneOf: "config", "content", "data", "docsize", "idx") ? 1 : 0 },
            isForeign: isFTS5)
        try OriginalKeeper.keep(original, on: db)
    }

    /// Whether a table is SQLite's own: each has the shadow table `<t>_idx`, and none of the engine's has.
    private static func isFTS5(_ request: VirtualTableRequest<Void>) throws -> Bool {
        let schema = request.databaseName.quotedDatabaseIdentifier
        let sql = "SELECT 1 FROM \(schema).sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE"
        let statement = try KeptStatement(try request.database.sqliteConnection, sql)
        try statement.bind("\(request.tableName)_idx", at: 1)
        return try statement.step()
    }
}

/// SQLite's module `fts5` in a connection, kept while this lives, though another has got its name.
///
/// SQLite hands out no modules. But the first argument of FTS5's auxiliary functions is FTS5's cursor, SQLite's part of which
/// leads to its table and the module; and what the module's constructors get is the object that begins with the `fts5_api`.
///
/// A module that is replaced is destroyed with its last table. A statement over a table keeps the table, even a dropped one; so
/// a statement that is never executed again is what keeps the module.
private final class OriginalFTS5: ForeignModule {
    let module: UnsafePointer<sqlite3_module>
    let context: UnsafeMutableRawPointer?
    private let keeper: KeptStatement
    private let registry: ExtensionRegistry

    private static let function = "concordance_fts5_module"
    private static let table = "temp.concordance_fts5_original"

    init(_ db: Database, _ api: UnsafeMutablePointer<fts5_api>, _ registry: ExtensionRegistry) throws {
        self.registry = registry
        let connection = try db.sqliteConnection
        let found = UnsafeMutablePointer<UnsafePointer<sqlite3_module>?>.allocate(capacity: 1)
        found.initialize(to: nil)
        let code =
            api.pointee.xCreateFunction?(
                api, Self.function, found,
                { api, cursor, _, _, _ in
                    guard let cursor, let found = api?.pointee.xUserData?(cursor) else { return }
                    let table = UnsafeMutablePointer<sqlite3_vtab_cursor>(cursor).pointee.pVtab
                    found.assumingMemoryBound(to: UnsafePointer<sqlite3_module>?.self).pointee = table?.pointee.pModule
                }, { $0?.deallocate() }) ?? SQLITE_ERROR
        guard code == SQLITE_OK else {
            found.deallocate()
            throw KeptStatement.error(code, on: connection)
        }
        let rowID = csqlite_last_insert_rowid(connection)
        defer { csqlite_set_last_insert_rowid(connection, rowID) }
        try db.execute(sql: "CREATE VIRTUAL TABLE \(Self.table) USING fts5(a); INSERT INTO \(Self.table) VALUES ('a')")
        // While a statement of the connection reads, SQLite drops no table: it stays then.
        defer { try? db.execute(sql: "DROP TABLE \(Self.table)") }
        let name = Self.table.dropFirst("temp.".count)
        let statement = try KeptStatement(
            connection, "SELECT \(Self.function)(\(name)) FROM \(Self.table)", access: .anything)
        _ = try statement.step()
        statement.reset()
        guard let module = found.pointee, module.pointee.iVersion >= 1, module.pointee.xConnect != nil else {
            throw failure("Concordance cannot find the module of FTS5 in this SQLite")
        }
        keeper = statement
        self.module = module
        context = UnsafeMutableRawPointer(api)
    }

    /// The module goes with the statement, and `fts5_api` with the module.
    deinit { registry.forgetFTS5() }
}

/// A table without rows, which lives until the connection is closed, and keeps the module until then. SQLite disconnects it
/// after the tables of all schemas, and before it looks whether statements are left.
private final class OriginalKeeper: VirtualTable {
    final class Context {
        var original: OriginalFTS5?

        init(_ original: OriginalFTS5) { self.original = original }
    }

    static let kind = VirtualTableKind.eponymousOnly
    private static let name = "concordance_fts5"

    let declaration = "CREATE TABLE x(a)"
    private let original: OriginalFTS5?

    static func keep(_ original: OriginalFTS5, on db: Database) throws {
        try db.create(module: name, OriginalKeeper.self, context: Context(original))
        // Connects it.
        _ = try KeptStatement(try db.sqliteConnection, "SELECT a FROM \(name)", access: .anything)
    }

    init(connecting request: VirtualTableRequest<Context>) throws {
        original = request.context.original
        request.context.original = nil
    }

    func bestIndex(_ index: inout VirtualTableIndex) throws { index.estimatedRows = 0 }

    func makeCursor() -> Cursor { Cursor() }

    struct Cursor: VirtualTableCursor {
        let isAtEnd = true
        mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) {}
        mutating func next() {}
        func column(_ column: Int, into result: ResultContext) {}
        func rowID() -> Int64 { 0 }
    }
}
