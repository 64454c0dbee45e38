/// What a segment knows about its documents besides their terms. Pages of 4096 documents, in four streams:
///
///     rowIDs          heads of the blocks of 128, then their packed bits (`RowIDBlock`)
///     lengths         width u8 (2 or 4); then of each document its tokens in all columns, so wide
///     columnLengths   for each column but the last: width u8 (0, 1, 2 or 4), then of each document its tokens in the
///                     column; the last column has what is left of the length. Pages of `columnPageBits` documents,
///                     fewer the more columns
///     fingerprints    of each document a u32
///
/// Pages of rowids and lengths stay in memory once they are asked for, 2 to 10 bytes a document, since ranking asks for
/// a length a posting, and every result for a rowid.
final class DocumentTable {
    private let reader: SegmentReader
    private let columnCount: Int
    fileprivate let documentCount: Int
    private let pageCount: Int
    private let rowIDPages: UnsafeMutablePointer<UnsafeRawBufferPointer>
    /// The numbers themselves, after the width.
    private let lengthPages: UnsafeMutablePointer<LengthPage>
    private let columns: ColumnLengths
    /// What keeps the pages alive.
    private var owners: [Block] = []

    private struct LengthPage {
        var numbers: UnsafeRawPointer?
        var isWide: Bool
    }

