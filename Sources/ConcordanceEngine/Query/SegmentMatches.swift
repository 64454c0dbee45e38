/// Goes over the matches of one segment in the order of rowids, up or down; starts before the first.
///
/// Matches are found in batches. Downward, a batch is a window of documents, read upward: what is in memory is bounded by
/// the window, and the first rows cost no more than a small one.
final class SegmentMatches {
    /// The segment's number in the snapshot.
    let index: Int
    private let segment: Segment
    private let deletions: Deletions
    private let iterator: DocumentIterator
    private let isDescending: Bool
    /// Documents that are still to be searched.
    @exclusivity(unchecked) private var range: Range<UInt32>
    @exclusivity(unchecked) private var batch: UnsafeMutableBufferPointer<UInt32>
    /// What the batch has, and how many of it are behind.
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var position = 0
    private var size = firstSize

    @exclusivity(unchecked) private(set) var document: UInt32 = 0
    @exclusivity(unchecked) private(set) var rowID: Int64 = 0

    /// Sizes of batches; each is four times as large as the one before.
    private static let firstSize = 32
    private static let lastAscendingSize = 512
    private static let lastDescendingSize = 1 << 15

    init(_ query: BoundQuery, _ index: Int, descending: Bool, rowIDs: ClosedRange<Int64>) throws {
        self.index = index
        let live = query.snapshot.segments[index]
        segment = live.segment
        deletions = live.deletions
        iterator = try query.makeIterator(segment: index)
        isDescending = descending
        let info = live.entry.info
        let first = rowIDs.lowerBound <= info.minimumRowID ? 0 : try segment.firstDocument(atOrAfter: rowIDs.lowerBound)
        let end =
            rowIDs.upperBound >= info.maximumRowID
            ? segment.documentCount : try segment.firstDocument(atOrAfter: rowIDs.upperBound + 1)
        range = UInt32(truncatingIfNeeded: first)..<UInt32(truncatingIfNeeded: max(first, end))
        batch = .allocate(capacity: Self.firstSize)
    }

    deinit { batch.deallocate() }

    /// Goes to the next match that is not removed; false behind the last.
    func next() throws -> Bool {
        while true {
            while position < count {
                let document = batch[isDescending ? count &- 1 &- position : position]
                position &+= 1
                if deletions.isDeleted(document) { continue }
                self.document = document
                rowID = try segment.rowID(at: Int(document))
                return true
            }
            guard !range.isEmpty else { return false }
            try readBatch()
        }
    }

    private func readBatch() throws {
        if batch.count < size {
            batch.deallocate()
            batch = .allocate(capacity: size)
        }
        position = 0
        if isDescending {
            let start = range.upperBound - min(UInt32(size), UInt32(range.count))
            iterator.reset()
            count = try iterator.read(from: start, below: range.upperBound, into: batch)
            range = range.lowerBound..<start
        } else {
            count = try iterator.read(from: range.lowerBound, below: range.upperBound, into: batch)
            let isLast = count < batch.count
            range = (isLast ? range.upperBound : batch[count - 1] &+ 1)..<range.upperBound
        }
        size = min(size * 4, isDescending ? Self.lastDescendingSize : Self.lastAscendingSize)
    }
}
