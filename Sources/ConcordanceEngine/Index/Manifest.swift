/// What an index consists of: the segments, in the order of their creation, and the totals of the existing rows.
///
/// Row 1 of `<t>_data`:
///
///     4 bytes   "CCD", format version
///     8 bytes   version: a random number, another after every change, so that a reader sees with one comparison
///               whether it knows the index as it is
///     varints   columns; 1 for positions + 2 where there are no adjustments + 4 for stored values; number of prefix
///               lists, the length of each; with stored values, the number of their columns, the number of each
///     varints   next segment, rows, tokens of each column
///     varint    number of segments, and of each:
///                   SegmentInfo
///                   8 bytes   stamp: a random number, so that what was cached of a segment is told from another that
///                             got the same id after a rollback
///                   varint    removed documents; if there are any:
///                   8 bytes   stamp of the tombstones: another after every removal
///                   8 bytes   with stored values, stamp of these: another after every change
///     varint    number of dropped segments whose rows are not all deleted yet, and the id of each
///     varint    length, and the state of a merge that is under way
struct Manifest: Equatable {
    struct Entry: Equatable {
        var info: SegmentInfo
        var stamp: UInt64
        var deletedCount = 0
        var deletionStamp: UInt64 = 0
        var valueStamp: UInt64 = 0

        /// Documents that are not removed.
        var liveCount: Int { info.documentCount - deletedCount }
    }

    var version: UInt64 = 0
    /// Greater than the id of any segment, past or present.
    var nextSegment: UInt32 = 1
    var rowCount = 0
    /// Tokens of each column in all rows.
    var totalTokens: [Int64]
    var segments: [Entry] = []
    /// Dropped segments that still have rows.
    var garbage: [UInt32] = []
    /// The state that `Merge` keeps of an unfinished merge; empty for none.
    var mergeState: [UInt8] = []

    /// The id of its row.
    static let rowID: Int64 = 1
    /// No index was ever written with more segments than this.
    static let maximumSegmentCount = 1 << 20
    static let maximumSegmentID = UInt32(0x7FFF_FFFE)
    private static let magic: [UInt8] = Array("CCD".utf8)
    private static let formatVersion: UInt8 = 1

    init(columnCount: Int) { totalTokens = Array(repeating: 0, count: columnCount) }

    /// Whether the tokens of all columns together fit in 64 bits with a sign.
    static func canBeAdded(_ tokens: [Int64]) -> Bool {
        var sum: Int64 = 0
        for count in tokens {
            let (next, overflow) = sum.addingReportingOverflow(count)
            if overflow { return false }
            sum = next
        }
        return true
    }

    func encode(shape: IndexShape) -> [UInt8] {
        let writer = ByteWriter(capacity: 4096)
        writer.append(Self.magic)
        writer.append(byte: Self.formatVersion)
        writer.append(fixed: version)
        writer.append(varint: shape.columnCount)
        writer.append(varint: Self.flags(of: shape))
        writer.append(varint: shape.prefixes.count)
        for length in shape.prefixes { writer.append(varint: length) }
        if !shape.valueColumns.isEmpty {
            writer.append(varint: shape.valueColumns.count)
            for column in shape.valueColumns { writer.append(varint: column) }
        }
        writer.append(varint: Int(nextSegment))
        writer.append(varint: rowCount)
        for tokens in totalTokens { writer.append(varint: UInt64(bitPattern: tokens)) }
        writer.append(varint: segments.count)
        for entry in segments {
            entry.info.encode(into: writer)
            writer.append(fixed: entry.stamp)
            writer.append(varint: entry.deletedCount)
            if entry.deletedCount > 0 { writer.append(fixed: entry.deletionStamp) }
            if !shape.valueColumns.isEmpty { writer.append(fixed: entry.valueStamp) }
        }
        writer.append(varint: garbage.count)
        for segment in garbage { writer.append(varint: Int(segment)) }
        writer.append(varint: mergeState.count)
        writer.append(mergeState)
        return writer.array
    }

    private static func flags(of shape: IndexShape) -> Int {
        (shape.hasPositions ? 1 : 0) | (shape.hasAdjustments ? 0 : 2) | (shape.valueColumns.isEmpty ? 0 : 4)
    }

