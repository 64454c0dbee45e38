/// Documents of a segment that are scored together, or passed over by their bound.
struct RankingUnit {
    /// No document of it scores more.
    var bound: Double
    /// Of the query's segments.
    var segment: Int32
    /// Which of the ranker's parts it belongs to; 0 where it has but one.
    var part: Int32
    /// Its number in the part, ascending by document; `wholePart` for one whose units are made when its turn comes.
    var number: Int32

    static let wholePart: Int32 = -1

    init(bound: Double, segment: Int, part: Int = 0, number: Int? = nil) {
        self.bound = bound
        self.segment = Int32(truncatingIfNeeded: segment)
        self.part = Int32(truncatingIfNeeded: part)
        self.number = number.map { Int32(truncatingIfNeeded: $0) } ?? Self.wholePart
    }

    /// Whether it is scored before another one: larger bounds first, so that the threshold rises early.
    @inline(__always)
    func precedes(_ other: RankingUnit) -> Bool {
        if bound != other.bound { return bound > other.bound }
        if segment != other.segment { return segment < other.segment }
        return part != other.part ? part < other.part : number < other.number
    }
}

/// Units, of which the one with the largest bound comes out first: made in O(n), O(log n) a unit. Few come out where the
/// bounds are good.
struct RankingUnitQueue {
    private var heap: [RankingUnit]

    init(_ units: consuming [RankingUnit]) {
        heap = units
        for parent in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(parent) }
    }

    mutating func popFirst() -> RankingUnit? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return first
    }

    mutating func insert(_ units: [RankingUnit]) {
        for unit in units {
            heap.append(unit)
            siftUp(heap.count - 1)
        }
    }

    private mutating func siftUp(_ start: Int) {
        heap.withUnsafeMutableBufferPointer { heap in
            var child = start
            while child > 0 {
                let parent = (child - 1) / 2
                guard heap[child].precedes(heap[parent]) else { return }
                heap.swapAt(parent, child)
                child = parent
            }
        }
    }

    private mutating func siftDown(_ start: Int) {
        heap.withUnsafeMutableBufferPointer { heap in
            var parent = start
            while true {
                var child = 2 * parent + 1
                guard child < heap.count else { return }
                if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
                guard heap[child].precedes(heap[parent]) else { return }
                heap.swapAt(parent, child)
                parent = child
            }
        }
    }
}

/// Scores the documents of one segment that match the query, unit by unit.
class SegmentRanker {
    /// The segment's number in the snapshot.
    let index: Int
    let segment: Segment
    let deletions: Deletions
    let statistics: RankingStatistics
    /// The only documents that count; nil for all.
    final var documents: DocumentSet?

    init(index: Int, _ live: LiveSegment, _ statistics: RankingStatistics) {
        self.index = index
        segment = live.segment
        deletions = live.deletions
        self.statistics = statistics
    }

    /// Appends the units, or whole parts, where documents may match; their bounds are of use where
    /// `RankingStatistics.allowsPruning`.
    func appendUnits(to units: inout [RankingUnit]) throws {}

    /// Appends the units of one part.
    func appendUnits(ofPart part: Int, to units: inout [RankingUnit]) throws {}

    /// Offers the documents of one unit: all, or those that reach the threshold.
    func rank(part: Int, _ number: Int, into sink: inout RankingSink) throws {}

    /// Offers one document, unless it is removed.
    ///
    /// - Parameter bonus: The most that the places of its hits add to the score.
    @inline(__always)
    final func offer(_ document: UInt32, _ score: Double, bonus: Double = 0, _ sink: inout RankingSink) throws {
        let limit = bonus == 0 ? score : (score + bonus) * RankingStatistics.slack
        // Written so that NaN passes.
        if limit < sink.threshold || deletions.isDeleted(document) { return }
        if let documents, !documents.contains(document) { return }
        let segment = segment
        let reference = DocumentReference(segment: index, document: document)
        if bonus == 0 {
            try sink.offer(reference, score: score) { try segment.rowID(at: Int(document)) }
        } else {
            try sink.offer(reference, score: score, limit: limit) { try segment.rowID(at: Int(document)) }
        }
    }
}
