/// Goes over the terms of a segment, ascending by bytes; starts before the first.
final class TermCursor {
    private let segment: Segment
    /// The page of the dictionary; nil behind the last.
    @exclusivity(unchecked) private var page: DictionaryPage?
    private var owner: Block?
    private var pageNumber: Int
    /// The current term has not been handed out yet.
    @exclusivity(unchecked) private var isAhead = false

    private let bytes = ByteWriter()
    /// That of the current key.
    @exclusivity(unchecked) private(set) var head: KeyHead

    /// What the dictionary says of the current term.
    @exclusivity(unchecked) private(set) var entry = TermEntry(
        count: 0, adjustment: 0, hasPositions: false, place: .nowhere)

    /// Before the first term from a page on that is not less than `first`.
    init(_ segment: Segment, page number: Int, from first: [UInt8]) throws {
        self.segment = segment
        pageNumber = number
        head = KeyHead(bytes.values)
        try openPage()
        while try advance() {
            guard withKey({ $0.lexicographicallyPrecedes(first) }) else {
                isAhead = true
                return
            }
        }
    }

    /// Goes to the next term; false when there is none.
    func next() throws -> Bool {
        if isAhead {
            isAhead = false
            return true
        }
        return try advance()
    }

    /// The current term's key.
    var key: [UInt8] { bytes.array }

    /// Calls `body` with the current key, without a copy.
    @inline(__always)
    func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(bytes.values)
    }

    /// What the dictionary has of the current term behind the head of its only posting (`SinglePosting.copy`), until the
    /// next term.
    var rest: UnsafeRawBufferPointer { page?.rest(of: entry) ?? UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Negative where the current term is less than that of another cursor, 0 where it is the same, else positive.
    @inline(__always)
    func compared(to other: TermCursor) -> Int { head.compared(to: other.head) ?? comparedByBytes(to: other) }

    @inline(never)
    private func comparedByBytes(to other: TermCursor) -> Int {
        let left = bytes.values
        let right = other.bytes.values
        let common = min(left.count, right.count)
        var index = 0
        while index < common, left[index] == right[index] { index &+= 1 }
        return index < common ? Int(left[index]) - Int(right[index]) : left.count - right.count
    }

    private func openPage() throws {
        guard pageNumber < segment.reader.count(.dictionary) else {
            page = nil
            owner = nil
            return
        }
        (page, owner) = try segment.dictionaryPage(pageNumber)
    }

    private func advance() throws -> Bool {
        var isFirst = bytes.isEmpty
        while page?.isAtEnd == true {
            isFirst = true
            pageNumber += 1
            try openPage()
        }
        guard let (shared, suffix) = try page?.readKey(), let next = try page?.readEntry() else { return false }
        if isFirst {
            guard shared == 0, UnsafeRawBufferPointer(bytes.values).lexicographicallyPrecedes(suffix) else {
                throw Self.disorder
            }
        } else {
            guard shared <= bytes.count, let byte = suffix.first, shared == bytes.count || byte > bytes.values[shared]
            else { throw Self.disorder }
        }
        bytes.truncate(to: shared)
        bytes.append(suffix)
        head = KeyHead(bytes.values)
        entry = next
        return true
    }

    private static var disorder: Error { corrupt("the terms of a segment are in no order") }
}
