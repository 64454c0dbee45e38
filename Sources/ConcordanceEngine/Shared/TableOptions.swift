/// What the arguments of `CREATE VIRTUAL TABLE t USING concordance(…)` say: FTS5's options
/// (https://www.sqlite.org/fts5.html#fts5_table_creation_and_initialization).
struct TableOptions: Equatable, Sendable {
    struct Column: Equatable, Sendable {
        var name: String
        /// False for UNINDEXED columns.
        var isIndexed = true
    }

    /// What the index knows of where a term stands.
    enum Detail: Sendable {
        /// Rows, columns and positions.
        case full
        /// Rows and columns.
        case column
        /// Rows.
        case none
    }

    /// Where the texts are.
    enum Content: Equatable, Sendable {
        /// In a table of ours, `<t>_content`.
        case stored
        /// Nowhere: `content=''`.
        case none
        /// In a table, view or virtual table of the user's: `content='table', content_rowid='column'`.
        case external(table: String, rowID: String)
    }

    var columns: [Column] = []
    var detail = Detail.full
    var content = Content.stored
    /// `contentless_delete=1`: rows of a contentless table can be deleted and replaced.
    var allowsContentlessDelete = false
    /// The lengths of prefixes that have lists of their own, in characters, in the order of the option.
    var prefixes: [Int] = []
    /// The tokenizer's name and arguments; empty for the default, unicode61.
    var tokenizer: [String] = []
    /// `columnsize=1`: how many tokens each column of a row has can be asked.
    var storesColumnSizes = true

    /// What the index needs to know of the table.
    var shape: IndexShape {
        IndexShape(
            columnCount: columns.count, hasPositions: detail == .full, prefixes: prefixes,
            hasAdjustments: !allowsContentlessDelete)
    }
}

/// What the layout of an index depends on.
struct IndexShape: Equatable, Sendable {
    /// All columns, those that are not indexed as well.
    var columnCount: Int
    /// Whether positions are stored; otherwise documents and frequencies only.
    var hasPositions: Bool
    /// The lengths of prefixes that have lists of their own, in characters: list i has the keys `[1 + i] + prefix`.
    var prefixes: [Int]
    /// Whether a document that goes is subtracted from the counts of its terms at once. Otherwise, where no text tells
    /// which terms those are, the postings of removed documents are counted when somebody asks (`RemovedPostings`).
    var hasAdjustments = true
}
