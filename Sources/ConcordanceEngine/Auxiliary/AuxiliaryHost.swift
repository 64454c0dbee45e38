import ConcordanceFTS5
import ConcordanceText

/// What a cursor shows of its table, its query and its row to auxiliary functions.
protocol AuxiliaryHost: AnyObject {
    /// The connection, open as long as the host.
    var connection: OpaquePointer { get }
    var options: TableOptions { get }
    var tokenizer: any Tokenizer { get }

    /// The index as the query sees it.
    var snapshot: Snapshot { get throws }
    /// The query; nil where the rows are those of a scan.
    var query: BoundQuery? { get }

    /// The rowid of the row.
    func rowID() throws -> Int64
    /// The document of the row; nil where the content has a row that the index has not.
    func findDocument() throws -> DocumentReference?
    /// The text of a column of the row, as SQLite converts the value, good until another row is asked for; nil for NULL,
    /// and where the table has no content.
    func columnText(_ column: Int) throws -> UnsafeBufferPointer<UInt8>?

    /// Gives the rows that follow these scores in place of calling the function, which gives them negated.
    func score(with scorer: DocumentScorer, inPlaceOf function: AuxiliaryFunction)

    /// What reads the texts of other rows of the table.
    func makeRowTexts() throws -> any RowTexts
}

/// Reads texts of rows by rowid, with a statement of its own.
protocol RowTexts: AnyObject {
    /// The text of a column of a row, as `AuxiliaryHost.columnText`.
    func text(ofColumn column: Int, rowID: Int64) throws -> UnsafeBufferPointer<UInt8>?
}
