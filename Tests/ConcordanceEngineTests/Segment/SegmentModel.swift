import CConcordanceSQLiteLink
import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// A segment as plain values: what the writer is given, and what the reader must give back.
struct SegmentModel {
    struct Document: Equatable {
        var rowID: Int64
        var columnLengths: [UInt32]
        var fingerprint: UInt32
    }

    struct Posting: Equatable {
        var document: UInt32
        var columns: [ColumnFrequency]
        /// Empty if the term has none.
        var positions: [Position]

        var frequency: UInt32 { columns.reduce(0) { $0 + $1.count } }
    }

    struct Term: Equatable {
        var key: [UInt8]
        var adjustment: Int
        var postings: [Posting]
    }

    var shape: IndexShape
    var documents: [Document] = []
    /// Ascending by key.
    var terms: [Term] = []

    func hasPositions(_ term: Term) -> Bool { shape.hasPositions && term.key.first == 0 }

    /// Writes all of it.
    func write(id: UInt32, to store: BlockStore) throws -> SegmentInfo {
        let writer = SegmentWriter(id: id, shape: shape, store: store)
        try writeDocuments(to: writer)
        try writeTerms(to: writer)
        return try writer.finish()
    }

    func writeDocuments(to writer: SegmentWriter) throws {
        for document in documents {
            try document.columnLengths.withUnsafeBufferPointer {
                try writer.addDocument(
                    rowID: document.rowID, columnLengths: $0, fingerprint: document.fingerprint)
            }
        }
    }

    func writeTerms(to sink: some TermSink) throws {
        for term in terms {
            term.key.withUnsafeBufferPointer { sink.beginTerm($0) }
            for posting in term.postings {
                try sink.addPosting(document: posting.document) { columns, differences in
                    for column in posting.columns { columns.append(column) }
                    guard hasPositions(term) else { return }
                    var last: Position?
                    for position in posting.positions {
                        let next = last.map { $0.column == position.column ? $0.offset + 1 : 0 } ?? 0
                        differences.append(position.offset - next)
                        last = position
                    }
                }
            }
            try sink.endTerm(adjustment: term.adjustment)
        }
    }

    /// Everything in a segment, read by cursors from its beginning to its end.
    init(reading segment: Segment) throws {
        shape = segment.shape
        for document in 0..<segment.documentCount {
            documents.append(
                Document(
                    rowID: try segment.rowID(at: document),
                    columnLengths: try (0..<shape.columnCount).map {
                        try segment.columnLength(at: document, column: $0)
                    },
                    fingerprint: try segment.fingerprint(at: document)))
        }
        let cursor = try segment.makeTermCursor()
        while try cursor.next() {
            var postings: [Posting] = []
            var positions: [Position] = []
            if cursor.entry.count > 0 {
                var list = try segment.postings(cursor.entry)
                while try list.next() != PostingsCursor.exhausted {
                    var columns: [ColumnFrequency] = []
                    try list.forEachColumn { columns.append(ColumnFrequency(column: $0, count: $1)) }
                    if cursor.entry.hasPositions { positions = try positionArray { try list.readPositions(into: $0) } }
                    postings.append(Posting(document: list.document, columns: columns, positions: positions))
                }
            }
            terms.append(Term(key: cursor.key, adjustment: cursor.entry.adjustment, postings: postings))
        }
    }

    init(shape: IndexShape) { self.shape = shape }
}

/// The rows of an index in memory.
final class MemoryStore {
    let database: Database
    let store: BlockStore

    init() throws {
        database = try Database(path: ":memory:")
        try database.execute(sql: "CREATE TABLE t_data(id INTEGER PRIMARY KEY, block BLOB)")
        store = try BlockStore(database: database, schema: "main", table: "t")
    }

    /// The model as segment 7.
    func open(_ model: SegmentModel) throws -> Segment {
        try Segment(model.write(id: 7, to: store), shape: model.shape, store: store)
    }
}

/// Records where two models differ, the first few times.
func expectSame(_ read: SegmentModel, _ expected: SegmentModel, _ context: String) {
    #expect(read.documents == expected.documents, "\(context)")
    #expect(read.terms.map { $0.key.prefix(40) } == expected.terms.map { $0.key.prefix(40) }, "\(context)")
    for (left, right) in zip(read.terms, expected.terms).filter({ $0 != $1 }).prefix(3) {
        Issue.record(
            """
            \(context): key \(right.key.prefix(40)), adjustments \(left.adjustment) \(right.adjustment), \
            \(left.postings.count) and \(right.postings.count) postings: \
            \(zip(left.postings, right.postings).first { $0 != $1 }.map { "\($0.0) \($0.1)" } ?? "")
            """)
    }
}
