/// Where an index has the texts of its rows from, when a hit is shown.
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

    /// Texts that are there.
    public init(_ storage: Storage) { self.storage = storage }
}
