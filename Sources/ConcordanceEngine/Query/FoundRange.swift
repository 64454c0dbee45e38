/// The documents of a range that contain any of many terms.
struct FoundRange {
    let range: Range<UInt32>
    /// About how many postings one of the documents has.
    let postingCount: Int
    /// Numbered from the beginning of the range.
    private let documents: DocumentSet

    /// - Parameter range: Documents of the segment.
    init(_ expansions: TermExpansions, columns: ColumnFilter?, in range: Range<UInt32>) throws {
        self.range = range
        let base = range.lowerBound
        let documentCount = expansions.segment.documentCount
        let isAll = range.count == documentCount
        // A part of the segment may have more of the postings than its share.
        let set = DocumentSet(
            documentCount: range.count, expectedCount: isAll ? expansions.postingCount : range.count)
        try expansions.forEach(
            where: { entry in
                // Most terms occur in only one document, which the dictionary names.
                guard columns == nil, case .dictionary(let single, _, _) = entry.place else { return true }
                if range.contains(single.document) { set.insert(single.document - base) }
                return false
            },
            postings: { cursor in
                if columns == nil, isAll {
                    for block in 0..<cursor.blockCount {
                        try cursor.decode(block: block)
                        for document in cursor.documents { set.insert(document) }
                    }
                    return
                }
                var document = try cursor.advance(to: base)
                while document < range.upperBound {
                    if try columns.map({ try cursor.stands(in: $0) }) ?? true { set.insert(document - base) }
                    document = try cursor.next()
                }
            })
        set.freeze()
        documents = set
        let share = Double(range.count) / Double(max(documentCount, 1))
        postingCount = Int(Double(expansions.postingCount) * share) / max(set.count, 1) + 1
    }

    /// The first document that is not less than `document`, which is in the range; `DocumentIterator.exhausted` if there is none.
    func first(from document: UInt32) -> UInt32 {
        let found = documents.first(from: document - range.lowerBound)
        return found == DocumentIterator.exhausted ? found : found + range.lowerBound
    }

    /// Writes the documents from `document`, which is in the range, up to, but not including, `end`, ascending, until `buffer` is
    /// full.
    ///
    /// - Returns: The number of documents written.
    func read(from document: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>) -> Int {
        let base = range.lowerBound
        let count = documents.read(from: document - base, below: min(end, range.upperBound) - base, into: buffer)
        if base > 0 { for index in 0..<count { buffer[index] += base } }
        return count
    }
}