    init(_ reader: SegmentReader, columnCount: Int) {
        self.reader = reader
        self.columnCount = columnCount
        documentCount = reader.documentCount
        pageCount = reader.count(.lengths)
        columns = ColumnLengths(reader, columnCount: columnCount)
        rowIDPages = .allocate(capacity: pageCount)
        rowIDPages.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: pageCount)
        lengthPages = .allocate(capacity: pageCount)
        lengthPages.initialize(repeating: LengthPage(numbers: nil, isWide: false), count: pageCount)
    }

    deinit {
        rowIDPages.deallocate()
        lengthPages.deallocate()
    }

    // MARK: - Rowids

    @inline(__always)
    func rowID(at document: Int) throws -> Int64 {
        guard document >= 0, document < documentCount else { throw noDocument(document) }
        return try rowIDBlock(document / RowIDBlock.capacity)[document & (RowIDBlock.capacity - 1)]
    }

    /// The rowids of the documents from `number * RowIDBlock.capacity` on, of which there is one at least; as long as the
    /// table lives.
    @inline(__always)
    fileprivate func rowIDBlock(_ number: Int) throws -> RowIDBlock {
        let first = number &* RowIDBlock.capacity
        let pageNumber = first &>> SegmentLayout.documentPageBits
        var page = rowIDPages[pageNumber]
        if page.baseAddress == nil { page = try loadRowIDs(pageNumber) }
        return try RowIDBlock(
            page, number: (first & (SegmentLayout.documentsPerPage - 1)) / RowIDBlock.capacity,
            count: min(RowIDBlock.capacity, documentCount &- first))
    }

    /// The rowid of a document, and how many documents from there on, below `limit`, are known at once to have no gaps
    /// between their rowids: one at least.
    @inline(__always)
    func rowIDRun(from document: Int, to limit: Int) throws -> (first: Int64, count: Int) {
        guard document >= 0, document < limit, limit <= documentCount else { throw noDocument(document) }
        let block = try rowIDBlock(document / RowIDBlock.capacity)
        let index = document & (RowIDBlock.capacity - 1)
        return (block[index], block.hasNoGaps ? min(RowIDBlock.capacity &- index, limit &- document) : 1)
    }

    @inline(never)
    private func loadRowIDs(_ number: Int) throws -> UnsafeRawBufferPointer {
        let page = try reader.page(.rowIDs, number)
        guard !page.bytes.isEmpty else { throw corrupt("a page of rowids is empty") }
        owners.append(page.block)
        rowIDPages[number] = page.bytes
        return page.bytes
    }

    // MARK: - Lengths

    @inline(__always)
    func length(at document: Int) throws -> UInt32 {
        guard document >= 0, document < documentCount else { throw noDocument(document) }
        let number = document &>> SegmentLayout.documentPageBits
        let page = lengthPages[number]
        guard let numbers = page.numbers else { return try loadLength(at: document) }
        return Self.length(numbers, page.isWide, document & (SegmentLayout.documentsPerPage - 1))
    }

    @inline(__always)
    private static func length(_ numbers: UnsafeRawPointer, _ isWide: Bool, _ index: Int) -> UInt32 {
        isWide
            ? UInt32(littleEndian: numbers.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            : UInt32(UInt16(littleEndian: numbers.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
    }

    /// Calls `body` with the lengths of all documents in their order.
    func forEachLength(_ body: (UInt32) -> Void) throws {
        for number in 0..<pageCount {
            let first = number << SegmentLayout.documentPageBits
            let count = min(SegmentLayout.documentsPerPage, documentCount - first)
            guard count > 0 else { return }
            _ = try length(at: first)
            let page = lengthPages[number]
            guard let numbers = page.numbers else { throw noDocument(first) }
            for index in 0..<count { body(Self.length(numbers, page.isWide, index)) }
        }
    }

    @inline(never)
    private func loadLength(at document: Int) throws -> UInt32 {
        let number = document >> SegmentLayout.documentPageBits
        let count = min(SegmentLayout.documentsPerPage, documentCount - number << SegmentLayout.documentPageBits)
        let page = try reader.page(.lengths, number)
        guard let width = page.bytes.first, width == 2 || width == 4, page.bytes.count == 1 + Int(width) * count,
            let numbers = page.bytes.baseAddress?.advanced(by: 1)
        else { throw corrupt("a page of lengths has an unknown form") }
        owners.append(page.block)
        lengthPages[number] = LengthPage(numbers: numbers, isWide: width == 4)
        return Self.length(numbers, width == 4, document & (SegmentLayout.documentsPerPage - 1))
    }

    /// Tokens of each column; `result` has room for all.
    func columnLengths(at document: Int, into result: UnsafeMutableBufferPointer<UInt32>) throws {
        guard result.count == columnCount, columnCount > 0 else { throw corrupt("a segment has different columns") }
        var rest = try length(at: document)
        for column in 0..<columnCount - 1 {
            result[column] = try columnLength(at: document, column: column, atMost: rest)
            rest -= result[column]
        }
        result[columnCount - 1] = rest
    }

    /// Tokens of one column.
    func columnLength(at document: Int, column: Int) throws -> UInt32 {
        guard column >= 0, column < columnCount else { throw corrupt("segment \(reader.id) has no column \(column)") }
        var rest = try length(at: document)
        if column < columnCount - 1 { return try columnLength(at: document, column: column, atMost: rest) }
        for column in 0..<column { rest -= try columnLength(at: document, column: column, atMost: rest) }
        return rest
    }

    @inline(__always)
    private func columnLength(at document: Int, column: Int, atMost limit: UInt32) throws -> UInt32 {
        let length = try columns.length(at: document, column: column)
        guard length <= limit else { throw corrupt("the columns of a document are longer than the document") }
        return length
    }

    // MARK: - Fingerprints

    func fingerprint(at document: Int) throws -> UInt32 {
        guard document >= 0, document < documentCount else { throw noDocument(document) }
        let page = try reader.page(.fingerprints, document >> SegmentLayout.documentPageBits)
        defer { withExtendedLifetime(page.block) {} }
        var numbers = ByteReader(page.bytes, offset: (document & (SegmentLayout.documentsPerPage - 1)) * 4)
        return try numbers.fixed(UInt32.self)
    }

    @inline(never)
    fileprivate func noDocument(_ document: Int) -> Error {
        corrupt("segment \(reader.id) has no document \(document)")
    }
}

/// Reads rowids of documents that are near each other: keeps the block of the last.
struct RowIDReader {
    private let documents: DocumentTable
    private var number = -1
    private var block: RowIDBlock?

    init(_ documents: DocumentTable) { self.documents = documents }

    @inline(__always)
    mutating func rowID(at document: UInt32) throws -> Int64 {
        let document = Int(document)
        guard document < documents.documentCount else { throw documents.noDocument(document) }
        return try block(of: document)[document & (RowIDBlock.capacity - 1)]
    }

    /// Writes the rowids of documents that are near each other; `rowIDs` has room for them.
    mutating func read(
        _ documents: UnsafeBufferPointer<UInt32>, into rowIDs: UnsafeMutablePointer<Int64>
    ) throws {
        var index = 0
        while index < documents.count {
            let block = try block(of: Int(documents[index]))
            let first = number &* RowIDBlock.capacity
            let end = min(first &+ RowIDBlock.capacity, self.documents.documentCount)
            while index < documents.count {
                let document = Int(documents[index])
                guard document >= first, document < end else { break }
                rowIDs[index] = block[document &- first]
                index &+= 1
            }
        }
    }

    @inline(__always)
    private mutating func block(of document: Int) throws -> RowIDBlock {
        if let block, document / RowIDBlock.capacity == number { return block }
        return try load(document)
    }

    @inline(never)
    private mutating func load(_ document: Int) throws -> RowIDBlock {
        guard document < documents.documentCount else { throw documents.noDocument(document) }
        block = nil
        let loaded = try documents.rowIDBlock(document / RowIDBlock.capacity)
        number = document / RowIDBlock.capacity
        block = loaded
        return loaded
    }
}
