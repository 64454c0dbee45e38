/// Which segments are merged: those of about the same size, so that each posting is written again once for every
/// fourfold growth of the index ("tiered" compaction).
///
/// FTS5 counts how many merges deep a segment is, and so merges a big segment with tiny ones where both were written by
/// one commit. Here the level of a segment is its size: level 0 are segments of one row, level n > 0 those of
/// 16 kB x 4^(n-1) up to four times that; bytes of removed documents do not count.
enum MergePolicy {
    /// Segments of one row are merged by so many at once: they are so cheap to read that fewer would cost more.
    static let smallFactor = 8
    /// A merge reads at most so many segments.
    static let maximumInputs = 64
    /// Merges are worked on each time that so many bytes have been written, a few commits' at a time as in FTS5, whose
    /// unit is 64 pages: the median of commits pays nothing.
    static let creditUnit = 64 << 10

    static func level(_ entry: Manifest.Entry) -> Int {
        var bytes = entry.info.byteCount
        if entry.deletedCount > 0 { bytes = bytes / entry.info.documentCount * entry.liveCount }
        let units = max(bytes, 0) / SegmentLayout.inlineByteLimit
        return units == 0 ? 0 : 1 + (Int.bitWidth - 1 - units.leadingZeroBitCount) / 2
    }

    /// The segments of the lowest level that has `minimum` of them or more; nil where none has.
    static func candidates(_ entries: [Manifest.Entry], minimum: Int) -> [Manifest.Entry]? {
        let levels = Dictionary(grouping: entries, by: level)
        for level in levels.keys.sorted() {
            if let members = levels[level], members.count >= max(minimum, 2) {
                return Array(members.prefix(maximumInputs))
            }
        }
        return nil
    }

    /// Enough segments of one row to be merged at once.
    static func smallCandidates(_ entries: [Manifest.Entry]) -> [Manifest.Entry]? {
        let small = entries.filter { $0.info.byteCount < SegmentLayout.inlineByteLimit }
        return small.count >= smallFactor ? Array(small.prefix(maximumInputs)) : nil
    }

    /// A segment most of whose documents are removed, to be written again by itself.
    static func hollow(_ entries: [Manifest.Entry]) -> Manifest.Entry? {
        entries.first { $0.info.byteCount > creditUnit && $0.deletedCount > $0.info.documentCount / 2 }
    }

    /// How much merges have to do for each byte that commits write: a byte is written again once for each level.
    static func workPerByte(_ entries: [Manifest.Entry]) -> Int { (entries.map(level).max() ?? 0) + 1 }
}
