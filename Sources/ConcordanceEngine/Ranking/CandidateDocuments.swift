/// The documents of one slot of an AND, the only ones of interest to the other slots.
final class CandidateDocuments {
    /// The number of postings of the lists, which is at least the number of documents.
    let postingCount: Int
    private let lists: [TermBlocks]
    private let segment: Segment
    @exclusivity(unchecked) private var known: NumberedDocuments?

    /// - Parameter lists: Each candidate is in at least one of them.
    init(_ lists: [TermBlocks], _ segment: Segment) {
        self.lists = lists
        self.segment = segment
        postingCount = lists.reduce(0) { $0 + $1.count }
    }

    /// The documents, which are read at the first call.
    func numbered() throws -> NumberedDocuments {
        if let known { return known }
        let documents = NumberedDocuments(try lists.count == 1 ? lists[0].allDocuments() : union())
        known = documents
        return documents
    }

    private func union() throws -> [UInt32] {
        let set = DocumentSet(documentCount: segment.documentCount, expectedCount: postingCount)
        for list in lists {
            for number in 0..<list.blockCount {
                let block = try list.decode(number)
                for index in 0..<block.count { set.insert(block.documents[index]) }
            }
        }
        set.freeze()
        return set.elements
    }
}
