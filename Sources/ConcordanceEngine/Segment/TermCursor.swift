/// Goes over the terms of a segment, ascending by bytes; starts before the first.
final class TermCursor {
    private let segment: Segment
    /// The page of the dictionary; nil behind the last.
    @exclusivity(unchecked) private var page: DictionaryPage?
    private var owner: Block?
    private var pageNumber: Int
    /// The current term has not been handed out yet.
    @exclusivity(unchecked) private var isAhead = false

    /// The current term's key.
    @exclusivity(unchecked) private(set) var key: [UInt8] = []
    /// What the dictionary says of it.
    @exclusivity(unchecked) private(set) var entry = TermEntry(
        count: 0, adjustment: 0, hasPositions: false, place: .nowhere)

    /// Before the first term from a page on that is not less than `first`.
    init(_ segment: Segment, page number: Int, from first: [UInt8]) throws {
        self.segment = segment
        pageNumber = number
        try openPage()
        while try advance() {
            guard key.lexicographicallyPrecedes(first) else {
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

    /// Calls `body` with the current key, without a copy.
    func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try key.withUnsafeBufferPointer(body)
    }

    /// Whether the current term is less than that of another cursor.
    func precedes(_ other: TermCursor) -> Bool {
        key.withUnsafeBufferPointer { key in
            other.key.withUnsafeBufferPointer { other in
                let common = min(key.count, other.count)
                var index = 0
                while index < common, key[index] == other[index] { index &+= 1 }
                return index < common ? key[index] < other[index] : key.count < other.count
            }
        }
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
        var isFirst = key.isEmpty
        while page?.isAtEnd == true {
            isFirst = true
            pageNumber += 1
            try openPage()
        }
        guard let (shared, suffix) = try page?.readKey(), let next = try page?.readEntry() else { return false }
        if isFirst {
            guard shared == 0, key.lexicographicallyPrecedes(suffix) else { throw Self.disorder }
        } else {
            guard shared <= key.count, let byte = suffix.first, shared == key.count || byte > key[shared] else {
                throw Self.disorder
            }
        }
        key.removeSubrange(min(shared, key.count)...)
        key.append(contentsOf: suffix)
        entry = next
        return true
    }

    private static var disorder: Error { corrupt("the terms of a segment are in no order") }
}
