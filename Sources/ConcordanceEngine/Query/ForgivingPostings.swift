/// The documents that contain a term of the query or any of the terms that are meant if it has typos.
final class ForgivingPostings: LeafIterator {
    private let members: [LeafIterator]
    /// How much a hit of each member counts.
    private let factors: [Double]
    /// Whether each member has the current document.
    private var isPresent: [Bool]
    private var scratch: [Position] = []

    init(_ members: [(leaf: LeafIterator, factor: Double)]) {
        self.members = members.map(\.leaf)
        factors = members.map(\.factor)
        isPresent = members.map { _ in false }
    }

    override var cost: Int { members.reduce(0) { $0 + $1.cost } }

    override func rewind() { for member in members { member.reset() } }

    override func expect(_ documents: [UInt32]) throws { for member in members { try member.expect(documents) } }

    override func find(_ target: UInt32) throws -> UInt32 {
        var least = Self.exhausted
        for member in members { least = min(least, try member.seek(target)) }
        for index in members.indices { isPresent[index] = members[index].document == least }
        return least
    }

    override func move(to document: UInt32) throws -> Bool {
        var isMatch = false
        for index in members.indices {
            isPresent[index] = try members[index].move(to: document)
            if isPresent[index] { isMatch = true }
        }
        settle(at: document)
        return isMatch
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        for index in members.indices where isPresent[index] {
            try members[index].readInstances(ofMember: 0, into: &scratch)
            result.append(contentsOf: scratch)
        }
        result.sortWithoutDuplicates()
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        scratch.removeAll(keepingCapacity: true)
        try forEachHitCount(ofMember: member) { column, count, _ in
            scratch.append(Position(column: column, offset: count))
        }
        scratch.addUpColumns()
        for place in scratch { try body(place.column, place.offset) }
    }

    override func forEachHitCount(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32, _ factor: Double) throws -> Void
    ) throws {
        for index in members.indices where isPresent[index] {
            let factor = factors[index]
            try members[index].forEachColumn(ofMember: 0) { try body($0, $1, factor) }
        }
    }
}
