/// Iterates over the terms of a segment in the order of their bytes, starting before the first.
final class TermCursor {
    private let segment: Segment
    /// The current page of the dictionary; nil after the last one.
    @exclusivity(unchecked) private var page: DictionaryPage?
    private var owner: Block?
    /// The number of the current term's page.
    private(set) var pageNumber: Int
    /// Whether `next` has yet to return the current term.
    @exclusivity(unchecked) private var isAhead = false

    private let bytes = ByteWriter()
    /// The head of the current key.
    @exclusivity(unchecked) private(set) var head: KeyHead

    /// The dictionary's entry of the current term.
    @exclusivity(unchecked) private(set) var entry = TermEntry(
        count: 0, adjustment: 0, hasPositions: false, place: .nowhere)

    /// Starts before the first term that is not less than `first`, searching from a page on.
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

    /// Starts before the first term of a page.
    init(_ segment: Segment, page number: Int) throws {
        self.segment = segment
        pageNumber = number
        head = KeyHead(bytes.values)
        try openPage()
    }

    /// Moves to the next term; false if the page has no more.
    func next(inPage number: Int) throws -> Bool {
        guard pageNumber == number, page?.isAtEnd == false else { return false }
        return try advance()
    }

    /// Moves to the next term; false if there is none.
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

    /// What follows the head of the current term's only posting in the dictionary (`SinglePosting.copy`); valid until
    /// the next term.
    var rest: UnsafeRawBufferPointer { page?.rest(of: entry) ?? UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Negative, 0 or positive if the current term is less than, equal to or greater than that of another cursor.
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

    private static var disorder: Error { corrupt("the terms of a segment are not in order") }
}
