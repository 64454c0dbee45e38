/// A segment: immutable documents with dense numbers in the order of their rowids, and the index of their terms.
final class Segment {
    let info: SegmentInfo
    let shape: IndexShape
    let documentCount: Int
    private let block: Block
    private var rowIDs: [Int64] = []
    private var lengths: [UInt32] = []
    private var columnLengths: [UInt32] = []
    private var fingerprints: [UInt32] = []
    fileprivate var keys: [[UInt8]] = []
    fileprivate var entries: [TermEntry] = []

    init(_ info: SegmentInfo, shape: IndexShape, store: BlockStore) throws {
        self.info = info
        self.shape = shape
        documentCount = info.documentCount
        block = try store.block(BlockStore.id(segment: info.id, stream: 0, page: 0))
        var reader = ByteReader(block.bytes)
        let terms = try reader.varint(atMost: block.bytes.count)
        for _ in 0..<documentCount {
            rowIDs.append(try reader.fixed(Int64.self))
            fingerprints.append(try reader.fixed(UInt32.self))
            var length: UInt32 = 0
            for _ in 0..<shape.columnCount {
                let column = try reader.fixed(UInt32.self)
                columnLengths.append(column)
                length &+= column
            }
            lengths.append(length)
        }
        for _ in 0..<terms {
            keys.append(Array(try reader.bytes(reader.varint(atMost: block.bytes.count))))
            let count = try reader.varint(atMost: documentCount)
            let adjustment = Int(try reader.signedVarint())
            let size = try reader.varint(atMost: block.bytes.count)
            let hasPositions = shape.hasPositions && keys[keys.count - 1].first == 0
            entries.append(
                TermEntry(count: count, adjustment: adjustment, hasPositions: hasPositions, offset: reader.offset))
            _ = try reader.bytes(size)
        }
    }

    /// The entry of a key; nil where the segment knows nothing of it.
    func find(_ key: UnsafeBufferPointer<UInt8>) throws -> TermEntry? {
        let index = firstIndex(from: Array(key))
        return index < keys.count && keys[index].elementsEqual(key) ? entries[index] : nil
    }

    fileprivate func firstIndex(from key: [UInt8]) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A cursor before the first term whose key is not less than `key`.
    func makeTermCursor(from key: [UInt8] = []) throws -> TermCursor {
        TermCursor(self, firstIndex(from: key))
    }

    /// A cursor before the first posting.
    func postings(_ entry: TermEntry) throws -> PostingsCursor {
        try PostingsCursor(entry, block.bytes, documentCount: documentCount)
    }

    func rowID(at document: Int) throws -> Int64 {
        guard rowIDs.indices.contains(document) else { throw corrupt("no document") }
        return rowIDs[document]
    }

    /// The document of a row; nil where the segment has none.
    func document(withRowID rowID: Int64) throws -> Int? {
        let document = try firstDocument(atOrAfter: rowID)
        return document < documentCount && rowIDs[document] == rowID ? document : nil
    }

    /// The first document with a rowid that is not less; `documentCount` where there is none.
    func firstDocument(atOrAfter rowID: Int64) throws -> Int {
        rowIDs.firstIndex { $0 >= rowID } ?? documentCount
    }

    /// Tokens of all columns.
    func length(at document: Int) throws -> UInt32 {
        guard lengths.indices.contains(document) else { throw corrupt("no document") }
        return lengths[document]
    }

    func columnLength(at document: Int, column: Int) throws -> UInt32 {
        guard lengths.indices.contains(document), (0..<shape.columnCount).contains(column) else {
            throw corrupt("no document")
        }
        return columnLengths[document * shape.columnCount + column]
    }

    /// The hash of the document's tokens, by which a text that claims to be its is verified.
    func fingerprint(at document: Int) throws -> UInt32 {
        guard lengths.indices.contains(document) else { throw corrupt("no document") }
        return fingerprints[document]
    }
}

/// Goes over the terms of a segment, ascending by bytes; starts before the first.
final class TermCursor {
    private let segment: Segment
    private var index: Int
    private(set) var key: [UInt8] = []
    private(set) var entry = TermEntry(count: 0, adjustment: 0, hasPositions: false, offset: 0)

    fileprivate init(_ segment: Segment, _ index: Int) {
        self.segment = segment
        self.index = index
    }

    /// Goes to the next term; false when there is none.
    func next() throws -> Bool {
        guard index < segment.keys.count else { return false }
        key = segment.keys[index]
        entry = segment.entries[index]
        index += 1
        return true
    }

    /// The key without a copy.
    func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try key.withUnsafeBufferPointer(body)
    }
}
