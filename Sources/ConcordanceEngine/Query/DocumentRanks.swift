/// The numbers of documents in a list that ascends: a bitmap of the list, and how many documents are before each of its words.
///
/// Both operations take constant time, without a search. It takes 12 bytes for 64 documents between the first and the last.
struct DocumentRanks: ~Copyable {
    private let base: UInt32
    private let words: FixedBuffer<UInt64>
    private let before: FixedBuffer<UInt32>

    /// - Parameter documents: Ascending.
    init(_ documents: [UInt32]) {
        let base = (documents.first ?? 0) & ~63
        let wordCount = documents.last.map { Int(($0 - base) >> 6) + 1 } ?? 0
        self.base = base
        words = FixedBuffer(repeating: 0, count: wordCount)
        before = FixedBuffer(repeating: 0, count: wordCount)
        for document in documents { words[Int((document - base) >> 6)] |= 1 << UInt64((document - base) & 63) }
        var count: UInt32 = 0
        for word in 0..<wordCount {
            before[word] = count
            count += UInt32(truncatingIfNeeded: words[word].nonzeroBitCount)
        }
    }

    /// The index of a document in the list; nil if it is not there.
    @inline(__always)
    func index(of document: UInt32) -> Int? {
        let offset = document &- base
        let word = Int(offset &>> 6)
        guard word < words.count else { return nil }
        let bits = words[word] &>> UInt64(offset & 63)
        return bits & 1 == 0 ? nil : count(in: word, below: offset)
    }

    /// How many documents of the list are less than a document that is not less than the first.
    @inline(__always)
    func count(below document: UInt32) -> Int {
        let offset = document &- base
        let word = Int(offset &>> 6)
        guard word < words.count else {
            return words.count == 0 ? 0 : count(in: words.count &- 1, below: 63) &+ Int(words[words.count &- 1] &>> 63)
        }
        return count(in: word, below: offset)
    }

    @inline(__always)
    private func count(in word: Int, below offset: UInt32) -> Int {
        let mask = (1 as UInt64) &<< UInt64(offset & 63) &- 1
        return Int(before[word]) &+ (words[word] & mask).nonzeroBitCount
    }
}
