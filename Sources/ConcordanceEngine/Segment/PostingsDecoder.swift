/// The numbers of a page of postings and of one of positions.
struct PostingsPages {
    var postings = 0
    var positions = 0
}

/// Decodes blocks of the lists of one segment (`PostingsBlock`), one block at a time, into memory that it has from the
/// beginning. Everything that is read is checked: documents ascend, below the segment's number, up to the one that the
/// skip entry names.
final class PostingsDecoder {
    private let reader: SegmentReader
    private let columnCount: Int
    let skips: SkipReader

    /// Room for a block each. Behind the last document are greatest numbers.
    let documents: UnsafeMutablePointer<UInt32>
    let frequencies: UnsafeMutablePointer<UInt32>
    private let exceptions: ColumnExceptions
    @exclusivity(unchecked) private var positions: PositionsReader

    // The list.
    @exclusivity(unchecked) private(set) var blockCount = 0
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var hasPositions = false
    @exclusivity(unchecked) private var place = PostingsPlace.nowhere
    @exclusivity(unchecked) private var firstPlace: UInt64 = 0

    // The decoded block.
    @exclusivity(unchecked) private var page: Page?
    @exclusivity(unchecked) private var pageNumber = -1
    @exclusivity(unchecked) private var decodedBlock = 0
    @exclusivity(unchecked) private var decodedCount = 0
    @exclusivity(unchecked) private var home: UInt32 = 0
    @exclusivity(unchecked) private var flags: UInt8 = 0
    @exclusivity(unchecked) private var areFrequenciesDecoded = false
    /// Where the frequencies begin until they are decoded, and then the exceptions; where what follows these begins, once
    /// they are read.
    @exclusivity(unchecked) private var exceptionsOffset = 0
    @exclusivity(unchecked) private var exceptionsEnd: Int?
    @exclusivity(unchecked) private var positionsPlace: UInt64 = 0
    /// Where the last block of postings that was decoded begins, and the last positions that were opened.
    @exclusivity(unchecked) private(set) var pages = PostingsPages()
    @exclusivity(unchecked) private var arePositionsOpen = false

    init(_ segment: Segment) {
        reader = segment.reader
        columnCount = segment.shape.columnCount
        skips = SkipReader(segment)
        let words = IntegerBlock.capacity
        documents = .allocate(capacity: words)
        documents.initialize(repeating: .max, count: words)
        frequencies = .allocate(capacity: words)
        frequencies.initialize(repeating: 0, count: words)
        exceptions = ColumnExceptions(columnCount: segment.shape.columnCount)
        positions = PositionsReader(segment.reader)
    }

    deinit {
        documents.deallocate()
        frequencies.deallocate()
        positions.deallocate()
    }

    func open(_ entry: TermEntry) {
        count = entry.count
        hasPositions = entry.hasPositions
        place = entry.place
        blockCount = (count + PostingsCursor.blockSize - 1) / PostingsCursor.blockSize
        decodedCount = 0
        if case .blocks(let first, let firstSkip, _) = place {
            firstPlace = first
            skips.open(first: firstSkip, count: blockCount)
        } else {
            skips.open(first: 0, count: 0)
        }
        if case .nowhere = place { blockCount = 0 }
    }

    /// Has no list until `open` is called again, and keeps neither pages nor positions.
    func close() {
        (count, blockCount, decodedCount) = (0, 0, 0)
        place = .nowhere
        (page, pageNumber) = (nil, -1)
        skips.close()
        positions.close()
    }

    // MARK: - Skip entries

    /// Whether the list has several blocks, each with a skip entry.
    var hasSkips: Bool {
        if case .blocks = place { return true }
        return false
    }

    /// Those of the whole list, where they are stored.
    var bounds: BlockBounds? {
        if case .blocks(_, _, let bounds) = place { return skips.hasBounds ? bounds : .unknown }
        return nil
    }

    /// The last document of a block; a list of one block is decoded.
    @inline(__always)
    func end(ofBlock block: Int) throws -> UInt32 {
        if hasSkips { return try skips.lastDocument(block) }
        return documents[max(try decode(block), 1) &- 1]
    }

    @inline(__always)
    func summary(_ block: Int) throws -> BlockSummary { try skips.entry(block).summary }

    /// The same of a list of one block, which has no skip entry.
    func summaryOfOnly() throws -> BlockSummary {
        _ = try decode(0)
        try needFrequencies()
        var highest: UInt32 = 1
        for index in 0..<decodedCount { highest = max(highest, frequencies[index]) }
        var builder = BlockBoundsBuilder(slope: 0)
        builder.add(frequency: highest, lengthCode: 0)
        return BlockSummary(
            lastDocument: decodedCount > 0 ? documents[decodedCount - 1] : 0, bounds: builder.bounds, columns: .max)
    }

