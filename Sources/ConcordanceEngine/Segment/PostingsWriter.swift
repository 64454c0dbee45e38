import ConcordanceSQLite

/// Writes the lists of postings of a segment: blocks, their positions, their skip entries (drawn at `PostingsBlock`).
final class PostingsWriter {
    private let columnCount: Int
    private let postings: PageWriter
    private let positions: PageWriter
    private let skips: SkipWriter
    /// The lengths of the documents, as `FloatCode`s.
    private let lengthCodes = GrowingBuffer<UInt16>(capacity: PostingsCursor.blockSize)
    @exclusivity(unchecked) private var totalLength: UInt64 = 0

    // The current list.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private(set) var blockCount = 0
    @exclusivity(unchecked) private(set) var hasPositions = false
    @exclusivity(unchecked) private var firstPlace: UInt64 = 0
    @exclusivity(unchecked) private var firstSkip = 0
    /// The last one that was added.
    @exclusivity(unchecked) private(set) var lastDocument: UInt32 = 0
    /// The last document of the block before.
    @exclusivity(unchecked) private var previousLast: Int64 = -1
    @exclusivity(unchecked) private var listBounds: BlockBounds?

    // The current block.
    private let current = PostingBuffer(capacity: PostingsCursor.blockSize)
    private let frequencies = GrowingBuffer<UInt32>(capacity: PostingsCursor.blockSize)
    @exclusivity(unchecked) private var positionsPlace: UInt64?
    @exclusivity(unchecked) private var blockBounds = BlockBoundsBuilder(slope: 0)
    /// For each small frequency, the least of the `lengthCodes` of documents that have it; `.max` outside `boundPostings`.
    private let leastCodes = FixedBuffer(repeating: UInt16.max, count: 16)
    /// Of each column, how many documents of the block have the term in it alone.
    private let soleCounts: UnsafeMutablePointer<UInt32>

    private let exceptions: ColumnExceptionsWriter
    private let block = ByteWriter(capacity: 1024)
    private let scratch = GrowingBuffer<UInt32>(capacity: PostingsCursor.blockSize)

    /// Up to this many positions of a list of one block follow the block; more are in the positions stream.
    private static let inlinePositionLimit = 512

    init(shape: IndexShape, pages: SegmentPages) {
        columnCount = shape.columnCount
        exceptions = ColumnExceptionsWriter(columnCount: shape.columnCount)
        postings = PageWriter(.postings, of: pages)
        positions = PageWriter(.positions, of: pages)
        skips = SkipWriter(columnCount: columnCount, pages: pages)
        soleCounts = .allocate(capacity: max(columnCount, 1))
        soleCounts.initialize(repeating: 0, count: max(columnCount, 1))
    }

    deinit { soleCounts.deallocate() }

    // MARK: - Documents

    /// Takes the length of the next document, which bounds of scores need.
    func addDocument(length: UInt32) {
        lengthCodes.append(FloatCode.floor(length: length))
        totalLength &+= UInt64(length)
    }

    /// Of the documents, in tokens.
    var averageLength: UInt32 {
        UInt32(truncatingIfNeeded: totalLength / UInt64(max(lengthCodes.count, 1)))
    }

    // MARK: - Lists

    @inline(__always)
    func beginList(hasPositions: Bool) {
        self.hasPositions = hasPositions
        count = 0
        blockCount = 0
        previousLast = -1
        listBounds = nil
        blockBounds = BlockBoundsBuilder(slope: LengthSlope.slope(averageLength: averageLength))
        clearBlock()
    }

    @inline(__always)
    private func clearBlock() {
        current.removeAll()
        frequencies.removeAll()
        positionsPlace = nil
        blockBounds.removeAll()
    }

    /// How many postings can be added at once: what the current block lacks, or a whole one if it is full.
    @inline(__always)
    var room: Int { isBlockFull ? PostingsCursor.blockSize : PostingsCursor.blockSize &- current.documents.count }

