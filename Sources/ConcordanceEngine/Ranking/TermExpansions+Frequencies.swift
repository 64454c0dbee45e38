extension TermExpansions {
    /// The documents of all terms, with the sums of their frequencies: how often the terms stand in each document, or, if
    /// terms share positions, an upper bound on it (`SharedPositionCounter`).
    ///
    /// Many postings are added up in an array with an element for each document of the segment, which takes linear time
    /// for any number of terms. A few are collected and sorted instead, since they are not worth such an array.
    func findFrequencies(
        columns: ColumnSet?, weight: Double, _ statistics: RankingStatistics
    ) throws -> FoundDocuments {
        guard postingCount >= segment.documentCount / 16 else {
            var found = FoundDocuments()
            var postings: [(document: UInt32, frequency: Double)] = []
            postings.reserveCapacity(postingCount)
            try forEachPosting(columns, weight, statistics) { postings.append(($0, $1)) }
            if count > 1 { postings.sort { $0.document < $1.document } }
            for posting in postings { found.append(posting.document, frequency: posting.frequency) }
            return found
        }
        let documentCount = segment.documentCount
        let sums = FixedBuffer(repeating: 0.0, count: documentCount)
        // Weights may be 0 or negative, so a sum does not tell whether there was a hit.
        let documents = DocumentSet(documentCount: documentCount, expectedCount: postingCount)
        try forEachPosting(columns, weight, statistics) { document, frequency in
            guard document < documentCount else { throw corrupt("a posting of no document") }
            sums[Int(document)] += frequency
            documents.insert(document)
        }
        documents.freeze()
        let elements = documents.elements
        return FoundDocuments(documents: elements, frequencies: elements.map { sums[Int($0)] })
    }

    /// Calls `body` with each document of each term, and the frequency of the term there, less if it has typos.
    @inline(__always)
    private func forEachPosting(
        _ columns: ColumnSet?, _ weight: Double, _ statistics: RankingStatistics,
        _ body: (_ document: UInt32, _ frequency: Double) throws -> Void
    ) throws {
        var opened: TermBlocks?
        try forEach { entry, factor in
            let blocks = opened ?? TermBlocks(segment, entry, columns: columns, weight: weight, statistics)
            if opened != nil { blocks.open(entry) }
            opened = blocks
            for number in 0..<blocks.blockCount {
                let block = try blocks.decode(number)
                try blocks.countHits()
                for index in 0..<block.count where block.matches(index) {
                    try body(block.documents[index], block.frequency(at: index) * factor)
                }
            }
        }
    }
}
