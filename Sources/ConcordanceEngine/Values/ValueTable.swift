/// The stored values of a segment's documents, a `ValuePage` of each VALUE column for 4,096 documents
/// (`SegmentLayout.documentsPerPage`). In a segment that is one row, the pages of all columns are joined:
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
        pages = Array(repeating: nil, count: reader.count(.values) * (reader.dividesValues ? 1 : columnCount))
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
        guard !reader.dividesValues else {
            let stored = try reader.page(.values, index)
            let page = try ValuePage(stored.bytes, in: stored.block, count: documents(ofPage: number).count)
            pages[index] = page
            return page
        }
        try load(number)
        guard let page = pages[index] else { throw corrupt("segment \(reader.id) has no values of a column") }
        return page
    }

    private func load(_ number: Int) throws {
        let stored = try reader.page(.values, number)
        let count = documents(ofPage: number).count
        var column = 0
        try Self.forEachColumn(of: stored.bytes) { part in
            guard column < columnCount else { throw corrupt("a page of values is too long") }
            pages[number * columnCount + column] = try ValuePage(part, in: stored.block, count: count)
            column += 1
        }
    }

    /// Calls `body` with the page of each column of joined ones.
    static func forEachColumn(
        of joined: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var bytes = ByteReader(joined)
        while !bytes.isAtEnd { try body(bytes.bytes(bytes.varint(atMost: bytes.remaining))) }
    }

    /// The pages of all columns as one.
    static func joined(_ columns: [ByteWriter]) -> ByteWriter {
        let joined = ByteWriter()
        for column in columns {
            joined.append(varint: column.count)
            joined.append(column.bytes)
        }
        return joined
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
