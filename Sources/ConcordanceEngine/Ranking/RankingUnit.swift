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

/// A queue of units that gives the one with the largest bound first: O(n) to make, O(log n) a unit. Few come out where the
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
