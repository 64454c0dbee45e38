import ConcordanceSQLite

/// Writes the lists of postings of a segment: blocks, their positions, their skip entries (drawn at `PostingsBlock`).
struct PostingsWriter {
    private let shape: IndexShape
    private var postings = PageWriter(.postings)
    private var positions = PageWriter(.positions)
    /// The last page of skip entries, not full.
    private var skips = ByteWriter()
    private var skipCount = 0
    /// The lengths of the documents, as codes.
    private var lengthCodes: [UInt8] = []
    private var averageLength = 0.0

    // The current list.
    private(set) var count = 0
    private(set) var blockCount = 0
    private var hasPositions = false
    private var firstPlace: UInt64 = 0
    private var firstSkip = 0
    /// The last one that was added.
    private(set) var lastDocument: UInt32 = 0
    /// The last document of the block before.
    private var previousLast: Int64 = -1
    private var listImpacts = ImpactsBuilder()

    // The current block.
    private var documents: [UInt32] = []
    private var frequencies: [UInt32] = []
    private var pairs: [ColumnFrequency] = []
    private var pairCounts: [UInt32] = []
    private(set) var deltas: [UInt32] = []
    private var positionsPlace: UInt64?
    private var blockImpacts = ImpactsBuilder()
    private var soleCounts: [UInt32]

    private var block = ByteWriter()
    private var scratch: [UInt32] = []

    /// So many positions of a list of one block lie behind the block; more are in the positions stream.
    private static let inlinePositionLimit = 512

    init(shape: IndexShape) {
        self.shape = shape
        soleCounts = Array(repeating: 0, count: shape.columnCount)
    }

    // MARK: - Documents

    /// Takes the length of the next document, which bounds of scores need.
    mutating func addDocument(length: UInt32) {
        lengthCodes.append(ImpactCode.floor(length))
        averageLength += (Double(length) - averageLength) / Double(lengthCodes.count)
    }

    // MARK: - Lists

    mutating func beginList(hasPositions: Bool) {
        self.hasPositions = hasPositions
        count = 0
        blockCount = 0
        previousLast = -1
        clearBlock()
    }

    private mutating func clearBlock() {
        documents.removeAll(keepingCapacity: true)
        frequencies.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        pairCounts.removeAll(keepingCapacity: true)
        deltas.removeAll(keepingCapacity: true)
        positionsPlace = nil
    }

    /// Adds a posting with its positions, ascending.
    mutating func add(
        _ document: UInt32, _ newPositions: UnsafeBufferPointer<Position>, to pages: inout SegmentPages
    ) throws {
        if documents.count == PostingsCursor.blockSize { try flushBlock(isLast: false, to: &pages) }
        let oldPairCount = pairs.count
        PositionDeltas.append(newPositions, to: &deltas, pairs: &pairs)
        try add(document, pairsFrom: oldPairCount)
        if positionsPlace != nil || deltas.count > Self.inlinePositionLimit { try streamPositions(to: &pages) }
    }

    /// Adds a posting without positions.
    mutating func add(
        _ document: UInt32, _ columns: UnsafeBufferPointer<ColumnFrequency>, to pages: inout SegmentPages
    ) throws {
        if documents.count == PostingsCursor.blockSize { try flushBlock(isLast: false, to: &pages) }
        let oldPairCount = pairs.count
        pairs.append(contentsOf: columns)
        try add(document, pairsFrom: oldPairCount)
    }

    private mutating func add(_ document: UInt32, pairsFrom start: Int) throws {
        var frequency: UInt64 = 0
        var next = 0
        for index in start..<pairs.count {
            frequency += UInt64(pairs[index].count)
            guard pairs[index].column >= next, pairs[index].column < shape.columnCount, pairs[index].count > 0 else {
                throw corrupt("the columns of a posting are in no order")
            }
            next = Int(pairs[index].column) + 1
        }
        guard document < lengthCodes.count, count == 0 || document > lastDocument, frequency > 0, frequency < Int32.max
        else {
            throw corrupt("the postings of a term are in no order")
        }
        lastDocument = document
        documents.append(document)
        frequencies.append(UInt32(frequency))
        pairCounts.append(UInt32(pairs.count - start))
        if pairs.count - start == 1 { soleCounts[Int(pairs[start].column)] += 1 }
        blockImpacts.add(frequency: UInt32(frequency), lengthCode: lengthCodes[Int(document)])
        count += 1
    }

    /// Whether the list is one posting that is small enough for the dictionary.
    var isSingle: Bool { count == 1 && positionsPlace == nil && pairs.count <= 4 && deltas.count <= 16 }

