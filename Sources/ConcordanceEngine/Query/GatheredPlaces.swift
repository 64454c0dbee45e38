/// The positions of many terms in some documents, gathered in one pass over the terms:
///
///     starts      for each document, the index of its first position in `places`; and the end
///     places      by document, then in the order of the terms
struct GatheredPlaces {
    private let expansions: TermExpansions
    private let documents: [UInt32]
    private var starts: [Int]
    private var places: [Position]

    /// - Parameters:
    ///   - documents: Ascending.
    ///   - hitCounts: For each document, how many positions the terms have there, in all columns, according to the stored list
    ///     of a prefix: once that many are found, no more are looked for. Nil if that is not known.
    init(
        _ expansions: TermExpansions, in documents: [UInt32] = [], hitCounts: [UInt32]? = nil, columns: ColumnFilter?
    ) throws {
        self.expansions = expansions
        self.documents = documents
        starts = Array(repeating: 0, count: documents.count + 1)
        places = []
        if documents.isEmpty { return }
        let hasCounts = hitCounts != nil && expansions.hasPositions && !expansions.splitsCharacters
        var missing = hasCounts ? hitCounts ?? [] : []
        // Those in which positions may be missing, and their indexes in `documents`; some are complete already.
        var indexes = documents.indices.filter { !hasCounts || missing[$0] > 0 }
        var wanted = indexes.map { documents[$0] }
        var completeCount = 0
        var found: [(index: Int, place: Position)] = []
        var scratch: [Position] = []
        try expansions.forEach(
            frequentFirst: hasCounts,
            where: { entry in
                if wanted.isEmpty { return false }
                // Most terms occur in only one document, which is rarely one of these.
                guard case .dictionary(let single, _, _) = entry.place else { return true }
                return wanted.sortedIndex(of: single.document) != nil
            },
            postings: { cursor in
                var next = 0
                while next < wanted.count {
                    let document = try cursor.advance(to: wanted[next])
                    next = wanted.firstIndex(from: document, near: next)
                    guard next < wanted.count, wanted[next] == document else { continue }
                    let index = indexes[next]
                    try expansions.readPlaces(&cursor, into: &scratch)
                    for place in scratch where columns?.contains(place.column) ?? true {
                        found.append((index, place))
                        starts[index + 1] += 1
                    }
                    if hasCounts, missing[index] > 0 {
                        missing[index] -= min(missing[index], UInt32(clamping: scratch.count))
                        if missing[index] == 0 { completeCount += 1 }
                    }
                    next += 1
                }
                // To drop each at once would take quadratic time.
                guard completeCount * 4 > wanted.count else { return }
                indexes.removeAll { missing[$0] == 0 }
                wanted = indexes.map { documents[$0] }
                completeCount = 0
            })
        for index in documents.indices { starts[index + 1] += starts[index] }
        sort(found)
    }

    /// A counting sort by document, for which `starts` has the sums.
    private mutating func sort(_ found: [(index: Int, place: Position)]) {
        places = Array(repeating: Position(rawValue: 0), count: found.count)
        var next = starts
        for (index, place) in found {
            places[next[index]] = place
            next[index] += 1
        }
    }

    /// Replaces the contents of the array with the positions in a document, ascending; false if it is not one of the
    /// documents.
    func read(_ document: UInt32, into result: inout [Position]) -> Bool {
        guard let index = documents.sortedIndex(of: document) else { return false }
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: places[starts[index]..<starts[index + 1]])
        expansions.merge(&result)
        return true
    }
}
