extension RankingQuery {
    /// Chooses how the documents of a segment are ranked.
    ///
    /// - Parameters:
    ///   - documents: The only ones that count; nil for all.
    ///   - buffers: Shared by the segments.
    func makeRanker(
        _ index: Int, _ live: LiveSegment, among documents: DocumentSet?, _ buffers: WindowBuffers,
        _ statistics: RankingStatistics
    ) throws -> SegmentRanker {
        if let documents, let bound, ProbingRanker.suits(documents, live.segment) {
            return ProbingRanker(index: index, live, documents, bound, statistics)
        }
        let ranker =
            try solePhrase.map { try makePhraseRanker($0, index, live, statistics) }
            ?? makeFlatRanker(index, live, statistics) ?? makeWindowRanker(index, live, buffers, statistics)
        ranker.documents = documents
        return ranker
    }

    private func makePhraseRanker(
        _ sole: SolePhrase, _ index: Int, _ live: LiveSegment, _ statistics: RankingStatistics
    ) throws -> SegmentRanker {
        let lists = ScoredLists(capacity: sole.keys.count, live.segment, statistics)
        var readers: [WeightedPostings?] = []
        for key in sole.keys {
            guard let key else {
                readers.append(nil)
                continue
            }
            guard let reader = try Self.reader(key, sole.columns, live.segment, statistics) else {
                return SegmentRanker(index: index, live, statistics)
            }
            try lists.append(reader, phrase: sole.phrase, slot: 0)
            readers.append(reader)
        }
        return PhraseRanker(
            index: index, live, phrase: sole.phrase, lists, try sole.makeLeaf(index, readers), statistics)
    }

    /// Beyond so many alternatives, a document that has one is looked up in too many others: adding up all of them, window
    /// by window, costs less.
    private static let alternativeLimit = 12

    /// Nil for queries that are not made of slots (`RankingNode.slots`) of one phrase each.
    private func makeFlatRanker(
        _ index: Int, _ live: LiveSegment, _ statistics: RankingStatistics
    ) throws -> SegmentRanker? {
        guard let slots = root.slots, slots.allSatisfy({ $0.count <= Self.alternativeLimit }) else { return nil }
        let leaves = slots.joined().map { self.leaves[$0] }
        for case .matches(let matches) in leaves where matches.contains(where: { $0.phrases.count != 1 }) { return nil }
        let lists = ScoredLists(capacity: leaves.count, live.segment, statistics)
        for (slot, leaves) in slots.enumerated() {
            let before = lists.count
            for leaf in leaves {
                switch self.leaves[leaf] {
                case .key(let key, let phrase, let columns):
                    guard let reader = try Self.reader(key, columns, live.segment, statistics) else { continue }
                    try lists.append(reader, phrase: phrase, slot: slot)
                case .matches(let matches):
                    guard index < matches.count, let phrase = matches[index].phrases.first else { continue }
                    try lists.append(matches[index], phrase: phrase, slot: slot)
                }
            }
            // Without any of the alternatives, nothing matches in the segment.
            if lists.count == before { return SegmentRanker(index: index, live, statistics) }
        }
        return FlatRanker(index: index, live, lists, slotCount: slots.count, statistics)
    }

    private func makeWindowRanker(
        _ index: Int, _ live: LiveSegment, _ buffers: WindowBuffers, _ statistics: RankingStatistics
    ) throws -> SegmentRanker {
        let leaves = try leaves.enumerated().map { number, leaf -> LeafPostings? in
            switch leaf {
            case .key(let key, let phrase, let columns):
                guard let reader = try Self.reader(key, columns, live.segment, statistics) else { return nil }
                return try TermLeafPostings(leaf: number, phrase: phrase, reader, statistics)
            case .matches(let matches):
                guard index < matches.count else { return nil }
                return ListLeafPostings(leaf: number, matches[index], segment: live.segment, statistics)
            }
        }
        return WindowRanker(
            index: index, live, root: root, leaves: leaves, leafOfPhrase: leafOfPhrase, buffers: buffers, statistics)
    }

    private static func reader(
        _ key: [UInt8], _ columns: ColumnSet?, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> WeightedPostings? {
        guard let entry = try key.withUnsafeBufferPointer({ try segment.find($0) }), entry.count > 0 else { return nil }
        return WeightedPostings(segment, entry, columns: columns, weights: statistics.weights)
    }
}
