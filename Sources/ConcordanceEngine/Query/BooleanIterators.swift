/// The documents of all members.
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
}

/// The documents of any member.
final class DisjunctionIterator: DocumentIterator {
    private let members: [DocumentIterator]
    /// A bit for each document of a window, in which members are read one after the other.
    private let window: UnsafeMutablePointer<UInt64>
    /// The documents that the window stands for; none where it does not.
    private var range: Range<UInt32> = 0..<0

    private static let windowSize: UInt32 = 1 << 13

    init(_ members: [DocumentIterator]) {
        self.members = members
        window = .allocate(capacity: Int(Self.windowSize / 64))
    }

    deinit { window.deallocate() }

    override var cost: Int { members.reduce(0) { $0 + $1.cost } }

    override func rewind() {
        for member in members { member.reset() }
        range = 0..<0
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
            count = window.copyBits(bits, base: range.lowerBound, into: buffer, after: count)
            next = count == buffer.count ? buffer[count - 1] &+ 1 : range.upperBound
        }
        return count
    }

    private func fill(from first: UInt32, below end: UInt32) throws {
        range = first..<(end - first > Self.windowSize ? first + Self.windowSize : end)
        window.update(repeating: 0, count: Int(Self.windowSize / 64))
        for member in members { try member.mark(from: first, below: range.upperBound, in: window) }
    }
}

/// The documents of the first member that the second does not have.
final class DifferenceIterator: DocumentIterator {
    private let included: DocumentIterator
    private let excluded: DocumentIterator

    init(_ included: DocumentIterator, without excluded: DocumentIterator) {
        self.included = included
        self.excluded = excluded
    }

    override var cost: Int { included.cost }

    override func rewind() {
        included.reset()
        excluded.reset()
    }

    override func find(_ target: UInt32) throws -> UInt32 {
        var document = try included.seek(target)
        while document != Self.exhausted, try excluded.seek(document) == document {
            document = try included.seek(document &+ 1)
        }
        return document
    }
}
