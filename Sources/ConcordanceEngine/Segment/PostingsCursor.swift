/// Iterates over the postings of a term in one segment in the order of documents, starting before the first.
///
/// Copies share the decoded block, so use only one of them. A step within a block costs about a nanosecond, decoding a
/// block of 128 about a hundred. A jump searches the skip entries and decodes one block.
struct PostingsCursor {
    /// The value of `document` after the last one.
    static let exhausted = UInt32.max
    /// The number of postings in a block; the last block may have fewer.
    static let blockSize = 128

    /// The number of postings.
    private(set) var count: Int
    /// The current document: undefined before the first one, `exhausted` after the last one.
    private(set) var document: UInt32 = 0

    let decoder: PostingsDecoder
    private let decodedDocuments: UnsafeMutablePointer<UInt32>
    private let decodedFrequencies: UnsafeMutablePointer<UInt32>
    private var decodedCount = 0
    /// The index in the decoded block.
    private(set) var index = -1
    private var blockIndex = -1

    init(_ segment: Segment, _ entry: TermEntry) throws {
        decoder = PostingsDecoder(segment)
        decodedDocuments = decoder.documents
        decodedFrequencies = decoder.frequencies
        count = entry.count
        decoder.open(entry)
    }

    /// Moves before the first posting of another term of the same segment, without an allocation.
    mutating func open(_ entry: TermEntry) {
        count = entry.count
        decoder.open(entry)
        reset()
    }

    // MARK: - Documents

    /// Moves to the next document and returns it.
    @inline(__always)
    mutating func next() throws -> UInt32 {
        index &+= 1
        if index < decodedCount {
            document = decodedDocuments[index]
            return document
        }
        return try nextBlock()
    }

    @inline(never)
    private mutating func nextBlock() throws -> UInt32 {
        if blockIndex &+ 1 < blockCount { try decode(block: blockIndex &+ 1) } else { exhaust() }
        return document
    }

    private mutating func exhaust() {
        document = Self.exhausted
        blockIndex = blockCount
        decodedCount = 0
        index = -1
    }

    /// Moves to the first document that is not less than `target` and returns it; stays at the current document if that
    /// is such a document.
    @inline(__always)
    mutating func advance(to target: UInt32) throws -> UInt32 {
        if document >= target, index >= 0 || document == Self.exhausted { return document }
        if decodedCount > 0, decodedDocuments[decodedCount &- 1] >= target {
            seekInBlock(target)
            return document
        }
        return try advanceBlock(to: target)
    }

    @inline(never)
    private mutating func advanceBlock(to target: UInt32) throws -> UInt32 {
        guard blockIndex < blockCount, let block = try decoder.firstBlock(from: blockIndex + 1, reaching: target) else {
            exhaust()
            return document
        }
        try decode(block: block)
        // A list of one block has no skip entry with its last document.
        if decodedDocuments[decodedCount &- 1] < target { exhaust() } else { seekInBlock(target) }
        return document
    }

    /// Copies documents from the current one up to, but not including, `end`, until `buffer` is full. The current
    /// document is then the last one copied, or the first one from `end` on.
    mutating func read(below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>) throws -> Int {
        guard let target = buffer.baseAddress else { return 0 }
        var count = 0
        while document < end {
            let wanted = min(decodedCount &- index, buffer.count &- count)
            let size = countInBlock(below: end, of: wanted)
            (target + count).update(from: decodedDocuments + index, count: size)
            count &+= size
            index &+= size &- 1
            document = decodedDocuments[index]
            if count == buffer.count { break }
            _ = try next()
        }
        return count
    }