    /// The first block from `start` on whose last document is not less than `target`; nil if none is. Cost: the
    /// logarithm of how far it is.
    func firstBlock(from start: Int, reaching target: UInt32) throws -> Int? {
        guard start < blockCount else { return nil }
        guard hasSkips else { return start }
        let block = try (start..<blockCount).nearPartitionPoint { try skips.lastDocument($0) < target }
        return block < blockCount ? block : nil
    }

    /// The same, from the first block on, for any documents: it begins where it would be if they were spread evenly.
    func firstBlock(reaching target: UInt32) throws -> Int? {
        guard blockCount > 0 else { return nil }
        guard hasSkips else { return 0 }
        let guess = Int(UInt64(target) * UInt64(blockCount) / UInt64(max(reader.documentCount, 1)))
        let block = try (0..<blockCount).partitionPoint(near: guess) { try skips.lastDocument($0) < target }
        return block < blockCount ? block : nil
    }

    // MARK: - Blocks

    /// Decodes a block but for its frequencies, unless it is. Returns how many postings it has.
    func decode(_ block: Int) throws -> Int {
        if block == decodedBlock, decodedCount > 0 { return decodedCount }
        decodedCount = 0
        guard block >= 0, block < blockCount else { throw corrupt("a list of postings lacks a block") }
        let size = min(count &- block &* PostingsCursor.blockSize, PostingsCursor.blockSize)
        switch place {
        case .nowhere: throw corrupt("a term has no postings")
        case .dictionary(let single, let page, let offset): try openSingle(single, page, offset)
        case .block(let place): try decode(place, size, after: -1, last: nil)
        case .blocks:
            let skip = try skips.entry(block)
            let last = skip.lastDocument
            let page = firstPlace & ~((1 &<< SegmentLayout.offsetBits) &- 1)
            let previous = block == 0 ? -1 : Int64(try skips.lastDocument(block &- 1))
            guard previous < Int64(last), Int(last) < reader.documentCount else {
                throw corrupt("the skip entries of a list are not in order")
            }
            try decode(page &+ UInt64(skip.place), size, after: previous, last: last)
        }
        decodedCount = size
        decodedBlock = block
        return size
    }

    private func openSingle(_ single: SinglePosting, _ number: Int, _ offset: Int) throws {
        page = try reader.page(.dictionary, number)
        pageNumber = -1
        setDocument(single.document)
        frequencies[0] = single.frequency
        areFrequenciesDecoded = true
        home = single.column ?? 0
        flags = 0
        exceptionsOffset = offset
        exceptions.setSingleAtHome()
        exceptionsEnd = single.column == nil ? nil : offset
        arePositionsOpen = false
    }

    private func setDocument(_ document: UInt32) {
        documents.update(repeating: .max, count: IntegerBlock.capacity)
        documents[0] = document
    }

    private func decode(_ place: UInt64, _ size: Int, after previous: Int64, last: UInt32?) throws {
        let number = Int(truncatingIfNeeded: place &>> SegmentLayout.offsetBits)
        if number != pageNumber || page == nil {
            pageNumber = -1
            page = try reader.page(.postings, number)
            pageNumber = number
        }
        pages.postings = number
        guard let bytes = page?.bytes else { return assertionFailure("a page that was just read") }
        let offset = Int(truncatingIfNeeded: place & ((1 &<< SegmentLayout.offsetBits) &- 1))
        var input = ByteReader(bytes, offset: offset)
        flags = try input.byte()
        home = UInt32(flags >> 4)
        if home == 15 { home &+= UInt32(truncatingIfNeeded: try input.varint(atMost: max(columnCount &- 16, 0))) }
        guard Int(home) < columnCount else { throw corrupt("a posting has too many columns") }
        if hasPositions, flags & PostingsBlock.hasInlinePositions == 0 { positionsPlace = try input.varint() }
        try decodeDocuments(&input, size, after: previous, last: last)
        areFrequenciesDecoded = false
        exceptionsOffset = input.offset
        exceptionsEnd = nil
        arePositionsOpen = false
    }

    @inline(__always)
    private func decodeDocuments(_ input: inout ByteReader, _ size: Int, after previous: Int64, last: UInt32?) throws {
        try IntegerBlock.decode(&input, count: size, into: documents)
        let end =
            size == IntegerBlock.capacity
            ? Self.sumLanes(documents, after: Int32(truncatingIfNeeded: previous))
            : Self.sumSequence(documents, size, after: previous)
        guard let end, end < UInt64(reader.documentCount), last == nil || end == UInt64(last ?? 0) else {
            throw corrupt("a block of postings has documents that do not exist")
        }
        if size < IntegerBlock.capacity {
            (documents + size).update(repeating: .max, count: IntegerBlock.capacity &- size)
        }
    }

