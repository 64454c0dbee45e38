/// Makes one segment of several small ones at once, where `Merge` would take more time to begin than to work: all terms
/// of the inputs are put in order in memory, and postings that are in a dictionary are read where they lie.
///
/// In memory: the inputs' keys and about a hundred bytes for each of their terms.
struct SmallMerge {
    private let inputs: [LiveSegment]
    private let shape: IndexShape
    private let writer: SegmentWriter

    /// The keys of all terms of all inputs, one behind the other.
    private var keys: [UInt8] = []
    private var terms: [Term] = []
    /// The pages of the inputs' dictionaries.
    private var pages: [Page] = []
    /// What the documents of each input become.
    private var maps: [DocumentMap]
    private var cursors: [PostingsCursor?]

    // Of the current term.
    private var postings: [Posting] = []
    private var positions: [Position] = []
    private var columns: [ColumnFrequency] = []

    private struct Term {
        var input: Int
        /// Which of `pages` it is on.
        var page: Int
        var key: Range<Int>
        var entry: TermEntry
    }

    /// A term in the order of terms: comparing the first eight bytes of its key is mostly enough.
    private struct OrderedTerm {
        var beginning: UInt64
        var term: Int
    }

    /// A posting with its part of `positions`, or of `columns` in a list without positions.
    private struct Posting {
        var document: UInt32
        var places: Range<Int>
    }

    init(_ inputs: [LiveSegment], id: UInt32, shape: IndexShape, store: BlockStore) {
        self.inputs = inputs
        self.shape = shape
        writer = SegmentWriter(id: id, shape: shape, store: store)
        maps = inputs.map { DocumentMap(capacity: $0.segment.documentCount) }
        cursors = Array(repeating: nil, count: inputs.count)
    }

