/// A page of a segment: bytes in a block that it keeps alive. Behind them `Block.padding` bytes are readable.
struct Page {
    let block: Block
    let bytes: UnsafeRawBufferPointer
}

/// Finds the pages of a segment, which are rows of their own or parts of the header's row (`SegmentStream`).
final class SegmentReader {
    let id: UInt32
    let documentCount: Int
    let version: UInt8
    /// Of the documents, in tokens; nil in a segment of version 1.
    let averageLength: UInt32?
    private let store: BlockStore
    private(set) var counts: [Int]
    /// Whether tokens share places (`SegmentLayout.colocatedFlag`).
    let hasColocatedTokens: Bool
    let hasValues: Bool
    /// Whether stored values have a page for each column.
    let dividesValues: Bool
    /// Those that the header tells of.
    private let streams: [UInt8]
    /// False where pages may not stay as they are.
    private let isCached: Bool
    /// The last page of skip entries, if it is not written yet.
    private let lastSkips: Block?
    /// The header's block and where in it the first page of each stream is; nil where pages are rows.
    private var inlinePages: (block: Block, pages: [UnsafeRawBufferPointer?])?

    /// Reads the header; throws `corrupt` where it is none, or not of so many documents.
    init(id: UInt32, documentCount: Int, shape: IndexShape, store: BlockStore) throws {
        let wantsValues = !shape.valueColumns.isEmpty
        self.id = id
        self.documentCount = documentCount
        self.store = store
        isCached = true
        lastSkips = nil
        counts = Array(repeating: 0, count: SegmentStream.allCases.count)
        let block = try store.block(BlockStore.id(segment: id, stream: 0, page: 0))
        var reader = ByteReader(block.bytes)
        version = try reader.byte()
        guard version == SegmentLayout.version || version == SegmentLayout.oldVersion else {
            throw corrupt("segment \(id) is of a format that this version does not know")
        }
        let flags = try reader.byte()
        hasColocatedTokens = flags & SegmentLayout.colocatedFlag != 0
        let known =
            SegmentLayout.inlineFlag | SegmentLayout.colocatedFlag | SegmentLayout.valuesFlag | SegmentLayout.groupsFlag
            | SegmentLayout.dividedValuesFlag
        hasValues = flags & SegmentLayout.valuesFlag != 0
        dividesValues = flags & SegmentLayout.dividedValuesFlag != 0
        streams = SegmentStream.paged(hasValues: hasValues, hasGroups: flags & SegmentLayout.groupsFlag != 0)
        guard flags & ~known == 0, hasValues == wantsValues,
            !dividesValues || hasValues && flags & SegmentLayout.inlineFlag == 0,
            try reader.varint() == UInt64(documentCount)
        else {
            throw corrupt("the header of segment \(id) does not agree with the manifest")
        }
        averageLength = version == SegmentLayout.oldVersion ? nil : try reader.uint32()
        for stream in streams {
            counts[Int(stream)] = try reader.varint(atMost: SegmentLayout.maximumPageCount)
        }
        try checkCounts(shape)
        if flags & SegmentLayout.inlineFlag != 0 { try readInlinePages(&reader, block) }
    }

    /// Throws SQLITE_INTERRUPT where the statement of the user was interrupted (`BlockStore.checkInterruption`).
    func checkInterruption() throws { try store.checkInterruption() }

    /// Reads pages of a segment that is being written, with so many pages in each stream.
    ///
    /// - Parameter lastSkips: The last page of skip entries, if it is not written yet; it is not counted.
    init(
        unfinished id: UInt32, documentCount: Int, counts: [Int], lastSkips: Block? = nil, shape: IndexShape,
        store: BlockStore
    ) throws {
        self.id = id
        self.documentCount = documentCount
        self.store = store
        self.counts = counts
        self.lastSkips = lastSkips
        if lastSkips != nil { self.counts[Int(SegmentStream.skips.rawValue)] += 1 }
        version = SegmentLayout.version
        averageLength = nil
        hasColocatedTokens = false
        hasValues = !shape.valueColumns.isEmpty
        dividesValues = true
        streams = []
        isCached = false
        try checkCounts(shape)
    }

    private func checkCounts(_ shape: IndexShape) throws {
        let columnCount = shape.columnCount
        let documentPages = (documentCount + SegmentLayout.documentsPerPage - 1) >> SegmentLayout.documentPageBits
        let columnBits = SegmentLayout.columnPageBits(columnCount)
        let columnPages = columnCount < 2 ? 0 : (documentCount + 1 << columnBits - 1) >> columnBits
        for (stream, expected) in [
            (SegmentStream.rowIDs, documentPages), (.lengths, documentPages), (.fingerprints, documentPages),
            (.columnLengths, columnPages),
            (.values, hasValues ? documentPages * (dividesValues ? shape.valueColumns.count : 1) : 0),
        ] where count(stream) != expected {
            throw corrupt("segment \(id) has not as many pages as its documents take")
        }
    }

    private func readInlinePages(_ reader: inout ByteReader, _ block: Block) throws {
        var sizes = Array(repeating: 0, count: counts.count)
        for stream in streams where counts[Int(stream)] > 0 {
            guard counts[Int(stream)] == 1 else { throw corrupt("segment \(id) has more pages than its row") }
            sizes[Int(stream)] = try reader.varint(atMost: block.bytes.count)
        }
        var pages = [UnsafeRawBufferPointer?](repeating: nil, count: counts.count)
        for stream in streams where counts[Int(stream)] > 0 {
            pages[Int(stream)] = try reader.bytes(sizes[Int(stream)])
        }
        inlinePages = (block, pages)
    }

    /// Copies of the pages in the header's row, by stream; nil where pages are rows.
    var inlineBytes: [[UInt8]?]? {
        guard let (block, pages) = inlinePages else { return nil }
        return withExtendedLifetime(block) { pages.map { $0.map { Array($0) } } }
    }

    /// Whether a merge would not write it in another form.
    var isCurrent: Bool {
        version == SegmentLayout.version && (count(.skips) < 2 || count(.skipGroups) > 0)
            && (!hasValues || dividesValues || inlinePages != nil)
    }

    /// How many pages a stream has.
    func count(_ stream: SegmentStream) -> Int { counts[Int(stream.rawValue)] }

    /// A page of a stream; throws `corrupt` where there is none.
    func page(_ stream: SegmentStream, _ number: Int) throws -> Page {
        guard number >= 0, number < counts[Int(stream.rawValue)] else {
            throw corrupt("segment \(id) has no page \(number) of stream \(stream.rawValue)")
        }
        if let inlinePages {
            guard let bytes = inlinePages.pages[Int(stream.rawValue)] else { throw corrupt("a page is missing") }
            return Page(block: inlinePages.block, bytes: bytes)
        }
        let id = BlockStore.id(segment: id, stream: stream.rawValue, page: UInt32(truncatingIfNeeded: number))
        guard let block = isCached ? try store.block(id) : try unfinishedPage(stream, number, id) else {
            throw corrupt("page \(id) of the index is missing")
        }
        return Page(block: block, bytes: block.bytes)
    }

    private func unfinishedPage(_ stream: SegmentStream, _ number: Int, _ id: Int64) throws -> Block? {
        if let lastSkips, stream == .skips, number == count(.skips) - 1 { return lastSkips }
        return try store.uncachedBlock(id)
    }
}
