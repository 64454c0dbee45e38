/// Finds the documents that contain all terms of a phrase, by whole blocks: those that the decoded blocks of all terms cover
/// are compared at once, and then each in which they agree is visited while the blocks with its positions are still decoded.
final class PhraseCandidates {
    /// The rarest first. Unowned, so that no document costs reference counting.
    private let terms: FixedBuffer<Unmanaged<TermPostings>>
    /// Keeps them alive.
    private let owners: [TermPostings]
    /// The documents of the blocks that have all terms, and how many of them have been visited.
    private let found = FixedBuffer<UInt32>(repeating: 0, count: PostingsCursor.blockSize)
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var index = 0
    /// The first document that the blocks do not cover; 0 if they have not been compared.
    @exclusivity(unchecked) private var end: UInt32 = 0

    /// Nil unless each term has postings of its own.
    init?(_ terms: [LeafIterator]) {
        let postings = terms.compactMap { $0 as? TermPostings }
        guard postings.count == terms.count, !terms.isEmpty else { return nil }
        owners = postings
        self.terms = FixedBuffer(postings.sorted { $0.cost < $1.cost }.map { .passUnretained($0) })
    }

    /// The terms have been moved by others.
    func forget() { (count, index, end) = (0, 0, 0) }

    /// Moves all terms to the first document with all of them that is not less than `target`, and returns it;
    /// `DocumentIterator.exhausted` if there is none. Targets ascend until `forget`.
    func next(from target: UInt32) throws -> UInt32 {
        var target = target
        while true {
            while index < count, found[index] < target { index &+= 1 }
            if index < count {
                let document = found[index]
                for term in 0..<terms.count { terms[term]._withUnsafeGuaranteedRef { $0.move(inBlock: document) } }
                return document
            }
            target = max(target, end)
            guard try compare(from: target) else { return DocumentIterator.exhausted }
        }
    }

    /// Compares the blocks of all terms from `target` on; false if no document is left that may have all of them.
    private func compare(from target: UInt32) throws -> Bool {
        forget()
        var (first, last) = (target, UInt32.max)
        repeat {
            last = .max
            for term in 0..<terms.count {
                let (document, end) = try terms[term]._withUnsafeGuaranteedRef {
                    (try $0.seek(first), $0.rest.last ?? DocumentIterator.exhausted)
                }
                guard document != DocumentIterator.exhausted else { return false }
                (first, last) = (max(first, document), min(last, end))
            }
        } while first > last
        end = last &+ 1
        terms[0]._withUnsafeGuaranteedRef { leader in
            for document in leader.rest where document >= first {
                if document > last { break }
                found[count] = document
                count &+= 1
            }
        }
        for term in 1..<max(terms.count, 1) where count > 0 {
            terms[term]._withUnsafeGuaranteedRef { keep($0.block) }
        }
        return true
    }

    /// Keeps those of the documents found that a block has, which covers them all.
    private func keep(_ block: UnsafeBufferPointer<UInt32>) {
        guard let documents = block.baseAddress else { return count = 0 }
        var (kept, place) = (0, 0)
        for index in 0..<count {
            let document = found[index]
            found[kept] = document
            kept &+= PostingsCursor.contains(document, in: documents, from: &place) ? 1 : 0
        }
        count = kept
    }
}
