/// The terms of all segments of a snapshot, each once, ascending by bytes; those of removed rows alone left out.
struct MergedTerms {
    private let snapshot: Snapshot
    /// The cursors that are not at their end, each at a term.
    private var cursors: [(segment: Int, cursor: TermCursor)] = []
    private let last: [UInt8]?

    /// The term's key in dictionaries: `[0]`, and its bytes.
    private(set) var key: [UInt8] = []
    /// What the segments that have the term say of it.
    private(set) var entries: [(segment: Int, entry: TermEntry)] = []

    /// The key of a term.
    static func key(of term: some Sequence<UInt8>) -> [UInt8] { [0] + term }

    /// Starts before the first term that is not less than `first`; the last one is not greater than `last`.
    init(_ snapshot: Snapshot, from first: [UInt8]?, through last: [UInt8]?) throws {
        self.snapshot = snapshot
        self.last = last.map(Self.key)
        for (index, live) in snapshot.segments.enumerated() {
            let cursor = try live.segment.makeTermCursor(from: Self.key(of: first ?? []))
            if try isAtTerm(cursor) { cursors.append((index, cursor)) }
        }
    }

    /// Moves a cursor; false if no term of the range follows.
    private func isAtTerm(_ cursor: TermCursor) throws -> Bool {
        guard try cursor.next() else { return false }
        return cursor.withKey { key in
            guard key.first == 0 else { return false }
            guard let last else { return true }
            return !last.lexicographicallyPrecedes(key)
        }
    }

    /// How many rows have the term.
    private(set) var documentFrequency = 0

    /// Moves to the next term that a row has; false after the last one.
    mutating func next() throws -> Bool {
        repeat {
            guard try nextKey() else { return false }
        } while documentFrequency <= 0
        return true
    }

    private mutating func nextKey() throws -> Bool {
        entries.removeAll(keepingCapacity: true)
        documentFrequency = 0
        guard var least = cursors.first?.cursor else { return false }
        for (_, cursor) in cursors where cursor.compared(to: least) < 0 { least = cursor }
        key = least.key
        var index = 0
        while index < cursors.count {
            let (segment, cursor) = cursors[index]
            guard cursor.withKey({ $0.elementsEqual(key) }) else {
                index += 1
                continue
            }
            entries.append((segment, cursor.entry))
            documentFrequency &+= try snapshot.segments[segment].liveCount(cursor.entry)
            if try isAtTerm(cursor) { index += 1 } else { cursors.remove(at: index) }
        }
        return true
    }
}