    /// Adds the postings that `append` appends: `room` at most.
    @inline(__always)
    func add(_ append: (PostingBuffer) throws -> Void) throws {
        if isBlockFull { try flushBlock(isLast: false) }
        let start = current.end
        try append(current)
        try takeIn(from: start)
        if positionsPlace != nil || current.differences.count > Self.inlinePositionLimit { try streamPositions() }
    }

    /// Checks the postings behind a place, and sums up their frequencies.
    @inline(__always)
    private func takeIn(from start: PostingBuffer.Place) throws {
        let (documents, columnCounts) = (current.documents.values, current.columnCounts.values)
        let columns = current.columns.values
        guard documents.count == columnCounts.count, documents.count <= PostingsCursor.blockSize else { throw disorder }
        var column = start.column
        for index in start.posting..<documents.count {
            let end = column &+ Int(columnCounts[index])
            guard end <= columns.count else { throw disorder }
            let first = column
            var frequency: UInt64 = 0
            var next: UInt64 = 0
            while column < end {
                let pair = columns[column]
                frequency &+= UInt64(pair.count)
                guard UInt64(pair.column) >= next, pair.column < columnCount, pair.count > 0 else { throw disorder }
                next = UInt64(pair.column) &+ 1
                column &+= 1
            }
            if column == first &+ 1 { soleCounts[Int(columns[first].column)] &+= 1 }
            let document = documents[index]
            guard document < lengthCodes.count, count == 0 || document > lastDocument, frequency > 0,
                frequency < Int32.max
            else { throw disorder }
            lastDocument = document
            frequencies.append(UInt32(truncatingIfNeeded: frequency))
            count &+= 1
        }
        guard column == columns.count else { throw disorder }
    }

    private var disorder: any Error { corrupt("the postings of a term are not in order") }

    /// Whether the list is one posting that is small enough for the dictionary.
    @inline(__always)
    var isSingle: Bool {
        count == 1 && positionsPlace == nil && current.columns.count <= 4 && current.differences.count <= 16
    }

    /// Ends the list in the dictionary, where it `isSingle`.
    func endSingle(_ key: ByteWriter, adjustment: Int, in dictionary: DictionaryWriter) throws {
        try dictionary.append(
            key, adjustment: adjustment, document: lastDocument, pairs: current.columns.values,
            deltas: current.differences.values)
        for pair in current.columns.values { soleCounts[Int(pair.column)] = 0 }
        clearBlock()
    }

    /// Ends the list, and returns where it is.
    func endList() throws -> PostingsPlace {
        guard count > 0 else { return .nowhere }
        try flushBlock(isLast: true)
        if blockCount == 1 { return .block(firstPlace) }
        return .blocks(first: firstPlace, skips: firstSkip, bounds: listBounds ?? .unknown)
    }

    // MARK: - Blocks

    private func flushBlock(isLast: Bool) throws {
        let isOnly = isLast && blockCount == 0
        let home = try encodeBlock(isOnly: isOnly)
        let place = try postings.append(block)
        if blockCount == 0 {
            firstPlace = place
            firstSkip = skips.count
        }
        if !isOnly { try appendSkip(place, home) }
        blockCount += 1
        previousLast = Int64(lastDocument)
        clearBlock()
    }

    /// Makes `block`. Returns its home column.
    private func encodeBlock(isOnly: Bool) throws -> UInt32 {
        let isInline = hasPositions && isOnly && positionsPlace == nil
        if hasPositions, !isInline { try finishPositions() }
        let home = homeColumn()
        gatherExceptions(home)
        var highest: UInt32 = 0
        for frequency in frequencies.values { highest = max(highest, frequency) }
        block.removeAll()
        block.append(
            byte: (highest == 1 ? PostingsBlock.allOnce : 0) | exceptions.flag
                | (isInline ? PostingsBlock.hasInlinePositions : 0) | UInt8(min(home, 15)) << 4)
        if home >= 15 { block.append(varint: Int(home) - 15) }
        if hasPositions, !isInline { block.append(varint: positionsPlace ?? 0) }
        encodeDocuments()
        if highest > 1 { encodeFrequencies() }
        exceptions.encode(into: block)
        if isInline {
            for start in stride(from: 0, to: current.differences.count, by: IntegerBlock.capacity) {
                encodeDifferences(start, into: block)
            }
        }
        return home
    }

