/// Documents of a segment that are scored together, or skipped because of their bound.
struct RankingUnit: HeapElement {
    /// An upper bound on the scores of its documents.
    var bound: Double
    /// The segment's number in the snapshot.
    var segment: Int32
    /// The part of the ranker's documents that it belongs to; 0 if there is only one part.
    var part: Int32
    /// Its number in the part, ascending by document; nil for the whole part, which is divided when its turn comes.
    var block: Int32?

    init(bound: Double, segment: Int, part: Int = 0, block: Int? = nil) {
        self.bound = bound
        self.segment = Int32(truncatingIfNeeded: segment)
        self.part = Int32(truncatingIfNeeded: part)
        self.block = block.map { Int32(truncatingIfNeeded: $0) }
    }

    /// Large bounds first, so that the threshold rises early.
    @inline(__always)
    func leaves(before other: RankingUnit) -> Bool {
        if bound != other.bound { return bound > other.bound }
        if segment != other.segment { return segment < other.segment }
        return part != other.part ? part < other.part : block ?? -1 < other.block ?? -1
    }
}
