import ConcordanceSQLite

/// The rows that a segment's pages become. As long as they are few and small they are kept back, since a small segment
/// is one row.
final class SegmentPages {
    /// A row in memory.
    struct Page {
        var stream: UInt8
        var number: UInt32
        var bytes: [UInt8]

        func write(to store: BlockStore, segment: UInt32) throws {
            let row = BlockStore.id(segment: segment, stream: stream, page: number)
            try bytes.withUnsafeBytes { try store.write(row, $0) }
        }
    }

    let id: UInt32
    /// Where the rows are written; nil to collect them.
    private let store: BlockStore?
    /// The rows if they are collected, in the order of writing.
    private(set) var collected: [Page] = []
    /// Whether rows are collected.
    var isCollecting: Bool
    /// Pages of each stream.
    private(set) var counts: [Int]
    /// Bytes of all rows.
    private(set) var byteCount = 0
    /// First pages that are not written yet, by stream; nil once pages are rows of their own.
    private var held: [[UInt8]?]?
    private let hasValues: Bool
    /// Whether stored values have a page for each column, unless the segment is one row.
    private(set) var dividesValues = true

    /// - Parameter store: Nil to collect the rows in memory.
    init(id: UInt32, store: BlockStore?, hasValues: Bool) {
        self.id = id
        self.hasValues = hasValues
        self.store = store
        isCollecting = store == nil
        counts = Array(repeating: 0, count: SegmentStream.allCases.count)
        held = Array(repeating: nil, count: SegmentStream.allCases.count)
    }

    /// Goes on with a segment some of whose pages are written.
    init(id: UInt32, store: BlockStore, hasValues: Bool, counts: [Int], byteCount: Int) {
        self.id = id
        self.hasValues = hasValues
        self.store = store
        isCollecting = false
        self.counts = counts
        self.byteCount = byteCount
    }

    /// Replaces pages of a complete segment; if it is one row, `finish` rewrites that.
    init(of reader: SegmentReader, store: BlockStore, byteCount: Int) {
        id = reader.id
        self.store = store
        isCollecting = false
        hasValues = reader.hasValues
        dividesValues = reader.dividesValues
        counts = reader.counts
        held = reader.inlineBytes
        self.byteCount = held.map { $0.reduce(0) { $0 + ($1?.count ?? 0) } } ?? byteCount
    }

    /// Whether the pages will be, or are, in the header's row.
    var isInline: Bool { held != nil }

    func count(_ stream: SegmentStream) -> Int { counts[Int(stream.rawValue)] }

    /// Puts other bytes in the place of a page.
    func replace(_ number: Int, of stream: SegmentStream, with writer: ByteWriter) throws {
        let bytes = writer.bytes
        let index = Int(stream.rawValue)
        guard number < counts[index] else { throw corrupt("segment \(id) has too few pages") }
        if let old = held?[index] {
            byteCount += bytes.count - old.count
            held?[index] = Array(bytes)
            return
        }
        let row = BlockStore.id(segment: id, stream: stream.rawValue, page: UInt32(number))
        guard let old = try store?.withRow(row, { $0.count }) else {
            throw corrupt("page \(row) of the index is missing")
        }
        byteCount += bytes.count - old
        try write(bytes, stream, number)
        store?.forget(row...row)
        withExtendedLifetime(writer) {}
    }

