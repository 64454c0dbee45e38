import ConcordanceFTS5
import ConcordanceSQLite

/// A full-text table of the engine, defined like one of FTS5.
///
/// ```swift
/// // CREATE VIRTUAL TABLE "documents" USING concordance(tokenize='porter', prefix='2 3', title, body)
/// try db.create(virtualTable: "documents", using: ConcordanceTable()) { t in
///     t.tokenizer = .porter()
///     t.prefixes = [2, 3]
///     t.column("title")
///     t.column("body")
/// }
/// ```
///
/// The connection needs the module: `ConcordanceModule.register(on:)`.
public struct ConcordanceTable: VirtualTableModule {
    /// Creates the module.
    public init() {}

    package var moduleName: String { ConcordanceModule.name }

    package func makeTableDefinition() -> FTS5TableDefinition { FTS5TableDefinition() }

    package func moduleArguments(
        for definition: FTS5TableDefinition, named table: QualifiedName, in db: Database
    ) throws -> [String] {
        try definition.moduleArguments(table: table, in: db)
    }

    package func database(_ db: Database, didCreate table: QualifiedName, using definition: FTS5TableDefinition) throws
    {
        try FTS5().database(db, didCreate: table, using: definition)
    }
}

extension Database {
    /// Creates a full-text table of the engine.
    ///
    /// ```swift
    /// // CREATE VIRTUAL TABLE IF NOT EXISTS "documents" USING concordance(content)
    /// try db.create(virtualTable: "documents", ifNotExists: true, using: ConcordanceTable()) { t in
    ///     t.column("content")
    /// }
    /// ```
    ///
    /// If anything fails, nothing is created.
    ///
    /// - Parameters:
    ///   - name: Any name; it is quoted.
    ///   - schema: `main`, `temp`, or the name of an attached database.
    ///   - ifNotExists: Whether to leave an existing table with that name as it is.
    ///   - temporary: Whether the table belongs to the connection, and disappears with it: the schema `temp`.
    ///   - module: The module, `ConcordanceTable()`.
    ///   - define: Fills in the definition: columns, tokenizer, options.
    /// - Throws: `FTS5Error` for a definition that is not valid; `DatabaseError`.
    public func create(
        virtualTable name: String, in schema: String? = nil, ifNotExists: Bool = false, temporary: Bool = false,
        using module: ConcordanceTable, _ define: (FTS5TableDefinition) throws -> Void
    ) throws {
        try createVirtualTable(
            name, in: schema, ifNotExists: ifNotExists, temporary: temporary, using: module, define)
    }
}
