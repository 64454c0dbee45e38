/// Which segments are merged: those of about the same size, so that each posting is written again once for every
/// fourfold growth of the index ("tiered" compaction).
///
/// FTS5 counts how many merges deep a segment is, and so merges a big segment with tiny ones where both were written by
/// one commit. Here the level of a segment is its size: level 0 are segments of one row, level n > 0 those of
/// 16 kB x 4^(n-1) up to four times that; bytes of removed documents do not count.
enum MergePolicy {
    /// This many segments of one row are merged at once. A commit of one row writes one; less than one commit in twenty
    /// merges, so that of 100 commits 95 do nothing of the kind.
    static let smallFactor = 32
    /// This many are merged even without automatic merges, where 'crisismerge' would allow more, since locating a row
    /// visits every segment.
    static let smallLimit = 128
    /// A merge reads at most this many segments.
    static let maximumInputs = 64
    /// Merges proceed in steps that read about this many bytes: some five milliseconds of the commit that does one.
    /// Larger steps lengthen one commit in a thousand, smaller ones fall to more than one in a hundred.
    static let stepSize = 224 << 10
    /// This many runs of one transaction (`InvertedIndex.runs`) are merged before it ends. Where rowids do not ascend, locating
    /// a row and merging a posting take longer with each run.
    static let runLimit = 64
    /// A segment of fewer bytes is not written again by itself.
    static let hollowSize = 256 << 10

    static func level(_ entry: Manifest.Entry) -> Int {
        var bytes = entry.info.byteCount
        if entry.deletedCount > 0 { bytes = bytes / entry.info.documentCount * entry.liveCount }
        let units = max(bytes, 0) / SegmentLayout.inlineByteLimit
        return units == 0 ? 0 : 1 + (Int.bitWidth - 1 - units.leadingZeroBitCount) / 2
    }

    /// The segments of the lowest level that has `minimum` of them or more; nil if none has. Those of one row count
    /// only with `includesSmall`, since they are merged separately.
    static func candidates(_ entries: [Manifest.Entry], minimum: Int, includesSmall: Bool) -> [Manifest.Entry]? {
        let members = includesSmall ? entries : entries.filter { !isSmall($0) }
        guard members.count >= max(minimum, 2) else { return nil }
        let levels = Dictionary(grouping: members, by: level)
        for level in levels.keys.sorted() {
            if let members = levels[level], members.count >= max(minimum, 2) {
                return Array(members.prefix(maximumInputs))
            }
        }
        return nil
    }

    /// Enough segments of one row to be merged at once.
    static func smallCandidates(_ entries: [Manifest.Entry], minimum: Int = smallFactor) -> [Manifest.Entry]? {
        let small = entries.filter(isSmall)
        return small.count >= minimum ? Array(small.prefix(maximumInputs)) : nil
    }

    private static func isSmall(_ entry: Manifest.Entry) -> Bool {
        entry.info.byteCount < SegmentLayout.inlineByteLimit
    }

    /// A segment most of whose documents are removed, to be written again by itself.
    static func hollow(_ entries: [Manifest.Entry]) -> Manifest.Entry? {
        entries.first { $0.info.byteCount > hollowSize && $0.deletedCount > $0.info.documentCount / 2 }
    }

    /// How much merges have to do for each byte that commits write: a byte is written again once for each level.
    static func workPerByte(_ entries: [Manifest.Entry]) -> Int { (entries.map(level).max() ?? 0) + 1 }
}