    /// Writes the segment; nil where there is nothing left of the inputs.
    mutating func write() throws -> SegmentInfo? {
        try writeDocuments()
        for input in inputs.indices { try readTerms(of: input) }
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
            try writer.addDocument(
                rowID: place.rowID, columnLengths: UnsafeBufferPointer(lengths),
                fingerprint: try segment.fingerprint(at: place.document))
            // Within an input rowids ascend, as documents do: those in between were removed.
            while maps[place.input].count < place.document { maps[place.input].appendLeft(0) }
            maps[place.input].append(UInt32(truncatingIfNeeded: number))
        }
        try writer.endDocuments()
    }

    // MARK: - Terms

    private mutating func readTerms(of input: Int) throws {
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
                guard shared <= previous.count, keys.count < Int(Int32.max) else {
                    throw corrupt("the terms of a segment are in no order")
                }
                let start = keys.count
                for index in previous.prefix(shared) { keys.append(keys[index]) }
                keys.append(contentsOf: suffix)
                previous = start..<keys.count
                terms.append(Term(input: input, page: pages.count - 1, key: previous, entry: try page.readEntry()))
            }
        }
    }

    /// All terms by the bytes of their keys. Those of each input are in order already, which the sort makes use of.
    private func orderedTerms() -> [OrderedTerm] {
        keys.withUnsafeBufferPointer { keys in
            var order: [OrderedTerm] = []
            order.reserveCapacity(terms.count)
            for (number, term) in terms.enumerated() {
                var beginning: UInt64 = 0
                for index in term.key.prefix(8) { beginning = beginning << 8 | UInt64(keys[index]) }
                beginning <<= UInt64(8 * max(0, 8 - term.key.count))
                order.append(OrderedTerm(beginning: beginning, term: number))
            }
            order.sort { left, right in
                if left.beginning != right.beginning { return left.beginning < right.beginning }
                let left = UnsafeBufferPointer(rebasing: keys[terms[left.term].key])
                let right = UnsafeBufferPointer(rebasing: keys[terms[right.term].key])
                return left.lexicographicallyPrecedes(right)
            }
            return order
        }
    }

    private func areEqual(_ left: OrderedTerm, _ right: OrderedTerm) -> Bool {
        guard left.beginning == right.beginning else { return false }
        let left = terms[left.term].key
        let right = terms[right.term].key
        guard left.count == right.count else { return false }
        return left.count <= 8 || keys[left].elementsEqual(keys[right])
    }

    /// Writes the term that some of the inputs have.
    private mutating func writeTerm(_ members: ArraySlice<OrderedTerm>) throws {
        guard let first = members.first else { return }
        postings.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        columns.removeAll(keepingCapacity: true)
        var total = 0
        for member in members {
            let entry = terms[member.term].entry
            total += entry.count + entry.adjustment
            try readPostings(of: terms[member.term])
        }
        if !zip(postings, postings.dropFirst()).allSatisfy({ $0.document < $1.document }) {
            postings.sort { $0.document < $1.document }
        }
        try keys.withUnsafeBufferPointer {
            try writer.beginTerm(UnsafeBufferPointer(rebasing: $0[terms[first.term].key]), adjustment: 0)
        }
        if terms[first.term].entry.hasPositions {
            try positions.withUnsafeBufferPointer { positions in
                for posting in postings {
                    try writer.addPosting(
                        document: posting.document, positions: UnsafeBufferPointer(rebasing: positions[posting.places]))
                }
            }
        } else {
            try columns.withUnsafeBufferPointer { columns in
                for posting in postings {
                    try writer.addPosting(
                        document: posting.document, columns: UnsafeBufferPointer(rebasing: columns[posting.places]))
                }
            }
        }
        try writer.endTerm(adjustment: shape.hasAdjustments ? total - postings.count : 0)
    }

    // MARK: - Postings

    private mutating func readPostings(of term: Term) throws {
        switch term.entry.place {
        case .nowhere: break
        case .dictionary(let single, _, let offset):
            guard let number = maps[term.input][single.document] else { return }
            let start = term.entry.hasPositions ? positions.count : columns.count
            try readSingle(single, hasPositions: term.entry.hasPositions, page: pages[term.page], offset: offset)
            add(number, from: start, hasPositions: term.entry.hasPositions)
        case .block, .blocks: try readBlocks(of: term)
        }
    }

    private mutating func add(_ document: UInt32, from start: Int, hasPositions: Bool) {
        postings.append(Posting(document: document, places: start..<(hasPositions ? positions.count : columns.count)))
    }

    private mutating func readSingle(
        _ single: SinglePosting, hasPositions: Bool, page: Page, offset: Int
    ) throws {
        var reader = ByteReader(page.bytes, offset: offset)
        let start = columns.count
        if let column = single.column {
            columns.append(ColumnFrequency(column: column, count: single.frequency))
        } else {
            try ColumnPairs.decode(&reader, frequency: single.frequency, columnCount: shape.columnCount) {
                columns.append(ColumnFrequency(column: $0, count: $1))
            }
        }
        guard hasPositions else { return }
        for index in start..<columns.count {
            var next: UInt64 = 0
            for _ in 0..<columns[index].count {
                next &+= UInt64(try reader.uint32())
                guard next <= UInt64(UInt32.max) else { throw corrupt("a position is too large") }
                positions.append(
                    Position(column: columns[index].column, offset: UInt32(truncatingIfNeeded: next)))
                next &+= 1
            }
        }
    }

    private mutating func readBlocks(of term: Term) throws {
        var cursor = try cursors[term.input] ?? inputs[term.input].segment.postings(term.entry)
        cursor.open(term.entry)
        cursors[term.input] = cursor
        var found: [Position] = []
        while true {
            let document = try cursor.next()
            if document == PostingsCursor.exhausted { return }
            guard let number = maps[term.input][document] else { continue }
            let start = term.entry.hasPositions ? positions.count : columns.count
            if term.entry.hasPositions {
                try cursor.readPositions(into: &found)
                positions.append(contentsOf: found)
            } else {
                try cursor.forEachColumn { columns.append(ColumnFrequency(column: $0, count: $1)) }
            }
            add(number, from: start, hasPositions: term.entry.hasPositions)
        }
    }
}
