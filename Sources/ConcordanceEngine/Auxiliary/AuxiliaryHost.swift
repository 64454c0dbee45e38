import ConcordanceFTS5
import ConcordanceText

/// What auxiliary functions see of a cursor's table, query and row.
protocol AuxiliaryHost: AnyObject {
    /// The connection, open as long as the host.
    var connection: OpaquePointer { get }
    var options: TableOptions { get }
    var tokenizer: any Tokenizer { get }

    /// The index as the query sees it.
    var snapshot: Snapshot { get throws }
    /// The query; nil in a scan.
    var query: BoundQuery? { get }

    /// The rowid of the row.
    func rowID() throws -> Int64
    /// The document of the row; nil if the row is in the content, but not in the index.
    func findDocument() throws -> DocumentReference?
    /// The text of a column of the row, as SQLite converts the value, valid until another row is read; nil for NULL,
    /// and if the table has no content.
    func columnText(_ column: Int) throws -> UnsafeBufferPointer<UInt8>?

    /// Assigns these scores to the rows that follow, instead of calling the function, which would return them negated.
    func score(with scorer: DocumentScorer, inPlaceOf function: AuxiliaryFunction)

    /// What reads the texts of other rows of the table.
    func makeRowTexts() throws -> any RowTexts
}

/// Reads texts of rows by rowid, with a statement of its own.
protocol RowTexts: AnyObject {
    /// The text of a column of a row, as `AuxiliaryHost.columnText`.
    func text(ofColumn column: Int, rowID: Int64) throws -> UnsafeBufferPointer<UInt8>?
}
