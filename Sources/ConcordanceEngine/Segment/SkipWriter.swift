/// Writes the skip entries of all lists of a segment, and their groups.
final class SkipWriter {
    private let columnCount: Int
    private let size: Int
    private let pages: SegmentPages
    /// The last page of each, not full.
    private let entries = ByteWriter()
    private let groups = ByteWriter()
    /// The number of entries.
    @exclusivity(unchecked) private(set) var count = 0

    init(columnCount: Int, pages: SegmentPages) {
        self.columnCount = columnCount
        self.pages = pages
        size = SegmentLayout.skipSize(version: SegmentLayout.version, columnCount: columnCount)
    }

    func append(_ entry: SkipEntry) throws {
        entry.append(to: entries, columnCount: columnCount)
        count += 1
        if count % SegmentLayout.skipsPerGroup == 0 { try appendGroup() }
        if count % SegmentLayout.skipsPerPage == 0 { try flush(entries, to: .skips) }
    }

    private func appendGroup() throws {
        guard let end = entries.bytes.baseAddress.map({ $0 + entries.count }) else { return }
        var group = SkipEntry(end - SegmentLayout.skipsPerGroup * size, columnCount: columnCount)
        for place in (1..<SegmentLayout.skipsPerGroup).reversed() {
            group.join(SkipEntry(end - place * size, columnCount: columnCount))
        }
        group.append(to: groups, columnCount: columnCount)
        if groups.count == SegmentLayout.skipsPerPage * size { try flush(groups, to: .skipGroups) }
    }

    private func flush(_ page: ByteWriter, to stream: SegmentStream) throws {
        guard !page.isEmpty else { return }
        try pages.append(page, to: stream)
        page.removeAll()
    }

    /// Ends the current pages.
    func flush() throws {
        try flush(entries, to: .skips)
        try flush(groups, to: .skipGroups)
    }

    /// A copy of the page of entries that is not full; nil if it is empty.
    var lastPage: Block? {
        entries.isEmpty ? nil : withExtendedLifetime(entries) { Block(copying: entries.bytes) }
    }

    /// Appends the state from which to continue, since only the last pages may be shorter than others.
    ///
    ///     entries         their number varint; size varint and bytes of the last page; the same of the groups
    func suspend(into state: ByteWriter) {
        state.append(varint: count)
        for page in [entries, groups] {
            state.append(varint: page.count)
            state.append(page.bytes)
        }
    }

    /// Goes on where `suspend` has left; throws `corrupt` for what it cannot have written.
    func resume(_ state: inout ByteReader) throws {
        let perPage = SegmentLayout.skipsPerPage
        count = try state.varint(atMost: SegmentLayout.maximumPageCount)
        for (page, number) in [(entries, count), (groups, count / SegmentLayout.skipsPerGroup)] {
            page.append(try state.bytes(state.varint(atMost: perPage * size - 1)))
            guard page.count == number % perPage * size else {
                throw corrupt("a merge lacks skip entries that it has written")
            }
        }
    }
}
