/// Where an index reads the texts of its rows when a hit is shown, and what remains of them when rows are removed.
///
/// ```swift
/// SearchIndex("articleTexts", of: Article.self, in: "articles") {
///     Field("body").computed("plainText(html)")
///     Content(.kept)
/// }
/// ```
public struct Content: Hashable, Sendable {
    /// Where an index reads the texts of its rows.
    public enum Storage: Hashable, Sendable {
        /// Only in the indexed tables: highlights, snippets and unindexed fields are read from there, and the index
        /// holds terms only. `SearchEngine.fts5` needs a row's text to remove the row, so with that engine this means
        /// `kept`.
        case source
        /// In the index as well: each indexed text is stored twice, and is not computed again when it is shown. For
        /// fields whose text takes long to compute, by functions or from many joined rows.
        case kept
    }

    /// Where the texts are.
    public var storage: Storage
    /// Whether a commit that removes or changes rows leaves none of their words in the index, like FTS5's
    /// 'secure-delete' (https://www.sqlite.org/fts5.html#the_secure_delete_configuration_option).
    ///
    /// The engine rewrites those of its segments that hold such a row. For a recently written row that takes a moment;
    /// for an old one in a large index it can take as long as 'optimize'. With `SearchEngine.fts5` this requires SQLite
    /// 3.42. `PRAGMA secure_delete` makes SQLite overwrite the space that becomes free.
    public var secureDelete: Bool

    /// Creates the setting.
    public init(_ storage: Storage = .source, secureDelete: Bool = false) {
        self.storage = storage
        self.secureDelete = secureDelete
    }
}
