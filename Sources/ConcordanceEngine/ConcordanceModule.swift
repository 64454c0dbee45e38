import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// Full-text tables over the module's own inverted index: `CREATE VIRTUAL TABLE t USING concordance(...)`, with FTS5's
/// options, queries, functions and answers.
///
/// ```swift
/// try ConcordanceModule.register(on: db)
/// try db.execute(sql: "CREATE VIRTUAL TABLE documents USING concordance(title, body, prefix='1 2 3')")
/// // SELECT rowid FROM documents WHERE documents MATCH 'sqlite' ORDER BY rank LIMIT 10
/// ```
public enum ConcordanceModule {
    /// The name of the module in SQL.
    package static let name = "concordance"

    /// A second name of the same module, which `concordance_convert` writes. Tools look for full-text tables by
    /// `LIKE '%USING FTS%'` or `'%USING fts5%'`, and find tables declared with this name.
    ///
    ///     CREATE VIRTUAL TABLE documents USING fts5concordance(title, body)
    package static let fts5Name = "fts5concordance"

    /// Registers the module on a connection.
    ///
    /// - Throws: `DatabaseError`.
    public static func register(on db: Database) throws {
        let connection = try db.sqliteConnection
        let registry = try ExtensionRegistry.of(connection)
        try BuiltInFunctions.register(in: registry)
        registry.answerForFTS5()
        let context = FullTextTable.Context(registry)
        for name in [name, fts5Name] { try db.create(module: name, FullTextTable.self, context: context) }
        try db.create(module: VocabularyTable.moduleName, VocabularyTable.self, context: registry)
        try db.create(module: FacetTable.moduleName, FacetTable.self, context: registry)
        try db.create(module: SourceTable.moduleName, SourceTable.self)
        try ConversionFunction.register(on: connection)
    }

    /// Registers the module on a connection of another library, for as long as it is open.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses during the call.
    /// - Throws: `DatabaseError`.
    public static func register(on connection: OpaquePointer) throws {
        try register(on: Database.from(connection))
    }
}
