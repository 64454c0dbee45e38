/// The full-text engine that keeps an index: all that a typed index asks of it stands here.
///
/// An engine is a virtual table that speaks FTS5's SQL: `MATCH`, `rank`, the auxiliary functions, the vocabulary table.
public struct SearchEngine: Hashable, Sendable {
    /// The module in `CREATE VIRTUAL TABLE … USING`.
    let moduleName: String
    /// The module of the table that lists an index's terms.
    let vocabularyModuleName: String

    /// SQLite's FTS5 (https://www.sqlite.org/fts5.html).
    public static let fts5 = SearchEngine(moduleName: "fts5", vocabularyModuleName: "fts5vocab")
}
