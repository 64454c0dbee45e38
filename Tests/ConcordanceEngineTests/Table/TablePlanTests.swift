import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Plans of a full-text table")
struct TablePlanTests {
    /// Rows with few distinct words, so that many have equal scores, in several segments.
    private static func makeTable(rows: Int, random: inout SeededGenerator) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, b);
                CREATE TABLE source(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, note TEXT);
                CREATE INDEX sourceKinds ON source(kind);
                """)
        let words = ["one", "two", "three", "four", "five", "six"]
        var start = 0
        while start < rows {
            let end = min(rows, start + Int.random(in: 1...max(rows / 3, 1), using: &random))
            try db.inTransaction(.immediate) {
                for row in start..<end {
                    let texts = (0..<2).map { _ in
                        (0..<Int.random(in: 0...4, using: &random)).map { _ in
                            words[min(Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))]
                        }.joined(separator: " ")
                    }
                    let id = row * 2 - rows / 3 + (row.isMultiple(of: 17) ? 1 : 0)
                    try db.execute(
                        sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)", arguments: [id, texts[0], texts[1]])
                    try db.execute(sql: "INSERT INTO source VALUES (?, ?, 'x')", arguments: [id, row % 10])
                }
                return .commit
            }
            start = end
        }
        for row in stride(from: 3, to: rows, by: 11) {
            try db.execute(sql: "DELETE FROM t WHERE rowid = ?", arguments: [row * 2 - rows / 3])
        }
        return db
    }

    private static func plan(_ sql: String, in db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String? ?? "" }
    }

    // MARK: - Orders

    @Test(
        arguments: [
            ("ORDER BY rank", true), ("ORDER BY rank, rowid", true), ("ORDER BY rank DESC", true),
            ("ORDER BY rank DESC, rowid", true), ("ORDER BY rowid", true), ("ORDER BY rowid DESC", true),
            ("ORDER BY rank, rowid DESC", false), ("ORDER BY rank DESC, rowid DESC", false),
            ("ORDER BY rowid, rank", false), ("ORDER BY rank, a", false), ("ORDER BY rank, rowid, a", false),
            ("ORDER BY rank + 0", false),
        ])
    func `are in the order that a query asks for, where the table has it`(order: String, isOrdered: Bool) throws {
        var random = SeededGenerator(seed: 1)
        let db = try Self.makeTable(rows: 30, random: &random)
        let plan = try Self.plan("SELECT rowid FROM t WHERE t MATCH 'one' \(order) LIMIT 3", in: db)
        #expect(plan.contains("USE TEMP B-TREE FOR ORDER BY") != isOrdered, "\(plan)")
    }

    @Test(
        arguments: [
            ("t MATCH 'one'", "SCAN t VIRTUAL TABLE INDEX 32:M2"),
            ("t MATCH 'one' AND rank > 1", "SCAN t VIRTUAL TABLE INDEX 32:M2["),
            ("t MATCH 'one' AND rank <= 1", "SCAN t VIRTUAL TABLE INDEX 32:M2]"),
            ("t MATCH 'one' AND (rank, rowid) > (1, 2)", "SCAN t VIRTUAL TABLE INDEX 32:M2["),
            ("t MATCH 'one' AND rowid IN (SELECT id FROM source)", "SCAN t VIRTUAL TABLE INDEX 32:M2I"),
            ("t MATCH 'one' AND rowid IN (1, 2, 3)", "SCAN t VIRTUAL TABLE INDEX 32:M2I"),
            ("rowid IN (1, 2, 3) AND t MATCH 'one' AND rowid = 2", "SCAN t VIRTUAL TABLE INDEX 32:=M2"),
            ("rowid IN (1, 2, 3)", "SCAN t VIRTUAL TABLE INDEX 0:="),
        ])
    func `take ranks and sets of rowids`(condition: String, plan: String) throws {
        var random = SeededGenerator(seed: 1)
        let db = try Self.makeTable(rows: 30, random: &random)
        let found = try Self.plan("SELECT rowid FROM t WHERE \(condition) ORDER BY rank, rowid LIMIT 3", in: db)
        #expect(found.first == plan, "\(found)")
    }

    // MARK: - Answers

    private struct Match {
        let rowID: Int64
        let rank: Double
    }

    /// Conditions that a match fulfils, in SQL and in Swift.
    private struct Condition {
        var sql: String
        var arguments: [DatabaseValue]
        var holds: (Match) -> Bool

        static func random(_ matches: [Match], _ random: inout SeededGenerator) -> Condition {
            let edge = matches.randomElement(using: &random) ?? Match(rowID: 0, rank: 0)
            let other = matches.randomElement(using: &random) ?? Match(rowID: 0, rank: 0)
            let (rank, rowID) = (edge.rank, edge.rowID)
            func one(_ sql: String, _ arguments: [DatabaseValue], _ holds: @escaping (Match) -> Bool) -> Condition {
                Condition(sql: sql, arguments: arguments, holds: holds)
            }
            switch Int.random(in: 0..<14, using: &random) {
            case 0: return one("rank > ?", [.double(rank)]) { $0.rank > rank }
            case 1: return one("rank >= ?", [.double(rank)]) { $0.rank >= rank }
            case 2: return one("rank < ?", [.double(rank)]) { $0.rank < rank }
            case 3: return one("? >= rank", [.double(rank)]) { $0.rank <= rank }
            case 4:
                return one("(rank, rowid) > (?, ?)", [.double(rank), .int64(rowID)]) {
                    ($0.rank, $0.rowID) > (rank, rowID)
                }
            case 5:
                return one("(rank, rowid) <= (?, ?)", [.double(rank), .int64(rowID)]) {
                    ($0.rank, $0.rowID) <= (rank, rowID)
                }
            case 6:
                return one("rank BETWEEN ? AND ?", [.double(rank), .double(other.rank)]) {
                    $0.rank >= rank && $0.rank <= other.rank
                }
            case 7: return one("rank > NULL", []) { _ in false }
            case 8: return one("rank < 'a'", []) { _ in true }
            case 9: return one("rank >= x'00'", []) { _ in false }
            case 10: return one("rank > -1", []) { $0.rank > -1 }
            case 11:
                let ids = Set(matches.filter { _ in Bool.random(using: &random) }.map(\.rowID) + [rowID + 1])
                let list = ids.map { "\($0)" }.joined(separator: ", ")
                return one("rowid IN (\(list), NULL, 'x', '\(other.rowID)', \(rowID).0, 0.5)", []) {
                    ids.contains($0.rowID) || $0.rowID == other.rowID || $0.rowID == rowID
                }
            case 12: return one("rowid IN (SELECT id FROM source WHERE id > ?)", [.int64(rowID)]) { $0.rowID > rowID }
            default: return one("rowid IN (SELECT id FROM source WHERE kind > 10)", []) { _ in false }
            }
        }
    }

    @Test(arguments: 0..<12)
    func `give what comparing every match gives`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let db = try Self.makeTable(rows: [1, 40, 700][seed % 3], random: &random)
        for query in ["one", "one OR two", "one two", "\"one two\"", "tw*", "one NOT six", "zero"] {
            let all = try Row.fetchAll(db, sql: "SELECT rowid, rank FROM t WHERE t MATCH ?", arguments: [query]).map {
                Match(rowID: $0[0] ?? 0, rank: $0[1] ?? 0)
            }
            for _ in 0..<25 {
                let conditions = (0..<Int.random(in: 0...3, using: &random)).map { _ in Condition.random(all, &random) }
                let isDescending = Bool.random(using: &random)
                let kept = all.filter { match in conditions.allSatisfy { $0.holds(match) } }
                let expected =
                    kept.sorted {
                        $0.rank != $1.rank ? ($0.rank < $1.rank) != isDescending : $0.rowID < $1.rowID
                    }.map(\.rowID)
                let limit = Int.random(in: 0...60, using: &random)
                let offset = Int.random(in: 0...5, using: &random)
                let condition = (["t MATCH ?"] + conditions.map(\.sql)).shuffled(using: &random)
                let match: [DatabaseValue] = [.text(query)]
                let arguments = condition.reduce(into: [DatabaseValue]()) { arguments, sql in
                    arguments += conditions.first { $0.sql == sql }?.arguments ?? match
                }
                guard Set(condition).count == condition.count else { continue }
                let sql =
                    "SELECT rowid FROM t WHERE \(condition.joined(separator: " AND ")) "
                    + "ORDER BY rank \(isDescending ? "DESC" : ""), rowid LIMIT \(limit) OFFSET \(offset)"
                let found = try Int64.fetchAll(db, sql: sql, arguments: StatementArguments(arguments))
                #expect(found == Array(expected.dropFirst(offset).prefix(limit)), "\(sql) \(arguments)")
                let unordered =
                    "SELECT rowid FROM t WHERE \(condition.joined(separator: " AND ")) ORDER BY rowid "
                    + (isDescending ? "DESC" : "")
                let rows = try Int64.fetchAll(db, sql: unordered, arguments: StatementArguments(arguments))
                #expect(rows == kept.map(\.rowID).sorted { ($0 < $1) != isDescending }, "\(unordered) \(arguments)")
                let count = "SELECT count(*) FROM t WHERE \(condition.joined(separator: " AND "))"
                let rowCount = try Int.fetchOne(db, sql: count, arguments: StatementArguments(arguments))
                #expect(rowCount == kept.count, "\(count) \(arguments)")
            }
        }
    }

    @Test func `find the rows of any set among rowids of any distance`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        var random = SeededGenerator(seed: 11)
        var rowIDs: Set<Int64> = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for _ in 0..<300 {
            rowIDs.insert(.random(in: -50...400, using: &random))
            rowIDs.insert(.random(in: .min ... .max, using: &random))
            rowIDs.insert(.random(in: 0...100_000, using: &random))
        }
        try db.inTransaction {
            for rowID in rowIDs { try db.execute(sql: "INSERT INTO t(rowid, a) VALUES (?, 'x')", arguments: [rowID]) }
            return .commit
        }
        for _ in 0..<60 {
            let share = Double.random(in: 0...1, using: &random)
            var wanted = rowIDs.filter { _ in Double.random(in: 0...1, using: &random) < share }
            for _ in 0..<20 { wanted.insert(.random(in: -60...420, using: &random)) }
            let list = wanted.map { "\($0)" }.joined(separator: ", ")
            let sql = "SELECT rowid FROM t WHERE t MATCH 'x' AND rowid IN (\(list))"
            let expected = wanted.intersection(rowIDs).sorted()
            #expect(try Int64.fetchAll(db, sql: sql) == expected)
            #expect(try Int64.fetchAll(db, sql: sql + " ORDER BY rank, rowid") == expected)
        }
    }

    @Test func `of a set of rowids keep to it where another function ranks`() throws {
        var random = SeededGenerator(seed: 3)
        let db = try Self.makeTable(rows: 200, random: &random)
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('rank', 'snippet(0, ''a'', ''b'', ''c'', 5)')")
        let sql = "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid IN (SELECT id FROM source WHERE kind = 3)"
        let byRank = try Int64.fetchAll(db, sql: sql + " ORDER BY rank, rowid")
        #expect(!byRank.isEmpty)
        #expect(try byRank.sorted() == Int64.fetchAll(db, sql: sql))
    }

    // MARK: - Work

    @Test func `of a page do not visit every match`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        // One row of 600 is better than the others.
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a);
                CREATE TABLE source(id INTEGER PRIMARY KEY);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO t(rowid, a)
                SELECT i, iif(i % 600 = 0, 'one one one', 'one ' || replace(hex(zeroblob(5 + i % 7)), '00', 'x ')) FROM n;
                INSERT INTO source SELECT rowid FROM t;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        let work = QueryWork.of(db)
        for condition in ["", "AND (rank, rowid) > (-1e9, 0)", "AND rowid IN (SELECT id FROM source)"] {
            let (units, ranked, unranked) = (work.rankedUnits, work.rankedRows, work.unrankedRows)
            let sql = "SELECT rowid FROM t WHERE t MATCH 'one' \(condition) ORDER BY rank, rowid LIMIT 20"
            #expect(try Int64.fetchAll(db, sql: sql) == (1...20).map { $0 * 600 })
            #expect(work.rankedUnits - units < 20_000 / 128 / 4, "\(condition)")
            #expect(work.rankedRows - ranked <= 24, "\(condition)")
            #expect(work.unrankedRows == unranked, "\(condition)")
        }
    }
}
