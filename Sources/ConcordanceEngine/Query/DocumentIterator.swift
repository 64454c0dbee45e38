/// Goes over documents of one segment, ascending. This one has none.
///
/// Removed documents are among them: who reads an iterator leaves them out.
class DocumentIterator {
    /// `document` behind the last one.
    static let exhausted = PostingsCursor.exhausted

    /// The current document; nothing of meaning before the first `seek`, `exhausted` behind the last.
    @exclusivity(unchecked) final private(set) var document: UInt32 = 0
    @exclusivity(unchecked) final private var isPositioned = false

    /// How many documents there may be at most; what orders the members of a conjunction.
    var cost: Int { 0 }

    /// Goes to the first document that is not less than `target`, and returns it; stays where it is if that is one.
    /// Targets ascend, until `reset`.
    @inline(__always)
    final func seek(_ target: UInt32) throws -> UInt32 {
        if isPositioned, document >= target { return document }
        document = try find(target)
        isPositioned = true
        return document
    }

    /// Goes before the first document.
    final func reset() {
        document = 0
        isPositioned = false
        rewind()
    }

    /// Writes the documents from `target` on and less than `end`, ascending; fewer than `buffer` has room for where there
    /// are no more. What `seek` says of targets holds here.
    ///
    /// - Returns: How many were written.
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

    /// Sets the bits of the documents from `first` on and less than `end`, in a window of which the first bit is the one of
    /// `first`. What `seek` says of targets holds here.
    func mark(from first: UInt32, below end: UInt32, in window: UnsafeMutablePointer<UInt64>) throws {
        try forEach(from: first, below: end) { document in
            let bit = document &- first
            window[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
        }
    }

    /// Calls `body` with the documents from `first` on and less than `end`, ascending. What `seek` says of targets holds here.
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

    /// The first document that is not less than `target`, which is more than that of the last call; `exhausted` where
    /// there is none.
    func find(_ target: UInt32) throws -> UInt32 { Self.exhausted }

    /// The next call of `find` may go back.
    func rewind() {}

    /// A subclass has found the document otherwise.
    @inline(__always)
    final func settle(at document: UInt32) {
        self.document = document
        isPositioned = true
    }
}

/// The documents that match a phrase, or phrases near each other, and where the phrases stand in them. This one has none.
class LeafIterator: DocumentIterator {
    /// Kept, so that the columns of a document cost no allocation.
    private var places: [Position] = []

    /// Tells to which documents it will be moved next: they ascend.
    func expect(_ documents: [UInt32]) throws {}

    /// Goes to a document, wherever the last one was; false where it does not match.
    func move(to document: UInt32) throws -> Bool {
        if document < self.document { reset() }
        return try seek(document) == document
    }

    /// Replaces the array's content with the places in the current document where an instance of the leaf's phrase number
    /// `member` begins, ascending; with none where the index has no positions.
    func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each column of the current document that has instances of the phrase, ascending, and how many.
    func forEachColumn(ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void) throws {
        try readInstances(ofMember: member, into: &places)
        var index = 0
        while index < places.count {
            let column = places[index].column
            let first = index
            while index < places.count, places[index].column == column { index += 1 }
            try body(column, UInt32(truncatingIfNeeded: index - first))
        }
    }
}
