/// Iterates over the matches of one segment in the order of rowids, ascending or descending.
///
/// Matches are found in batches. In descending order a batch is a window of documents, which bounds the memory. The
/// first batch is small, so that the first rows cost little.
final class SegmentMatches {
    /// The segment's number in the snapshot.
    let index: Int
    private let deletions: Deletions
    private let iterator: DocumentIterator
    private let isDescending: Bool
    private var rowIDs: RowIDReader
    /// The documents that have not been searched yet.
    private var range: Range<UInt32>
    /// Matches that are not removed, in the order of rows.
    private var batch: UnsafeMutableBufferPointer<UInt32>
    /// The size of the batch, and the number of its matches that have been taken.
    private var count = 0
    private var position = 0
    private var size: Int

    /// The sizes of batches. Each is four times as large as the one before.
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

    /// Reads a batch unless there are matches left; false after the last match.
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

    /// The loaded matches; valid until the next call of `load`.
    func takeAll() -> UnsafeBufferPointer<UInt32> { take(to: count) }

    /// The next match and the loaded ones after it that come before another row; valid until the next call of `load`.
    func take(before rowID: Int64) throws -> UnsafeBufferPointer<UInt32> {
        // The rows of segments may alternate, so the end may be near or far.
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

    /// Written by hand, since the standard library's method allocates for each element of a slice if it is not
    /// specialized.
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

    /// Drops removed documents from the first `count`; returns how many are left.
    private func withoutRemoved(_ count: Int) -> Int {
        batch.baseAddress?.keep(count) { !deletions.isDeleted($0) } ?? 0
    }
}
