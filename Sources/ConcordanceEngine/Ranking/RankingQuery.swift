/// A query in the form that ranking works on: a tree over leaves, each of which has documents and frequencies of its own.
struct RankingQuery {
    /// Where the postings of a leaf come from.
    enum Leaf {
        /// One key of the dictionary: a term, or a prefix with a list.
        case key([UInt8], phrase: Int, columns: ColumnSet?)
        /// Found beforehand; by segment.
        case matches([ListLeafPostings.Matches])
    }

    /// A query that is nothing but one phrase of several terms.
    struct SolePhrase {
        /// The keys of its terms; nil for prefixes and terms with synonyms, which not all of them are.
        var keys: [[UInt8]?]
        var phrase: Int
        var columns: ColumnSet?
        /// Finds the phrase in documents of a segment, in any order, of which the terms with a key are decoded.
        var makeLeaf: (_ segment: Int, _ terms: [WeightedPostings?]) throws -> LeafIterator
    }

    var root: RankingNode
    var leaves: [Leaf]
    /// Stands for the root and its leaf.
    var solePhrase: SolePhrase?
    /// The leaf of each phrase; nil for phrases without tokens.
    var leafOfPhrase: [Int?]
}

/// The documents of a snapshot that match a query, in the order of their scores; computed as they are asked for.
///
/// The first batch is as large as the caller says that it needs, or a page of 20 and some more, since SQLite before 3.41 does not tell a
/// virtual table the LIMIT of a query with MATCH; each later one four times as large. A batch is the best rows behind the
/// last one that was read, so that no more than one batch is ever in memory.
struct RankedDocuments {
    /// The size of the first batch, unless a limit is known.
    static let defaultBatchSize = 24
    /// No batch is larger: some 12 MB.
    static let largestBatchSize = 1 << 18

    private let rankers: [SegmentRanker]
    /// Reads the places of hits; nil where they do not count.
    private let evaluator: BonusEvaluator?
    private let statistics: RankingStatistics
    private let rowIDs: ClosedRange<Int64>
    private let start: TopDocuments.Fence?
    private let leastScore: Double?
    private let work: QueryWork
    private var batchSize: Int
    private var batch: [RankedDocument] = []
    private var position = 0
    private var isLastBatch = false

    /// - Parameters:
    ///   - limit: How many rows will probably be read; more can be.
    ///   - rowIDs: The only rows that count.
    ///   - rows: The only rows that count; nil for all.
    ///   - scores: Scores that count, the first and the last in the order; nil where all do.
    ///   - work: What the query has cost so far.
    init(
        _ query: RankingQuery, segments: [LiveSegment], statistics: RankingStatistics, limit: Int? = nil,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max, rows: RowSet? = nil,
        scores: (first: Double, last: Double)? = nil, evaluator: BonusEvaluator? = nil, work: QueryWork = QueryWork()
    ) throws {
        self.evaluator = evaluator
        self.rowIDs = rowIDs
        self.work = work
        start = scores.map { TopDocuments.Fence(key: statistics.order.key($0.first), rowID: nil) }
        leastScore = scores?.last
        self.statistics = statistics
        batchSize = min(max(limit ?? Self.defaultBatchSize, 1), Self.largestBatchSize)
        let buffers = WindowBuffers(phraseCount: query.leafOfPhrase.count, leafCount: query.leaves.count)
        rankers = try segments.indices.map { index in
            let ranker = try Self.makeRanker(query, index, segments[index], buffers, statistics)
            ranker.documents = try rows?.documents(of: segments[index].segment)
            return ranker
        }
    }

    private static func makeRanker(
        _ query: RankingQuery, _ index: Int, _ live: LiveSegment, _ buffers: WindowBuffers,
        _ statistics: RankingStatistics
    ) throws -> SegmentRanker {
        if let sole = query.solePhrase {
            let lists = ScoredLists(capacity: sole.keys.count, live.segment, statistics)
            var readers: [WeightedPostings?] = []
            for key in sole.keys {
                guard let key else {
                    readers.append(nil)
                    continue
                }
                guard let reader = try reader(key, sole.columns, live.segment, statistics) else {
                    return SegmentRanker(index: index, live, statistics)
                }
                try lists.append(reader, phrase: sole.phrase)
                readers.append(reader)
            }
            return PhraseRanker(
                index: index, live, phrase: sole.phrase, lists, try sole.makeLeaf(index, readers), statistics)
        }
        if let (lists, requiresAll) = try flatLists(query, index, live.segment, statistics) {
            guard let lists else { return SegmentRanker(index: index, live, statistics) }
            return FlatRanker(index: index, live, requiresAll: requiresAll, lists, statistics)
        }
        let leaves = try query.leaves.enumerated().map { number, leaf -> LeafPostings? in
            switch leaf {
            case .key(let key, let phrase, let columns):
                guard let reader = try reader(key, columns, live.segment, statistics) else { return nil }
                return try TermLeafPostings(leaf: number, phrase: phrase, reader, statistics)
            case .matches(let matches):
                guard index < matches.count else { return nil }
                return ListLeafPostings(leaf: number, matches[index], segment: live.segment, statistics)
            }
        }
        return WindowRanker(
            index: index, live, root: query.root, leaves: leaves, leafOfPhrase: query.leafOfPhrase, buffers: buffers,
            statistics)
    }

