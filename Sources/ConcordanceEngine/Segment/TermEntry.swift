/// What a segment's dictionary says of a term.
struct TermEntry: Equatable {
    /// Postings that are in the segment, those of removed documents included; 0 for an adjustment only.
    var count: Int
    /// What to add to `count` for documents that were removed from other segments, or dropped by a merge.
    var adjustment: Int
    /// Whether the postings have positions.
    var hasPositions: Bool
    /// Where the postings are.
    var offset: Int
}
