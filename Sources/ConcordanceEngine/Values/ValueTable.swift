/// The stored values of a segment's documents, in pages of 4,096 documents (`SegmentLayout.documentsPerPage`):
///
///     for each VALUE column     bytes varint, `ValuePage`
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
}

/// Writes the pages of a segment's stored values, document by document.
final class ValueTableWriter {
    private let pages: SegmentPages
    private let columns: [ValuePageWriter]
    private let page = ByteWriter()
    private let part = ByteWriter()

    init(columnCount: Int, pages: SegmentPages) {
        self.pages = pages
        columns = (0..<columnCount).map { _ in ValuePageWriter() }
    }

    /// Adds the values of a document as a pending row has them.
    func append(_ row: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(row)
        for column in columns { try RowValues.read(&reader, into: column) }
        try flushIfFull()
    }

    /// Adds a document of another segment.
    func append(documentAt document: Int, of table: ValueTable) throws {
        let number = document >> SegmentLayout.documentPageBits
        for (index, column) in columns.enumerated() {
            let page = try table.page(number, column: index)
            let place = document & (SegmentLayout.documentsPerPage - 1)
            guard place < page.count else { throw corrupt("a document has no values") }
            column.append(documentAt: place, of: page)
        }
        try flushIfFull()
    }

    private func flushIfFull() throws {
        if columns.first?.count == SegmentLayout.documentsPerPage { try flush() }
    }

    /// Ends the current page, if it has anything.
    func flush() throws {
        guard let count = columns.first?.count, count > 0 else { return }
        page.removeAll()
        for column in columns { append(column, to: page) }
        try pages.append(page, to: .values)
        for column in columns { column.removeAll() }
    }

    private func append(_ column: ValuePageWriter, to page: ByteWriter) {
        part.removeAll()
        column.encode(into: part)
        page.append(varint: part.count)
        page.append(part.bytes)
    }
}
