/// Ranks the documents of a segment that contain one phrase, without looking for it in every document with its terms.
///
/// A phrase occurs in a document at most as often as each of its terms, so the score is at most what the term with the
/// fewest hits there would give. Positions are read only if that reaches the threshold.
final class PhraseRanker: SegmentRanker {
    private let phrase: Int
    /// The phrase's terms, the rarest first.
    private let terms: FixedBuffer<ScoredList>
    private let leaf: LeafIterator

    /// - Parameters:
    ///   - terms: At least one, each with the phrase's weight.
    ///   - leaf: Finds the phrase in a document at which the terms are decoded.
    init(
        index: Int, _ live: LiveSegment, phrase: Int, terms: [ScoredList], _ leaf: LeafIterator,
        _ statistics: RankingStatistics
    ) {
        assert(!terms.isEmpty, "a phrase whose documents nothing bounds")
        self.phrase = phrase
        self.terms = FixedBuffer(terms.sorted { $0.count < $1.count })
        self.leaf = leaf
        super.init(index: index, live, statistics)
    }

    /// A unit is a block of the rarest term.
    override func appendUnits(to units: inout [RankingUnit]) throws {
        guard terms.count > 0 else { return }
        let least = (1..<terms.count).reduce(Double.infinity) { min($0, terms.start[$1].bound) }
        try terms.start[0].appendUnits(to: &units, segment: index, limit: least)
    }

    override func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {
        let slack = RankingStatistics.slack
        let (first, last) = try terms.start[0].range(ofBlock: block)
        if let documents, documents.first(from: first) > last { return }
        for term in 1..<terms.count {
            let bound = try terms.start[term].bound(from: first, through: last)
            if bound < 0 || bound * slack < sink.threshold { return }
        }
        let needed = sink.threshold / slack
        let (segment, statistics) = (segment, statistics)
        try terms.start[0].forEachDocument(inBlock: block, adding: needed, segment, statistics) {
            document, share, norm in
            if share * slack >= sink.threshold { try rank(document, norm, &sink) }
        }
    }

    private func rank(_ document: UInt32, _ norm: Double, _ sink: inout RankingSink) throws {
        let slack = RankingStatistics.slack
        for term in 1..<terms.count {
            let limit = try terms.start[term].seek(document)
            if limit < 0 || limit * slack < sink.threshold { return }
        }
        for term in 1..<terms.count {
            guard let share = try terms.start[term].share(of: document, norm: norm, statistics),
                share * slack >= sink.threshold
            else { return }
        }
        guard !deletions.isDeleted(document), try leaf.move(to: document) else { return }
        try offer(document, share(phrase, leaf, member: 0, norm: norm), &sink)
    }
}
