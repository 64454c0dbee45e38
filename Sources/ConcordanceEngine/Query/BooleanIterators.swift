/// The documents that all members have.
final class ConjunctionIterator: DocumentIterator {
    /// The rarest first.
    private let members: [DocumentIterator]

    init(_ members: [DocumentIterator]) { self.members = members.sorted { $0.cost < $1.cost } }

    override var cost: Int { members.first?.cost ?? 0 }

    override func rewind() { for member in members { member.reset() } }

    override func find(_ target: UInt32) throws -> UInt32 {
        guard let leader = members.first else { return Self.exhausted }
        var document = try leader.seek(target)
        search: while document != Self.exhausted {
            for member in members.dropFirst() {
                let other = try member.seek(document)
                if other != document {
                    document = other == Self.exhausted ? other : try leader.seek(other)
                    continue search
                }
            }
            break
        }
        return document
    }

    /// Batches of the rarest member's documents pass one member after the other.
    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        guard let leader = members.first, leader.readsBlocks, let start = buffer.baseAddress else {
            return try super.read(from: target, below: end, into: buffer)
        }
        var found = 0
        var next = target
        while found < buffer.count {
            let room = UnsafeMutableBufferPointer(start: start + found, count: buffer.count &- found)
            let read = try leader.read(from: next, below: end, into: room)
            guard read > 0 else { break }
            next = room[read &- 1] &+ 1
            var kept = read
            for member in members.dropFirst() where kept > 0 {
                kept =
                    try member.exceeds(leader)
                    ? member.keepFew(start + found, kept) : member.keep(start + found, kept)
            }
            found &+= kept
            if read < room.count { break }
        }
        return found
    }
}

/// The documents that any member has.
final class DisjunctionIterator: DocumentIterator {
    private let members: [DocumentIterator]
    /// A bit for each document of a window, set by one member after another.
    private let window = FixedBuffer<UInt64>(repeating: 0, count: Int(DisjunctionIterator.windowSize / 64))
    /// The documents that the window covers; empty before it is filled.
    private var range: Range<UInt32> = 0..<0
    /// How many documents the next window covers: more and more, since a query may want only a few.
    private var size = firstSize

    private static let firstSize: UInt32 = 1 << 6
    private static let windowSize: UInt32 = 1 << 13

    init(_ members: [DocumentIterator]) { self.members = members }

    override var cost: Int { members.reduce(0) { $0 + $1.cost } }

    override var readsBlocks: Bool { members.allSatisfy(\.readsBlocks) }

    override func rewind() {
        for member in members { member.reset() }
        range = 0..<0
        size = Self.firstSize
    }

    override func find(_ target: UInt32) throws -> UInt32 {
        var least = Self.exhausted
        for member in members { least = min(least, try member.seek(target)) }
        return least
    }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        var count = 0
        var next = target
        while count < buffer.count, next < end {
            if !range.contains(next) {
                let first = try find(next)
                guard first < end else { break }
                try fill(from: first, below: end)
                next = first
            }
            let bits = Int(next - range.lowerBound)..<range.count
            count = window.start.copyBits(bits, base: range.lowerBound, into: buffer, after: count)
            next = count == buffer.count ? buffer[count - 1] &+ 1 : range.upperBound
        }
        return count
    }

    private func fill(from first: UInt32, below end: UInt32) throws {
        range = first..<(end - first > size ? first + size : end)
        size = min(size * 2, Self.windowSize)
        window.start.update(repeating: 0, count: window.count)
        for member in members { try member.mark(from: first, below: range.upperBound, in: window.start) }
    }
}

/// The documents of another iterator that pass a test.
class FilterIterator: DocumentIterator {
    private let matches: DocumentIterator

    init(_ matches: DocumentIterator) { self.matches = matches }

    /// Whether a document passes. Documents ascend until `rewind`.
    func passes(_ document: UInt32) throws -> Bool { true }

    /// Keeps those of `count` documents that pass, and returns how many there are.
    func keepPassing(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try documents.keep(count, where: passes)
    }

    override var cost: Int { matches.cost }

    override func rewind() { matches.reset() }

    override func find(_ target: UInt32) throws -> UInt32 {
        var document = try matches.seek(target)
        while document != Self.exhausted, try !passes(document) { document = try matches.seek(document &+ 1) }
        return document
    }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        var kept = 0
        // Documents that did not pass are not asked for again: the test may be unable to go back.
        var next = start(of: target)
        while kept < buffer.count {
            let room = UnsafeMutableBufferPointer(rebasing: buffer[kept...])
            let count = try matches.read(from: next, below: end, into: room)
            guard count > 0, let start = room.baseAddress else { break }
            next = room[count - 1] &+ 1
            kept += try keepPassing(start, count)
            guard count == room.count else { break }
        }
        return kept
    }
}

/// The documents of one iterator that another one does not have.
final class DifferenceIterator: FilterIterator {
    private let excluded: DocumentIterator
    private let areFewIncluded: Bool

    init(_ included: DocumentIterator, without excluded: DocumentIterator) {
        self.excluded = excluded
        areFewIncluded = excluded.exceeds(included)
        super.init(included)
    }

    override func rewind() {
        super.rewind()
        excluded.reset()
    }

    override func passes(_ document: UInt32) throws -> Bool { try excluded.seek(document) != document }

    override func keepPassing(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { found in
            guard let start = found.baseAddress else { return 0 }
            start.update(from: documents, count: count)
            let foundCount = try areFewIncluded ? excluded.keepFew(start, count) : excluded.keep(start, count)
            var next = 0
            return documents.keep(count) { document in
                guard next < foundCount, found[next] == document else { return true }
                next &+= 1
                return false
            }
        }
    }
}

/// The documents of an iterator that are in a large set: they are read in batches and looked up one by one.
final class RestrictedIterator: FilterIterator {
    private let set: DocumentSet

    init(_ matches: DocumentIterator, to set: DocumentSet) {
        self.set = set
        super.init(matches)
    }

    override func passes(_ document: UInt32) -> Bool { set.contains(document) }
}
