/// Chooses how the documents of each segment are ranked, and creates what rankers read.
final class RankerChoice {
    private let expression: QueryExpression
    private let root: QueryNode
    /// The slots of the query (`QueryNode.slots`) if their groups have one phrase each; nil for other queries.
    private let slots: [[NearGroup]]?
    private let statistics: RankingStatistics
    /// Shared by the segments.
    private lazy var buffers = WindowBuffers(phraseCount: expression.phrases.count)
    /// Terms of which every match has at least one; nil if none are known.
    private let variants: [[UInt8]]?
    /// What is known of phrases whose rows have been counted.
    private let counted: (QueryPhrase) -> CountedPhrase?
    private let work: QueryWork
    /// Whether the lists of `lists` count hits exactly. If not, they have upper and lower bounds where terms share positions,
    /// or where the order of a sum matters, and `CandidateEvaluator` counts the hits.
    private let countsExactly: Bool
    /// About the most documents that are held at one time in a segment, those of each alternative that is found beforehand.
    private let foundLimit: Int

    /// 100 MB while they are found, and 170 MB with lower bounds.
    static let foundLimit = 1 << 22

    /// With more alternatives than this, a document would be looked up in too many other lists; it costs less to add up
    /// all of them, window by window.
    private static let alternativeLimit = 40

    init(
        _ expression: QueryExpression, _ statistics: RankingStatistics, _ work: QueryWork, countsExactly: Bool = true,
        counted: @escaping (QueryPhrase) -> CountedPhrase? = { _ in nil }, foundLimit: Int = foundLimit
    ) {
        self.work = work
        self.countsExactly = countsExactly
        self.counted = counted
        self.foundLimit = foundLimit
        self.expression = expression
        root = expression.root ?? .nothing
        slots = root.slots.flatMap { $0.joined().allSatisfy { $0.phrases.count == 1 } ? $0 : nil }
        self.statistics = statistics
        variants = expression.decidingVariants
    }

    /// - Parameter documents: Limits the ranking to these; nil for all.
    func makeRanker(_ index: Int, _ live: LiveSegment, among documents: DocumentSet?) throws -> SegmentRanker {
        if let documents, ProbingRanker.suits(documents, live.segment) {
            return ProbingRanker(index: index, live, documents, expression, statistics)
        }
        if let found = try similarDocuments(live.segment, among: documents)
            ?? fewDocuments(live.segment, among: documents)
        {
            return ProbingRanker(index: index, live, found, expression, statistics)
        }
        let ranker =
            try makeGroupRanker(index, live) ?? makePiecewiseRanker(index, live) ?? makeFlatRanker(index, live)
            ?? makeWindowRanker(index, live, in: live.segment.allDocuments)
        ranker.documents = documents
        return ranker
    }

    /// The documents that match, if every match has one of certain terms (`variants`); nil for other queries, or if
    /// they are many.
    private func similarDocuments(_ segment: Segment, among documents: DocumentSet?) throws -> DocumentSet? {
        guard let variants else { return nil }
        let entries = try variants.compactMap { try ([0] + $0).withUnsafeBufferPointer(segment.find) }
        let postingCount = entries.reduce(0) { $0 + $1.count }
        guard postingCount <= segment.documentCount else { return nil }
        let candidates = DocumentSet(documentCount: segment.documentCount, expectedCount: postingCount)
        for entry in entries where entry.count > 0 {
            let postings = TermPostings(try segment.postings(entry), columns: nil)
            try postings.forEach(from: 0, below: DocumentIterator.exhausted) { candidates.insert($0) }
        }
        candidates.freeze()
        return try matches(in: segment, among: [candidates, documents], limit: Self.probedLimit)
    }

    /// The documents that match, if they are few because some terms are rare, but ranking would look for all those of a
    /// phrase, or of a prefix; nil for other queries.
    private func fewDocuments(_ segment: Segment, among documents: DocumentSet?) throws -> DocumentSet? {
        if case .near = root { return nil }
        let hasLists = flatSlots != nil
        var findsAll = false
        root.forEachGroup { group in
            let isLimited = hasLists && (isExpanded(group, segment) || isLocatedLate(group))
            if !isLimited, key(of: group, in: segment) == nil, hits(of: group, in: segment) == nil { findsAll = true }
        }
        let limit = min(Self.probedLimit, segment.fewDocuments)
        guard findsAll, try expression.matchLimit(in: segment) <= limit else { return nil }
        return try matches(in: segment, among: [documents], limit: limit)
    }

