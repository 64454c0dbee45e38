/// The bytes of a skip entry (drawn at `PostingsBlock`): what is known of a block, or of a group of blocks.
struct SkipEntry {
    private(set) var lastDocument: UInt32
    /// From the beginning of the page where the list begins.
    private(set) var place: UInt32
    private(set) var bounds = BlockBounds.unknown
    private(set) var columns: UInt16
    private var shortestCode: UInt16 = 0
    private var home = unknownHome
    private var exceptions = ExceptionBounds(codes: 0)

    /// In the place of a home column.
    private static let unknownHome = UInt16.max

    /// - Parameters:
    ///   - shortestCode: `FloatCode.floor` of the least length.
    ///   - home: Nil in a table of one column.
    init(
        lastDocument: UInt32, place: UInt32, bounds: BlockBounds, columns: UInt16, shortestCode: UInt16,
        home: (column: UInt32, exceptions: ExceptionBounds)?
    ) {
        self.lastDocument = lastDocument
        self.place = place
        self.bounds = bounds
        self.columns = columns
        self.shortestCode = shortestCode
        if let home {
            self.home = UInt16(truncatingIfNeeded: home.column)
            exceptions = home.exceptions
        }
    }

    /// Reads one in the version of the format that is written, of `SegmentLayout.skipSize`.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer, columnCount: Int) {
        self.init(old: bytes)
        bounds = BlockBounds(codes: Self.load(bytes, 8))
        shortestCode = Self.load(bytes, 18)
        guard columnCount > 1 else { return }
        home = Self.load(bytes, 20)
        exceptions = ExceptionBounds(codes: Self.load(bytes, 22))
    }

    /// Reads one of version 1, whose bounds are of another kind.
    @inline(__always)
    init(old bytes: UnsafeRawPointer) {
        lastDocument = Self.lastDocument(bytes)
        place = Self.load(bytes, 4)
        columns = Self.load(bytes, 16)
    }

    @inline(__always)
    static func lastDocument(_ bytes: UnsafeRawPointer) -> UInt32 { load(bytes, 0) }

    @inline(__always)
    private static func load<T: FixedWidthInteger>(_ bytes: UnsafeRawPointer, _ offset: Int) -> T {
        T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    func append(to writer: ByteWriter, columnCount: Int) {
        writer.append(fixed: lastDocument)
        writer.append(fixed: place)
        writer.append(fixed: bounds.codes)
        writer.append(fixed: columns)
        writer.append(fixed: shortestCode)
        guard columnCount > 1 else { return }
        writer.append(fixed: home)
        writer.append(fixed: exceptions.codes)
    }

    /// Becomes one that also holds for the next block.
    mutating func join(_ next: SkipEntry) {
        lastDocument = next.lastDocument
        place = next.place
        bounds = bounds.joined(next.bounds)
        columns |= next.columns
        shortestCode = min(shortestCode, next.shortestCode)
        if home == next.home {
            exceptions = exceptions.joined(next.exceptions)
        } else {
            home = Self.unknownHome
            exceptions = ExceptionBounds(codes: 0)
        }
    }

    @inline(__always)
    var summary: BlockSummary {
        BlockSummary(
            lastDocument: lastDocument, bounds: bounds, columns: columns,
            shortestLength: FloatCode.length(shortestCode),
            home: home == Self.unknownHome ? nil : (UInt32(home), exceptions))
    }
}
