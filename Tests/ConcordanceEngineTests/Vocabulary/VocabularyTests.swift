import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("The vocabulary module")
struct VocabularyTests {
    private static let options = [
        "a, b", "a, b, prefix='1 2'", "a, b UNINDEXED", "a, b, detail=column", "a, b, detail=none", "a, b, content=''",
        "a, b, columnsize=0, tokenize=porter",
    ]

    private func makePair(_ options: String) throws -> TablePair {
        let pair = try TablePair(options)
        for (kind, name) in [("row", "vr"), ("col", "vc"), ("instance", "vi")] {
            try pair.db.execute(sql: "CREATE VIRTUAL TABLE fts_\(name) USING fts5vocab(fts, \(kind))")
            try pair.db.execute(sql: "CREATE VIRTUAL TABLE own_\(name) USING concordancevocab(own, \(kind))")
        }
        return pair
    }

    private func compare(_ pair: TablePair, _ note: String) {
        let conditions = [
            "", "WHERE term = 'one'", "WHERE term > 'on'", "WHERE term >= 'on' AND term <= 'three'",
            "WHERE term < 'one'", "WHERE term IN ('one', 'two', 'zzz', NULL)", "WHERE term = 'zzz'",
            "WHERE term BETWEEN 'o' AND 'p'", "WHERE term IS NULL", "WHERE term > 5",
        ]
        for vocabulary in ["$t_vr", "$t_vc", "$t_vi"] {
            for condition in conditions {
                pair.compare("SELECT rowid, * FROM \(vocabulary) \(condition)", [], note)
                pair.compare("SELECT *, rowid FROM \(vocabulary) \(condition) ORDER BY term DESC, 2, 3", [], note)
            }
            pair.compare("SELECT count(*) FROM \(vocabulary) ORDER BY term", [], note)
        }
    }

    @Test(arguments: options)
    func `says what fts5vocab says, after any history`(_ options: String) throws {
        let pair = try makePair(options)
        var random = RandomQueries(seed: 3)
        compare(pair, "empty")
        let isContentless = options.contains("content=''")
        var rows: [Int: (String, String)] = [:]
        for round in 0..<4 {
            for _ in 0..<12 {
                let row = Int.random(in: 1...30, using: &random.generator)
                if let (a, b) = rows.removeValue(forKey: row) {
                    if isContentless {
                        try pair.execute("INSERT INTO $t($t, rowid, a, b) VALUES ('delete', ?, ?, ?)", [row, a, b])
                    } else {
                        try pair.execute("DELETE FROM $t WHERE rowid = ?", [row])
                    }
                } else {
                    let texts = (random.text(maximum: 9), random.text(maximum: 4))
                    rows[row] = texts
                    try pair.execute("INSERT INTO $t(rowid, a, b) VALUES (?, ?, ?)", [row, texts.0, texts.1])
                }
            }
            if round == 2 { try pair.execute("INSERT INTO $t($t) VALUES ('optimize')") }
            compare(pair, "round \(round) of \(options)")
        }
    }

    @Test func `sees what a transaction has written`() throws {
        let pair = try makePair("a, b")
        try pair.db.inTransaction {
            try pair.execute("INSERT INTO $t VALUES ('one two', 'one')")
            compare(pair, "inserted")
            try pair.execute("DELETE FROM $t")
            compare(pair, "deleted")
            return .rollback
        }
        compare(pair, "rolled back")
    }

    @Test func `finds tables in other schemas from temp`() throws {
        let pair = try TablePair("a")
        try pair.execute("INSERT INTO $t VALUES ('one')")
        try pair.db.execute(sql: "CREATE VIRTUAL TABLE temp.v USING concordancevocab('main', [own], \"row\")")
        #expect(try String.fetchAll(pair.db, sql: "SELECT term FROM v") == ["one"])
    }

    @Test(arguments: [
        "(own)", "(own, row, x)", "(main, own, row)", "(own, 'it''s')", "(own, rows)", "()", "(nosuch, row)",
        "(plain, row)",
    ])
    func `refuses what fts5vocab refuses`(_ arguments: String) throws {
        let pair = try TablePair("a")
        try pair.db.execute(sql: "CREATE TABLE plain(plain)")
        func outcome(_ module: String, _ table: String) -> String {
            do {
                let arguments = arguments.replacing("own", with: table)
                try pair.db.execute(sql: "CREATE VIRTUAL TABLE v_\(table) USING \(module)\(arguments)")
                return "\(try Row.fetchAll(pair.db, sql: "SELECT * FROM v_\(table)"))"
            } catch {
                return ((error as? DatabaseError)?.message ?? "\(error)").replacing("main.\(table)", with: "main.t")
            }
        }
        #expect(outcome("concordancevocab", "own") == outcome("fts5vocab", "fts"))
    }

    @Test func `does not serve a table of FTS5`() throws {
        let pair = try TablePair("a")
        try pair.execute("INSERT INTO $t VALUES ('one')")
        try pair.db.execute(sql: "CREATE VIRTUAL TABLE v USING concordancevocab(fts, row)")
        let error = #expect(throws: DatabaseError.self) { try pair.db.execute(sql: "SELECT * FROM v") }
        #expect(error?.message == "no such fts5 table: main.fts")
    }

    @Test func `continues where it is while rows change`() throws {
        let pair = try makePair("a, b")
        for word in ["a", "b", "c", "d"] { try pair.execute("INSERT INTO $t VALUES (?, ?)", [word, word]) }
        var terms: [String] = []
        let cursor = try String.fetchCursor(pair.db, sql: "SELECT term FROM own_vr")
        while let term = try cursor.next() {
            terms.append(term)
            try pair.db.execute(sql: "INSERT INTO own VALUES ('zz', 'zz')")
            try pair.db.execute(sql: "DELETE FROM own WHERE own MATCH ?", arguments: [term])
        }
        #expect(terms == ["a", "b", "c", "d"])
    }
}
