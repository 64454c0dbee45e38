/// The rows that match a query in the order of a stored value, rows with equal values by rowid, up or down; of several values
/// of a row the least counts, or the greatest in descending order.
///
/// Pages are read in the order of their least or greatest values, until none that is left can have one of the rows that
/// are wanted. The first batch has as many rows as the caller expects to read, each later one four times as many; a
/// batch holds the first rows after the last one that was read.
final class ValueOrderedRows {
    private let query: BoundQuery
    private let column: Int
    private let isDescending: Bool
    private let descendsInRowIDs: Bool
    private let rowIDs: ClosedRange<Int64>
    private let units: [Unit]
    private var iterators: [(iterator: DocumentIterator, end: UInt32)?]
    private var batchSize: Int
    /// Each row has a copy of its value, of 4,096 bytes at most.
    private static let largestBatchSize = 1 << 14
    private var batch: [ValuedRow] = []
    private var position = 0
    private var isLastBatch = false
    private var fence: ValuedRow?

    /// A page of a segment, and what its values begin with in the order.
    private struct Unit {
        let segment: Int
        let page: Int
        let bound: ValueKey
    }

    /// - Parameters:
    ///   - column: The number of the column among VALUE columns.
    ///   - descendingRowIDs: Whether rows with equal values are in descending order of rowids.
    ///   - limit: How many rows will probably be read; nil if that is not known.
    init(
        _ query: BoundQuery, column: Int, descending: Bool, descendingRowIDs: Bool,
        rowIDs: ClosedRange<Int64>, limit: Int?
    ) throws {
        self.query = query
        self.column = column
        isDescending = descending
        descendsInRowIDs = descendingRowIDs
        self.rowIDs = rowIDs
        batchSize = min(max(limit ?? RankedDocuments.defaultBatchSize, 1), Self.largestBatchSize)
        iterators = query.snapshot.segments.map { _ in nil }
        var units: [Unit] = []
        for (segment, live) in query.snapshot.segments.enumerated() {
            for page in 0..<live.values.pageCount {
                let values = try live.values.page(page, column: column)
                let code = descending ? values.greatestCode : values.leastCode
                let bound = ValueKey(value: values.value(code), isDescending: descending)
                units.append(Unit(segment: segment, page: page, bound: bound))
            }
        }
        self.units = units.sorted { $0.bound.precedes($1.bound) }
    }

    /// The next row; nil after the last.
    func next() throws -> ValuedRow? {
        if position == batch.count {
            guard !isLastBatch else { return nil }
            try readBatch()
        }
        guard position < batch.count else { return nil }
        defer { position += 1 }
        return batch[position]
    }

    /// Passes over all rows with the value of a row that was read.
    func skip(_ row: ValuedRow) {
        while position < batch.count, !row.key.precedes(batch[position].key) { position += 1 }
        guard position == batch.count else { return }
        batch = []
        position = 0
        fence = ValuedRow(key: row.key, rowID: row.rowID, place: .max, document: row.document)
    }

    private func readBatch() throws {
        fence = batch.last ?? fence
        var first = Heap<ValuedRow>()
        for unit in units {
            if first.count == batchSize, let worst = first.first, worst.key.precedes(unit.bound) { break }
            try read(unit, into: &first)
        }
        isLastBatch = first.count < batchSize
        batch = first.elements.sorted { $1.leaves(before: $0) }
        position = 0
        batchSize = min(batchSize * 4, Self.largestBatchSize)
    }

    private func read(_ unit: Unit, into first: inout Heap<ValuedRow>) throws {
        let live = query.snapshot.segments[unit.segment]
        let documents = live.values.documents(ofPage: unit.page)
        let start = UInt32(truncatingIfNeeded: documents.lowerBound)
        let end = UInt32(truncatingIfNeeded: documents.upperBound)
        let values = try live.values.page(unit.page, column: column)
        let wanted = codes(of: values, first)
        let iterator = try iterator(unit.segment, from: start)
        try iterator.forEach(from: start, below: end) { document in
            let index = Int(document &- start)
            let code = values.hasLists ? listCode(values, index) : values.code(at: index)
            guard wanted.holds(code), !live.deletions.isDeleted(document) else { return }
            let rowID = try live.segment.rowID(at: Int(document))
            guard rowIDs.contains(rowID) else { return }
            let row = ValuedRow(
                key: ValueKey(value: values.value(code), isDescending: isDescending), rowID: rowID,
                place: descendsInRowIDs ? ~rowID : rowID,
                document: DocumentReference(segment: unit.segment, document: document))
            if let fence, !row.leaves(before: fence) { return }
            first.insert(row, keeping: batchSize)
        }
        iterators[unit.segment] = (iterator, end)
    }

    /// The codes of a page that can be among the first rows after those that were read.
    private func codes(of values: ValuePage, _ first: Heap<ValuedRow>) -> Range<UInt32> {
        let all: Range<UInt32> = 0..<UInt32.max
        guard first.count == batchSize, let worst = first.first?.key.value else { return all }
        let equal = values.codes(from: nil, to: .including(worst))
        if isDescending {
            // NULL comes after all values.
            return worst.isNull ? all : values.codes(from: .including(worst), to: nil)
        }
        return worst.isNull ? 0..<1 : 0..<max(equal.upperBound, 1)
    }

    private func listCode(_ values: ValuePage, _ index: Int) -> UInt32 {
        let codes = values.codes(at: index)
        return (isDescending ? codes.last : codes.first) ?? 0
    }

    private func iterator(_ segment: Int, from start: UInt32) throws -> DocumentIterator {
        guard let known = iterators[segment] else { return try query.makeIterator(segment: segment) }
        if known.end > start { known.iterator.reset() }
        return known.iterator
    }
}

/// A value in the order of rows.
struct ValueKey {
    let value: StoredValue
    let isDescending: Bool

    func precedes(_ other: ValueKey) -> Bool {
        let order = value.compared(to: other.value)
        return isDescending ? order > 0 : order < 0
    }
}

/// A row with the value that it is ordered by.
struct ValuedRow: HeapElement {
    let key: ValueKey
    let rowID: Int64
    /// Its place among rows with the same value: its rowid, or the complement of that where rowids descend.
    let place: Int64
    let document: DocumentReference

    /// Whether it comes after another one.
    func leaves(before other: ValuedRow) -> Bool {
        if other.key.precedes(key) { return true }
        return !key.precedes(other.key) && place > other.place
    }
}

extension StoredValue {
    fileprivate var isNull: Bool { self == .null }
}
