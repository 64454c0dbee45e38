/// Goes over the postings of a term in one segment, ascending by document; starts before the first.
///
/// Copies share the decoded block: use one of them only.
struct PostingsCursor {
    /// `document` after the last.
    static let exhausted = UInt32.max
    /// Postings in a block; the last has fewer.
    static let blockSize = 128

    /// How many postings there are.
    let count: Int
    /// The current document; nothing of meaning before the first, `exhausted` after the last.
    private(set) var document: UInt32 = 0

    private var all: [UInt32] = []
    private var counts: [UInt32] = []
    private var columns: [[ColumnFrequency]] = []
    private var positions: [[Position]] = []
    private var index = -1
    private let buffers = Buffers()
    private var decodedCount = 0

    private final class Buffers {
        let documents = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 128)
        let frequencies = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 128)
        deinit {
            documents.deallocate()
            frequencies.deallocate()
        }
    }

    init(_ entry: TermEntry, _ bytes: UnsafeRawBufferPointer, documentCount: Int) throws {
        count = entry.count
        var reader = ByteReader(bytes, offset: entry.offset)
        for _ in 0..<count {
            let document = try reader.uint32()
            guard document < documentCount else { throw corrupt("a posting of no document") }
            all.append(document)
            let size = try reader.varint(atMost: bytes.count)
            var columns: [ColumnFrequency] = []
            var positions: [Position] = []
            var frequency: UInt32 = 0
            for _ in 0..<size {
                if entry.hasPositions {
                    let position = Position(rawValue: try reader.varint())
                    positions.append(position)
                    if columns.last?.column == position.column {
                        columns[columns.count - 1].count += 1
                    } else {
                        columns.append(ColumnFrequency(column: position.column, count: 1))
                    }
                    frequency += 1
                } else {
                    columns.append(ColumnFrequency(column: try reader.uint32(), count: try reader.uint32()))
                    frequency += columns[columns.count - 1].count
                }
            }
            counts.append(frequency)
            self.columns.append(columns)
            self.positions.append(positions)
        }
    }

    // MARK: - Documents

    /// Goes to the next document, and returns it.
    mutating func next() throws -> UInt32 {
        index += 1
        document = index < count ? all[index] : Self.exhausted
        return document
    }

    /// Goes to the first document that is not less than `target`, and returns it; stays where it is if that is one.
    mutating func advance(to target: UInt32) throws -> UInt32 {
        if index < 0 { _ = try next() }
        while document < target { _ = try next() }
        return document
    }

    /// Goes back before the first document.
    mutating func reset() {
        index = -1
        document = 0
    }

    // MARK: - The current document

    /// How often the term stands in the current document.
    var frequency: UInt32 { counts[index] }

    /// How often the term stands in one column of the current document.
    mutating func frequency(inColumn column: UInt32) throws -> UInt32 {
        columns[index].first { $0.column == column }?.count ?? 0
    }

    /// Calls `body` for each column of the current document that the term stands in, ascending.
    mutating func forEachColumn(_ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        for column in columns[index] { try body(column.column, column.count) }
    }

    /// Replaces the array's content with the positions in the current document, ascending.
    mutating func readPositions(into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: positions[index])
    }

    // MARK: - Blocks

    var blockCount: Int { (count + Self.blockSize - 1) / Self.blockSize }

    /// What is known of a block without decoding it.
    func block(_ i: Int) throws -> BlockSummary {
        let range = i * 128..<min(i * 128 + 128, count)
        return BlockSummary(
            lastDocument: all[range.upperBound - 1],
            impacts: Impacts(frequency: counts[range].max() ?? 0, length: 0), columns: .max)
    }

    /// Makes `documents` and `frequencies` those of a block, and the current document its first.
    mutating func decode(block i: Int) throws {
        let range = i * 128..<min(i * 128 + 128, count)
        decodedCount = range.count
        for j in range {
            buffers.documents[j - range.lowerBound] = all[j]
            buffers.frequencies[j - range.lowerBound] = counts[j]
        }
        index = range.lowerBound
        document = all[index]
    }

    /// The documents of the decoded block, ascending, each less than the segment's `documentCount`; until the next call
    /// that moves the cursor.
    var documents: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(rebasing: buffers.documents[..<decodedCount]) }

    /// Their frequencies, each at least 1.
    var frequencies: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(rebasing: buffers.frequencies[..<decodedCount]) }
}