    /// Sets the bits of documents from the current one up to, but not including, `end`, in a window whose first bit
    /// represents `first`. The current document is then the first one from `end` on.
    mutating func mark(from first: UInt32, below end: UInt32, in window: UnsafeMutablePointer<UInt64>) throws {
        while document < end {
            let size = countInBlock(below: end, of: decodedCount &- index)
            for place in index..<index &+ size {
                let bit = decodedDocuments[place] &- first
                window[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
            }
            index &+= size &- 1
            _ = try next()
        }
    }

    /// Keeps those of `count` ascending documents that the list has, none of them less than the target of the last jump.
    /// The current document is then the first one that is not less than the last of them.
    ///
    /// - Parameter wanted: The documents; the first are those that are kept.
    /// - Returns: How many are kept.
    mutating func keep(_ wanted: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        let documents = UnsafePointer(decodedDocuments)
        var (next, kept) = (0, 0)
        while next < count, try advance(to: wanted[next]) != Self.exhausted {
            let last = documents[decodedCount &- 1]
            var place = index & ~15
            while next < count, case let target = wanted[next], target <= last {
                wanted[kept] = target
                kept &+= Self.contains(target, in: documents, from: &place) ? 1 : 0
                next &+= 1
            }
            seekInBlock(wanted[next &- 1])
        }
        return kept
    }

    /// How many of the next `count` documents of the block are less than `end`.
    @inline(__always)
    private func countInBlock(below end: UInt32, of count: Int) -> Int {
        var size = count
        while size > 0, decodedDocuments[index &+ size &- 1] >= end { size &-= 1 }
        return size
    }

    /// A binary search without branches; unused elements hold the greatest number.
    @inline(__always)
    static func place(of target: UInt32, in documents: UnsafePointer<UInt32>) -> Int {
        var low = 0
        var step = blockSize / 2
        while step > 0 {
            low &+= documents[low &+ step &- 1] < target ? step : 0
            step &>>= 1
        }
        return low
    }

    /// Whether a document is among the 128 of a block, for documents that ascend, of which the block's last is not less.
    ///
    /// - Parameter start: Where to begin; then where to begin with the next document.
    @inline(__always)
    static func contains(_ document: UInt32, in documents: UnsafePointer<UInt32>, from start: inout Int) -> Bool {
        let (step, last) = (16, blockSize &- 16)
        while start < last, documents[start &+ step &- 1] < document { start = min(start &+ step, last) }
        // Sixteen at once, without a branch for each.
        let lanes = UnsafeRawPointer(documents + start)
        let wanted = SIMD4(repeating: document)
        let first = lanes.loadUnaligned(as: SIMD4<UInt32>.self) .== wanted
        let second = lanes.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self) .== wanted
        let third = lanes.loadUnaligned(fromByteOffset: 32, as: SIMD4<UInt32>.self) .== wanted
        let fourth = lanes.loadUnaligned(fromByteOffset: 48, as: SIMD4<UInt32>.self) .== wanted
        let words = unsafeBitCast(first .| second .| third .| fourth, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }

    @inline(__always)
    private mutating func seekInBlock(_ target: UInt32) {
        index = Self.place(of: target, in: decodedDocuments)
        document = decodedDocuments[index]
    }

    /// Those of the decoded block from the current document on.
    @inline(__always)
    var rest: UnsafeBufferPointer<UInt32> {
        let start = max(index, 0)
        return UnsafeBufferPointer(start: decodedDocuments + start, count: max(decodedCount &- start, 0))
    }

    /// Moves to a document of the decoded block.
    @inline(__always)
    mutating func move(inBlock document: UInt32) { seekInBlock(document) }

    /// Moves back before the first document.
    mutating func reset() {
        document = 0
        decodedCount = 0
        index = -1
        blockIndex = -1
    }

    // MARK: - The current document

    /// The frequency of the term in the current document.
    @inline(__always)
    var frequency: UInt32 {
        get throws {
            try decoder.needFrequencies()
            return decodedFrequencies[index & (Self.blockSize - 1)]
        }
    }

    /// Calls `body` with each column of the current document in which the term occurs, ascending.
    @inline(__always)
    func forEachColumn(_ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        try decoder.forEachColumn(at: index, body)
    }

    /// Appends the positions in the current document, ascending; none if the list has no positions.
    @inline(__always)
    func readPositions(into result: GrowingBuffer<Position>) throws {
        try decoder.readPositions(at: index, into: result)
    }

    /// Appends postings of the decoded block, all but their documents (`PostingsDecoder.copyPostings`). Mutating, so that a cursor
    /// that is kept in an optional is not copied for the call.
    @inline(__always)
    mutating func copyPostings(_ range: Range<Int>, to postings: PostingBuffer) throws -> Int {
        try decoder.copyPostings(range, to: postings)
    }

    // MARK: - Blocks

    var blockCount: Int { decoder.blockCount }

    /// The number of the decoded block.
    var blockNumber: Int { blockIndex }

    /// What is known about a block without decoding it. The only block of a list is decoded, and its bound is loose.
    @inline(__always)
    func block(_ i: Int) throws -> BlockSummary {
        if decoder.hasSkips { return try decoder.summary(i) }
        return try decoder.summaryOfOnly()
    }

    /// What is known about all blocks of the group that a block is in, and the number of the group's last block; nil if other
    /// lists share the group, or the segment has no groups.
    func group(ofBlock i: Int) throws -> (summary: BlockSummary, lastBlock: Int)? {
        let skips = decoder.skips
        let group = skips.group(ofBlock: i)
        guard decoder.hasSkips, let entry = try skips.entry(ofGroup: group) else { return nil }
        return (entry.summary, skips.blocks(ofGroup: group).upperBound - 1)
    }

    /// Decodes a block into `documents` and `frequencies`; its first document becomes the current one.
    mutating func decode(block i: Int) throws {
        if i != blockIndex || decodedCount == 0 {
            decodedCount = 0
            index = -1
            decodedCount = try decoder.decode(i)
            blockIndex = i
        }
        index = 0
        document = decodedDocuments[0]
    }

    /// The documents of the decoded block, ascending, each less than the segment's `documentCount`; valid until the
    /// cursor moves.
    @inline(__always)
    var documents: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: decodedDocuments, count: decodedCount) }

    /// The frequencies in these documents, each at least 1.
    @inline(__always)
    var frequencies: UnsafeBufferPointer<UInt32> {
        get throws {
            try decoder.needFrequencies()
            return UnsafeBufferPointer(start: decodedFrequencies, count: decodedCount)
        }
    }
}
