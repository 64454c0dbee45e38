/// The arguments of `CREATE VIRTUAL TABLE t USING fts5(…)`, or `USING concordance(…)`
/// (https://www.sqlite.org/fts5.html#fts5_table_creation_and_initialization).
package struct TableOptions: Equatable, Sendable {
    package struct Column: Equatable, Sendable {
        package var name: String
        /// False for UNINDEXED and VALUE columns.
        package var isIndexed: Bool
        /// True for VALUE columns, which only Concordance's engine has: their values are stored in the index, to
        /// filter, sort and count by.
        package var isValue: Bool

        package init(name: String, isIndexed: Bool = true, isValue: Bool = false) {
            self.name = name
            self.isIndexed = isIndexed
            self.isValue = isValue
        }
    }

    package typealias Detail = FTS5.Detail

    /// Where the texts are stored.
    package enum Content: Equatable, Sendable {
        /// In a table of our own, `<t>_content`.
        case stored
        /// Nowhere: `content=''`.
        case none
        /// In a table, view or virtual table of the user's: `content='table', content_rowid='column'`.
        case external(table: String, rowID: String)
    }

    package var columns: [Column] = []
    package var detail = Detail.full
    package var content = Content.stored
    /// `contentless_delete=1`: rows of a contentless table can be deleted and replaced.
    package var allowsContentlessDelete = false
    /// `source=1`, of Concordance's engine only: the columns of a contentless table's rows are read from the table or
    /// view `<t>_source`, by its column `rowid` and the columns with their names. The rows are still those of the
    /// index, and a row is removed by its rowid alone, whatever the source says about it by then.
    package var readsSource = false
    /// The lengths, in characters, of prefixes with lists of their own, in the order of the option.
    package var prefixes: [Int] = []
    /// The tokenizer's name and arguments; empty for the default, unicode61.
    package var tokenizer: [String] = []
    /// `locale=1`: texts may be values of `fts5_locale()`. Our tables take the text of such a value, and leave its locale.
    package var hasLocales = false
    /// `tokendata=1`: what follows a NUL in a token does not count when tokens are compared.
    package var hasTokenData = false
    /// `columnsize=1`: how many tokens each column of a row has can be asked.
    package var storesColumnSizes = true

    /// Creates options with no columns and FTS5's defaults.
    package init() {}

    /// Whether the columns of a row can be read.
    package var hasTexts: Bool { content != .none || readsSource }
}
