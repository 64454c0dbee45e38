/// Where an index has the texts of its rows from, when a hit is shown, and what is left of them when they are removed.
///
/// ```swift
/// SearchIndex("articleTexts", of: Article.self, in: "articles") {
///     Field("body").computed("plainText(html)")
///     Content(.kept)
/// }
/// ```
public struct Content: Hashable, Sendable {
    /// The choices.
    public enum Storage: Hashable, Sendable {
        /// In the tables that are indexed: highlights, snippets and unindexed fields are read from there, and the index
        /// holds terms only. With `SearchEngine.fts5`, which needs a row's text to take the row out, it is `kept`.
        case source
        /// In the index too: each indexed text takes its space twice, and is not computed again to be shown. For fields
        /// whose text takes long to compute, by functions or from many joined rows.
        case kept
    }

    /// Where the texts are.
    public var storage: Storage
    /// Whether a commit that removes or changes rows leaves none of their words in the index, as FTS5's 'secure-delete' does
    /// (https://www.sqlite.org/fts5.html#the_secure_delete_configuration_option).
    ///
    /// The engine writes those of its segments anew that hold such a row: for one that was written lately that is a moment,
    /// for an old one in a large index up to as long as 'optimize' takes. With `SearchEngine.fts5` it takes SQLite 3.42.
    /// `PRAGMA secure_delete` has SQLite overwrite what is free then.
    public var secureDelete: Bool

    /// Texts that are there.
    public init(_ storage: Storage = .source, secureDelete: Bool = false) {
        self.storage = storage
        self.secureDelete = secureDelete
    }
}