    /// Converts differences to documents. Returns the last.
    private static func sumSequence(_ documents: UnsafeMutablePointer<UInt32>, _ size: Int, after previous: Int64)
        -> UInt64?
    {
        // Sums of 64 bits cannot overflow, so documents ascend if the last is in bounds.
        var sum = UInt64(bitPattern: previous)
        for index in 0..<size {
            sum &+= UInt64(documents[index]) &+ 1
            documents[index] = UInt32(truncatingIfNeeded: sum)
        }
        return sum
    }

    /// The same for 128, four at once; nil if they do not ascend, as numbers with a sign: an overflow descends.
    @inline(__always)
    static func sumLanes(_ documents: UnsafeMutablePointer<UInt32>, after previous: Int32) -> UInt64? {
        let lanes = UnsafeMutableRawPointer(documents)
        var before = SIMD4<Int32>(repeating: previous)
        var all = SIMD4<Int32>(repeating: 0)
        for row in 0..<IntegerBlock.capacity / 4 {
            var sums = lanes.loadUnaligned(fromByteOffset: row &* 16, as: SIMD4<Int32>.self)
            all |= sums
            sums &+= 1
            sums &+= pairwiseShifted(sums)
            sums &+= SIMD4(0, 0, sums[1], sums[1])
            sums &+= before
            lanes.storeBytes(of: sums, toByteOffset: row &* 16, as: SIMD4<Int32>.self)
            before = SIMD4(repeating: sums[3])
        }
        // Numbers below 2^22 add up to less than 2^29 + 128, which cannot overflow.
        let isSmall = (all[0] | all[1] | all[2] | all[3]) >> 22 == 0 && previous < 1 << 30
        guard isSmall || isAscending(documents, after: previous) else { return nil }
        return UInt64(truncatingIfNeeded: before[3])
    }

    /// The first of each pair in place of the second, and zeros: one instruction, which compilers do not make of lanes.
    @inline(__always)
    private static func pairwiseShifted(_ lanes: SIMD4<Int32>) -> SIMD4<Int32> {
        let pairs = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
        #if _endian(little)
            return unsafeBitCast(pairs &<< 32, to: SIMD4<Int32>.self)
        #else
            return unsafeBitCast(pairs &>> 32, to: SIMD4<Int32>.self)
        #endif
    }

    /// Whether the 128 documents of a block ascend, as numbers with a sign.
    @inline(never)
    private static func isAscending(_ documents: UnsafePointer<UInt32>, after previous: Int32) -> Bool {
        var before = previous
        for index in 0..<IntegerBlock.capacity {
            let document = Int32(bitPattern: documents[index])
            if document <= before { return false }
            before = document
        }
        return true
    }

    /// Decodes the frequencies of the decoded block, unless they are.
    @inline(__always)
    func needFrequencies() throws {
        if !areFrequenciesDecoded { try decodeFrequencies() }
    }

    @inline(never)
    private func decodeFrequencies() throws {
        guard let bytes = page?.bytes else { return assertionFailure("frequencies of no block") }
        let size = decodedCount
        if flags & PostingsBlock.allOnce == 0 {
            var input = ByteReader(bytes, offset: exceptionsOffset)
            try IntegerBlock.decode(&input, count: size, into: frequencies)
            var all: UInt32 = 0
            for index in 0..<size {
                all |= frequencies[index]
                frequencies[index] &+= 1
            }
            guard all < UInt32(Int32.max) else { throw corrupt("a frequency is too large") }
            exceptionsOffset = input.offset
        } else {
            frequencies.update(repeating: 1, count: size)
        }
        areFrequenciesDecoded = true
    }

    // MARK: - Columns

    /// Reads the exceptions, once per block.
    @inline(never)
    private func readExceptions() throws {
        guard exceptionsEnd == nil else { return }
        guard let bytes = page?.bytes else { return assertionFailure("exceptions of no block") }
        try needFrequencies()
        var input = ByteReader(bytes, offset: exceptionsOffset)
        if case .dictionary = place {
            try exceptions.readSingle(&input, frequency: frequencies[0])
        } else {
            try exceptions.read(
                &input, flags, frequencies: UnsafeBufferPointer(start: frequencies, count: decodedCount))
        }
        exceptionsEnd = input.offset
    }

    /// Calls `body` for each column of a posting of the decoded block.
    @inline(__always)
    func forEachColumn(at index: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        guard index >= 0, index < decodedCount else { return assertionFailure("columns of no posting") }
        if try isAtHome(index) { return try body(home, frequencies[index]) }
        try exceptions.forEachColumn(at: index, frequency: frequencies[index], body)
    }

