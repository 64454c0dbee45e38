/// Counts the hits of many terms in a document exactly, when the sum of the terms' frequencies does not: if terms may
/// share positions, each of which counts once, and if the sum of fractional weights depends on its order.
///
/// A ranker needs this for few documents: those with high enough sums. The first call lists the terms of every
/// document, so that each document then costs only its own terms.
final class FrequencyCounter {
    private let segment: Segment
    private let entries: [TermEntry]
    /// How much a hit of each term counts; nil if every one counts 1.
    private let factors: [Double]?
    private let comparesPlaces: Bool
    private let columns: ColumnFilter?
    private let statistics: RankingStatistics
    private let postingCount: Int
    /// The documents that are asked for.
    private let documents: Range<UInt32>

    /// The terms of each document, in the order of the documents, as numbers in `entries`.
    @exclusivity(unchecked) private var terms: FixedBuffer<UInt16>?
    /// For each document, the end of its terms.
    @exclusivity(unchecked) private var ends: FixedBuffer<UInt32>?
    @exclusivity(unchecked) private var cursor: PostingsCursor?
    private let places = GrowingBuffer<Position>()
    private let scratch = GrowingBuffer<Position>()

    /// The most postings that are listed, in 16 MB.
    private static let postingLimit = 1 << 23
    /// The most postings that are read a second time for the last bit of a score.
    private static let roundingLimit = 1 << 20

    /// Nil if there are too many terms, or if they have too many postings for a list, or for a second pass that changes only
    /// the last bit.
    ///
    /// - Parameters:
    ///   - columns: The columns in which hits count; nil for all.
    ///   - documents: Those that will be asked for.
    init?(
        _ expansions: TermExpansions, columns: ColumnSet?, in documents: Range<UInt32>, _ statistics: RankingStatistics
    ) {
        guard let (entries, factors) = expansions.known, entries.count <= 1 << 16,
            expansions.postingCount <= (expansions.comparesPlaces ? Self.postingLimit : Self.roundingLimit)
        else { return nil }
        segment = expansions.segment
        self.entries = entries
        self.factors = factors
        comparesPlaces = expansions.comparesPlaces
        self.columns = ColumnFilter(columns, columnCount: segment.shape.columnCount)
        self.statistics = statistics
        postingCount = expansions.postingCount
        self.documents = documents
    }

    /// The number of hits in a document, each counted by the weight of its column, as in the count row by row
    /// (`UnionPostings`).
    ///
    /// - Parameter sum: The sum of the frequencies of the terms, which is exact if the document has only one of them.
    func frequency(in document: UInt32, sum: Double) throws -> Double {
        if terms == nil { try makeList() }
        guard let range = range(of: document), range.count > 1 else { return sum }
        places.removeAll()
        guard comparesPlaces else { return try frequencyOfTerms(range, in: document) }
        for place in range {
            if let term = terms?[place] { try readPositions(of: entries[Int(term)], in: document) }
        }
        places.sortWithoutDuplicates()
        return try frequencyOfPlaces(in: document)
    }

    /// The places of a document's terms in `terms`.
    private func range(of document: UInt32) -> Range<Int>? {
        guard documents.contains(document), case let place = Int(document - documents.lowerBound),
            let end = ends?[place]
        else { return nil }
        return Int(place == 0 ? 0 : ends?[place - 1] ?? end)..<Int(end)
    }

    /// A counting sort of all postings by document.
    private func makeList() throws {
        let ends = FixedBuffer<UInt32>(repeating: 0, count: documents.count)
        try forEachPosting { _, place in ends[place] += 1 }
        var sum: UInt32 = 0
        for document in 0..<ends.count {
            let count = ends[document]
            ends[document] = sum
            sum += count
        }
        let terms = FixedBuffer<UInt16>(repeating: 0, count: Int(sum))
        // The start of each document moves to its end.
        try forEachPosting { term, place in
            terms[Int(ends[place])] = term
            ends[place] += 1
        }
        self.ends = consume ends
        self.terms = consume terms
    }

    /// Calls `body` with each posting in the range, as the numbers of its term and of its document there.
    @inline(__always)
    private func forEachPosting(_ body: (_ term: UInt16, _ place: Int) -> Void) throws {
        let documents = documents
        var count = 0
        for (term, entry) in entries.enumerated() {
            try withCursor(at: entry) { cursor in
                guard try cursor.advance(to: documents.lowerBound) < documents.upperBound else { return }
                for block in cursor.blockNumber..<cursor.blockCount {
                    try cursor.decode(block: block)
                    count += cursor.documents.count
                    guard count <= postingCount, let first = cursor.documents.first else {
                        throw corrupt("a posting of no document")
                    }
                    if first >= documents.upperBound { break }
                    for document in cursor.documents where documents.contains(document) {
                        body(UInt16(truncatingIfNeeded: term), Int(document &- documents.lowerBound))
                    }
                }
            }
        }
    }

    /// Appends the positions of a term to `places`.
    private func readPositions(of entry: TermEntry, in document: UInt32) throws {
        scratch.removeAll()
        try withCursor(at: entry) { cursor in
            guard try cursor.advance(to: document) == document else { return }
            try cursor.readPositions(into: scratch)
        }
        for place in scratch.values where columns?.contains(place.column) ?? true { places.append(place) }
    }

    private func withCursor(at entry: TermEntry, _ body: (inout PostingsCursor) throws -> Void) throws {
        var opened = try segment.postings(entry, reusing: cursor)
        try body(&opened)
        cursor = opened
    }

    /// Adds up the hits of terms that share no positions: column by column, those with typos last, term by term.
    private func frequencyOfTerms(_ range: Range<Int>, in document: UInt32) throws -> Double {
        var sum = 0.0
        var isWhole = true
        func addWhole() throws {
            guard isWhole else { return }
            isWhole = false
            places.addUpColumns()
            for place in places.values { try add(place.column, times: place.offset, of: document, to: &sum) }
        }
        for place in range {
            guard let term = terms?[place] else { continue }
            let factor = factors?[Int(term)] ?? 1
            if factor != 1 { try addWhole() }
            try withCursor(at: entries[Int(term)]) { cursor in
                guard try cursor.advance(to: document) == document else { return }
                try cursor.forEachColumn { column, count in
                    guard columns?.contains(column) ?? true else { return }
                    if factor == 1 {
                        places.append(Position(column: column, offset: count))
                    } else {
                        try add(column, times: count, of: document, factor: factor, to: &sum)
                    }
                }
            }
        }
        try addWhole()
        return sum
    }

    private func add(
        _ column: UInt32, times count: UInt32, of document: UInt32, factor: Double = 1, to sum: inout Double
    ) throws {
        try statistics.weights.add(column, times: count, of: document, in: segment, factor: factor, to: &sum)
    }

    /// Adds up the hits column by column, in the same order as for terms that share no positions.
    private func frequencyOfPlaces(in document: UInt32) throws -> Double {
        let places = places.values
        var sum = 0.0
        var start = 0
        while start < places.count {
            let column = places[start].column
            var end = start
            while end < places.count, places[end].column == column { end += 1 }
            try add(column, times: UInt32(truncatingIfNeeded: end - start), of: document, to: &sum)
            start = end
        }
        return sum
    }
}
