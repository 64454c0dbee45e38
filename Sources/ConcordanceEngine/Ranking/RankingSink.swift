/// A row whose score is known but for what the places of its hits add.
struct RankingCandidate {
    var document: DocumentReference
    /// What its hits add by their number: its score is no less.
    var score: Double
    /// Its score is no more.
    var limit: Double
}

/// What rankers offer documents to: the best rows so far, and those whose places are still to be read.
struct RankingSink {
    private(set) var top: TopDocuments
    private(set) var candidates: [RankingCandidate] = []
    /// The best of what scores are known to be at least.
    private var floor: ScoreFloor
    private let allowsPruning: Bool

    /// What a score must reach to matter, by the value alone; below every score until enough rows are known.
    private(set) var threshold: Double

    init(_ top: TopDocuments, allowsPruning: Bool) {
        self.top = top
        self.allowsPruning = allowsPruning
        floor = ScoreFloor(capacity: top.capacity)
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
        floor.insert(score)
        if floor.threshold > threshold { threshold = floor.threshold }
    }

    /// Takes away the `count` candidates with the greatest limits, of those that reach the threshold.
    mutating func takeCandidates(_ count: Int) -> [RankingCandidate] {
        let threshold = threshold
        if allowsPruning { candidates.removeAll { $0.limit < threshold } }
        guard candidates.count > count else {
            defer { candidates.removeAll(keepingCapacity: true) }
            return candidates
        }
        candidates.sort { $0.limit < $1.limit }
        defer { candidates.removeLast(count) }
        return Array(candidates.suffix(count))
    }
}

/// The greatest `capacity` of some numbers: a binary heap with the least of them on top.
struct ScoreFloor {
    private let capacity: Int
    private var heap: [Double] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The least of them; below every number until there are so many.
    var threshold: Double { heap.count == capacity ? heap[0] : -.infinity }

    mutating func insert(_ score: Double) {
        if heap.count < capacity {
            heap.append(score)
            var child = heap.count - 1
            while child > 0, heap[child] < heap[(child - 1) / 2] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if score > heap[0] {
            heap[0] = score
            var parent = 0
            while true {
                var child = 2 * parent + 1
                guard child < heap.count else { return }
                if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
                guard heap[child] < heap[parent] else { return }
                heap.swapAt(parent, child)
                parent = child
            }
        }
    }
}
