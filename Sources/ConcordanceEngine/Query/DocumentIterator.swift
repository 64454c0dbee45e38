/// Iterates over documents of one segment in ascending order. The base class has none.
///
/// Removed documents may be included; the caller drops them.
class DocumentIterator {
    /// The value of `document` after the last one.
    static let exhausted = PostingsCursor.exhausted

    /// The current document: undefined before the first `seek`, `exhausted` after the last document.
    @exclusivity(unchecked) final private(set) var document: UInt32 = 0
    @exclusivity(unchecked) final private var isPositioned = false

    /// An upper bound on the number of documents, by which the members of a conjunction are ordered.
    var cost: Int { 0 }

    /// Whether `read` costs little for each document, so that a conjunction need not pass any over.
    var readsBlocks: Bool { false }

    /// Moves to the first document that is not less than `target`, and returns it; stays if the current document is
    /// one. Targets ascend until `reset`.
    @inline(__always)
    final func seek(_ target: UInt32) throws -> UInt32 {
        if isPositioned, document >= target { return document }
        document = try find(target)
        isPositioned = true
        return document
    }

    /// Moves before the first document.
    final func reset() {
        document = 0
        isPositioned = false
        rewind()
    }

    /// Writes the documents from `target` up to, but not including, `end`, ascending, until `buffer` is full. Targets
    /// ascend as in `seek`.
    ///
    /// - Returns: The number of documents written.
    func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        var count = 0
        var next = target
        while count < buffer.count {
            let document = try seek(next)
            guard document < end else { break }
            buffer[count] = document
            count &+= 1
            next = document &+ 1
        }
        return count
    }

    /// Sets the bits of the documents from `first` up to, but not including, `end`, in a window whose first bit stands
    /// for `first`. Targets ascend as in `seek`.
    func mark(from first: UInt32, below end: UInt32, in window: UnsafeMutablePointer<UInt64>) throws {
        try forEach(from: first, below: end) { document in
            let bit = document &- first
            window[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
        }
    }

    /// Keeps those of `count` ascending documents that the iterator has, for a conjunction of many documents. Targets ascend
    /// as in `seek`.
    ///
    /// - Parameter documents: The first of them are those that are kept.
    /// - Returns: How many are kept.
    func keep(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try documents.keep(count) { try seek($0) == $0 }
    }

    /// The same for documents that are few beside those that the iterator has: it need not find any between them.
    func keepFew(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try keep(documents, count)
    }

    /// Whether the documents of another iterator are few for `keepFew`: many times fewer. For leaves that gather positions, about
    /// as many times as they gather more at once if they find all of their documents.
    final func exceeds(_ other: DocumentIterator) -> Bool { cost / Self.fewPart > other.cost }
    private static let fewPart = 16

    /// Calls `body` with the documents from `first` up to, but not including, `end`, ascending. Targets ascend as in
    /// `seek`.
    @inline(__always)
    final func forEach(from first: UInt32, below end: UInt32, _ body: (UInt32) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { documents in
            var next = first
            while next < end {
                let count = try read(from: next, below: end, into: documents)
                for index in 0..<count { try body(documents[index]) }
                guard count == documents.count else { break }
                next = documents[count - 1] &+ 1
            }
        }
    }

    // MARK: - For subclasses

    /// The first document that is not less than `target`, which is greater than that of the last call; `exhausted` if
    /// there is none.
    func find(_ target: UInt32) throws -> UInt32 { Self.exhausted }

    /// Prepares for a call of `find` with an earlier document.
    func rewind() {}

    /// Where reading from `target` on begins: at the current document, if that is later, since there is none between them.
    @inline(__always)
    final func start(of target: UInt32) -> UInt32 { isPositioned ? max(document, target) : target }

    /// Makes a document current that a subclass has found in another way.
    @inline(__always)
    final func settle(at document: UInt32) {
        self.document = document
        isPositioned = true
    }
}

/// The documents that match a phrase or a NEAR group, and the positions of the phrases in them. The base class has
/// none.
class LeafIterator: DocumentIterator {
    /// Kept so that listing the columns of a document does not allocate.
    private lazy var places = GrowingBuffer<Position>()

    /// Whether it costs less to read the positions in documents that have been announced.
    var gathersPositions: Bool { false }

    /// Whether a position may come twice, once for each of the terms there.
    var repeatsPlaces: Bool { false }

    /// Announces that all documents will be visited in order, so that many may be looked at together from the start.
    func willReadAll() {}

    /// Announces the documents, ascending, to which the iterator will be moved next. There is no current document until then.
    ///
    /// - Parameter hitCounts: The number of hits in each document, in all columns, counting a position once for each term
    ///   there; nil if that is not known.
    func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {}

    /// Whether a document, which must have all terms, may match, according to the positions that need not be gathered. There is
    /// no current document afterwards.
    func mayMatch(_ document: UInt32) throws -> Bool { true }

    /// Does what `keepFew` does, with positions gathered in these documents alone.
    ///
    /// - Parameter parts: Each of them has all documents that match.
    final func gatherFew(
        _ documents: UnsafeMutablePointer<UInt32>, _ count: Int, of parts: [LeafIterator]
    ) throws -> Int {
        var count = count
        for part in parts where !part.gathersPositions {
            part.reset()
            count = try part.keep(documents, count)
        }
        count = try documents.keep(count, where: mayMatch)
        try expect(Array(UnsafeBufferPointer(start: documents, count: count)))
        count = try documents.keep(count, where: move)
        reset()
        return count
    }

    /// Moves to a document, before or after the current one; false if it does not match.
    func move(to document: UInt32) throws -> Bool {
        if document < self.document { reset() }
        return try seek(document) == document
    }

    /// Replaces the contents of the buffer with the positions, ascending, at which instances of the leaf's phrase number
    /// `member` begin in the current document. Empty if the index has no positions.
    func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws { result.removeAll() }

    /// Calls `body` with each column of the current document that has instances of the phrase, ascending, and their
    /// number.
    func forEachColumn(ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        try readInstances(ofMember: member, into: places)
        let instances = places.values
        var index = 0
        while index < instances.count {
            let column = instances[index].column
            let first = index
            while index < instances.count, instances[index].column == column { index += 1 }
            try body(column, UInt32(truncatingIfNeeded: index - first))
        }
    }

    /// Calls `body` with the hits of the phrase in the current document: in a column, how many, and how much each counts.
    /// A column may come more than once.
    func forEachHitCount(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32, _ factor: Double) throws -> Void
    ) throws {
        try forEachColumn(ofMember: member) { try body($0, $1, 1) }
    }
}

extension UnsafeMutablePointer<UInt32> {
    /// Moves those of `count` documents that are kept to the front, in their order, and returns how many there are.
    @inline(__always)
    func keep(_ count: Int, where isKept: (UInt32) throws -> Bool) rethrows -> Int {
        var kept = 0
        for index in 0..<count {
            let document = self[index]
            self[kept] = document
            kept &+= try isKept(document) ? 1 : 0
        }
        return kept
    }
}
