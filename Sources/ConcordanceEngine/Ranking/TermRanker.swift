/// Ranks the documents of one term of a segment: blocks whose bound does not reach the threshold are never decoded
/// (Ding and Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011; one list needs no merging).
final class TermRanker: SegmentRanker {
    private let reader: WeightedPostings
    private let idf: Double

    init(
        index: Int, _ live: LiveSegment, _ reader: WeightedPostings, phrase: Int, _ statistics: RankingStatistics
    ) {
        self.reader = reader
        idf = statistics.inverseDocumentFrequencies[phrase]
        super.init(index: index, live, statistics)
    }

    override func units() throws -> [RankingUnit] {
        var units: [RankingUnit] = []
        let blockCount = reader.cursor.blockCount
        units.reserveCapacity(blockCount)
        for block in 0..<blockCount {
            let summary = try reader.cursor.block(block)
            guard reader.mayMatch(summary) else { continue }
            let bound = statistics.bound(summary, idf: idf)
            units.append(RankingUnit(bound: bound, segment: Int32(index), number: Int32(truncatingIfNeeded: block)))
        }
        return units
    }

    override func rank(_ block: Int, into top: inout TopDocuments) throws {
        let leastFrequency = try leastFrequency(in: block, reaching: top.threshold)
        let reader = reader
        let deletions = deletions
        try reader.decode(block: block)
        let documents = reader.cursor.documents
        let isPlain = reader.isPlain
        let frequencies = reader.cursor.frequencies
        let segment = segment
        let statistics = statistics
        let idf = idf
        var threshold = top.threshold
        for i in 0..<min(documents.count, frequencies.count) {
            // Most documents end here: one hit is not enough, however short they are.
            if frequencies[i] < leastFrequency { continue }
            guard isPlain || reader.matches(i) else { continue }
            let frequency = isPlain ? Double(frequencies[i]) : reader.frequency(i)
            let document = documents[i]
            let norm = statistics.norm(try segment.length(at: Int(document)))
            let score = BM25.score(idf: idf, frequency: frequency, norm: norm)
            // Written so that NaN passes.
            if score < threshold { continue }
            guard !deletions.isDeleted(document) else { continue }
            try top.offer(DocumentReference(segment: index, document: document), score: score) {
                try segment.rowID(at: Int(document))
            }
            threshold = top.threshold
        }
    }

    /// The least number of hits with which a document of the block may reach the threshold.
    private func leastFrequency(in block: Int, reaching threshold: Double) throws -> UInt32 {
        guard statistics.allowsPruning, threshold > 0 else { return 0 }
        let summary = try reader.cursor.block(block)
        let frequency =
            statistics.leastFrequency(summary, idf: idf, reaching: threshold)
            / statistics.weights.largest(in: summary.columns)
        return frequency < 1e9 ? UInt32(frequency) : frequency.isNaN ? 0 : .max
    }
}
