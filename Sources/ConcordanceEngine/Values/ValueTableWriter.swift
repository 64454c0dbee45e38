/// Writes the pages of a segment's stored values, document by document.
final class ValueTableWriter {
    private let pages: SegmentPages
    private let columns: [ValuePageWriter]
    /// Of each column.
    private let parts: [ByteWriter]
    /// Where pages that are there are replaced, the next of these.
    private var replacedPage: Int?

    /// Adds pages.
    init(columnCount: Int, pages: SegmentPages) {
        self.pages = pages
        columns = (0..<columnCount).map { _ in ValuePageWriter() }
        parts = columns.map { _ in ByteWriter() }
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

    /// Writes the values of a page of documents in `table` again, some of which, by their place in the page, have other values in
    /// the columns; if columns have pages of their own, only those that change.
    func replace(_ number: Int, of table: ValueTable, with values: [Int: [[StoredValue]]]) throws {
        for (index, column) in columns.enumerated() {
            let page = try table.page(number, column: index)
            if isDivided, values.allSatisfy({ $0.key < page.count && page.values(at: $0.key) == $0.value[index] }) {
                continue
            }
            column.append(page, replacing: values.mapValues { $0[index] })
            if isDivided { try write(index, at: number) }
        }
        if !isDivided { try write(at: number) }
    }

    /// Whether columns have pages of their own.
    private var isDivided: Bool { pages.dividesValues && !pages.isInline }

    /// Writes what the columns hold: in place of the pages of these documents, or, if that is nil, as pages that are added.
    private func write(at number: Int?) throws {
        if let number, isDivided {
            for index in columns.indices { try write(index, at: number) }
            return
        }
        for index in columns.indices { encode(index) }
        if let number {
            try pages.replace(number, of: .values, with: ValueTable.joined(parts))
        } else {
            try pages.appendValues(parts)
        }
    }

    /// Writes what a column holds in place of its page of these documents.
    private func write(_ index: Int, at number: Int) throws {
        encode(index)
        try pages.replace(number * columns.count + index, of: .values, with: parts[index])
    }

    private func encode(_ index: Int) {
        parts[index].removeAll()
        columns[index].encode(into: parts[index])
        columns[index].removeAll()
    }

    private func flushIfFull() throws {
        if columns.first?.count == SegmentLayout.documentsPerPage { try flush() }
    }

    /// Ends the current page, if it has anything.
    func flush() throws {
        guard let count = columns.first?.count, count > 0 else { return }
        try write(at: replacedPage)
        replacedPage = replacedPage.map { $0 + 1 }
    }
}
