/// How many rows have a phrase and, unless they are many, where its hits are. To count them, the positions of all documents
/// with its terms are read, so that ranking and scoring the rows need not read them again.
struct CountedPhrase {
    private(set) var rowCount = 0
    /// By segment; nil if they are not kept.
    private var hits: [PhraseHits]?
    /// How many pairs of a row and a column with hits are kept.
    private var columnCount = 0
    /// How many rows are kept at most.
    private let rowLimit: Int

    /// About the most pairs that are kept: 128 kB, if each is of another row.
    private static let columnLimit = 1 << 13
    /// The hits of a larger part of all rows are not kept: bounds then tell ranking which rows it needs, and the positions
    /// of most are not read.
    private static let keptPart = 16

    init(_ snapshot: Snapshot) {
        rowLimit = snapshot.rowCount / Self.keptPart
        hits = snapshot.segments.map { PhraseHits($0.segment) }
    }

    /// Counts the documents of a segment that an iterator finds.
    mutating func count(_ leaf: LeafIterator, in live: LiveSegment) throws {
        hits = nil
        leaf.willReadAll()
        let end = UInt32(truncatingIfNeeded: live.segment.documentCount)
        try leaf.forEach(from: 0, below: end) { if !live.deletions.isDeleted($0) { rowCount += 1 } }
    }

    /// The same, one by one, and keeps their hits.
    ///
    /// - Parameter number: The number of the segment.
    mutating func find(_ leaf: LeafIterator, in live: LiveSegment, _ number: Int) throws {
        leaf.willReadAll()
        let end = UInt32(truncatingIfNeeded: live.segment.documentCount)
        var document = try leaf.seek(0)
        while document < end {
            if !live.deletions.isDeleted(document) {
                rowCount += 1
                if rowCount > rowLimit || columnCount >= Self.columnLimit { hits = nil }
                columnCount += try hits?[number].append(document, of: leaf) ?? 0
            }
            document = try leaf.seek(document &+ 1)
        }
    }

    /// Whether the hits are kept.
    var hasHits: Bool { hits != nil }

    /// The hits in a segment; nil if they are not kept.
    func hits(in segment: Segment) -> PhraseHits? { hits?.first { $0.segment === segment } }
}

/// The hits of a phrase in the documents of one segment that have not been removed:
///
///     documents   ascending
///     ends        for each of them, the end of its columns in `columns`
///     columns     the columns with hits, ascending, and their numbers
struct PhraseHits {
    let segment: Segment
    private(set) var documents: [UInt32] = []
    private var ends: [UInt32] = []
    private var columns: [ColumnFrequency] = []

    init(_ segment: Segment) { self.segment = segment }

    /// Adds the document that an iterator stands on. Returns how many of its columns have hits.
    fileprivate mutating func append(_ document: UInt32, of leaf: LeafIterator) throws -> Int {
        let before = columns.count
        documents.append(document)
        try leaf.forEachColumn(ofMember: 0) { columns.append(ColumnFrequency(column: $0, count: $1)) }
        ends.append(UInt32(truncatingIfNeeded: columns.count))
        return columns.count - before
    }

    /// The documents.
    func makeDocumentSet() -> DocumentSet {
        let set = DocumentSet(documentCount: segment.documentCount, expectedCount: documents.count)
        for document in documents { set.insert(document) }
        set.freeze()
        return set
    }

    /// The documents of a range, and how often they have the phrase, each hit counted by the weight of its column.
    func found(in range: Range<UInt32>, _ weights: ColumnWeights) throws -> FoundDocuments {
        var found = FoundDocuments()
        for index in documents.indices where range.contains(documents[index]) {
            var frequency = 0.0
            for place in (index == 0 ? 0 : ends[index - 1])..<ends[index] {
                let hits = columns[Int(place)]
                try weights.add(hits.column, times: hits.count, of: documents[index], in: segment, to: &frequency)
            }
            found.append(documents[index], frequency: frequency)
        }
        return found
    }
}
