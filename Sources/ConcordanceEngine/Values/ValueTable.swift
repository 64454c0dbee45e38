/// The stored values of a segment's documents, in pages of 4,096 documents (`SegmentLayout.documentsPerPage`):
///
///     bytes varint, `ValuePage`     of each VALUE column
///
/// Pages change with the values of their documents; the manifest has a stamp of them all. What was read stays in memory as
/// long as the table.
final class ValueTable {
    private let reader: SegmentReader
    private let columnCount: Int
    /// By page, and in it by column; nil until it is first asked for.
    private var pages: [ValuePage?]

    init(_ reader: SegmentReader, columnCount: Int) {
        self.reader = reader
        self.columnCount = columnCount
        pages = Array(repeating: nil, count: reader.count(.values) * columnCount)
    }

    var pageCount: Int { columnCount == 0 ? 0 : pages.count / columnCount }

    /// The documents of a page.
    func documents(ofPage number: Int) -> Range<Int> {
        let first = number << SegmentLayout.documentPageBits
        return first..<min(first + SegmentLayout.documentsPerPage, reader.documentCount)
    }

    /// The values of a page in a column, which is counted among VALUE columns.
    func page(_ number: Int, column: Int) throws -> ValuePage {
        let index = number * columnCount + column
        guard number >= 0, column >= 0, column < columnCount, index < pages.count else {
            throw corrupt("segment \(reader.id) has no values of a column")
        }
        if let page = pages[index] { return page }
        try load(number)
        guard let page = pages[index] else { throw corrupt("segment \(reader.id) has no values of a column") }
        return page
    }

    private func load(_ number: Int) throws {
        let stored = try reader.page(.values, number)
        var bytes = ByteReader(stored.bytes)
        let count = documents(ofPage: number).count
        for column in 0..<columnCount {
            let part = try bytes.bytes(bytes.varint(atMost: bytes.remaining))
            pages[number * columnCount + column] = try ValuePage(part, in: stored.block, count: count)
        }
        guard bytes.isAtEnd else { throw corrupt("a page of values is too long") }
    }

    /// The values of a document in a column; none for NULL.
    func values(of document: Int, column: Int) throws -> [StoredValue] {
        let page = try page(document >> SegmentLayout.documentPageBits, column: column)
        let index = document & (SegmentLayout.documentsPerPage - 1)
        guard index < page.count else { throw corrupt("a document has no values") }
        return page.values(at: index)
    }

    /// Whether a document has the values of a row (`RowValues`).
    func has(_ row: UnsafeRawBufferPointer, ofDocument document: Int) throws -> Bool {
        let values = try RowValues.values(of: row, columnCount: columnCount)
        return try values.indices.allSatisfy { try self.values(of: document, column: $0) == values[$0] }
    }
}
