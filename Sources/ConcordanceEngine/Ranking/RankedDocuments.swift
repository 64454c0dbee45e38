/// The documents of a snapshot that match a query, in the order of their scores, computed as they are read.
///
/// The first batch has as many rows as the caller expects to read. Without a known limit (SQLite before 3.41 does not
/// pass the LIMIT of a query with MATCH), it has room for a page of 20 and a few more. Each later batch is four times
/// as large, until so few rows are left that one batch can hold them all. A batch holds the best rows after the last
/// one that was read, so only one batch is ever in memory.
struct RankedDocuments {
    /// The size of the first batch, unless a limit is known.
    static let defaultBatchSize = 24
    /// The size of the largest batch, which takes 10 MB, and two and a half times as much while it is sorted.
    static let largestBatchSize = 1 << 18

    /// The fewest candidates whose positions are read at a time if a term of the query stands for many. To read its positions
    /// visits all of them, however few the candidates.
    private static let smallestExpandedRound = 64
    /// The most candidates whose positions are read before the others are reconsidered, unless a batch has more rows.
    private static let largestRound = 1 << 14
    /// Ranking this many units takes some milliseconds in a query of a few phrases.
    private static let mostUnitsBetweenChecks = 256

    private let rankers: [SegmentRanker]
    /// Reads the positions of hits; nil if scores are known without them.
    private let evaluator: CandidateEvaluator?
    /// Reads a segment; nil if there is none.
    private let reader: SegmentReader?
    private let statistics: RankingStatistics
    private let rowIDs: ClosedRange<Int64>
    private let start: TopDocuments.Fence?
    private let leastScore: Double?
    private let work: QueryWork
    /// Whether a term of the query stands for many.
    private let isExpanded: Bool
    private let unitsBetweenChecks: Int
    private var batchSize: Int
    private var batch: [RankedDocument] = []
    private var position = 0
    private var isLastBatch = false

    /// - Parameters:
    ///   - limit: How many rows the caller expects to read.
    ///   - rowIDs: Limits the rows to this range.
    ///   - documents: Limits the rows of a segment to these documents; nil for all.
    ///   - scores: Limits the rows to those with scores from the first to the last, in the order of the rows; nil for all.
    ///   - counted: What is known of phrases whose rows have been counted.
    ///   - evaluator: Counts hits, and adds bonuses for their positions; nil if rankers count them exactly, and there are no
    ///     bonuses.
    ///   - work: Counts what the query costs.
    ///   - foundLimit: About the most documents that are held at one time in a segment.
    init(
        _ expression: QueryExpression, segments: [LiveSegment], statistics: RankingStatistics, limit: Int? = nil,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max,
        among documents: (LiveSegment) throws -> DocumentSet? = { _ in nil },
        scores: (first: Double, last: Double)? = nil, evaluator: CandidateEvaluator? = nil,
        counted: @escaping (QueryPhrase) -> CountedPhrase? = { _ in nil }, work: QueryWork = QueryWork(),
        foundLimit: Int = RankerChoice.foundLimit
    ) throws {
        self.evaluator = evaluator
        reader = segments.first?.segment.reader
        self.rowIDs = rowIDs
        self.work = work
        start = scores.map { TopDocuments.Fence(key: statistics.order.key($0.first), rowID: nil) }
        leastScore = scores?.last
        self.statistics = statistics
        batchSize = min(max(limit ?? Self.defaultBatchSize, 1), Self.largestBatchSize)
        isExpanded = expression.prefixCount > 0
        unitsBetweenChecks = max(Self.mostUnitsBetweenChecks / max(expression.phrases.count / 8, 1), 1)
        let choice = RankerChoice(
            expression, statistics, work, countsExactly: evaluator == nil || !statistics.allowsPruning,
            counted: counted, foundLimit: foundLimit)
        rankers = try segments.enumerated().map { index, live in
            try choice.makeRanker(index, live, among: documents(live))
        }
    }

    /// Calls `body` with each of the rows that follow, `limit` at most; with none after the last.
    @inline(__always)
    mutating func read(_ limit: Int, _ body: (RankedDocument) -> Void) throws {
        if position == batch.count {
            guard !isLastBatch else { return }
            try readBatch()
        }
        let end = min(position + limit, batch.count)
        for index in position..<end { body(batch[index]) }
        position = end
    }

    /// The next row; nil after the last.
    mutating func next() throws -> RankedDocument? {
        if position == batch.count {
            guard !isLastBatch else { return nil }
            try readBatch()
        }
        guard position < batch.count else { return nil }
        defer { position += 1 }
        return batch[position]
    }

    private func units() throws -> [RankingUnit] {
        var units: [RankingUnit] = []
        for ranker in rankers { try ranker.appendUnits(to: &units) }
        return units
    }

