/// Ranks the documents of a segment that match one group: a phrase, one with `^`, or phrases near each other, without
/// reading the positions of every document with its terms.
///
/// A phrase occurs in a document at most as often as each of its terms. So it contributes at most as much as its term
/// with the fewest hits there would, and a group at most the sum of that over its phrases. Positions are read only if
/// that reaches the threshold.
final class GroupRanker: SegmentRanker {
    /// A term that every match has.
    struct Member {
        var list: ScoredList
        /// The index of its phrase in the group.
        let phrase: Int
    }

    /// What the rarest term contributes in a document of a unit.
    private struct Lead {
        let share: Double
        let norm: Double
    }

    private struct Candidate {
        let document: UInt32
        let norm: Double
        /// An upper bound on its score.
        let limit: Double
    }

    /// The numbers of the group's phrases.
    private let phrases: [Int]
    /// The terms, the rarest first.
    private let members: FixedBuffer<Member>
    /// How many of them, from the first on, are in at most a quarter of the documents.
    private let rareCount: Int
    private static let rarePart = 4
    /// The documents of a unit that may reach the threshold, and the indexes of those that have the rare terms.
    private let leadDocuments = FixedBuffer<UInt32>(unwritten: BlockSource.blockSize)
    private let leads = FixedBuffer<Lead>(unwritten: BlockSource.blockSize)
    private let chosen = FixedBuffer<Int>(unwritten: BlockSource.blockSize)
    private let leaf: LeafIterator
    /// Documents that may reach the threshold, if their positions are gathered together.
    private var candidates: [Candidate] = []
    /// So many are gathered at once: more and more, since each time visits all terms that a prefix stands for.
    private var candidateLimit = firstCandidateLimit
    private static let firstCandidateLimit = 64
    private static let lastCandidateLimit = 1 << 13
    private let gathers: Bool
    /// By phrase, an upper bound on its contribution at the ranker's current place.
    private let limits: FixedBuffer<Double>
    /// An upper bound on the bonuses for positions.
    private let bonus: Double
    private let work: QueryWork

    /// - Parameters:
    ///   - phrases: The numbers of the group's phrases.
    ///   - members: At least one for each phrase, each with the phrase's weight.
    ///   - leaf: Finds the group in a document to which the terms are decoded.
    init(
        index: Int, _ live: LiveSegment, phrases: [Int], _ members: [Member], _ leaf: LeafIterator,
        _ statistics: RankingStatistics, _ work: QueryWork
    ) {
        assert(phrases.indices.allSatisfy { phrase in members.contains { $0.phrase == phrase } })
        self.phrases = phrases
        self.members = FixedBuffer(members.sorted { $0.list.count < $1.list.count })
        let most = live.segment.documentCount / Self.rarePart
        rareCount = max(members.count { $0.list.count <= most }, 1)
        self.leaf = leaf
        gathers = leaf.gathersPositions
        self.work = work
        limits = FixedBuffer(repeating: 0, count: phrases.count)
        bonus = statistics.bonusCeiling(of: phrases)
        super.init(index: index, live, statistics)
    }

    // MARK: - Bounds

    private func clearLimits() {
        for phrase in 0..<limits.count { limits[phrase] = .infinity }
    }

    @inline(__always)
    private func limit(_ member: Int, to bound: Double) {
        let phrase = members.start[member].phrase
        limits[phrase] = min(limits[phrase], bound)
    }

    /// The sum of the limits and the bonus, without one of the phrases.
    private func rest(without phrase: Int? = nil) -> Double {
        (0..<limits.count).reduce(bonus) { $1 == phrase ? $0 : $0 + limits[$1] }
    }

    // MARK: - Units

    override var matchLimit: Int { members.start[0].list.count }

    /// A unit is a block, or a group of blocks, of the rarest term.
    override func appendUnits(to units: inout [RankingUnit]) throws {
        candidates.removeAll(keepingCapacity: true)
        clearLimits()
        for member in 1..<members.count { limit(member, to: members.start[member].list.bound) }
        let lead = members.start[0].phrase
        let rest = rest(without: lead)
        try members.start[0].list.appendUnits(to: &units, segment: index, adding: rest, limit: limits[lead] + rest)
    }

    override func appendUnits(ofGroup group: Int, part: Int, to units: inout [RankingUnit]) throws {
        let list = members.start[0].list
        let blocks = list.blocks(ofGroup: group)
        guard !blocks.isEmpty, try limitRest(blocks) else { return }
        let lead = members.start[0].phrase
        let rest = rest(without: lead)
        try list.appendUnits(
            to: &units, ofBlocks: blocks, segment: index, adding: rest, limit: limits[lead] + rest)
    }

