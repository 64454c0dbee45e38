/// Merges several small segments at once, for which `Merge` would take longer to set up than to work. All terms of the
/// inputs are sorted in memory, and postings in a dictionary are read in place.
///
/// It takes the memory of the inputs' keys, and about a hundred bytes for each of their terms.
struct SmallMerge {
    private let inputs: [LiveSegment]
    private let sources: [MergeSource]
    private let shape: IndexShape
    private let writer: SegmentWriter

    /// The keys of all terms of all inputs, one after the other.
    private let keys = ByteWriter(capacity: 1 << 14)
    private var terms: [Term] = []
    /// The pages of the inputs' dictionaries.
    private var pages: [Page] = []
    /// The sources that have the current term.
    private let current = SourceQueue()

    private struct Term {
        var input: Int
        var key: Range<Int>
        var entry: TermEntry
        /// What its page has behind the head of a single posting.
        var rest: UnsafeRawBufferPointer
    }

    /// A term in the order of terms. Comparing the first eight bytes of its key is usually enough.
    private struct OrderedTerm {
        var beginning: UInt64
        var term: Int
    }

    init(_ inputs: [LiveSegment], id: UInt32, shape: IndexShape, store: BlockStore) {
        self.inputs = inputs
        self.shape = shape
        writer = SegmentWriter(id: id, shape: shape, store: store)
        sources = inputs.map { MergeSource($0.segment, map: DocumentMap(capacity: $0.segment.documentCount)) }
    }

    /// Reads the terms of the inputs. False if their keys would take too much memory, since they can be far larger than
    /// a dictionary, which stores common beginnings once. Nothing has been written then, and `Merge` can take over.
    mutating func read(keyLimit: Int = 8 << 20) throws -> Bool {
        for input in inputs.indices where try !readTerms(of: input, keyLimit) { return false }
        return true
    }

    /// Writes the segment, after `read`; nil if nothing is left of the inputs.
    mutating func write() throws -> SegmentInfo? {
        try writeDocuments()
        let order = orderedTerms()
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, areEqual(order[start], order[end]) { end += 1 }
            try writeTerm(order[start..<end])
            start = end
        }
        writer.hasColocatedTokens = inputs.contains { $0.segment.hasColocatedTokens }
        return writer.isEmpty ? nil : try writer.finish()
    }

    // MARK: - Documents

    private mutating func writeDocuments() throws {
        var documents: [(rowID: Int64, input: Int, document: Int)] = []
        for (input, live) in inputs.enumerated() {
            for document in 0..<live.segment.documentCount
            where !live.deletions.isDeleted(UInt32(truncatingIfNeeded: document)) {
                documents.append((try live.segment.rowID(at: document), input, document))
            }
        }
        documents.sort { $0.rowID < $1.rowID }
        let lengths = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: shape.columnCount)
        defer { lengths.deallocate() }
        for (number, place) in documents.enumerated() {
            let segment = inputs[place.input].segment
            try segment.columnLengths(at: place.document, into: lengths)
            try writer.addValues(ofDocument: place.document, of: inputs[place.input].values)
            try writer.addDocument(
                rowID: place.rowID, columnLengths: UnsafeBufferPointer(lengths),
                fingerprint: try segment.fingerprint(at: place.document))
            // Rowids and documents of an input both ascend; documents in between have been removed.
            let source = sources[place.input]
            while source.map.count < place.document { source.map.appendLeft(0) }
            source.map.append(UInt32(truncatingIfNeeded: number))
        }
        try writer.endDocuments()
    }

    // MARK: - Terms

    private mutating func readTerms(of input: Int, _ keyLimit: Int) throws -> Bool {
        let segment = inputs[input].segment
        for number in 0..<segment.reader.count(.dictionary) {
            let stored = try segment.reader.page(.dictionary, number)
            pages.append(stored)
            // The first key of a page shares nothing with the one before.
            var previous = 0..<0
            var page = DictionaryPage(
                stored.bytes, number: number, shape: shape, documentCount: segment.documentCount)
            while !page.isAtEnd {
                let (shared, suffix) = try page.readKey()
                guard shared <= previous.count else { throw corrupt("the terms of a segment are not in order") }
                guard keys.count + shared + suffix.count <= keyLimit else { return false }
                let start = keys.count
                keys.append(copyOf: previous.prefix(shared))
                keys.append(suffix)
                previous = start..<keys.count
                let entry = try page.readEntry()
                terms.append(Term(input: input, key: previous, entry: entry, rest: page.rest(of: entry)))
            }
        }
        return true
    }

    /// All terms in the order of their keys. The terms of each input are in order already, which makes the sort fast.
    private func orderedTerms() -> [OrderedTerm] {
        var order: [OrderedTerm] = []
        order.reserveCapacity(terms.count)
        for number in terms.indices {
            order.append(OrderedTerm(beginning: TokenHash.beginning(of: key(number)).byteSwapped, term: number))
        }
        order.sort {
            $0.beginning != $1.beginning
                ? $0.beginning < $1.beginning : key($0.term).lexicographicallyPrecedes(key($1.term))
        }
        return order
    }

    private func key(_ term: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: keys.values[terms[term].key])
    }

    private func areEqual(_ left: OrderedTerm, _ right: OrderedTerm) -> Bool {
        left.beginning == right.beginning && key(left.term).elementsEqual(key(right.term))
    }

    /// Writes a term of some of the inputs.
    private mutating func writeTerm(_ members: ArraySlice<OrderedTerm>) throws {
        guard let first = members.first.map({ terms[$0.term] }) else { return assertionFailure("a term of no input") }
        var total = 0
        for member in members { total += terms[member.term].entry.count + terms[member.term].entry.adjustment }
        let key = UnsafeBufferPointer(rebasing: keys.values[first.key])
        if members.count == 1, case .dictionary(var posting, _, _) = first.entry.place,
            let number = sources[first.input].map[posting.document]
        {
            posting.document = number
            let adjustment = shape.hasAdjustments ? total - 1 : 0
            return try writer.addTerm(key, adjustment: adjustment, posting: posting, rest: first.rest)
        }
        writer.beginTerm(key)
        current.removeAll()
        for member in members {
            let term = terms[member.term]
            try sources[term.input].open(term.entry, rest: term.rest)
            current.append(sources[term.input])
        }
        var budget = Int.max
        let isDone = try current.write(to: writer, budget: &budget)
        assert(isDone, "a small merge with a limit")
        try writer.endTerm(adjustment: shape.hasAdjustments ? total - writer.postingCount : 0)
    }
}
