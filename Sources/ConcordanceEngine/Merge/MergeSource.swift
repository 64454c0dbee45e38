/// The postings of one term in an input of a merge, with the document numbers of the result. Documents that are not in
/// the result are skipped.
final class MergeSource {
    let segment: Segment
    @exclusivity(unchecked) var map: DocumentMap
    /// The document of the current posting, numbered as in the result; `UInt32.max` after the last one.
    @exclusivity(unchecked) private(set) var number = UInt32.max

    /// The term's only posting, if it is in the dictionary.
    @exclusivity(unchecked) private var single: SinglePosting?
    @exclusivity(unchecked) private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    @exclusivity(unchecked) private var hasPositions = false
    @exclusivity(unchecked) private var cursor: PostingsCursor?

    /// Of the documents of the block their numbers in the result; `UInt32.max` for those that are not in it. Looked up for all
    /// of them at once, so that several reads overlap.
    private let numbers = FixedBuffer(repeating: UInt32.max, count: PostingsCursor.blockSize)
    /// The number of the block that comes next.
    @exclusivity(unchecked) private var block = 0
    /// How many documents the block has, and which is the current one.
    @exclusivity(unchecked) private var size = 0
    @exclusivity(unchecked) private var place = 0

    init(_ segment: Segment, map: DocumentMap) {
        self.segment = segment
        self.map = map
    }

    /// Moves to the first posting of a term whose document is in the result, after `last` if that is given. `rest` is
    /// what follows the head of a single posting in the dictionary, and must stay valid.
    func open(_ entry: TermEntry, rest: UnsafeRawBufferPointer, after last: UInt32? = nil) throws {
        hasPositions = entry.hasPositions
        (block, size, place) = (0, 0, 0)
        if case .dictionary(let posting, _, _) = entry.place {
            single = posting
            self.rest = rest
            number = map[posting.document] ?? .max
            if let last, number <= last { number = .max }
            return
        }
        single = nil
        cursor = try segment.postings(entry, reusing: cursor)
        if let last, let document = try cursor?.advance(to: map.first(behind: last)) {
            block = cursor?.blockNumber ?? 0
            guard document != PostingsCursor.exhausted else { return number = .max }
        }
        repeat { try next() } while last.map { number <= $0 } ?? false
    }

    /// Where the segment is being read.
    var pages: PostingsPages { cursor?.decoder.pages ?? PostingsPages() }

    /// Moves to the next posting whose document is in the result.
    @inline(__always)
    func next() throws {
        repeat {
            place &+= 1
            if place >= size, try !readBlock() { return number = .max }
            number = numbers[place]
        } while number == .max
    }

    /// Reads the next block; false after the last one.
    @inline(never)
    private func readBlock() throws -> Bool {
        guard single == nil, let blockCount = cursor?.blockCount, block < blockCount else { return false }
        try cursor?.decode(block: block)
        guard let documents = cursor?.documents else { return false }
        map.lookUp(documents, into: numbers.start)
        (size, place) = (documents.count, 0)
        block += 1
        return true
    }

    /// Adds postings to a segment: the current one, and those behind it in the block up to `limit` or to one that is left out, as
    /// many as there is room for. Moves behind them, and returns the number of values copied.
    @inline(__always)
    func write(to sink: some TermSink, before limit: UInt32) throws -> Int {
        assert(number != .max, "a posting behind the last")
        var end = place &+ 1
        let bound = min(size, place &+ sink.room)
        while end < bound, numbers[end] < limit { end &+= 1 }
        var copied = 0
        try sink.addPostings { postings in
            let before = postings.size
            if let single {
                try postings.append(number) {
                    try single.copy(
                        rest, hasPositions: hasPositions, columnCount: segment.shape.columnCount, columns: $0,
                        differences: $1)
                }
            } else if let count = try cursor?.copyPostings(place..<end, to: postings) {
                end = place &+ count
                postings.documents.append(contentsOf: UnsafeBufferPointer(start: numbers.start + place, count: count))
            } else {
                assertionFailure("postings of no list")
            }
            copied = postings.size &- before
        }
        place = end &- 1
        try next()
        return copied
    }
}

/// The sources of a term, of which the one with the least document comes next.
final class SourceQueue {
    /// The sources, kept alive by the inputs of the merge: counting references would take longer than most postings.
    private var sources: [Unmanaged<MergeSource>] = []
    /// `document << 32 | source`, descending. Where rowids ascend, all documents of one source precede those of the next, and the
    /// order never changes; where they do not, a source moves past the few words before its place.
    private var keys = FixedBuffer(repeating: UInt64(0), count: 64)
    private var count = 0

    func removeAll() {
        sources.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Adds a source, which must outlive the term.
    func append(_ source: MergeSource) { sources.append(.passUnretained(source)) }

    /// Adds the remaining postings of all sources to the segment, in the order of documents, and deducts their cost from the
    /// budget. False if the budget is used up before the last posting, at a point at which the writer can be suspended.
    func write(to sink: some TermSink, budget: inout Int) throws -> Bool {
        if sources.count > keys.count { keys = FixedBuffer(repeating: 0, count: 2 * sources.count) }
        count = 0
        for index in sources.indices.reversed() {
            let number = sources[index]._withUnsafeGuaranteedRef(\.number)
            if number != .max { insert(UInt64(number) << 32 | UInt64(index)) }
        }
        while count > 0 {
            count &-= 1
            let (document, index) = (keys[count] >> 32, Int(truncatingIfNeeded: keys[count] & 0xFFFF_FFFF))
            // Documents of this source below the limit precede those of all others.
            let limit = count > 0 ? UInt32(truncatingIfNeeded: keys[count &- 1] >> 32) : .max
            let next = try sources[index]._withUnsafeGuaranteedRef { source -> UInt32? in
                // Of a damaged input, which has a term twice.
                guard source.number == document else { return .max }
                repeat {
                    if budget <= 0, sink.canSuspendWithinTerm { return nil }
                    budget -= try source.write(to: sink, before: limit)
                } while source.number < limit
                return source.number
            }
            guard let next else { return false }
            if next != .max { insert(UInt64(next) << 32 | UInt64(index)) }
        }
        return true
    }

    @inline(__always)
    private func insert(_ key: UInt64) {
        var place = count
        while place > 0, keys[place &- 1] < key {
            keys[place] = keys[place &- 1]
            place &-= 1
        }
        keys[place] = key
        count &+= 1
    }
}
