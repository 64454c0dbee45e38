import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import Testing

@Suite("Tokens that share a place count as in FTS5")
struct ColocatedTokenTests {
    private func makeTables(_ options: String) throws -> SideBySide {
        let both = try SideBySide()
        for db in [both.fts5, both.engine] { try ConcordanceTokenizers.register(on: db) }
        both.check("CREATE VIRTUAL TABLE t USING MODULE(a, b\(options))")
        return both
    }

    /// Queries of prefixes with and without a list, of those alone, with others, in columns, and by weights.
    private static let queries = ["ca*", "cat*", "do*", "a : ca*", "cat OR ca*", "do* NOT dog", "cat* AND mou*", "xy*"]
        .flatMap { query in
            [
                "SELECT rowid, rank FROM t('\(query)') ORDER BY rank",
                "SELECT rowid, rank, bm25(t), bm25(t, 2.5, -1) FROM t('\(query)')",
                "SELECT rowid, rank FROM t('\(query)') WHERE rank MATCH 'bm25(0.5, 3)' ORDER BY rank DESC",
                "SELECT rowid, snippet(t, -1, '[', ']', '…', 3) FROM t('\(query)') LIMIT 4",
            ]
        }

    private static func row(_ number: Int) -> String {
        let words = ["cat", "cats", "catalogue", "dog", "do", "doors", "mouse", "x", "caterpillar"]
        func text(_ step: Int) -> String {
            (0..<number % 5).map { words[(number * step + $0) % words.count] }.joined(separator: " ")
        }
        return "INSERT INTO t(rowid, a, b) VALUES (\(number), '\(text(3))', '\(text(7))')"
    }

    static let tokenizers = ["words edge_ngrams 1 4", "words edge_ngrams 3 5", "words synonyms 'cat,cats,catty,dog'"]
    // For a prefix that is one character shorter than a list's, FTS5 sometimes counts places and sometimes terms.
    static let options = [
        "", ", prefix='1 2 3'", ", detail=column", ", detail=none", ", detail=column, prefix='1 2'",
        ", detail=none, prefix='1 2 3'",
    ]

    @Test(arguments: options, tokenizers)
    func `in one segment, in many, and after merges`(options: String, tokenizer: String) throws {
        let both = try makeTables("\(options), tokenize=\"concordance \(tokenizer)\"")
        // Some in one commit, then enough commits for small segments to be merged.
        for statements in [
            ["BEGIN"] + (1...40).map(Self.row) + ["COMMIT"],
            (41...80).map(Self.row) + ["DELETE FROM t WHERE rowid % 7 = 3"],
            ["INSERT INTO t(t) VALUES ('optimize')"],
        ] {
            for sql in statements + Self.queries { both.check(sql) }
        }
        both.check("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    }

    /// The flags in the segments' headers, except the one which says that the pages are in them.
    private func flags(_ db: Database) throws -> [String] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT hex(substr(block, 2, 1)) FROM t_data WHERE id >= 1 << 32 AND id & 0xFFFFFFFF = 0 ORDER BY 1
                """
        ).map { $0.databaseValues[0].description }
    }

    @Test
    func `a segment says whether there are any, and merges pass it on`() throws {
        let db = try makeTables(", tokenize='concordance words ngrams 2 3'").engine
        try db.execute(sql: "INSERT INTO t VALUES ('ab', 'cd')")
        #expect(try flags(db) == ["'01'"])
        try db.execute(sql: "INSERT INTO t VALUES ('ab', 'cde')")
        #expect(try flags(db) == ["'01'", "'05'"])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        #expect(try flags(db) == ["'05'"])
        for _ in 0..<40 { try db.execute(sql: "INSERT INTO t VALUES ('ab', 'cd')") }
        #expect(try flags(db) == ["'01'", "'05'"])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('rebuild')")
        #expect(try flags(db) == ["'05'"])
        try db.execute(sql: "DELETE FROM t; INSERT INTO t VALUES ('ab', 'cd'); INSERT INTO t(t) VALUES ('rebuild')")
        #expect(try flags(db) == ["'01'"])
    }
}
