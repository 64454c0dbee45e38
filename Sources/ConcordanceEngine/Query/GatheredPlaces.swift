/// Where many terms stand in a few documents, gathered in one pass over the terms.
struct GatheredPlaces {
    private let documents: [UInt32]
    private var places: [[Position]]

    /// - Parameter documents: Ascend.
    init(_ expansions: TermExpansions, in documents: [UInt32], columns: ColumnFilter?) throws {
        self.documents = documents
        places = Array(repeating: [], count: documents.count)
        guard let first = documents.first, let last = documents.last else { return }
        var scratch: [Position] = []
        try expansions.forEach(
            where: { entry in
                // Most terms stand in one document, and few of them in one of these.
                guard case .dictionary(let single, _, _) = entry.place else { return true }
                return single.document >= first && single.document <= last
                    && documents[documents.firstIndex(from: single.document)] == single.document
            },
            postings: { cursor in
                var index = 0
                while index < documents.count {
                    let found = try cursor.advance(to: documents[index])
                    if found == documents[index] {
                        try expansions.readPlaces(&cursor, into: &scratch)
                        for place in scratch where columns?.contains(place.column) ?? true {
                            places[index].append(place)
                        }
                        index += 1
                    } else if found == PostingsCursor.exhausted {
                        break
                    } else {
                        index = max(index + 1, documents.firstIndex(from: found))
                    }
                }
            })
        for index in places.indices where places[index].count > 1 { expansions.merge(&places[index]) }
    }

    /// The places in a document; nil for one that is not among the documents.
    func places(in document: UInt32) -> [Position]? {
        let index = documents.firstIndex(from: document)
        return index < documents.count && documents[index] == document ? places[index] : nil
    }
}
