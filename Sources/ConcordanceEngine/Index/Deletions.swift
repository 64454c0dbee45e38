/// The removed documents of a segment: a bitmap, copied when it changes.
///
/// In `<t>_data` it is the segment's stream 15, a page for 32,768 documents; pages without removed documents are left
/// out. A page is the shorter of
///
///     0, then the numbers of removed documents in the page, 2 bytes each, little-endian, ascending
///     1, then 4096 bytes, bit d % 8 of byte d / 8 for document d of the page
final class Deletions {
    private let words: UnsafeMutableBufferPointer<UInt64>
    private let limit: UInt32
    /// How many documents are removed.
    let count: Int

    /// The deletions of a segment without removed documents.
    static var none: Deletions { Deletions(documentCount: 0, count: 0) }
    static let stream: UInt8 = 15
    private static let pageSize = 1 << 15
    private static let pageBytes = pageSize / 8

    private init(documentCount: Int, count: Int) {
        let wordCount = (documentCount + 63) / 64
        words = .allocate(capacity: wordCount)
        words.initialize(repeating: 0)
        limit = UInt32(truncatingIfNeeded: count == 0 ? 0 : documentCount)
        self.count = count
    }

    deinit { words.deallocate() }

    @inline(__always) var isEmpty: Bool { count == 0 }

    @inline(__always)
    func isDeleted(_ document: UInt32) -> Bool {
        guard document < limit else { return false }
        return words[Int(document >> 6)] >> UInt64(document & 63) & 1 != 0
    }

    /// Whether all documents removed there are also removed here.
    func includes(_ other: Deletions) -> Bool {
        guard other.count > 0 else { return true }
        return other.words.count == words.count && words.indices.allSatisfy { other.words[$0] & ~words[$0] == 0 }
    }

    /// Calls `body` with each document that is removed here and not there, ascending, until it returns false.
    func forEach(except other: Deletions?, _ body: (UInt32) throws -> Bool) rethrows {
        for index in words.indices {
            var word = words[index]
            if let other, index < other.words.count { word &= ~other.words[index] }
            while word != 0 {
                guard try body(UInt32(truncatingIfNeeded: index << 6 | word.trailingZeroBitCount)) else { return }
                word &= word - 1
            }
        }
    }

    // MARK: Rows

    /// Reads the removed documents of a segment; throws `corrupt` if their number is not the one in the manifest.
    static func read(_ entry: Manifest.Entry, store: BlockStore) throws -> Deletions {
        guard entry.deletedCount > 0 else { return none }
        let documentCount = entry.info.documentCount
        let result = Deletions(documentCount: documentCount, count: entry.deletedCount)
        var found = 0
        for page in 0..<pageCount(documentCount) {
            let id = BlockStore.id(segment: entry.info.id, stream: stream, page: UInt32(page))
            let first = page * pageSize
            _ = try store.withRow(id) { bytes in
                try forEachDocument(of: bytes, documentCount: min(pageSize, documentCount - first)) { offset in
                    result.set(first + offset)
                    found += 1
                }
            }
        }
        guard found == entry.deletedCount else {
            throw corrupt("segment \(entry.info.id) has \(found) removed documents, not \(entry.deletedCount)")
        }
        return result
    }

    private static func pageCount(_ documentCount: Int) -> Int { (documentCount + pageSize - 1) / pageSize }

    private func set(_ document: Int) { words[document >> 6] |= 1 << UInt64(document & 63) }

    private static func forEachDocument(
        of bytes: UnsafeRawBufferPointer, documentCount: Int, _ body: (Int) -> Void
    ) throws {
        var reader = ByteReader(bytes)
        switch try reader.byte() {
        case 0:
            var previous = -1
            while !reader.isAtEnd {
                let document = Int(try reader.fixed(UInt16.self))
                guard document > previous, document < documentCount else {
                    throw corrupt("removed documents are out of order")
                }
                previous = document
                body(document)
            }
        case 1:
            let bitmap = try reader.bytes(pageBytes)
            guard reader.isAtEnd else { throw corrupt("a page of removed documents is too long") }
            for (index, byte) in bitmap.enumerated() where byte != 0 {
                for bit in 0..<8 where byte >> UInt8(bit) & 1 != 0 {
                    guard index * 8 + bit < documentCount else { throw corrupt("a removed document does not exist") }
                    body(index * 8 + bit)
                }
            }
        default: throw corrupt("a page of removed documents has an unknown form")
        }
    }

    // MARK: Changes

    /// These and other documents, which are not removed yet, of a segment with so many.
    func adding(_ documents: [UInt32], documentCount: Int) -> Deletions {
        let result = Deletions(documentCount: documentCount, count: count + documents.count)
        for (index, word) in words.enumerated() where index < result.words.count { result.words[index] = word }
        for document in documents where Int(document) < documentCount { result.set(Int(document)) }
        return result
    }

    /// Writes the pages that hold `documents`.
    func write(pagesOf documents: [UInt32], segment: UInt32, store: BlockStore) throws {
        for page in Set(documents.map { Int($0) / Self.pageSize }).sorted() {
            let bytes = self.bytes(ofPage: page)
            let id = BlockStore.id(segment: segment, stream: Self.stream, page: UInt32(page))
            try bytes.withUnsafeBytes { try store.write(id, $0) }
        }
    }

    private func bytes(ofPage page: Int) -> [UInt8] {
        let start = page * (Self.pageSize / 64)
        let slice = words[start..<min(start + Self.pageSize / 64, words.count)]
        let count = slice.reduce(0) { $0 + $1.nonzeroBitCount }
        let writer = ByteWriter()
        if count * 2 < Self.pageBytes {
            writer.append(byte: 0)
            for (index, word) in slice.enumerated() where word != 0 {
                for bit in 0..<64 where word >> UInt64(bit) & 1 != 0 {
                    writer.append(fixed: UInt16(truncatingIfNeeded: index * 64 + bit))
                }
            }
        } else {
            writer.append(byte: 1)
            for word in slice { writer.append(fixed: word) }
            for _ in slice.count..<Self.pageSize / 64 { writer.append(fixed: UInt64(0)) }
        }
        return writer.array
    }
}
