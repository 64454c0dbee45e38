/// The terms of a segment by their first characters, for prefixes that ascend.
///
/// Terms ascend by bytes, and so do their prefixes if they are UTF-8. Otherwise a prefix may have terms before and after those
/// of longer ones: the bytes C3 and C3 A9 are one character each, and the terms C3 61, C3 A9 61 and C3 FF ascend.
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

    /// Calls `body` with all prefixes, ascending, each once. If terms are not UTF-8, all prefixes are sorted in memory.
    func forEachPrefix(_ body: ([UInt8]) throws -> Void) throws {
        var last: [UInt8] = []
        var isOrdered = true
        try forEachChange {
            isOrdered = isOrdered && !$0.lexicographicallyPrecedes(last)
            last = $0
        }
        if isOrdered { return try forEachChange(body) }
        var prefixes: [[UInt8]] = []
        try forEachChange { prefixes.append($0) }
        prefixes.sort { $0.lexicographicallyPrecedes($1) }
        last = []
        for prefix in prefixes where prefix != last {
            last = prefix
            try body(prefix)
        }
    }

    /// Calls `body` with the prefix of each term with postings that has another one than the term before.
    private func forEachChange(_ body: ([UInt8]) throws -> Void) throws {
        var last: [UInt8] = []
        let cursor = try segment.makeTermCursor(from: [0])
        while try cursor.next(), cursor.withKey({ $0.first }) == 0 {
            guard cursor.entry.count > 0, let length = cursor.prefixLength(characters) else { continue }
            if cursor.withKey({ $0[1...length].elementsEqual(last) }) { continue }
            last = cursor.withKey { Array($0[1...length]) }
            try body(last)
        }
    }
}

extension TermCursor {
    /// How many bytes the first characters of the current term have; nil if it has fewer, or is none.
    func prefixLength(_ characters: Int) -> Int? {
        withKey { PrefixKey.byteCount(of: UnsafeBufferPointer(rebasing: $0.dropFirst()), characters: characters) }
    }
}
