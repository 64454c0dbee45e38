/// Goes over the matches of one segment in the order of rowids, up or down; starts before the first.
///
/// Matches are found in batches. Downward, a batch is a window of documents: what is in memory is bounded by the window,
/// and the first rows cost no more than a small one.
final class SegmentMatches {
    /// The segment's number in the snapshot.
    let index: Int
    private let deletions: Deletions
    private let iterator: DocumentIterator
    private let isDescending: Bool
    private var rowIDs: RowIDReader
    /// Documents that are still to be searched.
    private var range: Range<UInt32>
    /// Matches that are not removed, in the order of rows.
    private var batch: UnsafeMutableBufferPointer<UInt32>
    /// What the batch has, and how many of it are taken.
    private var count = 0
    private var position = 0
    private var size: Int

    /// Sizes of batches; each is four times as large as the one before.
    private static let firstAscendingSize = 16
    private static let firstDescendingSize = 32
    private static let lastAscendingSize = 1024
    private static let lastDescendingSize = 1 << 15

    init(_ query: BoundQuery, _ index: Int, descending: Bool, rowIDs: ClosedRange<Int64>) throws {
        self.index = index
        let live = query.snapshot.segments[index]
        let segment = live.segment
        deletions = live.deletions
        iterator = try query.makeIterator(segment: index)
        isDescending = descending
        self.rowIDs = RowIDReader(segment.documents)
        let info = live.entry.info
        let first = rowIDs.lowerBound <= info.minimumRowID ? 0 : try segment.firstDocument(atOrAfter: rowIDs.lowerBound)
        let end =
            rowIDs.upperBound >= info.maximumRowID
            ? segment.documentCount : try segment.firstDocument(after: rowIDs.upperBound)
        range = UInt32(truncatingIfNeeded: first)..<UInt32(truncatingIfNeeded: max(first, end))
        size = descending ? Self.firstDescendingSize : Self.firstAscendingSize
        batch = .allocate(capacity: size)
    }

    deinit { batch.deallocate() }

    /// Reads on unless there are matches to take; false behind the last.
    func load() throws -> Bool {
        while position == count {
            guard !range.isEmpty else { return false }
            try readBatch()
        }
        return true
    }

    // MARK: - After `load`

    /// The rowid of the next match.
    func nextRowID() throws -> Int64 { try rowIDs.rowID(at: batch[position]) }

    /// The matches that are loaded, until the next call of `load`.
    func takeAll() -> UnsafeBufferPointer<UInt32> { take(to: count) }

    /// The next match, and those that are loaded behind it and before another row, until the next call of `load`.
    func take(before rowID: Int64) throws -> UnsafeBufferPointer<UInt32> {
        // Rows of segments alternate or do not, so that the end is near or far.
        return take(to: try (position + 1..<count).nearPartitionPoint { try precedes(batch[$0], rowID) })
    }

    private func precedes(_ document: UInt32, _ rowID: Int64) throws -> Bool {
        let own = try rowIDs.rowID(at: document)
        return isDescending ? own > rowID : own < rowID
    }

    private func take(to end: Int) -> UnsafeBufferPointer<UInt32> {
        defer { position = end }
        return UnsafeBufferPointer(rebasing: batch[position..<end])
    }

    // MARK: - Batches

    private func readBatch() throws {
        if batch.count < size {
            batch.deallocate()
            batch = .allocate(capacity: size)
        }
        position = 0
        count = 0
        var found: Int
        if isDescending {
            let start = range.upperBound - min(UInt32(size), UInt32(range.count))
            iterator.reset()
            found = try iterator.read(from: start, below: range.upperBound, into: batch)
            reverse(found)
            range = range.lowerBound..<start
        } else {
            found = try iterator.read(from: range.lowerBound, below: range.upperBound, into: batch)
            let isLast = found < batch.count
            range = (isLast ? range.upperBound : batch[found - 1] &+ 1)..<range.upperBound
        }
        if !deletions.isEmpty { found = withoutRemoved(found) }
        count = found
        size = min(size * 4, isDescending ? Self.lastDescendingSize : Self.lastAscendingSize)
    }

    /// By hand: the library's, on a slice, allocates for each element where it is not specialized.
    private func reverse(_ count: Int) {
        var low = 0
        var high = count - 1
        while low < high {
            let document = batch[low]
            batch[low] = batch[high]
            batch[high] = document
            low &+= 1
            high &-= 1
        }
    }

    /// Leaves removed documents out of the first `count`; returns how many are left.
    private func withoutRemoved(_ count: Int) -> Int {
        var kept = 0
        for index in 0..<count {
            let document = batch[index]
            batch[kept] = document
            kept &+= deletions.isDeleted(document) ? 0 : 1
        }
        return kept
    }
}
