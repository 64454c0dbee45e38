/// Writes what is pending as one segment: the documents in the order of their rowids, the terms in the order of their
/// bytes, and the prefix lists, which are made from runs of terms, unless a merge is to make them.
///
/// A removal counts -1 in the adjustment of each of its terms, and of each of their prefixes.
struct PendingFlush {
    private let buffer: PendingBuffer
    private let shape: IndexShape
    private let writer: SegmentWriter

    /// What each event's number becomes: a document, or one of the two below.
    private var numbers: [Int32]
    private static let nothing: Int32 = -1
    static let adjustment: Int32 = -2

    /// The events of the documents, in the order of rowids.
    private let documents: [UInt32]
    /// Whether that is also the order of events.
    private let isOrdered: Bool
    private let hasRemovals: Bool
    /// Those of the current term, if they have to be sorted.
    private let postings = UnorderedPostings()

    init(_ buffer: PendingBuffer, shape: IndexShape, writer: SegmentWriter) {
        self.buffer = buffer
        self.shape = shape
        self.writer = writer
        let events = buffer.events
        numbers = Array(repeating: Self.nothing, count: events.count)
        var documents: [UInt32] = []
        var isOrdered = true
        var hasRemovals = false
        for (index, event) in events.enumerated() {
            switch event.state {
            case .insertion:
                if let last = documents.last, events[Int(last)].rowID > event.rowID { isOrdered = false }
                documents.append(UInt32(truncatingIfNeeded: index))
            case .removal, .resolution:
                numbers[index] = Self.adjustment
                hasRemovals = true
            case .unresolvedRemoval, .dead: break
            }
        }
        if !isOrdered { documents.sort { events[Int($0)].rowID < events[Int($1)].rowID } }
        for (number, event) in documents.enumerated() { numbers[Int(event)] = Int32(truncatingIfNeeded: number) }
        self.documents = documents
        self.isOrdered = isOrdered
        self.hasRemovals = hasRemovals
    }

    /// Writes the segment.
    func write(hasLists: Bool) throws -> SegmentInfo {
        let columnCount = shape.columnCount
        try buffer.lengths.withUnsafeBufferPointer { lengths in
            for event in documents {
                let start = Int(event) * columnCount
                if !shape.valueColumns.isEmpty { try buffer.withValues(of: event) { try writer.addValues($0) } }
                try writer.addDocument(
                    rowID: buffer.events[Int(event)].rowID,
                    columnLengths: UnsafeBufferPointer(rebasing: lengths[start..<start + columnCount]),
                    fingerprint: buffer.events[Int(event)].fingerprint)
            }
        }
        let terms = buffer.terms.sorted
        let key = KeyBuffer()
        for term in terms {
            let number = Int(term.number)
            let bytes = key.set(0, buffer.terms.key(number))
            writer.beginTerm(bytes)
            try writePostings(ofTerm: number)
            try writer.endTerm(adjustment: hasRemovals ? adjustment(ofTerm: number) : 0)
        }
        for (list, characters) in shape.prefixes.enumerated() where hasLists {
            try writePrefixes(terms, list: UInt8(truncatingIfNeeded: list + 1), characters: characters, key)
        }
        writer.hasColocatedTokens = buffer.hasColocatedTokens
        var info = try writer.finish()
        info.hasLists = hasLists
        return info
    }

    // MARK: Terms

    private func adjustment(ofTerm term: Int) -> Int {
        var result = 0
        var list = buffer.terms.list(term)
        while list.next() {
            if numbers[Int(list.event)] == Self.adjustment { result -= 1 }
        }
        return result
    }

    private func writePostings(ofTerm term: Int) throws {
        var list = buffer.terms.list(term)
        if isOrdered {
            while list.next() {
                let number = numbers[Int(list.event)]
                if number >= 0 { try writePosting(UInt32(number), &list) }
            }
            return
        }
        postings.removeAll()
        while list.next() {
            let number = numbers[Int(list.event)]
            if number >= 0 { postings.append(list, document: UInt32(number)) }
        }
        try postings.forEachByDocument { try writePosting($0, &$1) }
    }

    @inline(__always)
    private func writePosting(_ document: UInt32, _ list: inout PendingTerms.List) throws {
        try writer.addPosting(document: document) { columns, differences in
            if shape.hasPositions {
                list.copyPosting(columns: columns, differences: differences)
            } else {
                list.forEachColumn { columns.append(ColumnFrequency(column: $0, count: $1)) }
            }
        }
    }

    // MARK: Prefixes

    /// `PrefixSum` may always use 4 MB, for counts of four bytes, or else a tenth of the memory of the pending rows. These store
    /// as many lengths of columns as there are counts, so there are some ten windows at most.
    private static let leastCountLimit = 1 << 20

    private func writePrefixes(_ terms: [SortedTerm], list: UInt8, characters: Int, _ key: KeyBuffer) throws {
        let all = buffer.terms
        var members = terms.compactMap { all.prefix(of: $0, characters: characters) }
        // The prefixes of terms of well-formed text are in order. Those of other terms may not be: a stray byte can
        // make one longer.
        let isSorted = zip(members, members.dropFirst()).allSatisfy { !all.precedes($1, $0) }
        if !isSorted { members.sort { all.precedes($0, $1) } }
        var sum = PrefixSum(
            documentCount: documents.count, columnCount: shape.columnCount,
            countLimit: max(Self.leastCountLimit, buffer.byteCount / 40))
        var start = 0
        while start < members.count {
            let first = members[start]
            var end = start + 1
            while end < members.count, !all.precedes(first, members[end]) { end += 1 }
            var removalCount = 0
            writer.beginTerm(key.set(list, all.bytes(of: first)))
            for window in sum.windows {
                for member in members[start..<end] { sum.add(all.list(Int(member.term)), numbers, in: window) }
                removalCount = sum.removalCount
                try sum.write(to: writer)
            }
            try writer.endTerm(adjustment: -removalCount)
            start = end
        }
    }
}

/// The postings of one term, in the order of events, which become a segment in the order of documents.
private final class UnorderedPostings {
    private var lists: [PendingTerms.List] = []
    /// `document << 32 | number of the list`, which are sorted instead of the lists.
    private var keys: [UInt64] = []

    func removeAll() {
        lists.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
    }

    /// Adds the place in a term's list where the document's posting begins.
    @inline(__always)
    func append(_ list: PendingTerms.List, document: UInt32) {
        keys.append(UInt64(document) << 32 | UInt64(lists.count))
        lists.append(list)
    }

    @inline(__always)
    func forEachByDocument(_ body: (UInt32, inout PendingTerms.List) throws -> Void) rethrows {
        if keys.count > 1 { keys.sort() }
        for key in keys {
            try body(UInt32(truncatingIfNeeded: key >> 32), &lists[Int(truncatingIfNeeded: key & 0xFFFF_FFFF)])
        }
    }
}

/// The bytes of a dictionary's key: which list, then the term or prefix.
final class KeyBuffer {
    private let start: UnsafeMutablePointer<UInt8> = .allocate(capacity: 1 + PendingTerms.maximumTokenLength)

    deinit { start.deallocate() }

    /// The key, until the next one.
    func set(_ list: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        start.initialize(to: list)
        let count = min(bytes.count, PendingTerms.maximumTokenLength)
        if let source = bytes.baseAddress { (start + 1).initialize(from: source, count: count) }
        return UnsafeBufferPointer(start: start, count: 1 + count)
    }
}
