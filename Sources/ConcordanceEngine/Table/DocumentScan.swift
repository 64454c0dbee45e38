/// The documents of a snapshot in the order of their rowids, whatever their terms: the rows of a table without content.
///
/// Each segment has its documents in that order; the scan takes the next of all segments, which are few.
struct DocumentScan {
    private let snapshot: Snapshot
    private let isDescending: Bool
    private let bounds: ClosedRange<Int64>
    private var heads: [Head] = []

    /// The next document of a segment.
    private struct Head {
        var segment: Int
        var document: Int
        var rowID: Int64
    }

    /// Starts before the first row.
    init(_ snapshot: Snapshot, rowIDs: ClosedRange<Int64>, descending: Bool) throws {
        self.snapshot = snapshot
        bounds = rowIDs
        isDescending = descending
        for (number, live) in snapshot.segments.enumerated() {
            let segment = live.segment
            // No search where none of its rows is within the bounds, as in most segments where rows came in ascending order.
            guard live.entry.info.maximumRowID >= rowIDs.lowerBound, live.entry.info.minimumRowID <= rowIDs.upperBound
            else { continue }
            var start = descending ? segment.documentCount - 1 : try segment.firstDocument(atOrAfter: rowIDs.lowerBound)
            if descending, rowIDs.upperBound < .max {
                start = try segment.firstDocument(atOrAfter: rowIDs.upperBound + 1) - 1
            }
            if let head = try head(ofSegment: number, from: start) { heads.append(head) }
        }
    }

    /// The next live document of a segment from `start` on, if it is within the bounds.
    private func head(ofSegment number: Int, from start: Int) throws -> Head? {
        let live = snapshot.segments[number]
        var document = start
        while document >= 0, document < live.segment.documentCount,
            live.deletions.isDeleted(UInt32(truncatingIfNeeded: document))
        {
            document += isDescending ? -1 : 1
        }
        guard document >= 0, document < live.segment.documentCount else { return nil }
        let rowID = try live.segment.rowID(at: document)
        return bounds.contains(rowID) ? Head(segment: number, document: document, rowID: rowID) : nil
    }

    /// The next document and its rowid; nil after the last one.
    mutating func next() throws -> (DocumentReference, rowID: Int64)? {
        var best: Int?
        for index in heads.indices {
            guard let current = best else {
                best = index
                continue
            }
            let isBefore = heads[index].rowID < heads[current].rowID
            if isBefore != isDescending { best = index }
        }
        guard let best else { return nil }
        let head = heads[best]
        if let following = try self.head(
            ofSegment: head.segment, from: head.document + (isDescending ? -1 : 1))
        {
            heads[best] = following
        } else {
            heads.remove(at: best)
        }
        let reference = DocumentReference(
            segment: head.segment, document: UInt32(truncatingIfNeeded: head.document))
        return (reference, head.rowID)
    }
}
