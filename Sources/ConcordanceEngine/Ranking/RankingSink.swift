/// A row whose score is known but for what the places of its hits add.
struct RankingCandidate: HeapElement {
    var document: DocumentReference
    /// What its hits add by their number: its score is no less.
    var score: Double
    /// Its score is no more.
    var limit: Double

    /// The most promising first.
    func leaves(before other: RankingCandidate) -> Bool { limit > other.limit }
}

/// What rankers offer documents to: the best rows so far, and those whose places are still to be read.
struct RankingSink {
    private(set) var top: TopDocuments
    private(set) var candidates: [RankingCandidate] = []
    /// The best of what scores are known to be at least: as many as rows are wanted.
    private var floor = Heap<Double>()
    private let allowsPruning: Bool

    /// What a score must reach to matter, by the value alone; below every score until enough rows are known.
    private(set) var threshold: Double

    init(_ top: TopDocuments, allowsPruning: Bool) {
        self.top = top
        self.allowsPruning = allowsPruning
        threshold = top.threshold
    }

    /// Offers a row with its score.
    ///
    /// - Parameter rowID: Asked for only where the score does not decide alone.
    @inline(__always)
    mutating func offer(_ document: DocumentReference, score: Double, rowID: () throws -> Int64) rethrows {
        try top.offer(document, score: score, rowID: rowID)
        if top.threshold > threshold { threshold = top.threshold }
    }

    /// Offers a row with what its score is at least and at most.
    mutating func offer(
        _ document: DocumentReference, score: Double, limit: Double, rowID: () throws -> Int64
    ) rethrows {
        guard try top.admits(atLeast: score, rowID: rowID) else { return }
        candidates.append(RankingCandidate(document: document, score: score, limit: limit))
        guard allowsPruning, top.surelyAdmits(atLeast: score, atMost: limit) else { return }
        floor.insert(score, keeping: top.capacity)
        if floor.count == top.capacity, let least = floor.first, least > threshold { threshold = least }
    }

    /// Takes away the `count` candidates with the greatest limits, of those that reach the threshold.
    mutating func takeCandidates(_ count: Int) -> [RankingCandidate] {
        let threshold = threshold
        if allowsPruning { candidates.removeAll { $0.limit < threshold } }
        guard candidates.count > count else {
            defer { candidates.removeAll(keepingCapacity: true) }
            return candidates
        }
        var heap = Heap(candidates)
        defer { candidates = heap.elements }
        return (0..<count).compactMap { _ in heap.popFirst() }
    }
}
