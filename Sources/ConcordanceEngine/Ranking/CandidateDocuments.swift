/// The documents of one slot of an AND, the only ones of interest to the other slots.
final class CandidateDocuments {
    /// The number of postings of the lists, which is at least the number of documents.
    let postingCount: Int
    private let lists: [TermBlocks]
    private let segment: Segment
    @exclusivity(unchecked) private var known: NumberedDocuments?

    /// - Parameter lists: Each candidate is in at least one of them.
    init(_ lists: [TermBlocks], _ segment: Segment) {
        self.lists = lists
        self.segment = segment
        postingCount = lists.reduce(0) { $0 + $1.count }
    }

    /// The documents, which are read at the first call.
    func numbered() throws -> NumberedDocuments {
        if let known { return known }
        let documents = NumberedDocuments(documentCount: segment.documentCount)
        for list in lists {
            for number in 0..<list.blockCount {
                let block = try list.decode(number)
                for index in 0..<block.count { documents.insert(block.documents[index]) }
            }
        }
        documents.freeze()
        known = documents
        return documents
    }
}

/// Documents of a segment, inserted in any order, then numbered in ascending order.
final class NumberedDocuments {
    /// Ascending.
    private(set) var documents: [UInt32] = []
    private let bits: FixedBuffer<UInt64>
    /// For each 64 documents of the segment, how many of the set come before them.
    private let before: FixedBuffer<UInt32>

    init(documentCount: Int) {
        let wordCount = (documentCount + 63) / 64
        bits = FixedBuffer(repeating: 0, count: wordCount)
        before = FixedBuffer(repeating: 0, count: wordCount)
    }

    /// Adds a document of the segment.
    @inline(__always)
    func insert(_ document: UInt32) {
        let word = Int(document &>> 6)
        if word < bits.count { bits.start[word] |= 1 &<< UInt64(document & 63) }
    }

    /// Ends the insertions. The documents can be read afterwards.
    func freeze() {
        var sum = 0
        for word in 0..<bits.count {
            before[word] = UInt32(truncatingIfNeeded: sum)
            sum += bits[word].nonzeroBitCount
        }
        documents = [UInt32](unsafeUninitializedCapacity: sum) { buffer, count in
            count = bits.start.copyBits(0..<bits.count * 64, base: 0, into: buffer, after: 0)
        }
    }

    /// The first document that is not less; nil if there is none.
    func first(from document: UInt32) -> UInt32? {
        guard Int(document &>> 6) < bits.count else { return nil }
        let number = countBelow(document)
        return number < documents.count ? documents[number] : nil
    }

    /// The number of a document, from 0; nil if it is not in the set.
    @inline(__always)
    func number(of document: UInt32) -> Int? {
        let word = Int(document &>> 6)
        guard word < bits.count, bits.start[word] &>> UInt64(document & 63) & 1 != 0 else { return nil }
        return countBelow(document)
    }

    @inline(__always)
    private func countBelow(_ document: UInt32) -> Int {
        let word = Int(document &>> 6)
        let below = bits.start[word] & ((1 &<< UInt64(document & 63)) &- 1)
        return Int(before.start[word]) &+ below.nonzeroBitCount
    }
}
