/// A row whose score is known, except for what the positions of its hits decide: bonuses, and how many hits there are, if
/// terms share positions.
struct RankingCandidate: HeapElement {
    var document: DocumentReference
    /// The contribution of its hits, or a lower bound on it; in any case a lower bound on its score.
    var score: Double
    /// Whether `score` lacks only bonuses.
    var isExactButForBonus: Bool
    /// An upper bound on its score.
    var limit: Double

    /// The most promising first.
    func leaves(before other: RankingCandidate) -> Bool { limit > other.limit }
}

/// Takes the documents that rankers offer: the best rows so far, and the candidates whose positions have not been read.
struct RankingSink {
    private(set) var top: TopDocuments
    private(set) var candidates: [RankingCandidate] = []
    /// The greatest lower bounds of scores, as many as rows are requested.
    private var floor = Heap<Double>()
    private let allowsPruning: Bool

    /// A score below this cannot be among the best. Lower than every score until enough rows are known.
    private(set) var threshold: Double

    init(_ top: TopDocuments, allowsPruning: Bool) {
        self.top = top
        self.allowsPruning = allowsPruning
        threshold = top.threshold
    }

    /// Offers a row with its score.
    ///
    /// - Parameter rowID: Called only if the score alone does not decide.
    @inline(__always)
    mutating func offer(_ document: DocumentReference, score: Double, rowID: () throws -> Int64) rethrows {
        try top.offer(document, score: score, rowID: rowID)
        if top.threshold > threshold { threshold = top.threshold }
    }

    /// Offers a row with a lower and an upper bound on its score.
    ///
    /// - Parameter isExactButForBonus: Whether the lower bound lacks only bonuses.
    mutating func offer(
        _ document: DocumentReference, score: Double, isExactButForBonus: Bool, limit: Double,
        rowID: () throws -> Int64
    ) rethrows {
        // If nothing bounds scores, bonuses may be negative.
        guard try top.admits(atLeast: allowsPruning ? score : -.infinity, rowID: rowID) else { return }
        candidates.append(
            RankingCandidate(
                document: document, score: score, isExactButForBonus: isExactButForBonus, limit: limit))
        guard allowsPruning, top.surelyAdmits(atLeast: score, atMost: limit) else { return }
        floor.insert(score, keeping: top.capacity)
        if floor.count == top.capacity, let least = floor.first, least > threshold { threshold = least }
    }

    /// Removes the candidates that do not reach the threshold.
    mutating func dropHopeless() {
        let threshold = threshold
        if allowsPruning { candidates.removeAll { $0.limit < threshold } }
    }

    /// Removes and returns the `count` candidates with the greatest limits that reach the threshold.
    mutating func takeCandidates(_ count: Int) -> [RankingCandidate] {
        dropHopeless()
        guard candidates.count > count else {
            defer { candidates.removeAll(keepingCapacity: true) }
            return candidates
        }
        var heap = Heap(candidates)
        defer { candidates = heap.elements }
        return (0..<count).compactMap { _ in heap.popFirst() }
    }
}
