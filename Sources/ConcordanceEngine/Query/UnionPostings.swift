/// The documents that contain any of a few terms: a term and its synonyms, the terms with a rare prefix, or the
/// variants of a term with typos.
///
/// Each step visits every term. `PrefixPostings` is for many terms.
final class UnionPostings: LeafIterator {
    /// The largest number of terms with a prefix for which this is used.
    static let termLimit = 16

    private let members: [LeafIterator]
    /// How much a hit of each member counts; nil if every one counts 1.
    private let factors: [Double]?
    private let comparesPlaces: Bool
    /// The current document of each member; -1 before its first document, or if it has not been moved.
    private let places: FixedBuffer<Int64>
    /// Whether each member has the current document.
    private let isPresent: FixedBuffer<Bool>
    private let scratch = GrowingBuffer<Position>()

    /// - Parameters:
    ///   - factors: How much a hit of each member counts; nil if every one counts 1.
    ///   - comparesPlaces: Whether terms may share a position, which counts once; otherwise it counts for each, as it must
    ///     with factors.
    init(_ members: [LeafIterator], factors: [Double]? = nil, comparesPlaces: Bool) {
        self.members = members
        self.factors = factors
        self.comparesPlaces = comparesPlaces
        places = FixedBuffer(repeating: -1, count: members.count)
        isPresent = FixedBuffer(repeating: false, count: members.count)
    }

    override var cost: Int { members.reduce(0) { $0 + $1.cost } }

    override func rewind() {
        for index in members.indices {
            members[index].reset()
            places[index] = -1
        }
    }

    override var gathersPositions: Bool { members.contains(where: \.gathersPositions) }

    override var repeatsPlaces: Bool { !comparesPlaces }

    override func willReadAll() {
        for member in members { member.willReadAll() }
    }

    override func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        for member in members { try member.expect(documents) }
        reset()
    }

    override func find(_ target: UInt32) throws -> UInt32 {
        var least = Int64(Self.exhausted)
        for index in 0..<places.count {
            if places[index] < target { places[index] = Int64(try members[index].seek(target)) }
            least = min(least, places[index])
        }
        for index in 0..<places.count { isPresent[index] = places[index] == least }
        return UInt32(truncatingIfNeeded: least)
    }

    override func move(to document: UInt32) throws -> Bool {
        // For a prefix among the members, moving to one document costs less than visiting all before it.
        guard factors != nil else { return try super.move(to: document) }
        var isFound = false
        for index in 0..<places.count {
            isPresent[index] = try members[index].move(to: document)
            places[index] = -1
            isFound = isFound || isPresent[index]
        }
        settle(at: document)
        return isFound
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        for index in members.indices where isPresent[index] {
            try members[index].readInstances(ofMember: 0, into: scratch)
            result.append(contentsOf: scratch.values)
        }
        if comparesPlaces { result.sortWithoutDuplicates() } else { result.sortFew(by: <) }
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        var present = 0
        var last = 0
        for index in 0..<places.count where isPresent[index] { (present, last) = (present + 1, index) }
        if present == 1 { return try members[last].forEachColumn(ofMember: 0, body) }
        if comparesPlaces { return try super.forEachColumn(ofMember: member, body) }
        scratch.removeAll()
        for index in members.indices where isPresent[index] {
            try members[index].forEachColumn(ofMember: 0) { scratch.append(Position(column: $0, offset: $1)) }
        }
        scratch.addUpColumns()
        for place in scratch.values { try body(place.column, place.offset) }
    }

    override func forEachHitCount(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32, _ factor: Double) throws -> Void
    ) throws {
        guard let factors else { return try super.forEachHitCount(ofMember: member, body) }
        for index in members.indices where isPresent[index] {
            let factor = factors[index]
            try members[index].forEachColumn(ofMember: 0) { try body($0, $1, factor) }
        }
    }
}
