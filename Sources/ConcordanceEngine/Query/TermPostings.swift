/// The documents that contain one term of the dictionary in some of the columns.
class TermPostings: LeafIterator {
    @exclusivity(unchecked) private var cursor: PostingsCursor
    /// That of the cursor. To take it from there for each document would cost reference counting.
    private let decoder: PostingsDecoder
    private let columns: ColumnFilter?
    /// Whether `columns` is set. Testing the optional itself for each document would cost reference counting.
    private let isFiltered: Bool

    init(_ cursor: PostingsCursor, columns: ColumnFilter?) {
        self.cursor = cursor
        decoder = cursor.decoder
        self.columns = columns
        isFiltered = columns != nil
    }

    override var cost: Int { cursor.count }

    override var readsBlocks: Bool { !isFiltered }

    override func rewind() { cursor.reset() }

    override func find(_ target: UInt32) throws -> UInt32 {
        var document = try cursor.advance(to: target)
        guard isFiltered, let columns else { return document }
        while document != Self.exhausted, try !cursor.stands(in: columns) { document = try cursor.next() }
        return document
    }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        guard columns == nil, !buffer.isEmpty else { return try super.read(from: target, below: end, into: buffer) }
        _ = try seek(target)
        let count = try cursor.read(below: end, into: buffer)
        settle(at: cursor.document)
        return count
    }

    /// The documents of the block that the current document is in, until the next move.
    @inline(__always)
    final var block: UnsafeBufferPointer<UInt32> { cursor.documents }

    /// Those of them from the current document on.
    @inline(__always)
    final var rest: UnsafeBufferPointer<UInt32> { cursor.rest }

    /// Moves to a document of that block.
    @inline(__always)
    final func move(inBlock document: UInt32) {
        cursor.move(inBlock: document)
        settle(at: document)
    }

    override func keep(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        guard !isFiltered, count > 0 else { return try super.keep(documents, count) }
        let kept = try cursor.keep(documents, count)
        settle(at: cursor.document)
        return kept
    }

    override func mark(from first: UInt32, below end: UInt32, in window: UnsafeMutablePointer<UInt64>) throws {
        guard columns == nil else { return try super.mark(from: first, below: end, in: window) }
        _ = try seek(first)
        try cursor.mark(from: first, below: end, in: window)
        settle(at: cursor.document)
    }

    /// The number of hits in each of ascending documents, in all columns. There is no current document afterwards.
    final func hitCounts(in documents: [UInt32]) throws -> [UInt32] {
        reset()
        defer { reset() }
        return try documents.map { try cursor.advance(to: $0) == $0 ? cursor.frequency : 0 }
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        try decoder.readPositions(at: cursor.index, into: result)
        if isFiltered, let columns { result.replaceEach { columns.contains($0.column) ? $0 : nil } }
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        try cursor.forEachColumn { column, count in
            if columns?.contains(column) ?? true { try body(column, count) }
        }
    }
}

extension PostingsCursor {
    /// Whether the term occurs in one of the columns of the current document.
    func stands(in columns: ColumnFilter) throws -> Bool {
        var result = false
        try forEachColumn { column, _ in
            if columns.contains(column) { result = true }
        }
        return result
    }
}

extension GrowingBuffer<Position> {
    /// Sorts the positions and drops repeated ones, since a token and its synonyms share a position.
    func sortWithoutDuplicates() {
        guard count > 1 else { return }
        sortFew(by: <)
        dropRepeated()
    }

    /// Keeps the first of equal positions that follow each other.
    func dropRepeated() {
        var last: UInt64?
        replaceEach { place in
            defer { last = place.rawValue }
            return place.rawValue == last ? nil : place
        }
    }

    /// Merges the positions of each column, for positions that stand for a column and have the frequency as their
    /// offset.
    func addUpColumns() {
        guard count > 1 else { return }
        sortFew(by: <)
        let values = mutableValues
        var kept = 1
        for index in 1..<values.count {
            if values[index].column == values[kept - 1].column {
                let sum = values[kept - 1].offset &+ values[index].offset
                values[kept - 1] = Position(column: values[index].column, offset: sum)
            } else {
                values[kept] = values[index]
                kept += 1
            }
        }
        truncate(to: kept)
    }
}