    /// Ends the list in the dictionary, where it `isSingle`.
    mutating func endSingle(
        _ key: [UInt8], adjustment: Int, in dictionary: inout DictionaryWriter, to pages: inout SegmentPages
    ) throws {
        try pairs.withUnsafeBufferPointer {
            try dictionary.append(
                key, adjustment: adjustment, document: lastDocument, pairs: $0, deltas: deltas, to: &pages)
        }
        blockImpacts.forget()
        for pair in pairs { soleCounts[Int(pair.column)] = 0 }
        clearBlock()
    }

    /// Ends the list, and says where it is.
    mutating func endList(to pages: inout SegmentPages) throws -> PostingsPlace {
        guard count > 0 else { return .nowhere }
        try flushBlock(isLast: true, to: &pages)
        if blockCount == 1 { return .block(firstPlace) }
        return .blocks(
            first: firstPlace, skips: firstSkip, impacts: listImpacts.finish(averageLength: averageLength))
    }

    // MARK: - Blocks

    private mutating func flushBlock(isLast: Bool, to pages: inout SegmentPages) throws {
        let isOnly = isLast && blockCount == 0
        try encodeBlock(isOnly: isOnly, to: &pages)
        let place = try postings.append(block, to: &pages)
        if blockCount == 0 {
            firstPlace = place
            firstSkip = skipCount
        }
        let impacts = blockImpacts.finish(averageLength: averageLength)
        if !isOnly {
            listImpacts.add(impacts)
            try appendSkip(place, impacts, to: &pages)
        }
        blockCount += 1
        previousLast = Int64(lastDocument)
        clearBlock()
    }

    /// Makes `block`.
    private mutating func encodeBlock(isOnly: Bool, to pages: inout SegmentPages) throws {
        let isInline = hasPositions && isOnly && positionsPlace == nil
        if hasPositions, !isInline { try finishPositions(to: &pages) }
        let home = homeColumn()
        var exceptions = 0
        var offset = 0
        for count in pairCounts {
            if count != 1 || pairs[offset].column != home { exceptions += 1 }
            offset += Int(count)
        }
        let allOnce = frequencies.allSatisfy { $0 == 1 }
        block.removeAll()
        block.append(
            byte: (allOnce ? PostingsBlock.allOnce : 0) | (exceptions > 0 ? PostingsBlock.hasExceptions : 0)
                | (isInline ? PostingsBlock.hasInlinePositions : 0) | UInt8(min(home, 15)) << 4)
        if home >= 15 { block.append(varint: Int(home) - 15) }
        if hasPositions, !isInline { block.append(varint: positionsPlace ?? 0) }
        encodeDocuments()
        if !allOnce { encode(frequencies.lazy.map { $0 - 1 }) }
        if exceptions > 0 { encodeExceptions(home, exceptions) }
        if isInline {
            for start in stride(from: 0, to: deltas.count, by: IntegerBlock.capacity) {
                encodeDeltas(start, into: &block)
            }
        }
    }

    private mutating func encodeDocuments() {
        var previous = previousLast
        scratch.removeAll(keepingCapacity: true)
        for document in documents {
            scratch.append(UInt32(Int64(document) - previous - 1))
            previous = Int64(document)
        }
        scratch.withUnsafeBufferPointer { IntegerBlock.encode($0, into: &block) }
    }