    /// Limits the phrases by the terms after the rarest in blocks of that. Returns whether a document may match.
    private func limitRest(_ blocks: Range<Int>) throws -> Bool {
        let (first, last) = try members.start[0].list.range(ofBlocks: blocks)
        if let documents, documents.first(from: first) > last { return false }
        clearLimits()
        for member in 1..<members.count {
            let bound = try members.start[member].list.bound(from: first, through: last, ofBlocks: blocks.count)
            if bound < 0 { return false }
            limit(member, to: bound)
        }
        return true
    }

    override func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {
        guard try limitRest(block..<block + 1) else { return }
        let slack = RankingStatistics.slack
        let lead = members.start[0].phrase
        let rest = rest(without: lead)
        if (limits[lead] + rest) * slack < sink.threshold { return }
        let needed = sink.threshold / slack - rest
        let (segment, statistics) = (segment, statistics)
        let threshold = sink.threshold
        var count = 0
        try members.start[0].list.forEachDocument(inBlock: block, adding: needed, segment, statistics) {
            document, share, norm in
            leadDocuments[count] = document
            leads[count] = Lead(share: share, norm: norm)
            count &+= (share + rest) * slack >= threshold ? 1 : 0
        }
        for place in 0..<(try keepRare(count, threshold)) {
            let (document, found) = (leadDocuments[chosen[place]], leads[chosen[place]])
            if (found.share + rest) * slack >= sink.threshold { try rank(document, found.share, found.norm, &sink) }
        }
        if candidates.count >= candidateLimit {
            candidateLimit = min(candidateLimit * 2, Self.lastCandidateLimit)
            try rankCandidates(&sink)
        }
    }

    /// Chooses those of `count` documents of a unit that have the other rare terms: a block at once takes less time than each by
    /// itself, if many are dropped. Returns how many are left.
    private func keepRare(_ count: Int, _ threshold: Double) throws -> Int {
        let indexes = UnsafeMutableBufferPointer(start: chosen.start, count: chosen.count)
        for index in 0..<count { chosen[index] = index }
        var count = count
        for member in 1..<rareCount where count > 0 {
            let needed = threshold / RankingStatistics.slack - rest(without: members.start[member].phrase)
            count = try members.start[member].list.keep(indexes, count, of: leadDocuments.start, adding: needed)
        }
        return count
    }

    override func finish(into sink: inout RankingSink) throws { try rankCandidates(&sink) }

    private func rankCandidates(_ sink: inout RankingSink) throws {
        defer { candidates.removeAll(keepingCapacity: true) }
        candidates.sort { $0.document < $1.document }
        try candidates.removeAll {
            try $0.limit * RankingStatistics.slack < sink.threshold || !decode($0) || !leaf.mayMatch($0.document)
        }
        if candidates.isEmpty { return }
        try leaf.expect(candidates.map(\.document))
        for candidate in candidates where candidate.limit * RankingStatistics.slack >= sink.threshold {
            if try decode(candidate) { try locate(candidate.document, candidate.norm, &sink) }
        }
    }

    /// Decodes the blocks of the terms with a candidate again: later ones have been decoded since.
    private func decode(_ candidate: Candidate) throws -> Bool {
        for member in 0..<members.count {
            guard try members.start[member].list.seek(candidate.document) >= 0,
                try members.start[member].list.share(of: candidate.document, norm: candidate.norm, statistics) != nil
            else { return false }
        }
        return true
    }

    /// - Parameter share: The contribution of the rarest term alone.
    private func rank(_ document: UInt32, _ share: Double, _ norm: Double, _ sink: inout RankingSink) throws {
        let slack = RankingStatistics.slack
        clearLimits()
        limit(0, to: share)
        for member in 1..<members.count {
            let bound = try members.start[member].list.seek(document)
            if bound < 0 { return }
            limit(member, to: bound)
        }
        if rest() * slack < sink.threshold { return }
        for member in 1..<members.count {
            guard let share = try members.start[member].list.share(of: document, norm: norm, statistics) else { return }
            limit(member, to: share)
            if rest() * slack < sink.threshold { return }
        }
        guard !deletions.isDeleted(document) else { return }
        if gathers { return candidates.append(Candidate(document: document, norm: norm, limit: rest())) }
        try locate(document, norm, &sink)
    }

    /// Looks for the group in a document with all terms.
    private func locate(_ document: UInt32, _ norm: Double, _ sink: inout RankingSink) throws {
        work.locatedDocuments &+= 1
        guard try leaf.move(to: document) else { return }
        var score = 0.0
        for (member, phrase) in phrases.enumerated() {
            score += try self.share(phrase, leaf, member: member, norm: norm)
        }
        try offer(document, score, bonus: bonus, &sink)
    }
}
