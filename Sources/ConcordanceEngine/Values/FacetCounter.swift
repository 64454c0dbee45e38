import ConcordanceSQLite

/// Counts the rows that match a query by the stored values of a column: by value, or by ranges of values.
///
/// Values that compare equal, 1 and 1.0, are one. A row with several values counts for each of them, and once for each range.
struct FacetCounter {
    /// How many rows have a value.
    struct Facet {
        var value: StoredValue
        var count: Int
    }

    /// More different values than this, or more bytes of texts and blobs, are an error: they are no facets, and would take much
    /// memory.
    static let valueLimit = 1 << 20
    static let byteLimit = 64 << 20

    private let snapshot: Snapshot
    /// Nil for all rows.
    private let query: BoundQuery?
    private let column: Int
    private var counts: [StoredValue: Int] = [:]
    private var byteCount = 0

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
    /// - Throws: SQLITE_TOOBIG for more values than `valueLimit` and `byteLimit`.
    mutating func facets() throws -> [Facet] {
        counts = [:]
        byteCount = 0
        for segment in snapshot.segments.indices { try count(segment) }
        return merged().sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.value.compared(to: $1.value) < 0
        }
    }

    /// Calls `body` with each page that a segment has of the column, the first document of the page, and a function that calls
    /// another one with each document that is counted.
    private func forEachPage(
        _ segment: Int, _ body: (ValuePage, UInt32, ((UInt32) -> Void) throws -> Void) throws -> Void
    ) throws {
        let live = snapshot.segments[segment]
        let deletions = live.deletions
        let iterator: DocumentIterator =
            if let query { DocumentSetIterator(try query.matchedDocuments()[segment]) } else {
                AllDocuments(live.segment.documentCount)
            }
        for number in 0..<live.values.pageCount {
            let documents = live.values.documents(ofPage: number)
            let first = UInt32(truncatingIfNeeded: documents.lowerBound)
            let end = UInt32(truncatingIfNeeded: documents.upperBound)
            try body(try live.values.page(number, column: column), first) { count in
                try iterator.forEach(from: first, below: end) { if !deletions.isDeleted($0) { count($0) } }
            }
        }
    }

    /// Most pages have few values: their codes are counted in an array, others in a dictionary.
    private mutating func count(_ segment: Int) throws {
        try forEachPage(segment) { page, first, forEachDocument in
            guard page.greatestCode < Self.codeLimit else {
                var found: [UInt32: Int] = [:]
                try forEachDocument { document in
                    page.forEachFacet(at: Int(document &- first)) { found[$0, default: 0] += 1 }
                }
                for (code, count) in found { try add(page.value(code), count) }
                return
            }
            let counters = FixedBuffer(repeating: 0, count: Int(page.greatestCode) + 1)
            if page.hasLists {
                try forEachDocument { document in
                    page.forEachFacet(at: Int(document &- first)) { counters[Int($0)] += 1 }
                }
            } else {
                try forEachDocument { counters[Int(page.code(at: Int($0 &- first)))] += 1 }
            }
            for code in 0..<counters.count where counters[code] > 0 {
                try add(page.value(UInt32(truncatingIfNeeded: code)), counters[code])
            }
        }
    }

    /// Rows by ranges of values, each from a bound up to the next; the last range has no end. What is before the first bound is
    /// not counted. A bound that is NULL is before all values; NULL itself is in no range.
    ///
    /// - Parameter bounds: Ascending.
    func ranges(from bounds: [StoredValue]) throws -> [Facet] {
        var facets = bounds.map { Facet(value: $0, count: 0) }
        for segment in snapshot.segments.indices {
            try forEachPage(segment) { page, first, forEachDocument in
                let ranges = bounds.indices.map { index in
                    page.codes(
                        from: bounds[index] == .null ? nil : .including(bounds[index]),
                        to: index + 1 < bounds.count ? .excluding(bounds[index + 1]) : nil)
                }
                // Which ranges the page has values of: one, where bounds are far from one another.
                let present = ranges.indices.filter {
                    ranges[$0].lowerBound <= page.greatestCode && ranges[$0].upperBound > page.leastCode
                }
                if present.isEmpty { return }
                let counters = FixedBuffer(repeating: 0, count: ranges.count)
                try forEachDocument { document in
                    for number in present where page.has(ranges[number], at: Int(document &- first)) {
                        counters[number] += 1
                    }
                }
                for number in present { facets[number].count += counters[number] }
            }
        }
        return facets
    }

    private static let codeLimit: UInt32 = 1 << 13

    private mutating func add(_ value: StoredValue, _ count: Int) throws {
        if let known = counts[value] {
            counts[value] = known + count
            return
        }
        counts[value] = count
        if case .text(let bytes) = value { byteCount += bytes.count }
        if case .blob(let bytes) = value { byteCount += bytes.count }
        guard counts.count <= Self.valueLimit, byteCount <= Self.byteLimit else {
            throw DatabaseError(
                resultCode: .SQLITE_TOOBIG, message: "the column has too many different values to count")
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

extension ValuePage {
    /// Calls `body` with each code of a document, of 1 and 1.0 with one.
    @inline(__always)
    fileprivate func forEachFacet(at index: Int, _ body: (UInt32) -> Void) {
        var last = ValueView.null
        forEachCode(at: index) { code in
            guard dictionary.hasEqualValues else { return body(code) }
            let value = view(code)
            if value.isNull || value.compared(to: last) != 0 { body(code) }
            last = value
        }
    }

    /// Whether a document has a value in a range of codes.
    @inline(__always)
    fileprivate func has(_ range: Range<UInt32>, at index: Int) -> Bool {
        hasLists ? codes(at: index).contains { range.holds($0) } : range.holds(code(at: index))
    }
}

/// All documents of a segment.
private final class AllDocuments: DocumentIterator {
    private let count: UInt32

    init(_ count: Int) { self.count = UInt32(truncatingIfNeeded: count) }

    override var cost: Int { Int(count) }

    override func find(_ target: UInt32) throws -> UInt32 { target < count ? target : Self.exhausted }
}
