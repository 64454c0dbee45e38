/// A set of documents of a segment, inserted in any order: sorted numbers if they are few, otherwise a bitmap.
final class DocumentSet {
    private let buffer: FixedBuffer<UInt64>
    private var numbers: [UInt32] = []
    private let isBitmap: Bool

    /// - Parameter expectedCount: The number of insertions to expect, repeated ones included.
    init(documentCount: Int, expectedCount: Int) {
        isBitmap = expectedCount >= documentCount / 64
        buffer = FixedBuffer(repeating: 0, count: isBitmap ? (documentCount + 63) / 64 : 0)
        if !isBitmap { numbers.reserveCapacity(expectedCount) }
    }

    private var words: UnsafeMutablePointer<UInt64> { buffer.start }
    private var wordCount: Int { buffer.count }

    /// Adds a document of the segment.
    @inline(__always)
    func insert(_ document: UInt32) {
        if isBitmap {
            let word = Int(document >> 6)
            if word < wordCount { words[word] |= 1 << UInt64(document & 63) }
        } else {
            numbers.append(document)
        }
    }

    /// Ends the insertions. The set can be read afterwards.
    func freeze() {
        guard !isBitmap else { return }
        numbers.sort()
        var kept = 0
        for index in numbers.indices where index == 0 || numbers[index] != numbers[kept - 1] {
            numbers[kept] = numbers[index]
            kept += 1
        }
        numbers.removeLast(numbers.count - kept)
    }

    /// Whether a document is in the set.
    func contains(_ document: UInt32) -> Bool {
        guard isBitmap else { return numbers.sortedIndex(of: document) != nil }
        let word = Int(document >> 6)
        return word < wordCount && words[word] >> UInt64(document & 63) & 1 != 0
    }

    var count: Int {
        isBitmap ? (0..<wordCount).reduce(0) { $0 + words[$1].nonzeroBitCount } : numbers.count
    }

    /// The documents that are in both sets, of a segment with `documentCount` documents.
    func intersection(_ other: DocumentSet, documentCount: Int) -> DocumentSet {
        let (few, many) = count < other.count ? (self, other) : (other, self)
        let result = DocumentSet(documentCount: documentCount, expectedCount: few.count)
        for document in few.elements where many.contains(document) { result.insert(document) }
        result.freeze()
        return result
    }

    /// All documents, ascending.
    var elements: [UInt32] {
        guard isBitmap else { return numbers }
        return [UInt32](unsafeUninitializedCapacity: count) { buffer, count in
            count = read(from: 0, below: DocumentIterator.exhausted, into: buffer)
        }
    }

    /// The first document that is not less; `DocumentIterator.exhausted` if there is none.
    func first(from document: UInt32) -> UInt32 {
        guard isBitmap else {
            let index = numbers.firstIndex(from: document)
            return index < numbers.count ? numbers[index] : DocumentIterator.exhausted
        }
        var word = Int(document >> 6)
        guard word < wordCount else { return DocumentIterator.exhausted }
        var bits = words[word] & (~0 << UInt64(document & 63))
        while bits == 0 {
            word += 1
            guard word < wordCount else { return DocumentIterator.exhausted }
            bits = words[word]
        }
        return UInt32(truncatingIfNeeded: word << 6 + bits.trailingZeroBitCount)
    }

    /// Writes the documents from `document` up to, but not including, `end`, ascending, until `buffer` is full.
    ///
    /// - Returns: The number of documents written.
    func read(from document: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>) -> Int {
        guard isBitmap else {
            let found = numbers[numbers.firstIndex(from: document)...].prefix(buffer.count).prefix { $0 < end }
            _ = buffer.update(fromContentsOf: found)
            return found.count
        }
        let end = min(Int(end), wordCount * 64)
        return words.copyBits(min(Int(document), end)..<end, base: 0, into: buffer, after: 0)
    }
}

/// The documents of a set.
final class DocumentSetIterator: DocumentIterator {
    private let set: DocumentSet
    private let count: Int

    init(_ set: DocumentSet) {
        self.set = set
        count = set.count
    }

    override var cost: Int { count }

    override var readsBlocks: Bool { true }

    override func find(_ target: UInt32) throws -> UInt32 { set.first(from: target) }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        set.read(from: target, below: end, into: buffer)
    }
}
