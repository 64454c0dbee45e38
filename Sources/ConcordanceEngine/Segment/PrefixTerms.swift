/// The terms of a segment by their first characters, for prefixes that ascend.
///
/// Terms ascend by bytes, and so do their prefixes if they are UTF-8. Otherwise a prefix may have terms before and after those
/// of longer ones: C3 and C3 A9 are one character each, and "\u{C3}a", "é" and "\u{C3}\u{FF}" ascend.
struct PrefixTerms {
    private let segment: Segment
    private let characters: Int
    private var cursor: TermCursor
    /// Whether the cursor is at a term.
    private var isAtTerm = false
    /// The last prefix.
    private var prefix: [UInt8] = []

    init(_ segment: Segment, characters: Int) throws {
        self.segment = segment
        self.characters = characters
        cursor = try segment.makeTermCursor(from: [0])
    }

    /// Calls `body` at each term with postings that begins with the prefix, which has `characters`.
    mutating func forEach(of prefix: [UInt8], _ body: (TermCursor) throws -> Void) throws {
        let start = [0] + prefix
        // The terms of the next prefix follow those of the last, unless they may be among these.
        if prefix.starts(with: self.prefix) {
            cursor = try segment.makeTermCursor(from: start)
            isAtTerm = try cursor.next()
        }
        self.prefix = prefix
        while isAtTerm, cursor.withKey({ $0.lexicographicallyPrecedes(start) }) { isAtTerm = try cursor.next() }
        while isAtTerm, cursor.withKey({ $0.starts(with: start) }) {
            if cursor.entry.count > 0, cursor.prefixLength(characters) == prefix.count { try body(cursor) }
            isAtTerm = try cursor.next()
        }
    }

    /// All prefixes, ascending, each once. Takes about four bytes of memory for each besides its own.
    func prefixes() throws -> PrefixTable {
        var table = PrefixTable()
        let cursor = try segment.makeTermCursor(from: [0])
        while try cursor.next(), cursor.withKey({ $0.first }) == 0 {
            guard cursor.entry.count > 0, let length = cursor.prefixLength(characters) else { continue }
            cursor.withKey { table.append(UnsafeBufferPointer(rebasing: $0[1...length])) }
        }
        table.sort()
        return table
    }
}

/// Prefixes, ascending.
struct PrefixTable {
    private var bytes: [UInt8] = []
    /// Where each begins, and where the last one ends.
    private var bounds = [0]
    private var isSorted = true

    var count: Int { bounds.count - 1 }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[bounds[index]..<bounds[index + 1]] }

    /// Adds a prefix, unless it was added last.
    fileprivate mutating func append(_ prefix: UnsafeBufferPointer<UInt8>) {
        if let last = indices.last {
            if self[last].elementsEqual(prefix) { return }
            if prefix.lexicographicallyPrecedes(self[last]) { isSorted = false }
        }
        bytes.append(contentsOf: prefix)
        bounds.append(bytes.count)
    }

    /// Puts them in order.
    fileprivate mutating func sort() {
        guard !isSorted else { return }
        let old = self
        self = Self()
        for index in old.indices.sorted(by: { old[$0].lexicographicallyPrecedes(old[$1]) }) {
            old[index].withUnsafeBufferPointer { append($0) }
        }
    }

    private var indices: Range<Int> { 0..<count }
}

extension TermCursor {
    /// How many bytes the first characters of the current term have; nil if it has fewer, or is none.
    func prefixLength(_ characters: Int) -> Int? {
        withKey { PrefixKey.byteCount(of: UnsafeBufferPointer(rebasing: $0.dropFirst()), characters: characters) }
    }
}
