import CSQLiteLink
import ConcordanceSQLite
import ConcordanceText
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Ranked cursor")
struct RankedCursorTests {
    private static let weights: [[Double]] = [[], [2, 0.5], [10, 5, 1]]

    private struct Fixture {
        let db: Database
        let index: InvertedIndex
        let options: TableOptions
        let words = ["a", "ab", "abc", "b", "bc", "c", "ca", "d"]

        init(_ random: inout SeededGenerator) throws {
            db = try Database(path: ":memory:")
            try db.execute(sql: "CREATE TABLE t_data(id INTEGER PRIMARY KEY, block BLOB)")
            let store = try BlockStore(database: db, schema: "main", table: "t")
            var options = TableOptions()
            options.columns = ["x", "y", "z"].map { .init(name: $0) }
            options.prefixes = Bool.random(using: &random) ? [1, 2] : []
            self.options = options
            try InvertedIndex.create(store: store, shape: options.shape)
            index = InvertedIndex(store: store, shape: options.shape)
            for rowID in 1...Int64.random(in: 20...400, using: &random) {
                try insert(rowID * 3 % 401, using: &random)
                if Int.random(in: 0..<120, using: &random) == 0 { try index.flush() }
            }
            try index.flush()
            for rowID in Int64(0)..<60 where Int.random(in: 0..<3, using: &random) == 0 {
                try insert(rowID, using: &random)
            }
        }

        /// Adds a row, or replaces it.
        private func insert(_ rowID: Int64, using random: inout SeededGenerator) throws {
            let columns = options.columns.map { _ in
                (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in words.randomElement(using: &random) }
            }
            try index.insert(rowID) { builder in
                for (number, column) in columns.enumerated() {
                    for word in column {
                        Array(word.utf8).withUnsafeBufferPointer { builder.add($0, column: number, isColocated: false) }
                    }
                }
            }
        }

        func text(depth: Int, using random: inout SeededGenerator) -> String {
            func part() -> String { text(depth: depth - 1, using: &random) }
            if depth > 0 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0: return "(\(part())) NOT (\(part()))"
                case 1, 2: return "(\(part())) AND (\(part()))"
                default: return "(\(part())) OR (\(part()))"
                }
            }
            let some = (0..<3).compactMap { _ in words.randomElement(using: &random) }
            switch Int.random(in: 0..<11, using: &random) {
            case 7: return "\(some[0]) + \(some[1]) + \(some[2])"
            case 8: return "{x y}: ^ \(some[0]) + \(some[0])"
            case 0: return "\(some[0])*"
            case 1: return "\(some[0]) + \(some[1])"
            case 2: return "NEAR(\(some[0]) \(some[1]), 2)"
            case 3: return "^\(some[0])"
            case 4: return "{y z}: \(some[0])"
            case 5: return "- x: \(some[0])*"
            case 6: return "x: \(some[0]) + \(some[1])*"
            default: return some[0]
            }
        }
    }

    /// All rows with their scores, by the cursor in rowid order, the frequencies of each row, and the formula.
    private func rows(_ query: BoundQuery, _ weights: [Double]) throws -> [(rowID: Int64, score: Double)] {
        let snapshot = query.snapshot
        let bm25 = BM25(rowCount: snapshot.rowCount, tokenCount: snapshot.totalTokens.reduce(0, +))
        let idfs = try query.expression.phrases.indices.map {
            BM25.inverseDocumentFrequency(
                rowCount: snapshot.rowCount, documentFrequency: try query.documentFrequency(ofPhrase: $0))
        }
        var rows: [(rowID: Int64, score: Double)] = []
        let matches = try query.makeMatches(descending: false, rowIDs: Int64.min...Int64.max)
        while try matches.next() {
            var frequencies = idfs.map { _ in 0.0 }
            for phrase in idfs.indices {
                try query.forEachColumn(at: matches.document, ofPhrase: phrase) { column, count in
                    frequencies[phrase] += (Int(column) < weights.count ? weights[Int(column)] : 1) * Double(count)
                }
            }
            let segment = snapshot.segments[matches.document.segment].segment
            let norm = bm25.lengthNorm(Double(try segment.length(at: Int(matches.document.document))))
            var score = 0.0
            for (idf, frequency) in zip(idfs, frequencies) {
                score += BM25.score(idf: idf, frequency: frequency, norm: norm)
            }
            rows.append((matches.rowID, -1.0 * score))
        }
        return rows.sorted { $0.score != $1.score ? $0.score < $1.score : $0.rowID < $1.rowID }
    }

    @Test(arguments: 0..<12)
    func `gives the matches of any query by score and rowid`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try Fixture(&random)
        let snapshot = try fixture.index.snapshot()
        let compiler = QueryCompiler(options: fixture.options, tokenizer: Unicode61Tokenizer())
        for _ in 0..<20 {
            let text = fixture.text(depth: Int.random(in: 0..<3, using: &random), using: &random)
            let weights = try #require(Self.weights.randomElement(using: &random))
            let query = try BoundQuery(compiler.compile(text, column: nil), snapshot: snapshot)
            let all = try rows(query, weights)
            let bounds = Bool.random(using: &random) ? Int64.min...Int64.max : 20...90
            let expected = all.filter { bounds.contains($0.rowID) }
            let cursor = try RankedCursor(bound: query, weights: weights, limit: 5, rowIDs: bounds)
            var found: [(rowID: Int64, score: Double)] = []
            while try cursor.next() { found.append((cursor.rowID, cursor.score)) }
            #expect(found.map(\.rowID) == expected.map(\.rowID), "seed \(seed), \(text), \(weights), \(bounds)")
            #expect(found.map(\.score) == expected.map(\.score), "seed \(seed), \(text), \(weights), \(bounds)")
        }
    }
}
