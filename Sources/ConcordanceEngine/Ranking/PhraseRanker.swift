/// Ranks the documents of a segment that have one phrase, or one NEAR group of a single phrase with conditions, without
/// looking for it in all documents that have its terms.
///
/// A phrase stands in a document at most as often as each of its terms does, so the score is at most what the rarest of
/// them there would give. Only where that reaches the threshold are positions read.
final class PhraseRanker: SegmentRanker {
    private let phrase: Int
    private let idf: Double
    private let owner: WindowMembers
    private let members: UnsafeMutablePointer<WindowMember>
    private let memberCount: Int
    private let leaf: LeafIterator
    private let buffers: WindowBuffers

    /// - Parameters:
    ///   - owner: The phrase's terms, each with the phrase's own weight.
    ///   - leaf: Finds the phrase in a document.
    init(
        index: Int, _ live: LiveSegment, phrase: Int, _ owner: WindowMembers, _ leaf: LeafIterator,
        _ buffers: WindowBuffers, _ statistics: RankingStatistics
    ) {
        self.phrase = phrase
        idf = statistics.inverseDocumentFrequencies[phrase]
        self.owner = owner
        members = owner.base
        memberCount = owner.count
        self.leaf = leaf
        self.buffers = buffers
        super.init(index: index, live, statistics)
    }

    override func units() throws -> [RankingUnit] {
        guard memberCount > 0 else { return [] }
        var units: [RankingUnit] = []
        for window in 0..<members[0].windowCount {
            var bound = Double.infinity
            for member in 0..<memberCount { bound = min(bound, members[member].bounds[window]) }
            guard bound >= 0 else { continue }
            units.append(
                RankingUnit(
                    bound: bound, segment: Int32(truncatingIfNeeded: index), number: Int32(truncatingIfNeeded: window)))
        }
        return units
    }

    override func rank(_ window: Int, into top: inout TopDocuments) throws {
        if members[0].isListed {
            try members[0].forEachListed(window) { try rank($0, share: $1, window, &top) }
            return
        }
        buffers.beginWindow()
        let base = window * windowSize
        let row = buffers.frequencies
        let mask = try members[0].fill(window, row) { mask in
            try buffers.norms(mask, base: base, segment, statistics)
        }
        try mask.forEachBit { bit in
            try rank(UInt32(truncatingIfNeeded: base + bit), share: row[bit], window, &top)
        }
    }

    /// - Parameter share: What the rarest term would add.
    private func rank(_ document: UInt32, share: Double, _ window: Int, _ top: inout TopDocuments) throws {
        let slack = RankingStatistics.slack
        if share * slack < top.threshold { return }
        let norm = statistics.norm(try segment.length(at: Int(document)))
        for member in 1..<memberCount {
            guard let share = try members[member].share(of: document, in: window, norm: { norm }) else { return }
            if share * slack < top.threshold { return }
        }
        guard !deletions.isDeleted(document), try leaf.move(to: document) else { return }
        var frequency = 0.0
        try leaf.forEachColumn(ofMember: 0) { column, count in
            ColumnWeights.add(statistics.weights[column], times: count, to: &frequency)
        }
        let score = BM25.score(idf: idf, frequency: frequency, norm: norm)
        // Written so that NaN passes.
        if score < top.threshold { return }
        try top.offer(DocumentReference(segment: index, document: document), score: score) {
            try segment.rowID(at: Int(document))
        }
    }
}