    /// Of an OR with more phrases, a document that has one is looked up in too many others: adding up all of them, window by
    /// window, costs less.
    private static let disjunctionLimit = 12

    /// The phrases of a query that is one leaf, or an AND or OR of leaves, as far as the segment has them, no lists where
    /// nothing can match; nil for queries of other form.
    private static func flatLists(
        _ query: RankingQuery, _ index: Int, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> (lists: ScoredLists?, requiresAll: Bool)? {
        let nodes: [RankingNode]
        let requiresAll: Bool
        switch query.root {
        case .leaf: (nodes, requiresAll) = ([query.root], true)
        case .and(let parts): (nodes, requiresAll) = (parts, true)
        case .or(let parts): (nodes, requiresAll) = (parts, false)
        default: return nil
        }
        guard requiresAll || nodes.count <= Self.disjunctionLimit else { return nil }
        let leaves = nodes.compactMap { if case .leaf(let leaf) = $0 { query.leaves[leaf] } else { nil } }
        guard leaves.count == nodes.count else { return nil }
        for case .matches(let matches) in leaves where matches.contains(where: { $0.phrases.count != 1 }) { return nil }
        let lists = ScoredLists(capacity: leaves.count, segment, statistics)
        for leaf in leaves {
            switch leaf {
            case .key(let key, let phrase, let columns):
                if let reader = try reader(key, columns, segment, statistics) {
                    try lists.append(reader, phrase: phrase)
                } else if requiresAll {
                    return (nil, true)
                }
            case .matches(let matches):
                guard index < matches.count, let phrase = matches[index].phrases.first else { continue }
                try lists.append(matches[index], phrase: phrase)
            }
        }
        return (lists.count == 0 || requiresAll && lists.count < nodes.count ? nil : lists, requiresAll)
    }

    private static func reader(
        _ key: [UInt8], _ columns: ColumnSet?, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> WeightedPostings? {
        guard let entry = try key.withUnsafeBufferPointer({ try segment.find($0) }), entry.count > 0 else { return nil }
        return WeightedPostings(segment, entry, columns: columns, weights: statistics.weights)
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

    private mutating func readBatch() throws {
        let fence = batch.last.map { TopDocuments.Fence(key: $0.key, rowID: $0.rowID) } ?? start
        let top = TopDocuments(
            capacity: batchSize, order: statistics.order, allowsPruning: statistics.allowsPruning, rowIDs: rowIDs,
            after: fence, upTo: leastScore)
        var sink = RankingSink(top, allowsPruning: statistics.allowsPruning)
        var queue = RankingUnitQueue(try units())
        while let unit = queue.popFirst() {
            if statistics.allowsPruning, unit.bound * RankingStatistics.slack < sink.threshold { break }
            let ranker = rankers[Int(unit.segment)]
            if unit.number == RankingUnit.wholePart {
                var units: [RankingUnit] = []
                try ranker.appendUnits(ofPart: Int(unit.part), to: &units)
                queue.insert(units)
            } else {
                work.rankedUnits &+= 1
                try ranker.rank(part: Int(unit.part), Int(unit.number), into: &sink)
                try evaluateSome(&sink)
            }
        }
        while let evaluator, !sink.candidates.isEmpty {
            try evaluator.evaluate(sink.takeCandidates(batchSize), into: &sink)
        }
        isLastBatch = !sink.top.isFull
        batch = sink.top.sorted()
        position = 0
        batchSize = min(batchSize * 4, Self.largestBatchSize)
    }

    /// Reads the places of the best candidates once there are many: exact scores exclude more of what follows.
    private func evaluateSome(_ sink: inout RankingSink) throws {
        guard let evaluator else { return }
        while sink.candidates.count >= 4 * batchSize {
            try evaluator.evaluate(sink.takeCandidates(batchSize), into: &sink)
            if statistics.allowsPruning { return }
        }
    }
}
