import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Auxiliary functions of our tables")
struct EngineAuxiliaryFunctionTests {
    /// Options, whether the index has positions, and columns.
    private static let modes: [(arguments: String, hasPositions: Bool, hasColumns: Bool)] = [
        ("a, b, c UNINDEXED", true, true),
        ("a, b, prefix='1 2'", true, true),
        ("a, b, tokenize='porter ascii'", true, true),
        ("a, b, columnsize=0", true, true),
        ("a, b, content=''", true, true),
        ("a, b, content='', columnsize=0", true, true),
        ("a, b, detail=column", false, true),
        ("a, b, detail=none", false, false),
        ("a, b, detail=column, prefix=2", false, true),
        ("a, b, content='', detail=column", false, true),
        ("a, b, content='', detail=none", false, false),
    ]

    /// A query that repeats a word has each of its instances once for each time.
    @Test(arguments: ["", ", detail=column"])
    func `refuse a row with millions of instances, which others find`(options: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a\(options))")
        try db.execute("INSERT INTO t VALUES (\(String(repeating: "a ", count: 60_000))), ('a b')")
        let query = Array(repeating: "a", count: 80).joined(separator: " OR ")
        let error = #expect(throws: DatabaseError.self) {
            try String.fetchAll(db, literal: "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH \(query)")
        }
        #expect(error?.resultCode == .SQLITE_TOOBIG)
        #expect(try Int.fetchAll(db, literal: "SELECT rowid FROM t WHERE t MATCH \(query) ORDER BY rank").count == 2)
        #expect(
            try String.fetchAll(
                db, literal: "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH \(query) AND rowid = 2") == [
                    "[a] b"
                ])
    }

    private static func fill(_ pair: TablePair, _ random: inout RandomQueries, columns: Int) throws {
        for row in 1...30 {
            let texts = (0..<columns).map { _ in random.text(maximum: random.chance(4) ? 60 : 8) }
            let marks = Array(repeating: "?", count: columns + 1).joined(separator: ", ")
            try pair.execute(
                "INSERT INTO $t(rowid, \(["a", "b", "c"].prefix(columns).joined(separator: ", "))) VALUES (\(marks))",
                StatementArguments([row * 3] + texts))
        }
    }

    /// Everything that an auxiliary function can ask.
    private static let dump = FTS5AuxiliaryFunction("dump") { context, arguments in
        var parts: [String] = ["\(arguments)"]
        parts.append("columns \(try context.columnCount) rows \(try context.rowCount)")
        parts.append("row \(try context.rowID)")
        for column in [nil] + (0..<(try context.columnCount)).map(Optional.some) {
            parts.append(
                "total \(try context.totalTokenCount(column: column)) \(try context.tokenCount(column: column))")
        }
        for column in 0..<(try context.columnCount) { parts.append(try context.text(column: column)) }
        for index in 0..<(try context.instanceCount) { parts.append("\(try context.instance(index))") }
        for phrase in 0..<(try context.phraseCount) {
            parts.append("phrase \(phrase) size \(try context.phraseSize(phrase))")
            parts.append("in \(try context.columns(withPhrase: phrase))")
            try context.forEachPosition(ofPhrase: phrase) { parts.append("\($0).\($1)") }
            var rows = 0
            try context.forEachRow(matchingPhrase: phrase) { row in
                let places = try (0..<(try row.instanceCount)).map { "\(try row.instance($0))" }
                parts.append("\(try row.rowID) \(try row.tokenCount()) \(try row.phraseCount) \(places)")
                parts.append(try row.text(column: 0))
                rows += 1
                return rows < 3
            }
        }
        var calls = try context.auxiliaryData { 0 }
        calls += 1
        try context.setAuxiliaryData(calls)
        parts.append("call \(calls)")
        parts.append("\(try context.tokens(in: "One two"))")
        return parts.joined(separator: "; ")
    }

    @Test(arguments: modes.indices)
    func `see what FTS5's see`(_ mode: Int) throws {
        let (arguments, hasPositions, hasColumns) = Self.modes[mode]
        for seed in 0..<2 as Range<UInt64> {
            var random = RandomQueries(seed: seed)
            let pair = try TablePair(arguments)
            try pair.db.add(auxiliaryFunction: Self.dump)
            try Self.fill(pair, &random, columns: arguments.contains("c UNINDEXED") ? 3 : 2)
            for _ in 0..<15 {
                let query = random.query(columns: ["a", "b"], hasPositions: hasPositions, hasColumns: hasColumns)
                let note = "\(arguments) seed \(seed)"
                pair.compare("SELECT dump($t, 1, 'x') FROM $t WHERE $t MATCH ? ORDER BY rowid", [query], note)
                pair.compare(
                    "SELECT rowid, bm25($t), bm25($t, 2.5, 0.1) FROM $t WHERE $t MATCH ? ORDER BY rowid", [query], note)
                pair.compare(
                    "SELECT rowid, concordance_rank($t) FROM $t WHERE $t MATCH ? ORDER BY rowid", [query], note)
                pair.compare("SELECT concordance_explain($t) FROM $t WHERE $t MATCH ? ORDER BY rowid", [query], note)
                pair.compare("SELECT rowid, rank FROM $t WHERE $t MATCH ? ORDER BY rank, rowid", [query], note)
            }
        }
    }

    /// To the last bit, wherever the sum of the weights of hits depends on the order.
    @Test(arguments: ["0.1, 3", "3, 0.1", "0.1, 0.7", "0.000000001, 5", "2.5, 7", "1, 90000000000000000.0", "-0.3, 4"])
    func `add up weights hit by hit, as FTS5's do`(_ weights: String) throws {
        let pair = try TablePair("a, b, c UNINDEXED")
        for (first, second) in (0...9).flatMap({ first in (0...9).map { (first, $0) } }) {
            func text(_ count: Int) -> String { repeatElement("one", count: count).joined(separator: " ") }
            try pair.execute(
                "INSERT INTO $t(a, b) VALUES (? || ' x', ?)", [text(first), text(second)])
        }
        func scores(_ table: String, _ sql: String) throws -> [Double] {
            try Double.fetchAll(pair.db, sql: sql.replacing("$t", with: table))
        }
        let queries = [
            "SELECT bm25($t, \(weights)) FROM $t('one') ORDER BY rowid",
            "SELECT concordance_rank($t, 1.2, 0.75, NULL, 0, 0, \(weights)) FROM $t('one OR x') ORDER BY rowid",
            "SELECT json_extract(concordance_explain($t, 1.2, 0.75, NULL, 0, 0, \(weights)), '$.score') FROM $t('one') "
                + "ORDER BY rowid",
            "SELECT rank FROM (SELECT rowid, rank FROM $t('one') WHERE rank MATCH 'bm25(\(weights))' ORDER BY rank) "
                + "ORDER BY rowid",
        ]
        for query in queries {
            let own = try scores("own", query)
            #expect(own.count > 90, "\(query)")
            #expect(own == (try scores("fts", query)), "\(query)")
        }
    }

    /// What `highlight` marks of a place with several tokens is the text of a hit there.
    @Test(arguments: [
        "concordance", "concordance words edge_ngrams 1 4", "concordance words synonyms 'cat,kitten'",
        "concordance words ngrams 2 3",
    ])
    func `explain hits by the text that is marked`(_ tokenizer: String) throws {
        let pair = try TablePair("a, b, tokenize=\"\(tokenizer)\"")
        for text in ["x a.b y", "the cat's kittens.net", "foo-bar_baz it's", "kitten cat a.b a b", "e.g. x_y@z.org"] {
            try pair.execute("INSERT INTO $t VALUES (?, ?)", [text, "cat \(text)"])
        }
        for query in ["a", "b", "\"a.b\"", "cat", "kitten*", "\"foo bar\"", "ca", "it", "org", "x + a", "kitten + cat"]
        {
            pair.compare("SELECT concordance_explain($t) FROM $t(?) ORDER BY rowid", [query], tokenizer)
        }
        let text = try String.fetchOne(
            pair.db,
            sql: "SELECT json_extract(concordance_explain(own), '$.phrases[0].text') FROM own('x') WHERE rowid = 1")
        #expect(text == "x")
    }

    @Test(arguments: ["", ", prefix=2", ", detail=column", ", detail=none"])
    func `explain rows whose content is gone as FTS5's do`(_ options: String) throws {
        let pair = try TablePair("a, content='texts', content_rowid='id'\(options)")
        try pair.db.execute(
            sql:
                "CREATE TABLE texts(id INTEGER PRIMARY KEY, a); INSERT INTO texts VALUES (1, 'one two'), (2, 'one'), (3, 'two')"
        )
        try pair.execute("INSERT INTO $t($t) VALUES ('rebuild')")
        try pair.db.execute(sql: "DELETE FROM texts WHERE id = 1")
        for query in ["one", "tw*", "one OR two"] {
            for row in 1...3 {
                pair.compare(
                    "SELECT rowid, concordance_explain($t) FROM $t(?) WHERE rowid = ?", [query, row], options)
            }
            pair.compare("SELECT rowid, highlight($t, 0, '[', ']') FROM $t(?)", [query], options)
        }
    }

    @Test(arguments: modes.indices)
    func `mark and cut texts as FTS5's do`(_ mode: Int) throws {
        let (arguments, hasPositions, hasColumns) = Self.modes[mode]
        for seed in 10..<12 as Range<UInt64> {
            var random = RandomQueries(seed: seed)
            let pair = try TablePair(arguments)
            try Self.fill(pair, &random, columns: arguments.contains("c UNINDEXED") ? 3 : 2)
            for _ in 0..<15 {
                let query = random.query(columns: ["a", "b"], hasPositions: hasPositions, hasColumns: hasColumns)
                let note = "\(arguments) seed \(seed)"
                for column in -1...2 {
                    let count = random.pick([1, 2, 3, 5, 8, 20, 64, 0, -1])
                    pair.compare(
                        "SELECT rowid, snippet($t, ?, '<', '>', '…', ?) FROM $t WHERE $t MATCH ? ORDER BY rowid",
                        [column, count, query], note)
                    if column < 0 { continue }
                    pair.compare(
                        "SELECT rowid, highlight($t, ?, '[', ']') FROM $t WHERE $t MATCH ? ORDER BY rowid",
                        [column, query], note)
                }
            }
        }
    }

    @Test(arguments: [
        "SELECT highlight($t, 0, '[', ']') FROM $t", "SELECT highlight($t, 0, NULL, ']') FROM $t WHERE $t MATCH 'one'",
        "SELECT highlight($t, 7, '[', ']') FROM $t WHERE $t MATCH 'one'",
        "SELECT highlight($t, 'b', '[', ']') FROM $t WHERE $t MATCH 'one'",
        "SELECT highlight($t, 0, '[') FROM $t WHERE $t MATCH 'one'",
        "SELECT highlight($t) FROM $t WHERE $t MATCH 'one'",
        "SELECT snippet($t, 0, '[', ']', '…') FROM $t WHERE $t MATCH 'one'",
        "SELECT snippet($t, 9, '[', ']', '…', 3) FROM $t WHERE $t MATCH 'one'",
        "SELECT snippet($t, 0, NULL, NULL, NULL, 3) FROM $t WHERE $t MATCH 'two'",
        "SELECT bm25($t) FROM $t",
        "SELECT bm25($t, NULL, 'x') FROM $t",
        "SELECT bm25(a) FROM $t WHERE $t MATCH 'one'", "SELECT bm25(1) FROM $t WHERE $t MATCH 'one'",
        "SELECT bm25() FROM $t", "SELECT bm25($t, 'a', 2) FROM $t WHERE $t MATCH 'one two'",
        "SELECT highlight($t, 1, '[', ']') FROM $t WHERE $t MATCH 'one OR 12 OR 3'",
        "SELECT highlight($t, 0, '[', ']') FROM $t WHERE $t MATCH 'last'",
        "SELECT rank FROM $t WHERE $t MATCH 'one' AND rank MATCH 'bm25(10, 0)'",
        "SELECT rank FROM $t WHERE $t MATCH 'one' AND rank MATCH 'nosuch(1)'",
        "SELECT nosuch($t) FROM $t WHERE $t MATCH 'one'",
    ])
    func `take and refuse arguments as FTS5's do`(_ sql: String) throws {
        let pair = try TablePair("a, b")
        try pair.execute("INSERT INTO $t VALUES ('one two three four five six', 'seven one'), (NULL, NULL), ('', 12)")
        try pair.execute("INSERT INTO $t VALUES (12, 3.5), (x'6f6e65', 'one'), ('one' || char(0) || 'b last', 'x')")
        try pair.execute("INSERT INTO $t($t) VALUES ('optimize')")
        let (fts, own) = pair.answers(sql)
        #expect(own == fts.replacing("fts", with: "own"))
    }

    /// The engine scores rows by itself from the third on.
    @Test(arguments: ["", "prefix='1'", "columnsize=0", "detail=column", "content=''"])
    func `score many rows of one query`(option: String) throws {
        let pair = try TablePair("a, b, c" + (option.isEmpty ? "" : ", \(option)"))
        try pair.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
            INSERT INTO $t(rowid, a, b, c) SELECT i, iif(i % 5 < 2, 'x', 'y ya'), 'x' || substr(' z z z z z', 1, 2 * (i % 6)),
              iif(i % 7 = 0, 'yb x x', 'z') FROM n
            """)
        if option != "content=''" { try pair.execute("DELETE FROM $t WHERE rowid % 11 = 0") }
        try pair.execute("INSERT INTO $t(rowid, a) SELECT 1000 + value, 'y x z' FROM json_each('[1, 2, 3, 4]')")
        let queries =
            ["x", "x z", "x OR y", "y* z", "(y OR ya) AND z", "z NOT yb", "a : x", "{a c} : y* AND b : z", "x AND x"]
            + (option == "detail=column" ? [] : ["\"x z\"", "NEAR(x z, 2)", "^x z"])
        for query in queries {
            for weights in ["", ", 10.0, 1.0", ", 0, 2, 0.5", ", 0.1, 0.3, 0.7", ", rowid % 3, 1", ", -1"] {
                let sql = "SELECT rowid, bm25($t\(weights)) FROM $t WHERE $t MATCH ? "
                pair.compare(sql, [query])
                pair.compare(sql + "ORDER BY rowid DESC", [query])
                pair.compare(sql + "ORDER BY bm25($t\(weights)), rowid LIMIT 20", [query])
            }
            pair.compare("SELECT rowid, rank, bm25($t, 3) FROM $t WHERE $t MATCH ? ORDER BY rank, rowid", [query])
            pair.compare(
                "SELECT bm25($t, 3), bm25($t), iif(rowid % 3 = 0, snippet($t, 0, '[', ']', '', 2), 0), bm25($t, 3) "
                    + "FROM $t WHERE $t MATCH ?", [query])
            pair.compare(
                "SELECT x.rowid, bm25(x.$t, 3), bm25(y.$t, 3), y.rowid FROM $t AS x, $t AS y "
                    + "WHERE x.$t MATCH ? AND x.rowid % 40 = 0 AND y.$t MATCH 'z' AND y.rowid < 300", [query])
        }
    }

    /// Parameters for which nothing bounds scores: the engine computes what the function computes for each row.
    @Test(arguments: [
        "1.2, 1.5, NULL, 0, 2", "1.2, -0.2, NULL, 0.5, 0", "1.2, 0.75, NULL, 0, -1", "1.2, 0.75, NULL, -1, 0",
        "1.2, 0.75, -1", "1.2, 0.75, -1.5", "1.2, 0.75, NULL, 0, 0.3, -2, 1", "0, 0, 2, 0.2, 0.3, 10, 0.5",
    ])
    func `rank as the engine does, whatever the parameters`(parameters: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        var random = SeededGenerator(seed: 7)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b); BEGIN")
        for _ in 0..<1000 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    ["x", "y", "z", "v"].randomElement(using: &random) ?? ""
                }
                .joined(separator: " ")
            }
            try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [texts[0], texts[1]])
        }
        try db.execute(sql: "COMMIT")
        for query in ["x", "x y z", "x OR y", "x AND x", "x y*", "\"x y\" OR z"] {
            let scores = { (order: String) in
                try Double.fetchAll(
                    db,
                    sql:
                        "SELECT coalesce(concordance_rank(t, \(parameters)), 0) FROM t WHERE t MATCH ? \(order) LIMIT 50",
                    arguments: [query])
            }
            let found = try scores("AND rank MATCH 'concordance_rank(\(parameters))' ORDER BY rank")
            let expected = try scores("ORDER BY concordance_rank(t, \(parameters))")
            #expect(found.count == expected.count, "\(query)")
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1e-9 * max(1, abs($1)) }, "\(query)")
        }
    }

    @Test func `write no text twice where tokens overlap`() throws {
        let pair = try TablePair("a, tokenize=trigram")
        var random = RandomQueries(seed: 7)
        for _ in 0..<40 {
            try pair.execute("INSERT INTO $t VALUES (?)", [random.text(maximum: 12)])
        }
        for query in [
            "one", "one OR ne", "\"one\" OR \"ne \" OR \"e t\"", "thr OR hre OR ree", "two OR three OR ' fo'",
        ] {
            let query = query.replacing("'", with: "\"")
            let sql = "SELECT rowid, a, highlight(own, 0, '[', ']') FROM own WHERE own MATCH ?"
            for row in try Row.fetchAll(pair.db, sql: sql, arguments: [query]) {
                let rowID = try row.decode(Int.self, at: 0)
                let text = try row.decode(String.self, at: 1)
                let marked = try row.decode(String.self, at: 2)
                #expect(marked.filter { $0 != "[" && $0 != "]" } == text)
                #expect(marked.contains("["))
                let fts = try String.fetchOne(
                    pair.db, sql: "SELECT highlight(fts, 0, '[', ']') FROM fts WHERE fts MATCH ? AND rowid = ?",
                    arguments: [query, rowID])
                if fts?.filter({ $0 != "[" && $0 != "]" }) == text { #expect(marked == fts, "\(query)") }
            }
        }
    }

    @Test func `that are added replace others, in compiled statements too`() throws {
        let pair = try TablePair("a")
        try pair.execute("INSERT INTO $t VALUES ('one')")
        try pair.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("f") { _, _ in 1 })
        let statement = try pair.db.makeStatement(sql: "SELECT f(own) FROM own WHERE own MATCH 'one'")
        #expect(try Int.fetchOne(statement) == 1)
        try pair.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("F") { _, _ in 2 })
        #expect(try Int.fetchOne(statement) == 2)
        try pair.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("bm25") { _, _ in -5 })
        pair.compare("SELECT rank, bm25($t) FROM $t WHERE $t MATCH 'one' ORDER BY rank")
    }

    private struct Refusal: Error, Equatable {}

    @Test func `throw their own errors`() throws {
        let pair = try TablePair("a")
        try pair.execute("INSERT INTO $t VALUES ('one')")
        try pair.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("fails") { _, _ in throw Refusal() })
        #expect(throws: Refusal()) {
            try pair.db.execute(sql: "SELECT fails(own) FROM own WHERE own MATCH 'one'")
        }
        try pair.db.add(
            auxiliaryFunction: FTS5AuxiliaryFunction("outside") { context, _ in try context.instance(100).phrase })
        #expect(throws: FTS5Error.indexOutOfRange("match", index: 100)) {
            try pair.db.execute(sql: "SELECT outside(own) FROM own WHERE own MATCH 'one'")
        }
    }

    /// What a C program keeps for a query, and how often it was destroyed.
    private final class Kept {
        nonisolated(unsafe) static var destroyedCount = 0
        var rows = 0

        deinit { Self.destroyedCount += 1 }
    }

    @Test func `in C keep data for a query, which is destroyed with it`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('one'), ('two')")
        let module = try self.api(db)
        let api = try #require(module)
        let code = api.pointee.xCreateFunction?(
            api, "numbered", UnsafeMutableRawPointer(bitPattern: 1000),
            { api, fts, result, _, _ in
                guard let api = api?.pointee, let fts else { return }
                var kept = api.xGetAuxdata?(fts, 0)
                if kept == nil {
                    kept = Unmanaged.passRetained(Kept()).toOpaque()
                    _ = api.xSetAuxdata?(fts, kept) { kept in
                        if let kept { Unmanaged<Kept>.fromOpaque(kept).release() }
                    }
                }
                guard let kept else { return }
                let row = Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue()
                row.rows += 1
                csqlite_result_int64(result, Int64(row.rows + Int(bitPattern: api.xUserData?(fts))))
            }, nil)
        #expect(code == SQLITE_OK)
        Kept.destroyedCount = 0
        for count in 1...3 {
            #expect(try Int.fetchAll(db, sql: "SELECT numbered(t) FROM t WHERE t MATCH 'one'") == [1001, 1002])
            #expect(Kept.destroyedCount == count)
        }
        #expect(try Int.fetchAll(db, sql: "SELECT numbered(t) FROM t") == [1001, 1002, 1003])
    }

    /// The way of a C program to the functions of the module.
    private func api(_ db: Database) throws -> UnsafeMutablePointer<fts5_api>? {
        var statement: OpaquePointer?
        defer { _ = csqlite_finalize(statement) }
        let code = csqlite_prepare_v3(try db.sqliteConnection, "SELECT concordance(?1)", -1, 0, &statement, nil)
        try #require(code == SQLITE_OK)
        var api: UnsafeMutablePointer<fts5_api>?
        withUnsafeMutablePointer(to: &api) { pointer in
            "fts5_api_ptr".withCString { type in
                _ = csqlite_bind_pointer(statement, 1, pointer, type, nil)
                _ = csqlite_step(statement)
            }
        }
        return api
    }

    @Test func `work where SQLite has no FTS5`() throws {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil })
        try ConcordanceModule.register(on: db)
        try ConcordanceRanking.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, tokenize='porter')")
        try db.execute(sql: "INSERT INTO t VALUES ('one two'), ('two'), ('three')")
        try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("places") { context, _ in try context.instanceCount })
        let sql =
            "SELECT highlight(t, 0, '[', ']') || places(t) FROM t WHERE t MATCH 'one' ORDER BY concordance_rank(t)"
        #expect(try String.fetchAll(db, sql: sql) == ["[one] two1"])
    }
}
