/// The column lengths of a segment's documents: keeps the page that was read last, in which the numbers of each column are
/// found once for all its documents.
final class ColumnLengths {
    private let reader: SegmentReader
    /// The columns but the last, whose length is what is left of the document's.
    private let columnCount: Int
    /// Documents in a page, as a power of two.
    private let pageBits: Int
    /// Of each column, in the page.
    private let numbers: UnsafeMutablePointer<Numbers>
    private var pageNumber = -1
    /// Keeps the numbers alive.
    private var block: Block?

    private struct Numbers {
        /// Nil if all are 0.
        var start: UnsafeRawPointer?
        var width: UInt8
    }

    /// - Parameter columnCount: All columns of the table.
    init(_ reader: SegmentReader, columnCount: Int) {
        self.reader = reader
        self.columnCount = max(0, columnCount - 1)
        pageBits = SegmentLayout.columnPageBits(columnCount)
        numbers = .allocate(capacity: self.columnCount)
        numbers.initialize(repeating: Numbers(start: nil, width: 0), count: self.columnCount)
    }

    deinit { numbers.deallocate() }

    /// The tokens of a column but the last in a document that exists.
    @inline(__always)
    func length(at document: Int, column: Int) throws -> UInt32 {
        assert(column < columnCount && document < reader.documentCount, "a length that is not stored")
        if document >> pageBits != pageNumber { try load(document >> pageBits) }
        let index = document & (1 << pageBits - 1)
        guard let start = numbers[column].start else { return 0 }
        switch numbers[column].width {
        case 1: return UInt32(start.load(fromByteOffset: index, as: UInt8.self))
        case 2: return UInt32(UInt16(littleEndian: start.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
        default: return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
    }

    @inline(never)
    private func load(_ number: Int) throws {
        // Numbers of half a page must not be taken for those of the page before.
        pageNumber = -1
        let page = try reader.page(.columnLengths, number)
        block = page.block
        let documentCount = min(1 << pageBits, reader.documentCount - number << pageBits)
        var bytes = ByteReader(page.bytes)
        for column in 0..<columnCount {
            let width = try bytes.byte()
            guard width < 3 || width == 4 else { throw corrupt("a page of column lengths has an unknown form") }
            let start = try bytes.bytes(Int(width) * documentCount).baseAddress
            numbers[column] = Numbers(start: width == 0 ? nil : start, width: width)
        }
        pageNumber = number
    }
}
