extension InvertedIndex {
    /// Starts over without rows, whatever state `<t>_data` is in.
    ///
    /// Other connections cache pages by segment id, so no id may be used twice. The manifest that knows the ids may be
    /// damaged, so new ids start far above all that the rows have.
    func reset() throws {
        store.discardStaged()
        let given = max(try store.greatestSegment(), largestSegment)
        try store.delete(.min ... .max)
        let first = given < Manifest.maximumSegmentID / 2 ? given + Self.skippedSegments : .random(in: 1...given / 2)
        largestSegment = 0
        try Self.create(store: store, shape: shape, firstSegment: first)
        known = nil
        background = nil
        ownVersions.insert(try manifest().version)
        buffer = PendingBuffer(columnCount: shape.columnCount)
    }

    /// More ids than segments can have that have no rows yet, or none any more.
    private static let skippedSegments: UInt32 = 1 << 16
}
