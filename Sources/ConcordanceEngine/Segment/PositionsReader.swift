/// Reads the differences of positions of a block of postings (`PostingsBlock`), from any posting on.
struct PositionsReader {
    /// Where they begin.
    enum Source {
        case page(Page, offset: Int)
        case stream(UInt64)
    }

    private let reader: SegmentReader
    /// A block of 128 differences.
    private let decoded: UnsafeMutablePointer<UInt32>
    /// How many differences are before each posting, and before the end.
    private let starts: UnsafeMutablePointer<UInt64>
    private var source = Source.stream(0)
    private var total: UInt64 = 0

    private var page: Page?
    private var pageNumber = 0
    /// Where in the page the next block begins.
    private var offset = 0
    /// The number of the first decoded difference, and how many they are.
    private var first: UInt64 = 0
    private var count = 0
    private var index = 0

    init(_ reader: SegmentReader) {
        self.reader = reader
        decoded = .allocate(capacity: IntegerBlock.capacity)
        decoded.initialize(repeating: 0, count: IntegerBlock.capacity)
        starts = .allocate(capacity: PostingsCursor.blockSize + 1)
        starts.initialize(repeating: 0, count: PostingsCursor.blockSize + 1)
    }

    func deallocate() {
        decoded.deallocate()
        starts.deallocate()
    }

    /// Begins another block of postings, with these frequencies.
    mutating func open(_ source: Source, frequencies: UnsafeBufferPointer<UInt32>) {
        self.source = source
        total = 0
        let frequencies = frequencies.prefix(PostingsCursor.blockSize)
        for (index, frequency) in frequencies.enumerated() {
            starts[index] = total
            total += UInt64(frequency)
        }
        starts[frequencies.count] = total
        rewind()
    }

    /// Keeps no page, until `open` is called again.
    mutating func close() {
        source = .stream(0)
        total = 0
        rewind()
    }

    private mutating func rewind() {
        page = nil
        first = 0
        count = 0
        index = 0
        switch source {
        case .page(let start, let offset):
            page = start
            self.offset = offset
        case .stream(let place):
            pageNumber = Int(truncatingIfNeeded: min(place >> SegmentLayout.offsetBits, UInt64(Int32.max)))
            offset = Int(truncatingIfNeeded: place & ((1 << SegmentLayout.offsetBits) - 1))
        }
    }

    /// Goes to the first difference of a posting.
    mutating func seek(to posting: Int) throws {
        let target = starts[posting & (PostingsCursor.blockSize - 1)]
        if target < first { rewind() }
        while target >= first + UInt64(count) { try nextBlock(for: target) }
        index = Int(truncatingIfNeeded: target - first)
    }

    /// Appends the positions of the next `count` differences, which are those of a posting in one column.
    mutating func append(_ count: UInt32, in column: UInt32, to result: GrowingBuffer<Position>) throws {
        var offset: UInt64 = 0
        var rest = Int(count)
        while rest > 0 {
            if index == self.count { try nextBlock(for: first + UInt64(self.count)) }
            let size = min(rest, self.count &- index)
            let places = result.room(for: size)
            for place in 0..<size {
                offset &+= UInt64(decoded[index &+ place])
                places[place] = Position(column: column, offset: UInt32(truncatingIfNeeded: offset))
                offset &+= 1
            }
            guard offset <= 1 << 32 else { throw corrupt("a position is too large") }
            index &+= size
            rest &-= size
        }
    }

    /// Appends the differences of postings of the block, as they are.
    ///
    /// - Returns: Of how many postings: those whose differences are at most `limit`, or the first.
    mutating func copy(of postings: Range<Int>, limit: UInt64, to result: GrowingBuffer<UInt32>) throws -> Int {
        try seek(to: postings.lowerBound)
        let start = starts[postings.lowerBound]
        var end = postings.upperBound
        while end > postings.lowerBound &+ 1, starts[end] &- start > limit { end &-= 1 }
        var rest = Int(truncatingIfNeeded: starts[end] &- start)
        while rest > 0 {
            if index == self.count { try nextBlock(for: first + UInt64(self.count)) }
            let size = min(rest, self.count &- index)
            result.append(contentsOf: UnsafeBufferPointer(start: decoded + index, count: size))
            index &+= size
            rest &-= size
        }
        return end &- postings.lowerBound
    }

    /// Goes to the next block of differences, and decodes it if `target` is in it.
    private mutating func nextBlock(for target: UInt64) throws {
        first += UInt64(count)
        count = 0
        index = 0
        guard first < total else { throw corrupt("a posting has fewer positions than its frequency") }
        let size = Int(truncatingIfNeeded: min(total - first, UInt64(IntegerBlock.capacity)))
        try needPage()
        guard let bytes = page?.bytes else { return assertionFailure("a page that was just read") }
        var input = ByteReader(bytes, offset: offset)
        if target >= first + UInt64(size) {
            try IntegerBlock.skip(&input, count: size)
        } else {
            try IntegerBlock.decode(&input, count: size, into: decoded)
        }
        offset = input.offset
        count = size
    }

    /// Goes to the page that the next block is in.
    @inline(__always)
    private mutating func needPage() throws {
        if offset >= page?.bytes.count ?? 0 { try nextPage() }
    }

    @inline(never)
    private mutating func nextPage() throws {
        if page != nil {
            guard case .stream = source else { throw corrupt("the positions of a block end too early") }
            pageNumber += 1
            offset = 0
        }
        let next = try reader.page(.positions, pageNumber)
        guard offset < next.bytes.count else { throw corrupt("the positions of a block are missing") }
        page = next
    }
}