    /// The column of most postings of the decoded block.
    @inline(__always) var homeColumn: UInt32 { home }

    /// Whether a posting of the decoded block is in the home column only.
    @inline(__always)
    func isAtHome(_ index: Int) throws -> Bool {
        if exceptionsEnd == nil { try readExceptions() }
        return exceptions.isAtHome(index)
    }

    /// The indexes of the postings that are not in the home column alone, ascending.
    @inline(__always)
    var exceptionIndexes: UnsafeBufferPointer<Int> {
        get throws {
            if exceptionsEnd == nil { try readExceptions() }
            return exceptions.indexes
        }
    }

    // MARK: - Positions

    /// Appends the positions of a posting of the decoded block; none if the list has no positions.
    func readPositions(at index: Int, into result: GrowingBuffer<Position>) throws {
        guard hasPositions else { return }
        guard index >= 0, index < decodedCount else { return assertionFailure("positions of no posting") }
        if exceptionsEnd == nil { try readExceptions() }
        if case .dictionary = place { return try readSinglePositions(into: result) }
        if !arePositionsOpen { try openPositions() }
        try positions.seek(to: index)
        if exceptions.isAtHome(index) { return try positions.append(frequencies[index], in: home, to: result) }
        try forEachColumn(at: index) { column, count in try positions.append(count, in: column, to: result) }
    }

    /// The most positions that are copied at once, unless one posting has more.
    private static let copiedPositionLimit: UInt64 = 1 << 14

    /// Appends postings of the decoded block, all but their documents, to others in memory. Not of a list in the dictionary.
    ///
    /// - Returns: How many of them, at least one: fewer if they have many positions.
    func copyPostings(_ range: Range<Int>, to postings: PostingBuffer) throws -> Int {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= decodedCount else {
            assertionFailure("copies of no postings")
            return range.count
        }
        if case .dictionary = place { assertionFailure("a copy of a posting in the dictionary") }
        if exceptionsEnd == nil { try readExceptions() }
        var count = range.count
        if hasPositions {
            if !arePositionsOpen { try openPositions() }
            count = try positions.copy(of: range, limit: Self.copiedPositionLimit, to: postings.differences)
        }
        copyColumns(range.lowerBound..<range.lowerBound &+ count, to: postings)
        return count
    }

    private func copyColumns(_ range: Range<Int>, to postings: PostingBuffer) {
        let (columns, columnCounts, home, frequencies) = (postings.columns, postings.columnCounts, home, frequencies)
        guard !exceptions.indexes.isEmpty else {
            let pairs = columns.room(for: range.count)
            for index in range {
                pairs[index &- range.lowerBound] = ColumnFrequency(column: home, count: frequencies[index])
            }
            return columnCounts.room(for: range.count).update(repeating: 1, count: range.count)
        }
        for index in range {
            if exceptions.isAtHome(index) {
                columns.append(ColumnFrequency(column: home, count: frequencies[index]))
                columnCounts.append(1)
            } else {
                let before = columns.count
                exceptions.forEachColumn(at: index, frequency: frequencies[index]) {
                    columns.append(ColumnFrequency(column: $0, count: $1))
                }
                columnCounts.append(UInt32(truncatingIfNeeded: columns.count &- before))
            }
        }
    }

    /// Opens those of the decoded block, whose exceptions are read.
    private func openPositions() throws {
        assert(exceptionsEnd != nil, "positions of a block before its exceptions")
        guard let page else { return assertionFailure("positions of no page") }
        let source: PositionsReader.Source
        if flags & PostingsBlock.hasInlinePositions != 0 {
            source = .page(page, offset: exceptionsEnd ?? page.bytes.count)
        } else {
            source = .stream(positionsPlace)
            pages.positions = Int(clamping: positionsPlace >> SegmentLayout.offsetBits)
        }
        positions.open(source, frequencies: UnsafeBufferPointer(start: frequencies, count: decodedCount))
        arePositionsOpen = true
    }

    private func readSinglePositions(into result: GrowingBuffer<Position>) throws {
        guard let page else { return assertionFailure("positions of no page") }
        var input = ByteReader(page.bytes, offset: exceptionsEnd ?? page.bytes.count)
        try forEachColumn(at: 0) { column, count in
            var next: UInt64 = 0
            for _ in 0..<count {
                next &+= UInt64(try input.uint32())
                guard next <= UInt64(UInt32.max) else { throw corrupt("a position is too large") }
                result.append(Position(column: column, offset: UInt32(truncatingIfNeeded: next)))
                next &+= 1
            }
        }
    }
}
