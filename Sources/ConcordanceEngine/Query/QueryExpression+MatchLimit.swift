extension QueryExpression {
    /// No more documents of a segment match, according to the postings of single terms and stored lists of prefixes.
    func matchLimit(in segment: Segment) throws -> Int { try root.map { try matchLimit(of: $0, in: segment) } ?? 0 }

    private func matchLimit(of node: QueryNode, in segment: Segment) throws -> Int {
        switch node {
        case .nothing: return 0
        case .near(let group):
            return try group.phrases.flatMap({ phrases[$0].terms }).reduce(segment.documentCount) { least, term in
                guard let keys = keys(of: term, in: segment) else { return least }
                return min(
                    least, try keys.reduce(0) { try $0 + ($1.withUnsafeBufferPointer(segment.find)?.count ?? 0) })
            }
        case .and(let nodes): return try nodes.reduce(.max) { min($0, try matchLimit(of: $1, in: segment)) }
        case .or(let nodes): return try nodes.reduce(0) { $0 + (try matchLimit(of: $1, in: segment)) }
        case .not(let included, _): return try matchLimit(of: included, in: segment)
        }
    }

    /// The keys of the dictionary that a term stands for; nil for those that are not listed there together.
    private func keys(of term: QueryTerm, in segment: Segment) -> [[UInt8]]? {
        if term.isPrefix || term.isForgiving { return term.listKey(segment.shape).map { [$0] } }
        return ([term.bytes] + term.synonyms).map { [0] + $0 }
    }
}

extension Segment {
    /// To look up so many documents one by one costs about as much as to read the postings, or the values, of all.
    var fewDocuments: Int { documentCount / 64 }
}
