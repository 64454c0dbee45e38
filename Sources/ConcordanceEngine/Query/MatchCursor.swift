/// Goes over the rows that match a query, in the order of their rowids, up or down; starts before the first.
///
/// The segments' matches are merged. Segments whose rowids lie behind are opened when the row before them is reached, so
/// that the first rows cost little.
final class MatchCursor {
    private let query: BoundQuery
    private let isDescending: Bool
    private let rowIDs: ClosedRange<Int64>
    /// Segments that are not open yet, the next at the end.
    private var waiting: [Int]
    private var open: [SegmentMatches] = []
    /// The one at the current row.
    private var current: SegmentMatches?
    /// No other segment has a row before this one.
    private var limit: Int64?

    private(set) var rowID: Int64 = 0

    var document: DocumentReference {
        DocumentReference(segment: current?.index ?? 0, document: current?.document ?? 0)
    }

    init(_ query: BoundQuery, descending: Bool, rowIDs: ClosedRange<Int64>) {
        self.query = query
        isDescending = descending
        self.rowIDs = rowIDs
        let segments = query.snapshot.segments
        waiting = segments.indices.filter {
            let info = segments[$0].entry.info
            return info.documentCount > 0 && info.minimumRowID <= rowIDs.upperBound
                && info.maximumRowID >= rowIDs.lowerBound
        }
        waiting.sort {
            let (left, right) = (segments[$0].entry.info, segments[$1].entry.info)
            return descending ? left.maximumRowID < right.maximumRowID : left.minimumRowID > right.minimumRowID
        }
    }

    /// Goes to the next row; false behind the last.
    func next() throws -> Bool {
        if let current {
            if try current.next() {
                if precedes(current.rowID, limit) {
                    rowID = current.rowID
                    return true
                }
            } else {
                open.removeAll { $0 === current }
            }
        }
        return try choose()
    }

    @inline(__always)
    private func precedes(_ rowID: Int64, _ limit: Int64?) -> Bool {
        guard let limit else { return true }
        return isDescending ? rowID > limit : rowID < limit
    }

    /// Takes the open segment with the first row, after opening those that may have one before it.
    private func choose() throws -> Bool {
        var first = open.min { precedes($0.rowID, $1.rowID) }
        while let index = waiting.last, first.map({ !precedes($0.rowID, edge(index)) }) ?? true {
            waiting.removeLast()
            let matches = try SegmentMatches(query, index, descending: isDescending, rowIDs: rowIDs)
            guard try matches.next() else { continue }
            open.append(matches)
            if first.map({ precedes(matches.rowID, $0.rowID) }) ?? true { first = matches }
        }
        current = first
        guard let first else { return false }
        rowID = first.rowID
        limit = waiting.last.map(edge)
        for other in open where other !== first && precedes(other.rowID, limit) { limit = other.rowID }
        return true
    }

    /// No row of a segment comes before this one.
    private func edge(_ index: Int) -> Int64 {
        let info = query.snapshot.segments[index].entry.info
        return isDescending ? info.maximumRowID : info.minimumRowID
    }
}