    /// The documents that match and are in all of these sets; nil if they are more than the limit.
    private func matches(in segment: Segment, among sets: [DocumentSet?], limit: Int) throws -> DocumentSet? {
        let search = SegmentSearch(expression, segment: segment, counted: counted)
        let all = try search.iterator()
        let sets = sets.compactMap(\.self).map(DocumentSetIterator.init)
        let matches = sets.isEmpty ? all : ConjunctionIterator(sets + [all])
        return try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: limit + 1) { documents in
            let count = try matches.read(from: 0, below: segment.allDocuments.upperBound, into: documents)
            guard count <= limit else { return nil }
            let found = DocumentSet(documentCount: segment.documentCount, expectedCount: count)
            for document in documents.prefix(count) { found.insert(document) }
            found.freeze()
            return found
        }
    }

    /// The most documents whose look-ups cost less than reading the postings of all terms.
    private static let probedLimit = 1024

    /// Nil unless the query is one group, all of whose phrases have tokens, and whose positions decide what matches and are
    /// not known yet.
    private func makeGroupRanker(_ index: Int, _ live: LiveSegment) throws -> SegmentRanker? {
        guard statistics.allowsPruning, case .near(let group) = root, hits(of: group, in: live.segment) == nil
        else { return nil }
        let phrases = group.phrases.map { expression.phrases[$0] }
        guard phrases.count > 1 || phrases.allSatisfy({ $0.terms.count > 1 || $0.isInitial }),
            phrases.allSatisfy({ $0.terms.contains(where: \.isToken) })
        else { return nil }
        var known: [[LeafIterator?]] = []
        var members: [GroupRanker.Member] = []
        for (member, number) in group.phrases.enumerated() {
            guard let tokens = try tokens(ofPhrase: number, in: live.segment) else {
                return SegmentRanker(index: index, live, statistics)
            }
            known.append(tokens.map { $0.map(TermBlocksLeaf.init) })
            members += try tokens.compactMap(\.self).map {
                GroupRanker.Member(list: try ScoredList($0, phrase: number), phrase: member)
            }
        }
        let leaf = try SegmentSearch(expression, segment: live.segment).leaf(group, known: known)
        return GroupRanker(index: index, live, phrases: group.phrases, members, leaf, statistics, work)
    }

    /// Nil unless the query consists of slots (`QueryNode.slots`) whose groups have one phrase each.
    private func makeFlatRanker(_ index: Int, _ live: LiveSegment) throws -> SegmentRanker? {
        guard let slots = flatSlots, let lists = try lists(of: live.segment, dividesPrefixes: true) else {
            return nil
        }
        // Nothing in the segment matches if it has none of the alternatives.
        if lists.isEmpty { return SegmentRanker(index: index, live, statistics) }
        return FlatRanker(index: index, live, lists, slotCount: slots.count, statistics, work)
    }

    /// The slots of a query (`QueryNode.slots`) with few alternatives of one phrase each; nil for other queries.
    private var flatSlots: [[NearGroup]]? {
        guard let slots, slots.allSatisfy({ $0.count <= Self.alternativeLimit }) else { return nil }
        return slots
    }

    /// The lists of a query that consists of slots whose groups have one phrase each; empty if the segment has none of the
    /// alternatives of a slot. Nil for other queries.
    ///
    /// Slots whose lists the index stores come first. The rarest of them limits the documents in which the terms of the
    /// others are added up.
    ///
    /// - Parameter dividesPrefixes: Whether a prefix may have two lists (`ScoredList.Division`).
    func lists(of segment: Segment, dividesPrefixes: Bool = false) throws -> [ScoredList]? {
        guard let slots else { return nil }
        var lists: [ScoredList] = []
        var rarest: [TermBlocks]?
        func postingCount(_ blocks: [BlockSource]) -> Int { blocks.reduce(0) { $0 + $1.count } }
        let isStored = slots.map { $0.allSatisfy { key(of: $0, in: segment) != nil } }
        for slot in slots.indices where isStored[slot] {
            var found: [TermBlocks] = []
            for group in slots[slot] {
                guard let key = key(of: group, in: segment),
                    let blocks = try blocks(withKey: key, of: group.number, in: segment)
                else { continue }
                found.append(blocks)
                lists.append(
                    try ScoredList(
                        blocks, phrase: group.number, slot: slot, coversSlot: covers(group, slots[slot])))
            }
            if found.isEmpty { return [] }
            if rarest.map({ postingCount(found) < postingCount($0) }) ?? true { rarest = found }
        }
        let candidates = rarest.map { CandidateDocuments($0, segment) }
        // Neither of a prefix's two lists is a filter, so its slot should lead, which is not known if others are found, too.
        let dividesPrefixes = dividesPrefixes && isStored.count { !$0 } == 1
        for slot in slots.indices where !isStored[slot] {
            let sources = try slots[slot].map { group in
                try blocks(
                    of: group, in: segment, segment.allDocuments, among: candidates, countsExactly: countsExactly,
                    dividesPrefixes: dividesPrefixes, locatesLate: true)
            }
            if sources.allSatisfy(\.isEmpty) { return [] }
            for (group, blocks) in zip(slots[slot], sources) {
                for (place, source) in blocks.enumerated() {
                    let division: ScoredList.Division = blocks.count == 1 ? .whole : place == 0 ? .mixed : .main
                    lists.append(
                        try ScoredList(
                            source, phrase: group.number, slot: slot,
                            coversSlot: division == .whole && covers(group, slots[slot]), division: division,
                            isCovered: division == .main
                                && sources.contains { $0.count == 1 && source.isSameTerm(as: $0[0]) }))
                }
            }
        }
        return lists
    }

    /// Whether a group is a prefix with which all alternatives of its slot begin: `fa*` for `fa OR fa*`.
    private func covers(_ group: NearGroup, _ slot: [NearGroup]) -> Bool {
        let phrase = expression.phrases[group.number]
        guard phrase.terms.count == 1, let prefix = phrase.terms.first, prefix.isPrefix, !prefix.isForgiving,
            !phrase.isInitial
        else { return false }
        return slot.allSatisfy { alternative in
            let other = expression.phrases[alternative.number]
            guard other.terms.count == 1, let term = other.terms.first, !term.isForgiving else { return false }
            return other.columns == phrase.columns
                && ([term.bytes] + term.synonyms).allSatisfy { bytes in
                    // For a stored list, a byte that continues the last character is part of the prefix.
                    bytes.starts(with: prefix.bytes)
                        && bytes.dropFirst(prefix.bytes.count).first.map { $0 & 0xC0 } != 0x80
                }
        }
    }

    private func makeWindowRanker(
        _ index: Int, _ live: LiveSegment, in range: Range<UInt32>
    ) throws -> SegmentRanker {
        var blocks: [[BlockSource]] = expression.phrases.map { _ in [] }
        try root.forEachGroup { blocks[$0.number] = try self.blocks(of: $0, in: live.segment, range) }
        return WindowRanker(index: index, live, expression, blocks, in: range, buffers, statistics)
    }

    /// Nil unless too many documents would be found beforehand.
    private func makePiecewiseRanker(_ index: Int, _ live: LiveSegment) throws -> SegmentRanker? {
        let found = try foundCount(live.segment)
        guard found > foundLimit else { return nil }
        let pieces = UInt32(clamping: found / foundLimit + 1)
        let size = max(UInt32(live.segment.documentCount) / pieces / UInt32(windowSize), 1) * UInt32(windowSize)
        return PiecewiseRanker(index: index, live, pieceSize: size, statistics) {
            try self.makeWindowRanker(index, live, in: $0)
        }
    }

    /// Whether `lists` stays within the limit.
    func canHoldLists(of segment: Segment) throws -> Bool { try foundCount(segment) <= foundLimit }

    /// No more documents are found beforehand in a segment, those of each alternative.
    private func foundCount(_ segment: Segment) throws -> Int {
        guard expression.phrases.count * segment.documentCount > foundLimit else { return 0 }
        var groups: [NearGroup] = []
        root.forEachGroup {
            if key(of: $0, in: segment) == nil, hits(of: $0, in: segment) == nil { groups.append($0) }
        }
        let candidateCount = try max(candidateCount(segment), segment.documentCount / 64)
        let hasLists = flatSlots != nil
        func limit(_ group: NearGroup) -> Int {
            group.phrases.count * (isExpanded(group, segment) ? candidateCount : segment.documentCount)
                / (hasLists && isLocatedLate(group) ? PhraseBlocks.documentsHeldAsOne : 1)
        }
        // To count the terms of prefixes costs more.
        guard groups.reduce(0, { $0 + limit($1) }) > foundLimit else { return 0 }
        let search = SegmentSearch(expression, segment: segment)
        return try groups.reduce(0) { $0 + min(limit($1), $1.phrases.count * (try search.leaf($1).cost)) }
    }

    /// Whether `lists` looks for the terms of a group in candidates only.
    private func isExpanded(_ group: NearGroup, _ segment: Segment) -> Bool {
        let phrase = expression.phrases[group.number]
        guard group.phrases.count == 1, phrase.terms.count == 1, let term = phrase.terms.first else { return false }
        return (term.isPrefix || term.isForgiving) && !phrase.isInitial && !segment.hasColocatedTokens
    }

    /// How many candidates `lists` would have.
    private func candidateCount(_ segment: Segment) throws -> Int {
        guard let slots = flatSlots else { return segment.documentCount }
        return try slots.reduce(segment.documentCount) { least, slot in
            let keys = slot.compactMap { key(of: $0, in: segment) }
            guard keys.count == slot.count else { return least }
            return min(least, try keys.reduce(0) { try $0 + ($1.withUnsafeBufferPointer(segment.find)?.count ?? 0) })
        }
    }

    // MARK: - Blocks

    /// The hits of a group of one phrase, as far as they are known.
    private func hits(of group: NearGroup, in segment: Segment) -> PhraseHits? {
        group.phrases.count == 1 ? counted(expression.phrases[group.number])?.hits(in: segment) : nil
    }

    /// The key of the dictionary that a group stands for: a term, or a prefix with a stored list; nil if it stands for more.
    private func key(of group: NearGroup, in segment: Segment) -> [UInt8]? {
        let phrase = expression.phrases[group.number]
        guard group.phrases.count == 1, phrase.terms.count == 1, let term = phrase.terms.first, !phrase.isInitial
        else { return nil }
        return term.isToken ? [0] + term.bytes : term.listKey(segment.shape)
    }

    /// The documents of a group: a source for each of its phrases, all with the same documents; empty if the segment
    /// has none. Two if a prefix is divided: the second has the documents of its most frequent term, which count there if the
    /// first does not have them.
    ///
    /// - Parameters:
    ///   - range: What is found beforehand is found among these documents.
    ///   - candidates: The only documents of interest; nil for all.
    ///   - countsExactly: Whether hits are counted exactly, as for a window.
    ///   - dividesPrefixes: Whether a prefix may be divided.
    ///   - locatesLate: Whether a phrase need not be found beforehand.
    private func blocks(
        of group: NearGroup, in segment: Segment, _ range: Range<UInt32>, among candidates: CandidateDocuments? = nil,
        countsExactly: Bool = true, dividesPrefixes: Bool = false, locatesLate: Bool = false
    ) throws -> [BlockSource] {
        if let key = key(of: group, in: segment) {
            return try blocks(withKey: key, of: group.number, in: segment).map { [$0] } ?? []
        }
        if let hits = hits(of: group, in: segment) {
            return try blocks(of: group, [hits.found(in: range, statistics.weights)], in: segment)
        }
        if locatesLate, isLocatedLate(group) { return try phraseBlocks(of: group, in: segment).map { [$0] } ?? [] }
        let search = SegmentSearch(expression, segment: segment)
        let phrase = expression.phrases[group.number]
        guard group.phrases.count == 1, phrase.terms.count == 1, let term = phrase.terms.first,
            term.isPrefix || term.isForgiving, !phrase.isInitial
        else { return try blocks(of: group, found: search.leaf(group), in: segment, range) }
        let sharesPositions = segment.shape.hasPositions && segment.hasColocatedTokens && !term.isForgiving
        let prefixes = ([term.bytes] + term.synonyms).map { [0] + $0 }
        let terms =
            try term.isForgiving
            ? TermExpansions(segment, forgiving: term)
            : TermExpansions(segment, prefixes: prefixes, comparesPlaces: sharesPositions)
        var counter: FrequencyCounter?
        // Sums of weights in another order may differ in the last bit, and so could the order of rows with equal
        // scores.
        let needsCount = terms.count > 1 && (sharesPositions || !statistics.weights.areExact)
        if needsCount, countsExactly {
            counter = FrequencyCounter(terms, columns: phrase.columns, in: range, statistics)
            // If only rounding is at stake, that many terms are added up in any order.
            if counter == nil, sharesPositions {
                return try blocks(of: group, found: search.leaf(phrase, isPart: true), in: segment, range)
            }
        }
        let weight = statistics.phraseWeights[group.number]
        let sums = TermSums(
            terms, columns: phrase.columns, in: range, weight: weight, statistics, work,
            findsLeast: needsCount && !countsExactly)
        // A few postings, and those in a few candidates, are added up in less time than the sets take.
        let isDivided =
            dividesPrefixes && statistics.allowsPruning && terms.postingCount > segment.documentCount / 64
            && terms.postingCount <= candidates?.postingCount ?? .max
        let main = isDivided ? terms.mainTerm : nil
        let found = try main.map(sums.find(besides:)) ?? sums.find(among: candidates)
        var sources: [BlockSource] = []
        if !found.documents.isEmpty {
            sources.append(try FoundBlocks(found, segment, weight: weight, statistics, counter: counter, work))
        }
        if let main {
            sources.append(TermBlocks(segment, main, columns: phrase.columns, weight: weight, statistics))
        }
        return sources
    }

    /// The postings of a key of the dictionary, which is a term or a prefix with a stored list; nil if the segment
    /// lacks it.
    private func blocks(withKey key: [UInt8], of phrase: Int, in segment: Segment) throws -> TermBlocks? {
        guard let entry = try key.withUnsafeBufferPointer(segment.find), entry.count > 0 else { return nil }
        return TermBlocks(
            segment, entry, columns: expression.phrases[phrase].columns, weight: statistics.phraseWeights[phrase],
            statistics)
    }

    /// Whether a group is a phrase that `lists` need not find beforehand (`PhraseBlocks`).
    private func isLocatedLate(_ group: NearGroup) -> Bool {
        let phrase = expression.phrases[group.number]
        return statistics.allowsPruning && group.phrases.count == 1 && phrase.isDecidedByPositions
            && !phrase.terms.isEmpty && phrase.terms.allSatisfy(\.isToken)
    }

    /// The documents that may have such a phrase; nil if the segment lacks one of its terms.
    private func phraseBlocks(of group: NearGroup, in segment: Segment) throws -> PhraseBlocks? {
        guard let tokens = try tokens(ofPhrase: group.number, in: segment) else { return nil }
        let leaf = try SegmentSearch(expression, segment: segment).leaf(
            group, known: [tokens.map { $0.map(TermBlocksLeaf.init) }])
        let rarestFirst = tokens.compactMap(\.self).sorted { $0.count < $1.count }
        guard let lead = rarestFirst.first else { return nil }
        return try PhraseBlocks(lead, Array(rarestFirst.dropFirst()), leaf, phrase: group.number, work)
    }

    /// The postings of a phrase's tokens, nil for its other terms; nil if the segment lacks one of the tokens.
    private func tokens(ofPhrase number: Int, in segment: Segment) throws -> [TermBlocks?]? {
        var tokens: [TermBlocks?] = []
        for term in expression.phrases[number].terms {
            guard term.isToken else {
                tokens.append(nil)
                continue
            }
            guard let blocks = try blocks(withKey: [0] + term.bytes, of: number, in: segment) else { return nil }
            tokens.append(blocks)
        }
        return tokens
    }

    /// The documents that an iterator finds for a group.
    private func blocks(
        of group: NearGroup, found leaf: LeafIterator, in segment: Segment, _ range: Range<UInt32>
    ) throws -> [BlockSource] {
        var found = group.phrases.map { _ in FoundDocuments() }
        var document = try leaf.seek(range.lowerBound)
        while document < range.upperBound {
            for member in found.indices {
                let frequency = try leaf.frequency(ofMember: member, statistics.weights, in: segment)
                found[member].append(document, frequency: frequency)
            }
            document = try leaf.seek(document + 1)
        }
        return try blocks(of: group, found, in: segment)
    }

    /// - Parameter found: The documents of the group, for each of its phrases.
    private func blocks(of group: NearGroup, _ found: [FoundDocuments], in segment: Segment) throws -> [BlockSource] {
        guard found.first?.documents.isEmpty == false else { return [] }
        return try zip(group.phrases, found).map { phrase, found in
            try FoundBlocks(found, segment, weight: statistics.phraseWeights[phrase], statistics, work)
        }
    }
}
