/// Writes what is pending as one segment: the documents in the order of their rowids, the terms in the order of their
/// bytes, and the prefix lists, which are made from runs of terms.
///
/// A removal counts -1 in the adjustment of each of its terms, and of each of their prefixes.
struct PendingFlush {
    private let buffer: PendingBuffer
    private let shape: IndexShape
    private let writer: SegmentWriter

    /// What each event's number becomes: a document, or one of the two below.
    private var numbers: [Int32]
    private static let nothing: Int32 = -1
    private static let adjustment: Int32 = -2

    /// The events of the documents, in the order of rowids.
    private let documents: [UInt32]
    /// Whether that is also the order of events.
    private let isOrdered: Bool
    private let hasRemovals: Bool
    private let places = GrowingBuffer<Position>()
    private var columns: [ColumnFrequency] = []

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
    mutating func write() throws -> SegmentInfo {
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
        let terms = sortedTerms()
        let key = KeyBuffer()
        for term in terms {
            let bytes = key.set(0, buffer.terms.key(Int(term)))
            try writer.beginTerm(bytes, adjustment: hasRemovals ? adjustment(ofTerm: Int(term)) : 0)
            try writePostings(ofTerm: Int(term))
            try writer.endTerm()
        }
        for (list, characters) in shape.prefixes.enumerated() {
            try writePrefixes(terms, list: UInt8(truncatingIfNeeded: list + 1), characters: characters, key)
        }
        writer.hasColocatedTokens = buffer.hasColocatedTokens
        return try writer.finish()
    }

    // MARK: Terms

    /// The numbers of the terms in the order of their bytes.
    private func sortedTerms() -> [UInt32] {
        struct Entry {
            /// The first eight bytes, the first one highest.
            var beginning: UInt64
            var term: UInt32
        }
        let terms = buffer.terms
        var entries: [Entry] = []
        entries.reserveCapacity(terms.count)
        for term in 0..<terms.count {
            let beginning = terms.terms[term].beginning.byteSwapped
            entries.append(Entry(beginning: beginning, term: UInt32(truncatingIfNeeded: term)))
        }
        entries.sort {
            $0.beginning != $1.beginning
                ? $0.beginning < $1.beginning : Self.precedes(terms.key(Int($0.term)), terms.key(Int($1.term)))
        }
        return entries.map(\.term)
    }

    private static func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let common = min(left.count, right.count)
        var index = 0
        while index < common, left[index] == right[index] { index += 1 }
        return index < common ? left[index] < right[index] : left.count < right.count
    }

    private func adjustment(ofTerm term: Int) -> Int {
        var result = 0
        var list = buffer.terms.list(term)
        while list.next() {
            if numbers[Int(list.event)] == Self.adjustment { result -= 1 }
        }
        return result
    }

    private mutating func writePostings(ofTerm term: Int) throws {
        var list = buffer.terms.list(term)
        if isOrdered {
            while list.next() {
                let number = numbers[Int(list.event)]
                if number >= 0 { try writePosting(UInt32(number), &list) }
            }
            return
        }
        var postings: [(number: Int32, list: PendingTerms.List)] = []
        while list.next() {
            let number = numbers[Int(list.event)]
            if number >= 0 { postings.append((number, list)) }
        }
        postings.sort { $0.number < $1.number }
        for var posting in postings { try writePosting(UInt32(posting.number), &posting.list) }
    }

    @inline(__always)
    private mutating func writePosting(_ document: UInt32, _ list: inout PendingTerms.List) throws {
        places.removeAll()
        list.readPlaces(into: places)
        if shape.hasPositions {
            try writer.addPosting(document: document, positions: places.values)
        } else {
            countColumns(of: places.values)
            try columns.withUnsafeBufferPointer { try writer.addPosting(document: document, columns: $0) }
        }
    }

    /// Sets `columns` to the frequencies of ascending positions.
    private mutating func countColumns(of positions: UnsafeBufferPointer<Position>) {
        columns.removeAll(keepingCapacity: true)
        var index = 0
        while index < positions.count {
            let column = positions[index].column
            let start = index
            while index < positions.count, positions[index].column == column { index &+= 1 }
            columns.append(ColumnFrequency(column: column, count: UInt32(truncatingIfNeeded: index &- start)))
        }
    }

    // MARK: Prefixes

    private mutating func writePrefixes(_ terms: [UInt32], list: UInt8, characters: Int, _ key: KeyBuffer) throws {
        var members: [(term: UInt32, length: Int)] = []
        for term in terms {
            let bytes = buffer.terms.key(Int(term))
            if let length = PrefixKey.byteCount(of: bytes, characters: characters) { members.append((term, length)) }
        }
        let all = buffer.terms
        func prefix(_ member: (term: UInt32, length: Int)) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: all.key(Int(member.term))[..<member.length])
        }
        // The prefixes of terms of well-formed text are in order. Those of other terms may not be: a stray byte can
        // make one longer.
        let isSorted = zip(members, members.dropFirst()).allSatisfy { !Self.precedes(prefix($1), prefix($0)) }
        if !isSorted { members.sort { Self.precedes(prefix($0), prefix($1)) } }
        var sum = PrefixSum(
            documentCount: documents.count, columnCount: shape.columnCount, placeCount: buffer.terms.byteCount,
            places: places)
        var start = 0
        while start < members.count {
            let run = prefix(members[start])
            var end = start + 1
            while end < members.count, prefix(members[end]).elementsEqual(run) { end += 1 }
            var first = 0
            repeat {
                sum.begin(first..<first + sum.windowSize)
                for member in members[start..<end] { add(Int(member.term), to: &sum) }
                if first == 0 { try writer.beginTerm(key.set(list, run), adjustment: -sum.removalCount) }
                try sum.write(to: writer)
                first += sum.windowSize
            } while first < documents.count
            try writer.endTerm()
            start = end
        }
    }

    private func add(_ term: Int, to sum: inout PrefixSum) {
        var list = buffer.terms.list(term)
        while list.next() {
            let number = numbers[Int(list.event)]
            if number >= 0 {
                sum.add(UInt32(number), &list)
            } else if number == Self.adjustment {
                sum.addRemoval(list.event)
            }
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