    /// Only the version, without reading the rest.
    static func version(of bytes: UnsafeRawBufferPointer) throws -> UInt64 {
        var reader = ByteReader(bytes)
        return try version(from: &reader)
    }

    private static func version(from reader: inout ByteReader) throws -> UInt64 {
        guard try reader.bytes(magic.count).elementsEqual(magic) else { throw corrupt("the index has no manifest") }
        let format = try reader.byte()
        guard format == formatVersion else {
            throw corrupt("the index has format \(format), and this program reads format \(formatVersion)")
        }
        return try reader.fixed(UInt64.self)
    }

    /// Reads what `encode` wrote; throws `corrupt` for anything else, and for an index of another shape.
    init(_ bytes: UnsafeRawBufferPointer, shape: IndexShape) throws {
        var reader = ByteReader(bytes)
        version = try Self.version(from: &reader)
        guard try reader.varint(atMost: .max) == shape.columnCount,
            try reader.varint(atMost: 7) == Self.flags(of: shape),
            try reader.varint(atMost: .max) == shape.prefixes.count
        else { throw corrupt("the index was built for a table with different columns or options") }
        for length in shape.prefixes where try reader.varint(atMost: .max) != length {
            throw corrupt("the index was built for a table with different prefix lengths")
        }
        if !shape.valueColumns.isEmpty {
            guard try reader.varint(atMost: .max) == shape.valueColumns.count,
                try shape.valueColumns.allSatisfy({ try reader.varint(atMost: .max) == $0 })
            else { throw corrupt("the index was built for a table with different VALUE columns") }
        }
        let next = try reader.varint(atMost: Int(Self.maximumSegmentID) + 1)
        guard next > 0 else { throw corrupt("the manifest's next segment is 0, and the first is 1") }
        nextSegment = UInt32(truncatingIfNeeded: next)
        rowCount = try reader.varint(atMost: .max)
        totalTokens = []
        for _ in 0..<shape.columnCount { totalTokens.append(Int64(try reader.varint(atMost: .max))) }
        guard Self.canBeAdded(totalTokens) else { throw corrupt("the index has more tokens than can be counted") }
        let count = try reader.varint(atMost: min(Self.maximumSegmentCount, reader.remaining))
        var previous: UInt32 = 0
        var live = 0
        for _ in 0..<count {
            let entry = try Entry(from: &reader, shape)
            // A merge's result takes the place of its inputs, so ids need not ascend, but none occurs twice.
            guard entry.info.id > 0, entry.info.id < nextSegment, entry.info.id != previous else {
                throw corrupt("the manifest has segment \(entry.info.id) out of place")
            }
            previous = entry.info.id
            live += entry.liveCount
            segments.append(entry)
        }
        var ids = Set(segments.map(\.info.id))
        guard ids.count == count else { throw corrupt("the manifest has a segment twice") }
        guard live == rowCount else { throw corrupt("the segments have \(live) rows, the index has \(rowCount)") }
        let garbageCount = try reader.varint(atMost: min(Self.maximumSegmentCount, reader.remaining))
        for _ in 0..<garbageCount {
            let segment = UInt32(truncatingIfNeeded: try reader.varint(atMost: Int(Self.maximumSegmentID)))
            guard segment > 0, segment < nextSegment, ids.insert(segment).inserted else {
                throw corrupt("the manifest drops a segment that it contains, or drops one twice")
            }
            garbage.append(segment)
        }
        mergeState = Array(try reader.bytes(try reader.varint(atMost: reader.remaining)))
        guard reader.isAtEnd else { throw corrupt("the manifest is too long") }
    }
}

extension Manifest.Entry {
    fileprivate init(from reader: inout ByteReader, _ shape: IndexShape) throws {
        info = try SegmentInfo(from: &reader)
        stamp = try reader.fixed(UInt64.self)
        deletedCount = try reader.varint(atMost: info.documentCount)
        deletionStamp = deletedCount > 0 ? try reader.fixed(UInt64.self) : 0
        valueStamp = shape.valueColumns.isEmpty ? 0 : try reader.fixed(UInt64.self)
    }
}
