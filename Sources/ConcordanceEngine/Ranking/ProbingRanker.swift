/// Ranks a few documents of a segment, for any query, by looking each of them up in the postings of all phrases.
///
/// If a filter, or the rare variants of a word, leave few documents, most blocks of a list contain none of them, so looking
/// each document up costs less than reading the list.
final class ProbingRanker: SegmentRanker {
    private let members: [UInt32]
    private let probe: MatchProbe
    private let phraseCount: Int

    /// About as many lookups as cost as much as finding the best rows of a common word.
    private static let documentLimit = 512

    static func suits(_ documents: DocumentSet, _ segment: Segment) -> Bool {
        let count = documents.count
        return count <= documentLimit && count * 32 <= segment.documentCount
    }

    init(
        index: Int, _ live: LiveSegment, _ documents: DocumentSet, _ expression: QueryExpression,
        _ statistics: RankingStatistics
    ) {
        members = documents.elements
        probe = MatchProbe(expression, segment: live.segment)
        phraseCount = expression.phrases.count
        super.init(index: index, live, statistics)
    }

    override var matchLimit: Int { members.count }

    override func appendUnits(to units: inout [RankingUnit]) throws {
        if !members.isEmpty { units.append(RankingUnit(bound: .infinity, segment: index, .block)) }
    }

    override func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {
        try probe.expect(members)
        let bonus = bonusCeiling(of: 0..<phraseCount)
        for document in members where try probe.matches(document) {
            let norm = statistics.norm(try segment.length(at: Int(document)))
            let score = try probe.score(document, norm: norm, statistics, in: segment)
            try offer(document, score, bonus: bonus, &sink)
        }
    }
}
