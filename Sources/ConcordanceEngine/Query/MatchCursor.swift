/// Rows of one segment that are consecutive among the rows of a query.
struct MatchRun {
    /// The segment's number in the snapshot.
    var segment: Int
    /// At least one row; valid until the cursor moves to the next run.
    var documents: UnsafeBufferPointer<UInt32>
}

/// Iterates over the rows that match a query in the order of their rowids, ascending or descending.
///
/// The matches of the segments are merged run by run. A segment is opened only when the rows reach its first rowid, so
/// the first rows cost little.
final class MatchCursor {
    private let query: BoundQuery
    private let isDescending: Bool
    private let rowIDs: ClosedRange<Int64>
    /// The segments that are not open yet, the next one last.
    private var waiting: [Int]
    /// The open segments, each with matches left.
    private var open: [SegmentMatches] = []
    /// The segment of the current run.
    private var current: SegmentMatches?

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

    /// Moves to the next run; nil after the last one.
    func nextRun() throws -> MatchRun? {
        if let current, try !current.load() {
            open.removeAll { $0 === current }
            self.current = nil
        }
        if waiting.isEmpty, open.count <= 1 {
            current = open.first
            return current.map { MatchRun(segment: $0.index, documents: $0.takeAll()) }
        }
        guard let first = try first() else { return nil }
        current = first
        var limit = waiting.last.map(edge)
        for other in open where other !== first {
            let rowID = try other.nextRowID()
            if limit.map({ precedes(rowID, $0) }) ?? true { limit = rowID }
        }
        return MatchRun(segment: first.index, documents: try limit.map(first.take(before:)) ?? first.takeAll())
    }

    /// The open segment with the first row, after opening those that may have an earlier one.
    private func first() throws -> SegmentMatches? {
        var first: SegmentMatches?
        var firstRowID: Int64 = 0
        for matches in open {
            let rowID = try matches.nextRowID()
            if first == nil || precedes(rowID, firstRowID) { (first, firstRowID) = (matches, rowID) }
        }
        while let index = waiting.last, first == nil || !precedes(firstRowID, edge(index)) {
            waiting.removeLast()
            let matches = try SegmentMatches(query, index, descending: isDescending, rowIDs: rowIDs)
            guard try matches.load() else { continue }
            open.append(matches)
            let rowID = try matches.nextRowID()
            if first == nil || precedes(rowID, firstRowID) { (first, firstRowID) = (matches, rowID) }
        }
        return first
    }

    private func precedes(_ rowID: Int64, _ other: Int64) -> Bool { isDescending ? rowID > other : rowID < other }

    /// The first rowid that a segment may have, in the direction of the rows.
    private func edge(_ index: Int) -> Int64 {
        let info = query.snapshot.segments[index].entry.info
        return isDescending ? info.maximumRowID : info.minimumRowID
    }

    /// Counts what the query costs.
    var work: QueryWork { query.work }

    /// Reads the rowids of a run.
    func makeRowIDReader(_ run: MatchRun) -> RowIDReader {
        RowIDReader(query.snapshot.segments[run.segment].segment.documents)
    }

    // MARK: - Row by row

    private var run: MatchRun?
    private var position = 0
    private var reader: RowIDReader?
    private(set) var rowID: Int64 = 0

    var document: DocumentReference {
        guard let run, position < run.documents.count else { return DocumentReference(segment: 0, document: 0) }
        return DocumentReference(segment: run.segment, document: run.documents[position])
    }

    /// Moves to the next row, for callers that do not read runs; false after the last row.
    func next() throws -> Bool {
        position += 1
        if position >= run?.documents.count ?? 0 {
            let last = run?.segment
            run = try nextRun()
            position = 0
            if let run, run.segment != last { reader = makeRowIDReader(run) }
        }
        guard run != nil else { return false }
        rowID = try reader?.rowID(at: document.document) ?? 0
        return true
    }
}
