import ConcordanceFTS5
import ConcordanceSQLite

/// A table of the engine, defined as one of FTS5 is.
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
    /// The module.
    public init() {}

    public var moduleName: String { ConcordanceModule.name }

    public func makeTableDefinition() -> FTS5TableDefinition { FTS5TableDefinition() }

    public func moduleArguments(
        for definition: FTS5TableDefinition, named table: QualifiedName, in db: Database
    ) throws -> [String] {
        try definition.moduleArguments(table: table, in: db)
    }

    public func database(_ db: Database, didCreate table: QualifiedName, using definition: FTS5TableDefinition) throws {
        try FTS5().database(db, didCreate: table, using: definition)
    }
}