    private func encodeDocuments() {
        let gaps = scratch
        gaps.removeAll()
        var previous = UInt32(truncatingIfNeeded: previousLast)
        for document in current.documents.values {
            // In 32 bits -1 is the greatest number, and the difference is right all the same.
            gaps.append(document &- previous &- 1)
            previous = document
        }
        IntegerBlock.encode(gaps.values, into: block)
    }

    private func encodeFrequencies() {
        scratch.removeAll()
        for frequency in frequencies.values { scratch.append(frequency &- 1) }
        IntegerBlock.encode(scratch.values, into: block)
    }

    /// Makes `exceptions`.
    private func gatherExceptions(_ home: UInt32) {
        exceptions.removeAll()
        let pairs = current.columns.values
        var (offset, index, next) = (0, 0, 0)
        for count in current.columnCounts.values {
            let end = offset &+ Int(count)
            if count != 1 || pairs[offset].column != home {
                exceptions.append(UnsafeBufferPointer(rebasing: pairs[offset..<end]), gap: index &- next)
                next = index &+ 1
            }
            offset = end
            index &+= 1
        }
    }

    /// The column that most documents of the block have the term in alone; forgets the counts.
    private func homeColumn() -> UInt32 {
        var home: UInt32 = 0
        let pairs = current.columns.values
        for pair in pairs where soleCounts[Int(pair.column)] > soleCounts[Int(home)] { home = pair.column }
        for pair in pairs { soleCounts[Int(pair.column)] = 0 }
        return home
    }

    // MARK: - Positions

    private func encodeDifferences(_ start: Int, into writer: ByteWriter) {
        let end = min(start + IntegerBlock.capacity, current.differences.count)
        IntegerBlock.encode(UnsafeBufferPointer(rebasing: current.differences.values[start..<end]), into: writer)
    }

    /// Writes the blocks of positions that are full.
    private func streamPositions() throws {
        var start = 0
        while current.differences.count - start >= IntegerBlock.capacity {
            try appendPositions(start)
            start += IntegerBlock.capacity
        }
        current.differences.removeFirst(start)
    }

    private func finishPositions() throws {
        try streamPositions()
        if !current.differences.isEmpty { try appendPositions(0) }
        current.differences.removeAll()
    }

    private func appendPositions(_ start: Int) throws {
        block.removeAll()
        encodeDifferences(start, into: block)
        let place = try positions.append(block)
        if positionsPlace == nil { positionsPlace = place }
    }

    // MARK: - Skip entries

