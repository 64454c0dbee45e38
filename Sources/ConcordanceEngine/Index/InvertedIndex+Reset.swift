extension InvertedIndex {
    /// Starts over without rows, whatever state `<t>_data` is in.
    func reset() throws {
        store.discardStaged()
        try store.delete(.min ... .max)
        try Self.create(store: store, shape: shape)
        known = nil
        background = nil
        ownVersions.insert(try manifest().version)
        buffer = PendingBuffer(columnCount: shape.columnCount)
    }
}
