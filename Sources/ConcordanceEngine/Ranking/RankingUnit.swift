/// A part of a segment that is scored as a whole, or passed over by its bound.
struct RankingUnit {
    /// No document of it scores more.
    var bound: Double
    /// Of the query's segments.
    var segment: Int32
    /// The part's number in the segment, ascending by document.
    var number: Int32

    /// Whether it is scored before another one: larger bounds first, so that the threshold rises early.
    @inline(__always)
    func precedes(_ other: RankingUnit) -> Bool {
        if bound != other.bound { return bound > other.bound }
        return segment != other.segment ? segment < other.segment : number < other.number
    }
}

/// Units, of which the one with the largest bound comes out first: made in O(n), O(log n) a unit. Few come out where the
/// bounds are good.
struct RankingUnitQueue {
    private var heap: [RankingUnit]

    init(_ units: [RankingUnit]) {
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

/// Scores the documents of one segment that match the query, part by part.
class SegmentRanker {
    /// The segment's number in the snapshot.
    let index: Int
    let segment: Segment
    let deletions: Deletions
    let statistics: RankingStatistics

    init(index: Int, _ live: LiveSegment, _ statistics: RankingStatistics) {
        self.index = index
        segment = live.segment
        deletions = live.deletions
        self.statistics = statistics
    }

    /// The parts where documents may match; their bounds are of use where `ColumnWeights.allowsBounds`.
    func units() throws -> [RankingUnit] { [] }

    /// Offers the documents of one part: all, or those that reach the threshold.
    func rank(_ unit: Int, into top: inout TopDocuments) throws {}
}
