/// Documents of a segment that are scored together, or skipped because of their bound.
struct RankingUnit: HeapElement {
    /// How many documents it has. Parts and groups are divided when their turn comes.
    enum Extent: UInt8 {
        /// All of the ranker's, or of one of its lists.
        case part
        /// Those of several blocks.
        case group
        case block
    }

    /// An upper bound on the scores of its documents.
    var bound: Double
    /// The segment's number in the snapshot.
    var segment: Int32
    /// The part of the ranker's documents that it belongs to; 0 if there is only one part.
    var part: Int32
    /// The number of the group or block in the part, ascending by document.
    var number: Int32
    var extent: Extent

    init(bound: Double, segment: Int, part: Int = 0, _ extent: Extent, _ number: Int = 0) {
        self.bound = bound
        self.segment = Int32(truncatingIfNeeded: segment)
        self.part = Int32(truncatingIfNeeded: part)
        self.number = Int32(truncatingIfNeeded: number)
        self.extent = extent
    }

    /// Large bounds first, so that the threshold rises early.
    @inline(__always)
    func leaves(before other: RankingUnit) -> Bool {
        bound != other.bound ? bound > other.bound : precedes(other)
    }

    /// Whether it comes earlier in the order of documents; what is to be divided comes before all blocks.
    @inline(__always)
    func precedes(_ other: RankingUnit) -> Bool {
        if segment != other.segment { return segment < other.segment }
        if extent != other.extent { return extent.rawValue < other.extent.rawValue }
        return part != other.part ? part < other.part : number < other.number
    }
}
