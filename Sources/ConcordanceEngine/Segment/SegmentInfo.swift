/// What the manifest keeps of a segment.
struct SegmentInfo: Equatable, Sendable {
    /// Never used again after the segment is gone.
    var id: UInt32
    /// Documents, removed ones as well; their numbers are 0 ..< documentCount, in the order of rowids.
    var documentCount: Int
    /// Zero if there is no document.
    var minimumRowID: Int64
    var maximumRowID: Int64
    /// Bytes of all rows.
    var byteCount: Int
    /// How many merges deep: 0 for a segment that was flushed.
    var level: Int
    /// Whether it has the prefix lists of the index. A run of a transaction may lack them until it is merged.
    var hasLists = true

    /// What is added to the level of a segment without prefix lists.
    private static let withoutLists = 256

    /// A number of documents fits 31 bits, so that all arithmetic with document numbers fits 32.
    static let maximumDocumentCount = Int(Int32.max)
    /// More bytes than any segment has, few enough for the sum over all segments of a manifest to fit `Int`.
    static let maximumByteCount = Int(clamping: Int64(1) << 42)
    /// Every document takes as many bytes at least: its length 2, its fingerprint 4 (`DocumentTable`).
    static let minimumByteCountOfDocument = 6

    func encode(into writer: ByteWriter) {
        writer.append(varint: Int(id))
        writer.append(varint: documentCount)
        writer.append(signed: minimumRowID)
        writer.append(signed: maximumRowID)
        writer.append(varint: byteCount)
        writer.append(varint: hasLists ? level : level + Self.withoutLists)
    }

    init(id: UInt32, documentCount: Int, minimumRowID: Int64, maximumRowID: Int64, byteCount: Int, level: Int) {
        self.id = id
        self.documentCount = documentCount
        self.minimumRowID = minimumRowID
        self.maximumRowID = maximumRowID
        self.byteCount = byteCount
        self.level = level
    }

    /// Reads what `encode(into:)` wrote; throws `corrupt` for what it cannot have written.
    init(from reader: inout ByteReader) throws {
        id = try reader.uint32()
        documentCount = try reader.varint(atMost: Self.maximumDocumentCount)
        minimumRowID = try reader.signedVarint()
        maximumRowID = try reader.signedVarint()
        byteCount = try reader.varint(atMost: Self.maximumByteCount)
        let code = try reader.varint(atMost: 2 * Self.withoutLists - 1)
        level = code % Self.withoutLists
        hasLists = code < Self.withoutLists
        guard minimumRowID <= maximumRowID else { throw corrupt("the rowids of segment \(id) are not in order") }
        // What is in memory for each document is thereby bounded by the size of the file (`BlockStore.checkSize`).
        guard documentCount <= byteCount / Self.minimumByteCountOfDocument else {
            throw corrupt("segment \(id) has more documents than its bytes can hold")
        }
    }
}
