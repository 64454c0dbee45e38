/// Reads the skip entries of one list of a segment, and the groups that it has alone.
final class SkipReader {
    private let reader: SegmentReader
    private let columnCount: Int
    private let size: Int
    /// Whether entries bound scores (`SegmentLayout.oldVersion`).
    let hasBounds: Bool
    private let hasGroups: Bool

    /// The number of the list's first entry in the segment, and how many entries the list has: one for each block.
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var page: Page?
    @exclusivity(unchecked) private var pageNumber = -1
    @exclusivity(unchecked) private var groupPage: Page?
    @exclusivity(unchecked) private var groupPageNumber = -1

    private static let groupSize = SegmentLayout.skipsPerGroup

    init(_ segment: Segment) {
        reader = segment.reader
        columnCount = segment.shape.columnCount
        size = SegmentLayout.skipSize(version: reader.version, columnCount: columnCount)
        hasBounds = reader.version != SegmentLayout.oldVersion
        hasGroups = hasBounds && reader.count(.skipGroups) > 0
    }

    /// Switches to the list with `count` entries from one on.
    @inline(__always)
    func open(first: Int, count: Int) {
        self.first = first
        self.count = count
    }

    /// Has no list until `open` is called again, and keeps no page.
    func close() {
        open(first: 0, count: 0)
        (page, pageNumber) = (nil, -1)
        (groupPage, groupPageNumber) = (nil, -1)
    }

    // MARK: - Blocks

    /// The bytes of the entry of a block, until the next call.
    @inline(__always)
    private func bytes(_ block: Int) throws -> UnsafeRawPointer {
        let number = first &+ block
        let page = number / SegmentLayout.skipsPerPage
        if page != pageNumber { try load(page) }
        let offset = number % SegmentLayout.skipsPerPage &* size
        guard block < count, let bytes = self.page?.bytes, offset &+ size <= bytes.count, let base = bytes.baseAddress
        else { throw corrupt("a list of postings lacks a skip entry") }
        return base + offset
    }

    @inline(never)
    private func load(_ number: Int) throws {
        pageNumber = -1
        page = try reader.page(.skips, number)
        pageNumber = number
    }

    @inline(__always)
    func lastDocument(_ block: Int) throws -> UInt32 { SkipEntry.lastDocument(try bytes(block)) }

    @inline(__always)
    func entry(_ block: Int) throws -> SkipEntry {
        let bytes = try bytes(block)
        return hasBounds ? SkipEntry(bytes, columnCount: columnCount) : SkipEntry(old: bytes)
    }

    // MARK: - Groups

    /// How many groups the blocks are in; the first and the last may be shared with other lists.
    @inline(__always)
    var groupCount: Int {
        hasGroups && count > 0 ? (first &+ count &- 1) / Self.groupSize &- first / Self.groupSize &+ 1 : 0
    }

    /// The group of a block.
    @inline(__always)
    func group(ofBlock block: Int) -> Int { (first &+ block) / Self.groupSize &- first / Self.groupSize }

    /// The blocks of a group.
    @inline(__always)
    func blocks(ofGroup group: Int) -> Range<Int> {
        let start = (first / Self.groupSize &+ group) &* Self.groupSize &- first
        let end = max(min(start &+ Self.groupSize, count), 0)
        return min(max(start, 0), end)..<end
    }

    /// What is known of all blocks of a group; nil if other lists share it, or the segment has no groups.
    @inline(__always)
    func entry(ofGroup group: Int) throws -> SkipEntry? {
        guard hasGroups, blocks(ofGroup: group).count == Self.groupSize else { return nil }
        let number = first / Self.groupSize &+ group
        let page = number / SegmentLayout.skipsPerPage
        if page != groupPageNumber { try loadGroups(page) }
        let offset = number % SegmentLayout.skipsPerPage &* size
        guard let bytes = groupPage?.bytes, offset &+ size <= bytes.count, let base = bytes.baseAddress else {
            throw corrupt("a list of postings lacks a group of skip entries")
        }
        return SkipEntry(base + offset, columnCount: columnCount)
    }

    @inline(never)
    private func loadGroups(_ number: Int) throws {
        groupPageNumber = -1
        groupPage = try reader.page(.skipGroups, number)
        groupPageNumber = number
    }
}
