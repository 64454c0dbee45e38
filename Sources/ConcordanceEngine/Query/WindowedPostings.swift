/// The documents that have one of many terms, and where the terms stand in each of them: what a phrase with a prefix needs.
///
/// A window of documents is gathered in one pass over the terms. Windows are as large as memory allows, so that there are
/// few passes:
///
///     starts      for each document of the window, where its places begin in `positions`; and the end
///     positions   the places of all terms, by document, within one in the order of the terms
final class WindowedPostings: LeafIterator {
    private let expansions: TermExpansions
    private let columns: ColumnFilter?
    private let size: Int
    private var base = 0
    private var starts: [Int] = []
    private var positions: [Position] = []
    private var gathered: [(document: UInt32, position: Position)] = []

    /// How many postings a window is to have: some 16 MB at two places each.
    private static let postingLimit = 1 << 18
    /// No window has more documents, since each takes 8 bytes.
    private static let documentLimit = 1 << 20

    init(_ expansions: TermExpansions, columns: ColumnFilter?, postingLimit: Int = postingLimit) {
        self.expansions = expansions
        self.columns = columns
        let windows = expansions.postingCount / postingLimit + 1
        size = min(expansions.segment.documentCount / windows + 1, Self.documentLimit)
    }

    override var cost: Int { min(expansions.postingCount, expansions.segment.documentCount) }

    override func find(_ target: UInt32) throws -> UInt32 {
        let documentCount = expansions.segment.documentCount
        var document = Int(target)
        while document < documentCount {
            if starts.isEmpty || document < base || document >= base + starts.count - 1 {
                try gather(from: document - document % size)
            }
            var index = document - base
            while index + 1 < starts.count {
                if starts[index] < starts[index + 1] { return UInt32(truncatingIfNeeded: base + index) }
                index += 1
            }
            document = base + starts.count - 1
        }
        return Self.exhausted
    }

    /// Whether the document is in the window.
    func isGathered(_ document: UInt32) -> Bool { Int(document) >= base && Int(document) < base + starts.count - 1 }

    private func gather(from first: Int) throws {
        let end = min(first + size, expansions.segment.documentCount)
        // Until it is gathered whole, there is no window.
        starts = []
        var counts = Array(repeating: 0, count: end - first + 1)
        gathered.removeAll(keepingCapacity: true)
        var scratch: [Position] = []
        try expansions.forEach(postings: { cursor in
            var document = try cursor.advance(to: UInt32(truncatingIfNeeded: first))
            while Int(document) < end {
                try expansions.readPlaces(&cursor, into: &scratch)
                for position in scratch where columns?.contains(position.column) ?? true {
                    gathered.append((document, position))
                    counts[Int(document) - first + 1] += 1
                }
                document = try cursor.next()
            }
        })
        for index in 1..<counts.count { counts[index] += counts[index - 1] }
        base = first
        starts = counts
        sortByDocument()
    }

    /// A counting sort: `starts` has the sums already.
    private func sortByDocument() {
        positions = Array(repeating: Position(rawValue: 0), count: gathered.count)
        var next = starts
        for (document, position) in gathered {
            let index = Int(document) - base
            positions[next[index]] = position
            next[index] += 1
        }
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        if expansions.hasPositions { try readPlaces(into: &result) } else { result.removeAll(keepingCapacity: true) }
    }

    /// Replaces the array's content with the places in the current document (`TermExpansions.hasPositions`).
    func readPlaces(into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        let index = Int(document) - base
        guard index >= 0, index + 1 < starts.count else { return }
        result.append(contentsOf: positions[starts[index]..<starts[index + 1]])
        expansions.merge(&result)
    }
}
