/// Scores the documents of one segment that match the query, unit by unit. The base class has no units.
class SegmentRanker {
    /// The segment's number in the snapshot.
    let index: Int
    let segment: Segment
    let deletions: Deletions
    let statistics: RankingStatistics
    /// Limits the ranking to these documents; nil for all.
    final var documents: DocumentSet?

    init(index: Int, _ live: LiveSegment, _ statistics: RankingStatistics) {
        self.index = index
        segment = live.segment
        deletions = live.deletions
        self.statistics = statistics
    }

    /// At most this many documents match.
    var matchLimit: Int { 0 }

    /// Appends the units in which documents may match; parts and groups are divided later. Their bounds hold if
    /// `RankingStatistics.allowsPruning`.
    func appendUnits(to units: inout [RankingUnit]) throws {}

    /// Whether the units of a part must be ranked before those of the next part are appended.
    var ranksPartsAlone: Bool { false }

    /// Appends the units of one part.
    func appendUnits(ofPart part: Int, to units: inout [RankingUnit]) throws {}

    /// Appends the blocks of one group.
    func appendUnits(ofGroup group: Int, part: Int, to units: inout [RankingUnit]) throws {}

    /// Offers the documents of one block or window, or only those that reach the threshold, now or when it finishes.
    func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {}

    /// Offers the documents that `rank` has kept, when no unit is left.
    func finish(into sink: inout RankingSink) throws {}

    // MARK: - For subclasses

    /// Offers a document, unless it has been removed.
    ///
    /// - Parameters:
    ///   - score: What its hits contribute, or an upper bound on it.
    ///   - least: If that is an upper bound, a lower one.
    ///   - bonus: An upper bound on the bonuses for the positions of its hits.
    @inline(__always)
    final func offer(
        _ document: UInt32, _ score: Double, least: Double? = nil, bonus: Double = 0, _ sink: inout RankingSink
    ) throws {
        let isKnown = bonus == 0 && least == nil
        let limit = isKnown ? score : (score + bonus) * RankingStatistics.slack
        // Written so that NaN is offered.
        if limit < sink.threshold || deletions.isDeleted(document) { return }
        if let documents, !documents.contains(document) { return }
        let segment = segment
        let reference = DocumentReference(segment: index, document: document)
        if isKnown {
            try sink.offer(reference, score: score) { try segment.rowID(at: Int(document)) }
        } else {
            try sink.offer(reference, score: least ?? score, isExactButForBonus: least == nil, limit: limit) {
                try segment.rowID(at: Int(document))
            }
        }
    }

    /// What a phrase contributes to the score of a leaf's current document.
    final func share(_ phrase: Int, _ leaf: LeafIterator, member: Int, norm: Double) throws -> Double {
        let frequency = try leaf.frequency(ofMember: member, statistics.weights, in: segment)
        return statistics.share(statistics.phraseWeights[phrase], frequency: frequency, norm: norm)
    }

    /// An upper bound on the bonuses for positions in documents that may contain only these phrases.
    final func bonusCeiling(of phrases: some Sequence<Int>) -> Double {
        statistics.bonusCeiling(of: phrases)
    }
}

extension MatchProbe {
    /// The score of a document that matches, without bonuses.
    func score(
        _ document: UInt32, norm: Double, _ statistics: RankingStatistics, in segment: Segment
    ) throws -> Double {
        var score = 0.0
        for phrase in 0..<phraseCount {
            guard let (leaf, member) = try self.leaf(ofPhrase: phrase, at: document) else { continue }
            let frequency = try leaf.frequency(ofMember: member, statistics.weights, in: segment)
            score += statistics.share(statistics.phraseWeights[phrase], frequency: frequency, norm: norm)
        }
        return score
    }
}

extension LeafIterator {
    /// How often a phrase occurs in the current document, each hit counted by the weight of its column, and less if it
    /// has typos.
    func frequency(ofMember member: Int, _ weights: ColumnWeights, in segment: Segment) throws -> Double {
        var frequency = 0.0
        try forEachHitCount(ofMember: member) { column, count, factor in
            try weights.add(column, times: count, of: document, in: segment, factor: factor, to: &frequency)
        }
        return frequency
    }
}
