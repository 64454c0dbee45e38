import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("matchinfo")
struct MatchInformationTests {
    private func makeDatabase(_ seed: UInt64) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE o USING fts4(a, b, c); CREATE VIRTUAL TABLE t USING concordance(a, b, c, tokenize=ascii)"
        )
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let texts = (0..<3).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    ["one", "two", "three", "four"].randomElement(using: &random) ?? ""
                }
                .joined(separator: " ")
            }
            for table in ["o", "t"] {
                try db.execute(sql: "INSERT INTO \(table) VALUES (?, ?, ?)", arguments: StatementArguments(texts))
            }
        }
        return db
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `tells what FTS4's tells`(seed: UInt64) throws {
        let db = try makeDatabase(seed)
        for query in [
            "one", "one two", "one OR two", "\"one two\" three", "t*", "a:one two", "one OR b:two OR \"three four\"",
        ] {
            for format in ["pcx", "p", "c", "n", "a", "l", "x", "y", "b", "s", "pcnalx", "yblsap"] {
                let outcomes = try ["o", "t"].map { table in
                    try Row.fetchAll(
                        db,
                        sql:
                            "SELECT rowid, hex(matchinfo(\(table), ?)) AS info FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid",
                        arguments: [format, query])
                }
                #expect(!outcomes[0].isEmpty)
                #expect(outcomes[0] == outcomes[1], "seed \(seed): \(query), \(format)")
            }
        }
        let sql = "SELECT hex(matchinfo(t)) = hex(matchinfo(t, 'pcx')) FROM t('one') LIMIT 1"
        #expect(try Bool.fetchOne(db, sql: sql) == true)
    }

    @Test func `refuses what it does not know`() throws {
        let db = try makeDatabase(1)
        let error = #expect(throws: DatabaseError.self) {
            try Row.fetchAll(db, sql: "SELECT matchinfo(t, 'pz') FROM t('one')")
        }
        #expect(error?.message == "unrecognized matchinfo request: z")
        #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT matchinfo(t, 'p', 1) FROM t('one')") }
    }

    @Test(arguments: ["detail=column", "detail=none", "content=''"])
    func `answers for tables without positions or texts`(option: String) throws {
        let db = try makeDatabase(4)
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE u USING concordance(a, b, c, tokenize=ascii, \(option)); INSERT INTO u(rowid, a, b, c) SELECT rowid, * FROM t"
        )
        let outcomes = try ["t", "u"].map { table in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT rowid, hex(matchinfo(\(table), 'pcnalxyb')) AS info FROM \(table)('one OR two') ORDER BY rowid
                    """)
        }
        #expect(outcomes[0] == outcomes[1])
    }
}