    /// Adds a page to a stream.
    func append(_ writer: ByteWriter, to stream: SegmentStream) throws {
        let bytes = writer.bytes
        let index = Int(stream.rawValue)
        let page = counts[index]
        guard page < SegmentLayout.maximumPageCount else {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "a segment of the index is full")
        }
        counts[index] += 1
        byteCount += bytes.count
        if held != nil {
            if page == 0, byteCount <= SegmentLayout.inlineByteLimit {
                held?[index] = Array(bytes)
                return
            }
            try writeHeld()
        }
        try write(bytes, stream, page)
        withExtendedLifetime(writer) {}
    }

    /// Adds a page of stored values for each column; as long as pages are kept back, one for all columns.
    func appendValues(_ columns: [ByteWriter]) throws {
        if held != nil {
            let joined = ValueTable.joined(columns)
            if count(.values) == 0, byteCount + joined.count <= SegmentLayout.inlineByteLimit {
                return try append(joined, to: .values)
            }
            try writeHeld()
        }
        for column in columns { try append(column, to: .values) }
    }

    /// Writes the pages that were kept back.
    func writeHeld() throws {
        guard let pages = held else { return }
        held = nil
        for stream in SegmentStream.allCases {
            guard let bytes = pages[Int(stream.rawValue)] else { continue }
            try bytes.withUnsafeBytes { try stream == .values ? writeHeldValues($0) : write($0, stream, 0) }
        }
    }

    private func writeHeldValues(_ joined: UnsafeRawBufferPointer) throws {
        counts[Int(SegmentStream.values.rawValue)] = 0
        byteCount -= joined.count
        let page = ByteWriter()
        try ValueTable.forEachColumn(of: joined) { column in
            page.removeAll()
            page.append(column)
            try append(page, to: .values)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ stream: SegmentStream, _ page: Int) throws {
        let number = UInt32(truncatingIfNeeded: page)
        if let store, !isCollecting {
            try store.write(BlockStore.id(segment: id, stream: stream.rawValue, page: number), bytes)
        } else {
            collected.append(Page(stream: stream.rawValue, number: number, bytes: Array(bytes)))
        }
    }

    /// Writes the rows that were collected.
    func writeCollected() throws {
        guard let store else { return assertionFailure("pages that are collected to the end") }
        let pages = collected
        collected = []
        for page in pages { try page.write(to: store, segment: id) }
    }

    /// Writes the header, with the pages in it if they were kept back; the segment is whole then.
    ///
    /// - Parameter averageLength: Nil in a segment of version 1.
    func finish(documentCount: Int, averageLength: UInt32?, flags: UInt8) throws {
        let header = ByteWriter(capacity: held == nil ? 64 : byteCount + 64)
        header.append(byte: averageLength == nil ? SegmentLayout.oldVersion : SegmentLayout.version)
        let hasGroups = count(.skipGroups) > 0
        let streams = SegmentStream.paged(hasValues: hasValues, hasGroups: hasGroups)
        let flags =
            flags | (hasValues ? SegmentLayout.valuesFlag : 0) | (hasGroups ? SegmentLayout.groupsFlag : 0)
            | (hasValues && dividesValues && held == nil ? SegmentLayout.dividedValuesFlag : 0)
        header.append(byte: held == nil ? flags : flags | SegmentLayout.inlineFlag)
        header.append(varint: documentCount)
        if let averageLength { header.append(varint: Int(averageLength)) }
        for stream in streams { header.append(varint: counts[Int(stream)]) }
        if let held {
            for stream in streams {
                if let bytes = held[Int(stream)] { header.append(varint: bytes.count) }
            }
            for stream in streams {
                if let bytes = held[Int(stream)] { header.append(bytes) }
            }
            byteCount = 0
        }
        byteCount += header.count
        try withExtendedLifetime(header) { try write(header.bytes, .header, 0) }
    }
}

/// The pages of one stream, whose blocks each lie in one page.
final class PageWriter {
    private let stream: SegmentStream
    private let pages: SegmentPages
    private let page = ByteWriter()

    init(_ stream: SegmentStream, of pages: SegmentPages) {
        self.stream = stream
        self.pages = pages
    }

    /// Adds a block, to the next page if the current one has no room for it. Returns its place.
    func append(_ block: ByteWriter) throws -> UInt64 {
        if !page.isEmpty, page.count + block.count > SegmentLayout.pageSize { try flush() }
        let place = UInt64(pages.count(stream)) << SegmentLayout.offsetBits | UInt64(page.count)
        page.append(block.bytes)
        return place
    }

    /// Ends the current page, if it has anything.
    func flush() throws {
        guard !page.isEmpty else { return }
        try pages.append(page, to: stream)
        page.removeAll()
    }
}
