import ConcordanceSQLite

/// The rows to which a query is restricted: the right-hand side of `rowid IN (...)`, or the rows of a `MatchQuery`.
///
/// The set holds the rowids in ascending order, 8 bytes each, and maps them to the documents of a segment by a search
/// that gallops from one rowid to the next, so that consecutive rowids cost a few nanoseconds each. It remembers the
/// documents of recent segments, since a set may serve several queries.
package final class RowSet: Sendable {
    private let rowIDs: [Int64]
    private let known = Locked<[KnownDocuments]>([])

    private struct KnownDocuments {
        weak var segment: Segment?
        let documents: DocumentSet
    }

    /// The number of segments whose documents are remembered: more than an index has at a time.
    private static let segmentLimit = 32

    /// - Parameter rowIDs: In any order, with or without repetitions.
    package init(_ rowIDs: consuming [Int64]) {
        var isAscending = true
        for index in rowIDs.indices.dropFirst() where rowIDs[index - 1] >= rowIDs[index] {
            isAscending = false
            break
        }
        if !isAscending {
            rowIDs.sort()
            var kept = 0
            for index in rowIDs.indices where index == 0 || rowIDs[index] != rowIDs[kept - 1] {
                rowIDs[kept] = rowIDs[index]
                kept += 1
            }
            rowIDs.removeLast(rowIDs.count - kept)
        }
        self.rowIDs = rowIDs
    }

    package var count: Int { rowIDs.count }

    /// The rows of both sets.
    func intersection(_ other: RowSet) -> RowSet {
        var common: [Int64] = []
        var index = 0
        for rowID in rowIDs {
            while index < other.rowIDs.count, other.rowIDs[index] < rowID { index += 1 }
            if index < other.rowIDs.count, other.rowIDs[index] == rowID { common.append(rowID) }
        }
        return RowSet(common)
    }

    /// The documents of a segment whose rows are in the set, removed ones included.
    func documents(of segment: Segment) throws -> DocumentSet {
        let known = known.withLock { $0.first { $0.segment === segment }?.documents }
        if let known { return known }
        // This reads from the database, so no lock is held here.
        let documents = try find(in: segment)
        self.known.withLock { known in
            known.removeAll { $0.segment == nil }
            if known.count == Self.segmentLimit { known.removeFirst() }
            known.append(KnownDocuments(segment: segment, documents: documents))
        }
        return documents
    }

    private func find(in segment: Segment) throws -> DocumentSet {
        let minimum = segment.documentCount == 0 ? 0 : try segment.rowID(at: 0)
        var next = segment.documentCount == 0 ? rowIDs.count : rowIDs.firstIndex(from: minimum)
        let expected = min(rowIDs.count - next, segment.documentCount)
        let set = DocumentSet(documentCount: segment.documentCount, expectedCount: expected)
        var reader = RowIDReader(segment.documents)
        // The first document that can have the rowid.
        var first = 0
        while next < rowIDs.count, first < segment.documentCount {
            let rowID = rowIDs[next]
            next += 1
            first = try Self.firstDocument(atOrAfter: rowID, from: first, segment, &reader)
            guard first < segment.documentCount else { break }
            if try reader.rowID(at: UInt32(truncatingIfNeeded: first)) == rowID {
                set.insert(UInt32(truncatingIfNeeded: first))
                first += 1
            }
        }
        set.freeze()
        return set
    }

    /// The first document from `start` on whose rowid is not less; `documentCount` if there is none.
    private static func firstDocument(
        atOrAfter rowID: Int64, from start: Int, _ segment: Segment, _ reader: inout RowIDReader
    ) throws -> Int {
        let end = segment.documentCount
        let least = try reader.rowID(at: UInt32(truncatingIfNeeded: start))
        guard least < rowID else { return start }
        // Rowids ascend by at least one, so the document is at most as far away as the rowid, and exactly as far if
        // there are no gaps.
        let distance = UInt64(bitPattern: rowID &- least)
        let limit = distance < UInt64(end - start) ? start + Int(distance) : end
        if limit < end, try reader.rowID(at: UInt32(truncatingIfNeeded: limit)) == rowID { return limit }
        return try (start + 1..<limit).nearPartitionPoint {
            try reader.rowID(at: UInt32(truncatingIfNeeded: $0)) < rowID
        }
    }
}
