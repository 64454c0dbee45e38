/// Documents of a segment and their numbers, ascending: a bitmap, and how many documents are before each of its words.
///
/// Look-ups take constant time, without a search. It takes 12 bytes for 64 documents between the first and the last, and time
/// in proportion to make.
final class NumberedDocuments {
    let documents: [UInt32]
    private let base: UInt32
    private let words: FixedBuffer<UInt64>
    private let before: FixedBuffer<UInt32>

    /// - Parameter documents: Ascending.
    init(_ documents: [UInt32]) {
        assert(zip(documents, documents.dropFirst()).allSatisfy(<), "documents that do not ascend")
        self.documents = documents
        let base = (documents.first ?? 0) & ~63
        self.base = base
        let wordCount = documents.last.map { Int(($0 - base) >> 6) + 1 } ?? 0
        words = FixedBuffer(repeating: 0, count: wordCount)
        before = FixedBuffer(repeating: 0, count: wordCount)
        for document in documents { words[Int((document - base) >> 6)] |= 1 << UInt64((document - base) & 63) }
        var count: UInt32 = 0
        for word in 0..<wordCount {
            before[word] = count
            count += UInt32(truncatingIfNeeded: words[word].nonzeroBitCount)
        }
    }

    /// The number of a document, from 0; nil if it is not one of them.
    @inline(__always)
    func number(of document: UInt32) -> Int? {
        let offset = document &- base
        let word = Int(offset &>> 6)
        guard word < words.count, words[word] &>> UInt64(offset & 63) & 1 != 0 else { return nil }
        return count(below: offset, in: word)
    }

    /// Finds those of `count` documents that are among these, without a branch for each.
    ///
    /// - Parameter chosen: Has room for `count`, and receives their indexes.
    /// - Returns: How many there are.
    @inline(__always)
    func choose(
        _ documents: UnsafePointer<UInt32>, _ count: Int, into chosen: UnsafeMutableBufferPointer<Int>
    ) -> Int {
        var chosenCount = 0
        for index in 0..<count {
            let offset = documents[index] &- base
            let word = Int(offset &>> 6)
            let bit = word < words.count ? words[word] &>> UInt64(offset & 63) & 1 : 0
            chosen[chosenCount] = index
            chosenCount &+= Int(truncatingIfNeeded: bit)
        }
        return chosenCount
    }

    /// How many of them are less than a document.
    @inline(__always)
    func count(below document: UInt32) -> Int {
        guard document >= base else { return 0 }
        let offset = document &- base
        let word = Int(offset &>> 6)
        return word < words.count ? count(below: offset, in: word) : documents.count
    }

    /// The first document that is not less; nil if there is none.
    func first(from document: UInt32) -> UInt32? {
        let number = count(below: document)
        return number < documents.count ? documents[number] : nil
    }

    @inline(__always)
    private func count(below offset: UInt32, in word: Int) -> Int {
        let mask = (1 as UInt64) &<< UInt64(offset & 63) &- 1
        return Int(before[word]) &+ (words[word] & mask).nonzeroBitCount
    }
}
