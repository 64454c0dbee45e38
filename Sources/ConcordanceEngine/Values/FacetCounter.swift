import ConcordanceSQLite

/// Counts the rows that match a query by the stored values of a column: by value, or by ranges of numbers.
///
/// Values that compare equal, 1 and 1.0, are one. A row with several values counts for each of them, and once for each range.
struct FacetCounter {
    /// How many rows have a value.
    struct Facet {
        var value: StoredValue
        var count: Int
    }

    /// More different values than this are an error: they are no facets, and would take much memory.
    static let valueLimit = 1 << 20

    private let snapshot: Snapshot
    /// Nil for all rows.
    private let query: BoundQuery?
    private let column: Int
    private var counts: [StoredValue: Int] = [:]

    /// - Parameters:
    ///   - query: Nil for all rows.
    ///   - column: The number of the column among VALUE columns.
    init(_ query: BoundQuery?, in snapshot: Snapshot, column: Int) {
        self.snapshot = snapshot
        self.query = query
        self.column = column
    }

    /// The values of matching rows, NULL included, by how many rows have them, then in their order.
    ///
    /// - Throws: SQLITE_TOOBIG for more values than `valueLimit`.
    mutating func facets() throws -> [Facet] {
        counts = [:]
        for segment in snapshot.segments.indices { try count(segment) }
        return merged().sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.value.compared(to: $1.value) < 0
        }
    }

    private mutating func count(_ segment: Int) throws {
        let live = snapshot.segments[segment]
        let iterator = try query?.makeIterator(segment: segment) ?? AllDocuments(live.segment.documentCount)
        for number in 0..<live.values.pageCount {
            let documents = live.values.documents(ofPage: number)
            let first = UInt32(truncatingIfNeeded: documents.lowerBound)
            let end = UInt32(truncatingIfNeeded: documents.upperBound)
            let page = try live.values.page(number, column: column)
            let (deletions, hasLists) = (live.deletions, page.hasLists)
            // Most pages have few values: their codes are counted in an array, others in a dictionary.
            guard page.greatestCode < Self.codeLimit else {
                var found: [UInt32: Int] = [:]
                try iterator.forEach(from: first, below: end) { document in
                    if deletions.isDeleted(document) { return }
                    page.forEachCode(at: Int(document &- first)) { found[$0, default: 0] += 1 }
                }
                for (code, count) in found { try add(page.value(code), count) }
                continue
            }
            let counters = FixedBuffer(repeating: 0, count: Int(page.greatestCode) + 1)
            try iterator.forEach(from: first, below: end) { document in
                if deletions.isDeleted(document) { return }
                let index = Int(document &- first)
                if hasLists {
                    page.forEachCode(at: index) { counters[Int($0)] += 1 }
                } else {
                    counters[Int(page.code(at: index))] += 1
                }
            }
            for code in 0..<counters.count where counters[code] > 0 {
                try add(page.value(UInt32(truncatingIfNeeded: code)), counters[code])
            }
        }
    }

    private static let codeLimit: UInt32 = 1 << 13

    private mutating func add(_ value: StoredValue, _ count: Int) throws {
        counts[value, default: 0] += count
        guard counts.count <= Self.valueLimit else {
            throw DatabaseError(
                resultCode: .SQLITE_TOOBIG, message: "the column has more than \(Self.valueLimit) values to count")
        }
    }

    /// Values that compare equal as one.
    private func merged() -> [Facet] {
        var facets: [Facet] = []
        for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
            if let last = facets.last, last.value.comparesEqual(value) {
                facets[facets.count - 1].count += count
            } else {
                facets.append(Facet(value: value, count: count))
            }
        }
        return facets
    }
}

/// All documents of a segment.
private final class AllDocuments: DocumentIterator {
    private let count: UInt32

    init(_ count: Int) { self.count = UInt32(truncatingIfNeeded: count) }

    override var cost: Int { Int(count) }

    override func find(_ target: UInt32) throws -> UInt32 { target < count ? target : Self.exhausted }
}
