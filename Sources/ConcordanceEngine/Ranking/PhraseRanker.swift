/// Ranks the documents of a segment that have one phrase, or one NEAR group of a single phrase with conditions, without
/// looking for it in all documents that have its terms.
///
/// A phrase stands in a document at most as often as each of its terms does, so the score is at most what the rarest of
/// them there would give. Only where that reaches the threshold are positions read.
final class PhraseRanker: SegmentRanker {
    private let phrase: Int
    private let weight: Double
    private let owner: ScoredLists
    private let lists: UnsafeMutablePointer<ScoredList>
    private let count: Int
    private let leaf: LeafIterator

    /// - Parameters:
    ///   - owner: The phrase's terms, each with the phrase's own weight.
    ///   - leaf: Finds the phrase in a document.
    init(
        index: Int, _ live: LiveSegment, phrase: Int, _ owner: ScoredLists, _ leaf: LeafIterator,
        _ statistics: RankingStatistics
    ) {
        self.phrase = phrase
        weight = statistics.phraseWeights[phrase]
        self.owner = owner
        owner.sort { $0.count < $1.count }
        lists = owner.base
        count = owner.count
        self.leaf = leaf
        super.init(index: index, live, statistics)
    }

    /// A unit is a block of the rarest term.
    override func appendUnits(to units: inout [RankingUnit]) throws {
        guard count > 0 else { return }
        var least = Double.infinity
        for list in 1..<max(count, 1) { least = min(least, lists[list].bound) }
        units.reserveCapacity(units.count + lists[0].blockCount)
        for block in 0..<lists[0].blockCount {
            let bound = min(try lists[0].bound(ofBlock: block, segment, statistics), least)
            if bound >= 0 { units.append(RankingUnit(bound: bound, segment: index, number: block)) }
        }
    }

    override func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {
        let slack = RankingStatistics.slack
        let (segment, statistics) = (segment, statistics)
        let (first, last) = try lists[0].range(ofBlock: block)
        if let documents, documents.first(from: first) > last { return }
        for list in 1..<max(count, 1) {
            let bound = try lists[list].bound(from: first, through: last, segment, statistics)
            if bound < 0 || bound * slack < sink.threshold { return }
        }
        let needed = sink.threshold / slack
        try lists[0].forEachDocument(inBlock: block, adding: needed, segment, statistics) { document, share, norm in
            if share * slack >= sink.threshold { try rank(document, norm, &sink) }
        }
    }

    private func rank(_ document: UInt32, _ norm: Double, _ sink: inout RankingSink) throws {
        let slack = RankingStatistics.slack
        for list in 1..<max(count, 1) {
            let limit = try lists[list].seek(document, segment, statistics)
            if limit < 0 || limit * slack < sink.threshold { return }
        }
        for list in 1..<max(count, 1) {
            guard let share = try lists[list].share(of: document, norm: norm, statistics),
                share * slack >= sink.threshold
            else {
                return
            }
        }
        guard !deletions.isDeleted(document), try leaf.move(to: document) else { return }
        var frequency = 0.0
        try leaf.forEachColumn(ofMember: 0) { column, count in
            try statistics.weights.add(column, times: count, of: document, in: segment, to: &frequency)
        }
        try offer(document, statistics.share(weight, frequency: frequency, norm: norm), &sink)
    }
}
