/// Ranks the documents of one term of a segment: blocks whose bound does not reach the threshold are never decoded
/// (Ding and Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011; one list needs no merging).
final class TermRanker: SegmentRanker {
    private var reader: WeightedPostings
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
        try reader.decode(block: block)
        let documents = reader.cursor.documents
        for i in 0..<documents.count {
            guard reader.matches(i) else { continue }
            let frequency = reader.frequency(i)
            let document = documents[i]
            let norm = statistics.norm(try segment.length(at: Int(document)))
            let score = BM25.score(idf: idf, frequency: frequency, norm: norm)
            // Written so that NaN passes.
            if score < top.threshold { continue }
            guard !deletions.isDeleted(document) else { continue }
            let segment = segment
            try top.offer(DocumentReference(segment: index, document: document), score: score) {
                try segment.rowID(at: Int(document))
            }
        }
    }
}
