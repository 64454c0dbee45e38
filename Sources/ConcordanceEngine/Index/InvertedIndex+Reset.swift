extension InvertedIndex {
    /// Starts over without rows, whatever state `<t>_data` is in.
    ///
    /// Other connections keep pages by the id of their segment. So the ids go on behind those that were given, and since the
    /// manifest may be damaged that tells which these are, far behind those of the rows.
    func reset() throws {
        store.discardStaged()
        let given = max(try store.greatestSegment(), largestSegment)
        try store.delete(.min ... .max)
        let first = given < Manifest.maximumSegmentID / 2 ? given + Self.skippedSegments : .random(in: 1...given / 2)
        try Self.create(store: store, shape: shape, firstSegment: first)
        known = nil
        background = nil
        ownVersions.insert(try manifest().version)
        buffer = PendingBuffer(columnCount: shape.columnCount)
    }

    /// More segments than come and go before one of them is in the table.
    private static let skippedSegments: UInt32 = 1 << 16
}