    private func appendSkip(_ place: UInt64, _ home: UInt32) throws {
        let first = firstPlace & ~((1 << SegmentLayout.offsetBits) - 1)
        guard place >= first, place - first <= UInt64(UInt32.max) else {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "a term of the index has too many postings")
        }
        boundPostings()
        var columns: UInt16 = 0
        for pair in current.columns.values { columns |= 1 << UInt16(min(pair.column, 15)) }
        if columnCount > 1 { boundExceptions(home) }
        let bounds = blockBounds.bounds
        listBounds = listBounds?.joined(bounds) ?? bounds
        try skips.append(
            SkipEntry(
                lastDocument: lastDocument, place: UInt32(place - first), bounds: bounds, columns: columns,
                shortestCode: blockBounds.shortestCode,
                home: columnCount > 1 ? (home, blockBounds.exceptions) : nil))
    }

    /// Adds all postings to the bounds of the block. Done at its end, in a loop that does nothing else, since lengths are read
    /// all over memory, and so several reads overlap. Of the documents of one frequency the shortest bounds all.
    private func boundPostings() {
        let (documents, frequencies, lengthCodes) = (current.documents.values, frequencies.values, lengthCodes.values)
        let leastCodes = leastCodes.start
        var bounds = blockBounds
        for index in 0..<documents.count {
            let (frequency, code) = (frequencies[index], lengthCodes[Int(documents[index])])
            if frequency < 16 {
                leastCodes[Int(frequency)] = min(leastCodes[Int(frequency)], code)
            } else {
                bounds.add(frequency: frequency, lengthCode: code)
            }
        }
        for frequency in 1..<16 where leastCodes[frequency] != .max {
            bounds.add(frequency: UInt32(truncatingIfNeeded: frequency), lengthCode: leastCodes[frequency])
            leastCodes[frequency] = .max
        }
        blockBounds = bounds
    }

    /// Adds the postings that are not in the home column alone to the bounds of the block.
    private func boundExceptions(_ home: UInt32) {
        let (pairs, lengthCodes) = (current.columns.values, lengthCodes.values)
        var offset = 0
        for (index, count) in current.columnCounts.values.enumerated() {
            let end = offset &+ Int(count)
            if count != 1 || pairs[offset].column != home {
                var (atHome, elsewhere) = (UInt32(0), UInt32(0))
                for pair in pairs[offset..<end] {
                    if pair.column == home { atHome &+= pair.count } else { elsewhere &+= pair.count }
                }
                let document = Int(current.documents.values[index])
                blockBounds.addException(home: atHome, elsewhere: elsewhere, lengthCode: lengthCodes[document])
            }
            offset = end
        }
    }

    /// Ends the current pages.
    func flush() throws {
        try postings.flush()
        try positions.flush()
        try skips.flush()
    }

    /// Ends the current pages, except that of skip entries, of which it returns a copy; nil if that is empty.
    func flushForReading() throws -> Block? {
        try postings.flush()
        try positions.flush()
        return skips.lastPage
    }

    // MARK: - In steps

    /// Whether another posting would begin a block.
    var isBlockFull: Bool { current.documents.count == PostingsCursor.blockSize }

    /// Ends the current pages, except those of skip entries, and appends the state from which to continue.
    ///
    ///     skip entries    `SkipWriter.suspend`
    ///     within u8       1 within a list, and then:
    ///     list            postings varint, blocks varint, place of the first block varint, number of its first skip
    ///                     entry varint, last document varint, `BlockBounds` so far 8 bytes
    func suspend(into state: ByteWriter) throws {
        let isWithin = isBlockFull
        if isWithin { try flushBlock(isLast: false) }
        try postings.flush()
        try positions.flush()
        skips.suspend(into: state)
        state.append(byte: isWithin ? 1 : 0)
        guard isWithin else { return }
        state.append(varint: count)
        state.append(varint: blockCount)
        state.append(varint: firstPlace)
        state.append(varint: firstSkip)
        state.append(varint: Int(lastDocument))
        state.append(fixed: (listBounds ?? .unknown).codes)
    }

    /// Goes on where `suspend` has left; the documents have been added.
    func resume(_ state: inout ByteReader, hasPositions: Bool) throws {
        beginList(hasPositions: hasPositions)
        try skips.resume(&state)
        guard try state.byte() == 1 else { return }
        count = try state.varint(atMost: lengthCodes.count)
        blockCount = try state.varint(atMost: count)
        firstPlace = try state.varint()
        firstSkip = try state.varint(atMost: skips.count)
        lastDocument = UInt32(truncatingIfNeeded: try state.varint(atMost: lengthCodes.count - 1))
        previousLast = Int64(lastDocument)
        listBounds = BlockBounds(codes: try state.fixed(UInt64.self))
        guard count == blockCount * PostingsCursor.blockSize, count > 0,
            firstPlace < UInt64(SegmentLayout.maximumPageCount) << SegmentLayout.offsetBits
        else { throw corrupt("a merge is within a list of postings that does not exist") }
    }
}
