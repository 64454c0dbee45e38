/// Writes the pages of a segment's stored values, document by document.
final class ValueTableWriter {
    private let pages: SegmentPages
    private let columns: [ValuePageWriter]
    private let page = ByteWriter()
    private let part = ByteWriter()
    /// Where pages that are there are replaced, the next of these.
    private var replacedPage: Int?

    /// Adds pages.
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

    /// Writes all values of the segment again from `origins`: by document, the number of a table and a document of it.
    func replaceAll(with origins: [UInt64], of tables: [ValueTable]) throws {
        replacedPage = 0
        for origin in origins {
            let table = Int(truncatingIfNeeded: origin >> 32)
            guard table < tables.count else { throw corrupt("a merged document has no source") }
            try append(documentAt: Int(truncatingIfNeeded: origin & 0xFFFF_FFFF), of: tables[table])
        }
        try flush()
        replacedPage = nil
    }

    /// Writes a page of `table` again, in which some documents, by their place in the page, have other values in the
    /// columns.
    func replace(_ number: Int, of table: ValueTable, with values: [Int: [[StoredValue]]]) throws {
        for (index, column) in columns.enumerated() {
            column.append(try table.page(number, column: index), replacing: values.mapValues { $0[index] })
        }
        replacedPage = number
        try flush()
        replacedPage = nil
    }

    private func flushIfFull() throws {
        if columns.first?.count == SegmentLayout.documentsPerPage { try flush() }
    }

    /// Ends the current page, if it has anything.
    func flush() throws {
        guard let count = columns.first?.count, count > 0 else { return }
        page.removeAll()
        for column in columns { append(column, to: page) }
        if let number = replacedPage {
            try pages.replace(number, of: .values, with: page)
            replacedPage = number + 1
        } else {
            try pages.append(page, to: .values)
        }
        for column in columns { column.removeAll() }
    }

    private func append(_ column: ValuePageWriter, to page: ByteWriter) {
        part.removeAll()
        column.encode(into: part)
        page.append(varint: part.count)
        page.append(part.bytes)
    }
}
