/// Counts in how many positions of a document any of many terms stands, where terms may share positions.
///
/// A ranker needs this of few documents, those whose sums of frequencies are high enough. So that they cost a look at
/// their own terms only, the first of them makes a list of the terms of every document.
final class SharedPositionCounter {
    private let segment: Segment
    private let entries: [TermEntry]
    private let columns: ColumnFilter?
    private let statistics: RankingStatistics
    private let postingCount: Int

    /// A term of a document: its number in `entries`, and the link to the document's next term; 0 for none.
    private struct Link {
        let term: UInt32
        let next: UInt32
    }
    /// The first element means nothing.
    private let links: GrowingBuffer<Link>
    /// By document, its first link; nil until the first document is counted.
    private var heads: [UInt32]?
    private var cursor: PostingsCursor?
    private var places: [Position] = []
    private var scratch: [Position] = []

    /// The most postings that are listed: 16 MB.
    private static let postingLimit = 1 << 21

    /// Nil if the terms have too many postings for a list.
    ///
    /// - Parameter columns: The columns in which hits count; nil for all.
    init?(_ expansions: TermExpansions, columns: ColumnSet?, _ statistics: RankingStatistics) {
        guard let entries = expansions.entries, expansions.postingCount <= Self.postingLimit else { return nil }
        segment = expansions.segment
        self.entries = entries
        self.columns = ColumnFilter(columns, columnCount: segment.shape.columnCount)
        self.statistics = statistics
        postingCount = expansions.postingCount
        links = GrowingBuffer()
    }

    /// The number of positions in a document, each counted by the weight of its column.
    ///
    /// - Parameter sum: The sum of the frequencies of the terms, which is exact if the document has only one of them.
    func frequency(in document: UInt32, sum: Double) throws -> Double {
        let heads = try heads ?? makeList()
        guard Int(document) < heads.count else { return sum }
        var link = links.values[Int(heads[Int(document)])]
        if link.next == 0 { return sum }
        places.removeAll(keepingCapacity: true)
        while true {
            try readPositions(of: entries[Int(link.term)], in: document)
            if link.next == 0 { break }
            link = links.values[Int(link.next)]
        }
        places.sortWithoutDuplicates()
        return try frequencyOfPlaces(in: document)
    }

    private func makeList() throws -> [UInt32] {
        var heads = [UInt32](repeating: 0, count: segment.documentCount)
        links.removeAll()
        links.append(Link(term: 0, next: 0))
        for (term, entry) in entries.enumerated() {
            try withCursor(at: entry) { cursor in
                for block in 0..<cursor.blockCount {
                    try cursor.decode(block: block)
                    for document in cursor.documents {
                        guard document < heads.count, links.count <= postingCount else {
                            throw corrupt("a posting of no document")
                        }
                        let next = heads[Int(document)]
                        heads[Int(document)] = UInt32(truncatingIfNeeded: links.count)
                        links.append(Link(term: UInt32(truncatingIfNeeded: term), next: next))
                    }
                }
            }
        }
        self.heads = heads
        return heads
    }

    /// Appends the positions of a term to `places`.
    private func readPositions(of entry: TermEntry, in document: UInt32) throws {
        try withCursor(at: entry) { cursor in
            guard try cursor.advance(to: document) == document else { return }
            try cursor.readPositions(into: &scratch)
        }
        for place in scratch where columns?.contains(place.column) ?? true { places.append(place) }
        scratch.removeAll(keepingCapacity: true)
    }

    private func withCursor(at entry: TermEntry, _ body: (inout PostingsCursor) throws -> Void) throws {
        var opened: PostingsCursor
        if let known = cursor {
            opened = known
            opened.open(entry)
        } else {
            opened = try segment.postings(entry)
        }
        try body(&opened)
        cursor = opened
    }

    /// Adds up the hits column by column, as they are added up where terms share no positions.
    private func frequencyOfPlaces(in document: UInt32) throws -> Double {
        var sum = 0.0
        var start = 0
        while start < places.count {
            let column = places[start].column
            var end = start
            while end < places.count, places[end].column == column { end += 1 }
            try statistics.weights.add(
                column, times: UInt32(truncatingIfNeeded: end - start), of: document, in: segment, to: &sum)
            start = end
        }
        return sum
    }
}
