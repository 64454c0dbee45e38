/// The positions of many terms in some documents, gathered in one pass over the terms:
///
///     starts      for each document, the index of its first position in `places`; and the end
///     places      by document, then in the order of the terms
struct GatheredPlaces {
    private let expansions: TermExpansions
    private let documents: [UInt32]
    private var starts: [Int]
    private var places: [Position]

    /// - Parameter documents: Ascending.
    init(_ expansions: TermExpansions, in documents: [UInt32] = [], columns: ColumnFilter?) throws {
        self.expansions = expansions
        self.documents = documents
        starts = Array(repeating: 0, count: documents.count + 1)
        places = []
        if documents.isEmpty { return }
        var found: [(index: Int, place: Position)] = []
        var scratch: [Position] = []
        try expansions.forEach(
            where: { entry in
                // Most terms occur in only one document, which is rarely one of these.
                guard case .dictionary(let single, _, _) = entry.place else { return true }
                return documents.sortedIndex(of: single.document) != nil
            },
            postings: { cursor in
                var index = 0
                while index < documents.count {
                    let document = try cursor.advance(to: documents[index])
                    index = documents.firstIndex(from: document, near: index)
                    guard index < documents.count, documents[index] == document else { continue }
                    try expansions.readPlaces(&cursor, into: &scratch)
                    for place in scratch where columns?.contains(place.column) ?? true {
                        found.append((index, place))
                        starts[index + 1] += 1
                    }
                    index += 1
                }
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
