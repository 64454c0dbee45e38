import ConcordanceFTS5

/// A segment in a snapshot: its immutable content, and which of its documents are removed.
final class LiveSegment {
    let segment: Segment
    let deletions: Deletions
    let entry: Manifest.Entry
    /// The values of VALUE columns.
    let values: ValueTable
    /// Shared by the states of a segment.
    private let removedPostings: RemovedPostings

    init(_ entry: Manifest.Entry, segment: Segment, deletions: Deletions) {
        self.entry = entry
        self.segment = segment
        self.deletions = deletions
        values = ValueTable(segment.reader, columnCount: segment.shape.valueColumns.count)
        removedPostings = RemovedPostings()
    }

    /// The same segment after other documents were removed, or values have changed.
    init(_ entry: Manifest.Entry, deletions: Deletions, successorOf other: LiveSegment) {
        self.entry = entry
        self.deletions = deletions
        segment = other.segment
        values =
            entry.valueStamp == other.entry.valueStamp
            ? other.values : ValueTable(segment.reader, columnCount: segment.shape.valueColumns.count)
        removedPostings = other.removedPostings
    }

    /// How many rows this segment adds to those that have a term; negative if it subtracts some.
    func liveCount(_ entry: TermEntry) throws -> Int {
        let count = entry.count &+ entry.adjustment
        guard !segment.shape.hasAdjustments, !deletions.isEmpty else { return count }
        return try count &- removedPostings.count(entry, in: segment, deletions)
    }

    /// The document of a row, unless it is removed.
    func document(withRowID rowID: Int64) throws -> UInt32? {
        guard rowID >= entry.info.minimumRowID, rowID <= entry.info.maximumRowID,
            let document = try segment.document(withRowID: rowID)
        else { return nil }
        let number = UInt32(truncatingIfNeeded: document)
        return deletions.isDeleted(number) ? nil : number
    }
}

/// The index at one moment. What changes later does not change it; rows that a reader's transaction sees stay readable.
final class Snapshot {
    /// In the order of their creation; a row is in at most one of them, apart from removed documents.
    let segments: [LiveSegment]
    let rowCount: Int
    /// Tokens of each column in all rows.
    let totalTokens: [Int64]
    /// A different number for every state of the index.
    let version: UInt64
    /// Phrases whose rows have been counted.
    let countedPhrases = QueryCache<QueryPhrase, CountedPhrase>()
    /// Phrases whose rows have been ranked without being counted.
    let phrasesRankedUncounted = QueryCache<QueryPhrase, Void>()
    /// The terms that are meant if a term of a query has typos.
    let termVariants = QueryCache<QueryTerm, [TermVariant]>()
    /// The documents of segments that satisfy conditions on stored values.
    let valueDocuments = QueryCache<SegmentValues, DocumentSet>()
    /// The documents of the query whose facets were counted last.
    var lastMatches: MatchedDocuments?
    /// Tokens of all rows.
    let tokenCount: Int64
    /// The last factors by which rows of a length were ranked.
    private var lengthNorms: LengthNorms?

    init(_ manifest: Manifest, segments: [LiveSegment]) {
        self.segments = segments
        rowCount = manifest.rowCount
        totalTokens = manifest.totalTokens
        tokenCount = manifest.totalTokens.reduce(0, &+)
        version = manifest.version
    }

    /// The shape of the segments, without prefixes if one of them has no lists of these; nil if there are no segments.
    var shape: IndexShape? { (segments.first { !$0.segment.hasLists } ?? segments.first)?.segment.shape }

    /// The factors by which rows of a length are ranked.
    func lengthNorms(k1: Double, b: Double) -> LengthNorms {
        let bm25 = BM25(k1: k1, b: b, rowCount: rowCount, tokenCount: tokenCount)
        if let lengthNorms, lengthNorms.bm25 == bm25 { return lengthNorms }
        let norms = LengthNorms(bm25)
        lengthNorms = norms
        return norms
    }

    /// Where a row is; nil if there is no such row. Cost: a search in each segment whose rowids include it.
    func find(rowID: Int64) throws -> DocumentReference? {
        for (index, segment) in segments.enumerated().reversed() {
            if let document = try segment.document(withRowID: rowID) {
                return DocumentReference(segment: index, document: document)
            }
        }
        return nil
    }

    /// How many rows have a key of the dictionaries.
    func documentFrequency(of key: [UInt8]) throws -> Int {
        var sum = 0
        for live in segments {
            guard let entry = try key.withUnsafeBufferPointer(live.segment.find) else { continue }
            sum &+= try live.liveCount(entry)
        }
        return max(sum, 0)
    }

    /// The terms with rows that begin with the prefix; nil if they are many.
    func liveTerms(beginningWith prefix: [UInt8]) throws -> [[UInt8]]? {
        let key = [0] + prefix
        var counts: [[UInt8]: Int] = [:]
        for live in segments {
            let cursor = try live.segment.makeTermCursor(from: key)
            while try cursor.next(), cursor.withKey({ $0.starts(with: key) }) {
                let count = try live.liveCount(cursor.entry)
                guard count != 0 else { continue }
                counts[cursor.withKey { Array($0.dropFirst()) }, default: 0] &+= count
                // Adjustments in other segments may leave a term without rows, so a few terms are checked.
                if counts.count > Self.termLimit { return nil }
            }
        }
        return counts.filter { $0.value > 0 }.map(\.key)
    }

    private static let termLimit = 64

    /// The row of a document.
    func rowID(_ reference: DocumentReference) throws -> Int64 {
        guard segments.indices.contains(reference.segment) else { throw corrupt("there is no such segment") }
        return try segments[reference.segment].segment.rowID(at: Int(reference.document))
    }
}
