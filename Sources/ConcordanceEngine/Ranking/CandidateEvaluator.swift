import ConcordanceFTS5

/// Adds the bonuses for the positions of hits to scores, and counts hits that have not been counted exactly.
final class CandidateEvaluator {
    private let query: BoundQuery
    private let scorer: RowScorer
    private let parameters: RankParameters
    private let statistics: RankingStatistics
    /// Whether each phrase is common.
    private let areCommon: FixedBuffer<Bool>
    private let hasBonus: Bool
    /// The hits in the current document, in the order of places, those at one place in the order of phrases.
    private let places = GrowingBuffer<Place>()
    /// Those of one phrase.
    private let positions = GrowingBuffer<Position>()

    /// A hit of a phrase.
    private struct Place {
        var position: Position
        var phrase: Int32

        @inline(__always)
        func precedes(_ other: Place) -> Bool {
            position != other.position ? position < other.position : phrase < other.phrase
        }
    }

    init(_ query: BoundQuery, _ scorer: RowScorer, _ parameters: RankParameters, _ statistics: RankingStatistics) {
        self.query = query
        self.scorer = scorer
        self.parameters = parameters
        self.statistics = statistics
        hasBonus = statistics.bonus != nil
        areCommon = FixedBuffer(statistics.phraseWeights.indices.map(scorer.isCommon))
    }

    /// Offers candidates with their exact scores.
    func evaluate(_ candidates: [RankingCandidate], into sink: inout RankingSink) throws {
        // In ascending order of documents, postings are decoded only once.
        let sorted = candidates.sorted {
            ($0.document.segment, $0.document.document) < ($1.document.segment, $1.document.document)
        }
        var rest = sorted[...]
        while let first = rest.first {
            let index = first.document.segment
            let members = rest.prefix { $0.document.segment == index }
            rest = rest.dropFirst(members.count)
            guard let probe = query.probe(segment: index) else {
                assertionFailure("a candidate of no segment")
                continue
            }
            try evaluate(members, probe, query.snapshot.segments[index].segment, into: &sink)
        }
    }

    /// Offers candidates of one segment.
    private func evaluate(
        _ candidates: ArraySlice<RankingCandidate>, _ probe: MatchProbe, _ segment: Segment,
        into sink: inout RankingSink
    ) throws {
        try probe.expect(candidates.map(\.document.document))
        for candidate in candidates {
            let document = candidate.document.document
            let score = try score(candidate, probe, segment)
            try sink.offer(candidate.document, score: score) { try segment.rowID(at: Int(document)) }
        }
    }

    private func score(_ candidate: RankingCandidate, _ probe: MatchProbe, _ segment: Segment) throws -> Double {
        let document = candidate.document.document
        let norm = statistics.norm(try segment.length(at: Int(document)))
        let score =
            candidate.isExactButForBonus
            ? candidate.score : try probe.score(document, norm: norm, statistics, in: segment)
        guard hasBonus else { return score }
        places.removeAll()
        try readPlaces(in: document, probe, besides: areCommon.start)
        // Common phrases have the most hits, and prefixes among them the most terms, but seldom count.
        if places.isEmpty { try readPlaces(in: document, probe) }
        query.work.placedHits &+= places.count
        scorer.beginPlaces()
        // How much a hit counts depends on the length of its column, which is read once for a run of hits in the same
        // column.
        var column: UInt32?
        var weight = 0.0
        for place in places.values {
            if place.position.column != column {
                column = place.position.column
                weight = 0
                try statistics.weights.add(place.position.column, times: 1, of: document, in: segment, to: &weight)
            }
            scorer.add(
                place: Int64(truncatingIfNeeded: place.position.rawValue), of: Int(place.phrase), weight: weight)
        }
        return scorer.score(addingBonusTo: score, norm: norm, parameters)
    }

    /// Adds the hits in a document, without those of groups all of whose phrases are passed over.
    private func readPlaces(
        in document: UInt32, _ probe: MatchProbe, besides isPassedOver: UnsafePointer<Bool>? = nil
    ) throws {
        try probe.forEachLeaf(at: document, besides: isPassedOver) { leaf, phrases in
            for (member, phrase) in phrases.enumerated() {
                try leaf.readInstances(ofMember: member, into: positions)
                merge(positions.values, of: Int32(truncatingIfNeeded: phrase))
            }
        }
    }

    /// Adds the hits of a phrase, which ascend, to those of others: from the last one on, in the memory behind them.
    private func merge(_ positions: UnsafeBufferPointer<Position>, of phrase: Int32) {
        var left = places.count
        var right = positions.count
        let first = places.room(for: right) - left
        while right > 0 {
            let place = Place(position: positions[right &- 1], phrase: phrase)
            if left > 0, place.precedes(first[left &- 1]) {
                first[left &+ right &- 1] = first[left &- 1]
                left &-= 1
            } else {
                first[left &+ right &- 1] = place
                right &-= 1
            }
        }
    }
}