    private mutating func encode(_ values: some Sequence<UInt32>) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: values)
        scratch.withUnsafeBufferPointer { IntegerBlock.encode($0, into: &block) }
    }

    private mutating func encodeExceptions(_ home: UInt32, _ exceptions: Int) {
        block.append(byte: UInt8(exceptions))
        var offset = 0
        var next = 0
        pairs.withUnsafeBufferPointer { pairs in
            for (index, count) in pairCounts.enumerated() {
                let own = UnsafeBufferPointer(rebasing: pairs[offset..<offset + Int(count)])
                offset += Int(count)
                guard count != 1 || own[0].column != home else { continue }
                block.append(byte: UInt8(index - next))
                ColumnPairs.encode(own, columnCount: shape.columnCount, into: &block)
                next = index + 1
            }
        }
    }

    /// The column that most documents of the block have the term in alone; forgets the counts.
    private mutating func homeColumn() -> UInt32 {
        var home: UInt32 = 0
        for pair in pairs where soleCounts[Int(pair.column)] > soleCounts[Int(home)] { home = pair.column }
        for pair in pairs { soleCounts[Int(pair.column)] = 0 }
        return home
    }

    // MARK: - Positions

    private func encodeDeltas(_ start: Int, into writer: inout ByteWriter) {
        deltas.withUnsafeBufferPointer {
            let end = min(start + IntegerBlock.capacity, $0.count)
            IntegerBlock.encode(UnsafeBufferPointer(rebasing: $0[start..<end]), into: &writer)
        }
    }

    /// Writes the blocks of positions that are full.
    private mutating func streamPositions(to pages: inout SegmentPages) throws {
        var start = 0
        while deltas.count - start >= IntegerBlock.capacity {
            try appendPositions(start, to: &pages)
            start += IntegerBlock.capacity
        }
        deltas.removeFirst(start)
    }

    private mutating func finishPositions(to pages: inout SegmentPages) throws {
        try streamPositions(to: &pages)
        if !deltas.isEmpty { try appendPositions(0, to: &pages) }
        deltas.removeAll(keepingCapacity: true)
    }

    private mutating func appendPositions(_ start: Int, to pages: inout SegmentPages) throws {
        block.removeAll()
        encodeDeltas(start, into: &block)
        let place = try positions.append(block, to: &pages)
        if positionsPlace == nil { positionsPlace = place }
    }

    // MARK: - Skip entries

    private mutating func appendSkip(_ place: UInt64, _ impacts: Impacts, to pages: inout SegmentPages) throws {
        let first = firstPlace & ~((1 << SegmentLayout.offsetBits) - 1)
        guard place >= first, place - first <= UInt64(UInt32.max) else {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "a term of the index has too many postings")
        }
        var columns: UInt16 = 0
        for pair in pairs { columns |= 1 << UInt16(min(pair.column, 15)) }
        skips.append(fixed: documents[documents.count - 1])
        skips.append(fixed: UInt32(place - first))
        skips.append(fixed: impacts.codes)
        skips.append(fixed: columns)
        skipCount += 1
        if skips.count == SegmentLayout.skipsPerPage * SegmentLayout.skipSize { try flushSkips(to: &pages) }
    }

    private mutating func flushSkips(to pages: inout SegmentPages) throws {
        try pages.append(skips.bytes, to: .skips)
        skips.removeAll()
    }

    /// Ends the current pages.
    mutating func flush(to pages: inout SegmentPages) throws {
        try postings.flush(to: &pages)
        try positions.flush(to: &pages)
        if !skips.isEmpty { try flushSkips(to: &pages) }
    }

    // MARK: - In steps

    /// Whether another posting would begin a block.
    var isBlockFull: Bool { documents.count == PostingsCursor.blockSize }

    /// Ends the current pages, those of skip entries apart, which must be full, and appends what it takes to go on.
    ///
    ///     skip entries    their number in the whole segment varint; size varint and bytes of the last page
    ///     within u8       1 within a list, and then:
    ///     list            postings varint, blocks varint, place of the first block varint, number of its first skip
    ///                     entry varint, last document varint, `Impacts` so far 8 bytes
    mutating func suspend(into state: inout ByteWriter, to pages: inout SegmentPages) throws {
        let isWithin = isBlockFull
        if isWithin { try flushBlock(isLast: false, to: &pages) }
        try postings.flush(to: &pages)
        try positions.flush(to: &pages)
        state.append(varint: skipCount)
        state.append(varint: skips.count)
        state.append(skips.bytes)
        state.append(byte: isWithin ? 1 : 0)
        guard isWithin else { return }
        let impacts = listImpacts.finish(averageLength: averageLength)
        listImpacts.add(impacts)
        state.append(varint: count)
        state.append(varint: blockCount)
        state.append(varint: firstPlace)
        state.append(varint: firstSkip)
        state.append(varint: Int(lastDocument))
        state.append(fixed: impacts.codes)
    }

    /// Goes on where `suspend` has left; the documents have been added.
    mutating func resume(_ state: inout ByteReader, hasPositions: Bool) throws {
        beginList(hasPositions: hasPositions)
        skipCount = try state.varint(atMost: SegmentLayout.maximumPageCount)
        skips.append(try state.bytes(state.varint(atMost: SegmentLayout.skipsPerPage * SegmentLayout.skipSize - 1)))
        guard skips.count == skipCount % SegmentLayout.skipsPerPage * SegmentLayout.skipSize else {
            throw corrupt("a merge has not the skip entries that it has written")
        }
        guard try state.byte() == 1 else { return }
        count = try state.varint(atMost: lengthCodes.count)
        blockCount = try state.varint(atMost: count)
        firstPlace = try state.varint()
        firstSkip = try state.varint(atMost: skipCount)
        lastDocument = UInt32(truncatingIfNeeded: try state.varint(atMost: lengthCodes.count - 1))
        previousLast = Int64(lastDocument)
        listImpacts.add(Impacts(codes: try state.fixed(UInt64.self)))
        guard count == blockCount * PostingsCursor.blockSize, count > 0,
            firstPlace < UInt64(SegmentLayout.maximumPageCount) << SegmentLayout.offsetBits
        else { throw corrupt("a merge is within a list of postings that there is not") }
    }
}