    /// The size of a batch after one that took so many units. All remaining rows are read at once if that costs about as
    /// much as reading the best of them: without bonuses, most of the cost is in the postings, all of which a large batch visits
    /// anyway. A small one does, too, if bounds rule out little, as with AND.
    private func size(ofNext size: Int, after unitCount: Int) -> Int {
        let size = min(size, Self.largestBatchSize)
        let matches = matchLimit
        let hasVisitedMany = unitCount * BlockSource.blockSize * 2 >= matches
        let share = statistics.bonus != nil ? 4 : hasVisitedMany ? 256 : 32
        return matches / share < size ? min(max(matches + 1, size), Self.largestBatchSize) : size
    }

    /// At most this many rows match.
    private var matchLimit: Int { rankers.reduce(0) { $0 + $1.matchLimit } }

    private mutating func readBatch() throws {
        let fence = batch.last.map { TopDocuments.Fence(key: $0.key, rowID: $0.rowID) } ?? start
        let top = TopDocuments(
            capacity: batchSize, order: statistics.order, allowsPruning: statistics.allowsPruning, rowIDs: rowIDs,
            after: fence, upTo: leastScore)
        var sink = RankingSink(top, allowsPruning: statistics.allowsPruning)
        var unitCount = 0
        var round = isExpanded ? max(batchSize, Self.smallestExpandedRound) : batchSize
        if batchSize > matchLimit, leastScore == nil {
            try rankAll(units(), into: &sink, &round, &unitCount)
        } else {
            var queue = RankingQueue(try units())
            try rank(&queue, into: &sink, &round, &unitCount)
        }
        for ranker in rankers { try ranker.finish(into: &sink) }
        while !sink.candidates.isEmpty {
            try evaluate(round, &sink)
            round = max(round, min(round * 2, Self.largestRound))
        }
        isLastBatch = !sink.top.isFull
        batch = sink.top.sorted()
        position = 0
        if !isLastBatch { batchSize = size(ofNext: batchSize * 4, after: unitCount) }
    }

    /// Ranks the units, best bounds first, as far as they may have one of the rows.
    private func rank(
        _ queue: inout RankingQueue, into sink: inout RankingSink, _ round: inout Int, _ unitCount: inout Int
    ) throws {
        while let unit = queue.next(reaching: sink.threshold) {
            guard unit.extent != .block else {
                try rank(unit, into: &sink, &round, &unitCount)
                continue
            }
            let units = try units(of: unit)
            if rankers[Int(unit.segment)].ranksPartsAlone {
                var part = RankingQueue(units)
                try rank(&part, into: &sink, &round, &unitCount)
            } else {
                for unit in units { queue.insert(unit, reaching: sink.threshold) }
            }
        }
    }

    /// Ranks all units in the order of their documents: as long as a batch has room, no bound rules a unit out.
    private func rankAll(
        _ units: [RankingUnit], into sink: inout RankingSink, _ round: inout Int, _ unitCount: inout Int
    ) throws {
        for unit in units {
            if unit.extent == .block {
                try rank(unit, into: &sink, &round, &unitCount)
            } else {
                try rankAll(self.units(of: unit), into: &sink, &round, &unitCount)
            }
        }
    }

    /// Ranks the documents of a block or window.
    private func rank(
        _ unit: RankingUnit, into sink: inout RankingSink, _ round: inout Int, _ unitCount: inout Int
    ) throws {
        // Ranking documents found beforehand does not access the index, and so would not notice an interruption.
        unitCount &+= 1
        if unitCount % unitsBetweenChecks == 0 { try reader?.checkInterruption() }
        work.rankedUnits &+= 1
        try rankers[Int(unit.segment)].rank(part: Int(unit.part), Int(unit.number), into: &sink)
        try evaluateSome(&sink, &round)
    }

    /// The units into which one is divided.
    private func units(of unit: RankingUnit) throws -> [RankingUnit] {
        var units: [RankingUnit] = []
        let ranker = rankers[Int(unit.segment)]
        if unit.extent == .part {
            try ranker.appendUnits(ofPart: Int(unit.part), to: &units)
        } else {
            work.dividedGroups &+= 1
            try ranker.appendUnits(ofGroup: Int(unit.number), part: Int(unit.part), to: &units)
        }
        return units
    }

    /// Reads the positions of the best candidates once there are many: exact scores raise the threshold for the others.
    /// Each round examines all candidates, so if many are left, as when scores are equal, the next round is larger. So it is if
    /// each round visits many terms.
    private func evaluateSome(_ sink: inout RankingSink, _ round: inout Int) throws {
        while sink.candidates.count >= 4 * round {
            try evaluate(round, &sink)
            guard statistics.allowsPruning else { continue }
            sink.dropHopeless()
            if isExpanded || sink.candidates.count >= 4 * round {
                round = max(round, min(round * 2, Self.largestRound))
            }
            return
        }
    }

    /// Reads the positions of the `count` best candidates.
    private func evaluate(_ count: Int, _ sink: inout RankingSink) throws {
        work.weighedCandidates &+= sink.candidates.count
        let candidates = sink.takeCandidates(count)
        guard let evaluator else { return assertionFailure("candidates where no positions count") }
        try evaluator.evaluate(candidates, into: &sink)
    }
}
