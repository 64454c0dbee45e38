/// The positions that a filter holds back. It copies the tokens' bytes; each position's first token is followed by
/// those colocated with it.
struct TokenWindow: ~Copyable {
    struct Entry {
        var offset: Int
        var count: Int
        /// The number of the word in the rules; nil for unknown words and for colocated tokens.
        var word: Int?
        var flags: TokenFlags
        var start: Int
        var end: Int
    }

    struct Place {
        var flags: TokenFlags = []
        var start = 0
        var end = 0
    }

    private var entries: [Entry] = []
    private var head = 0
    private var bytes = TokenBuffer()
    /// How many removed entries may still take up memory.
    private static let slack = 64
    private(set) var positionCount = 0
    /// The place of the position that was removed last.
    private(set) var lastPlace = Place()

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.count = 0
        head = 0
        positionCount = 0
        lastPlace = Place()
    }

    mutating func append(
        _ token: UnsafeBufferPointer<UInt8>, word: Int?, flags: TokenFlags, start: Int, end: Int
    ) {
        if head > Self.slack { compact() }
        if !flags.contains(.colocated) { positionCount += 1 }
        entries.append(
            Entry(offset: bytes.count, count: token.count, word: word, flags: flags, start: start, end: end))
        if let base = token.baseAddress { bytes.append(base, count: token.count) }
    }

    subscript(index: Int) -> Entry { entries[index] }

    /// The indices of the entries of the first position.
    var firstPosition: Range<Int> {
        var end = min(head + 1, entries.count)
        while end < entries.count, entries[end].flags.contains(.colocated) { end += 1 }
        return head..<end
    }

    var firstPlace: Place {
        guard head < entries.count else { return lastPlace }
        return Place(flags: entries[head].flags, start: entries[head].start, end: entries[head].end)
    }

    /// Where the first `count` positions (at least one) end in the text.
    func end(ofFirst count: Int) -> Int {
        var end = firstPlace.end
        var left = count
        for index in indices where !entries[index].flags.contains(.colocated) && left > 0 {
            end = entries[index].end
            left -= 1
        }
        return end
    }

    func token(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bytes.base) + entry.offset, count: entry.count)
    }

    /// The indices of all entries, in order.
    var indices: Range<Int> { head..<entries.count }

    mutating func removeFirstPosition() {
        lastPlace = firstPlace
        head = firstPosition.upperBound
        positionCount = max(positionCount - 1, 0)
        if head == entries.count {
            let place = lastPlace
            removeAll()
            lastPlace = place
        }
    }

    private mutating func compact() {
        let removed = head < entries.count ? entries[head].offset : bytes.count
        bytes.removeFirst(removed)
        entries.removeFirst(head)
        for index in entries.indices { entries[index].offset -= removed }
        head = 0
    }
}
