extension Snapshot {
    /// Calls `body` at each posting of a term in some of the segments, those of removed rows left out, segment by segment.
    func forEachLivePosting(
        _ entries: [(segment: Int, entry: TermEntry)], _ body: (borrowing PostingsCursor) throws -> Void
    ) throws {
        for (segment, entry) in entries where entry.count > 0 {
            let live = segments[segment]
            var postings = try live.segment.postings(entry)
            while case let document = try postings.next(), document != PostingsCursor.exhausted {
                if !live.deletions.isDeleted(document) { try body(postings) }
            }
        }
    }
}

/// The postings of a term in the segments of a snapshot, by rowid, those of removed rows left out.
struct LivePostings {
    private let snapshot: Snapshot
    private var lists: [List] = []
    private var current = -1

    /// One segment's, at a live document.
    private struct List {
        let segment: Int
        var postings: PostingsCursor
        var rowID: Int64
    }

    /// Starts before the first posting.
    init(_ snapshot: Snapshot, _ entries: [(segment: Int, entry: TermEntry)]) throws {
        self.snapshot = snapshot
        for (segment, entry) in entries where entry.count > 0 {
            let postings = try snapshot.segments[segment].segment.postings(entry)
            var list = List(segment: segment, postings: postings, rowID: 0)
            if try advance(&list) { lists.append(list) }
        }
    }

    /// Moves to the next live document; false after the last one.
    private func advance(_ list: inout List) throws -> Bool {
        let live = snapshot.segments[list.segment]
        repeat {
            guard try list.postings.next() != PostingsCursor.exhausted else { return false }
        } while live.deletions.isDeleted(list.postings.document)
        list.rowID = try live.segment.rowID(at: Int(list.postings.document))
        return true
    }

    /// Moves to the next posting; false after the last one.
    mutating func next() throws -> Bool {
        if current >= 0, try !advance(&lists[current]) { lists.remove(at: current) }
        current = -1
        for index in lists.indices where current < 0 || lists[index].rowID < lists[current].rowID { current = index }
        return current >= 0
    }

    /// The row of the posting.
    var rowID: Int64 { current >= 0 ? lists[current].rowID : 0 }

    /// Calls `body` for each column of the row that has the term.
    mutating func forEachColumn(_ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        guard current >= 0 else { return assertionFailure("columns of no posting") }
        try lists[current].postings.forEachColumn(body)
    }

    /// Replaces the contents of the buffer with the term's positions in the row.
    mutating func readPositions(into positions: GrowingBuffer<Position>) throws {
        positions.removeAll()
        guard current >= 0 else { return assertionFailure("positions of no posting") }
        try lists[current].postings.readPositions(into: positions)
    }
}
