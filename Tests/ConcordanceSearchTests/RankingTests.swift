import ConcordanceFTS5
import Foundation
import Testing

@testable import Concordance
@testable import ConcordanceSearch
import TestSupport

@Suite("Ranking")
struct RankingTests {
    private static let words = ["ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen"]

    /// Random texts of few words in a table of three columns, the last of which is not searched.
    private static func database(_ generator: inout SeededGenerator, rows: Int, detail: String = "full") throws
        -> Database
    {
        let db = try Database(path: ":memory:")
        try SearchSupport.enable(on: db)
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING fts5(title, extra UNINDEXED, body, detail=\(detail), tokenize=ascii)")
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ")
        }
        for _ in 0..<rows {
            try db.execute(sql: "INSERT INTO t VALUES (?, ?, ?)", arguments: [text(4), text(3), text(30)])
        }
        return db
    }

    private static func query(_ generator: inout SeededGenerator, detail: String = "full") -> String {
        func word() -> String { words.randomElement(using: &generator) ?? "ant" }
        func term() -> String {
            switch Int.random(in: 0..<7, using: &generator) {
            case 0 where detail == "full": "\"\(word()) \(word())\""
            case 1: "\(word().prefix(1))*"
            case 2 where detail == "full": "NEAR(\(word()) \(word()), 3)"
            case 3 where detail == "full": "title: \(word())"
            default: word()
            }
        }
        let count = Int.random(in: 1...6, using: &generator)
        return (0..<count).map { index in
            (index == 0 ? "" : [" OR ", " AND ", " NOT ", " OR "].randomElement(using: &generator) ?? " OR ") + term()
        }.joined()
    }

    private static func isNear(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool {
        abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-300)
    }

    @Test(arguments: ["full", "column", "none"])
    func `equals FTS5's bm25 if k1 and b are the same`(detail: String) throws {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<20 {
            let db = try Self.database(&generator, rows: 40, detail: detail)
            for _ in 0..<15 {
                let query = Self.query(&generator, detail: detail)
                let weights = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    ["0.0", "1.0", "2.5", "10.0"].randomElement(using: &generator) ?? "1.0"
                }
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT bm25(\((["t"] + weights).joined(separator: ", "))),
                            concordance_rank(\((["t", "1.2", "0.75", "NULL", "0", "0"] + weights).joined(separator: ", ")))
                        FROM t WHERE t MATCH ?
                        """, arguments: [query])
                for row in rows {
                    let expected = try row.decode(Double.self, at: 0)
                    let found = try row.decode(Double.self, at: 1)
                    #expect(
                        Self.isNear(expected, found, 1e-12), "\(query), weights \(weights), round \(round)")
                }
            }
        }
    }

    @Test func `explanations add up to the score`() throws {
        var generator = SeededGenerator(seed: 12)
        for round in 0..<20 {
            let db = try Self.database(&generator, rows: 40)
            for _ in 0..<10 {
                let ranking = Ranking(
                    k1: Double.random(in: 0...3, using: &generator), b: Double.random(in: 0...1, using: &generator),
                    k3: [.infinity, 0, 2].randomElement(using: &generator) ?? 0,
                    phraseBonus: [0, 0.3, 1].randomElement(using: &generator) ?? 0,
                    proximityBonus: [0, 0.2, 1].randomElement(using: &generator) ?? 0)
                let definition = Self.definition(ranking)
                let query = Self.query(&generator)
                try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('rank', ?)", arguments: [definition.rankFunction])
                let rows = try Row.fetchAll(
                    db, sql: "SELECT rank, \(definition.explainCall) FROM t WHERE t MATCH ? ORDER BY rank",
                    arguments: [query])
                for row in rows {
                    let rank = try row.decode(Double.self, at: 0)
                    let explanation = try definition.explanation(from: row.decode(String.self, at: 1))
                    let sum = explanation.parts.reduce(0) { $0 + $1.value }
                    #expect(Self.isNear(explanation.score, -rank, 1e-9), "\(query), \(ranking), round \(round)")
                    #expect(Self.isNear(sum, -rank, 1e-9), "\(query), \(ranking), round \(round): \(explanation)")
                    for phrase in explanation.phrases {
                        let frequency = phrase.fields.reduce(0) { $0 + Double($1.matches) * $1.weight }
                        #expect(Self.isNear(frequency, phrase.frequency, 1e-9), "\(query), round \(round)")
                    }
                }
            }
        }
    }

    private static func definition(_ ranking: Ranking) -> IndexDefinition {
        SearchIndex<Row>("t", in: "source") {
            Field("title", weight: 10)
            Field("extra").unindexed()
            Field("body", weight: 0.5)
            ranking
        }.definition
    }

    @Test func `is FTS5's bm25 if that will do, and ours otherwise`() {
        #expect(Self.definition(.bm25).rankFunction == "bm25(10.0, 0.0, 0.5)")
        #expect(
            Self.definition(Ranking(k1: 0.9, b: 0.4, phraseBonus: 1e-7)).rankFunction
                == "concordance_rank(0.9, 0.4, NULL, 0.0000001, 0.0, 10.0, 0.0, 0.5)")
        #expect(
            Self.definition(Ranking(lengths: .fields)).rankFunction
                == "concordance_rank(1.2, 0.75, NULL, 0.0, 0.0, 10.0, 0.0, 0.5, NULL, NULL, NULL)")
    }

    @Test(arguments: ["fts5", "concordance"])
    func `a long field lowers only its own matches if the lengths of fields count`(module: String) throws {
        let db = try Database(path: ":memory:")
        try SearchSupport.enable(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING \(module)(title, body)")
        for (title, body) in [("ant", String(repeating: "cow ", count: 40)), ("ant bee dog elk", "cow"), ("fox", "")] {
            try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [title, body])
        }
        func order(_ ending: String) throws -> [Int64] {
            try Int64.fetchAll(
                db,
                sql: "SELECT rowid FROM t WHERE t MATCH 'ant' ORDER BY concordance_rank(t, 1.2, 0.75\(ending))")
        }
        #expect(try order("") == [2, 1])
        #expect(try order(", NULL, 0, 0, 1, 1") == [2, 1])
        #expect(try order(", NULL, 0, 0, 1, 1, NULL, NULL") == [1, 2])
        #expect(try order(", NULL, 0, 0, 1, 1, 0, 1") == [1, 2])
    }

    /// The functions for FTS5's interface and for the engine are one scorer with two sources of hits.
    @Test func `a table of ours scores as FTS5's do`() throws {
        var generator = SeededGenerator(seed: 17)
        let endings = [
            ", 1.2, 0.75, NULL, 0.5", ", 0.9, 0.4, NULL, 2, 0, 10, 1, 0.5", ", 1.2, 0.75, NULL, 0.3, 0, 1, 1, 2, 0.5",
            ", 0, 1, NULL, 0, 0, 1, 0, 1, 0, 0, NULL",
        ]
        for _ in 0..<5 {
            let db = try Self.database(&generator, rows: 40)
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE u USING concordance(title, extra UNINDEXED, body, tokenize=ascii);
                    INSERT INTO u(rowid, title, extra, body) SELECT rowid, title, extra, body FROM t
                    """)
            for _ in 0..<15 {
                let query = Self.query(&generator)
                for ending in endings {
                    func scores(_ table: String) throws -> [Double] {
                        try Double.fetchAll(
                            db,
                            sql: """
                                SELECT concordance_rank(\(table)\(ending)) FROM \(table) WHERE \(table) MATCH ? \
                                ORDER BY rowid
                                """, arguments: [query])
                    }
                    let (expected, found) = (try scores("t"), try scores("u"))
                    #expect(expected.count == found.count, "\(query)")
                    #expect(zip(expected, found).allSatisfy { abs($0 - $1) <= 1e-9 }, "\(query), \(ending)")
                }
            }
        }
    }

    @Test func `pairs in the order of the query and near words score higher`() throws {
        let db = try Database(path: ":memory:")
        try SearchSupport.enable(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING fts5(body);
                INSERT INTO t VALUES ('york x x x new x'), ('x x york new x x'), ('x new york x x x'), ('new x'), ('york');
                INSERT INTO t VALUES ('x'), ('x'), ('x'), ('x'), ('x'), ('x'), ('x'), ('x'), ('x');
                """)
        func order(_ arguments: String) throws -> [Int64] {
            try Int64.fetchAll(
                db,
                sql:
                    "SELECT rowid FROM t WHERE t MATCH 'new AND york' ORDER BY concordance_rank(t, \(arguments)), rowid"
            )
        }
        #expect(try order("1.2, 0.75, NULL, 0, 0") == [1, 2, 3])
        #expect(try order("1.2, 0.75, NULL, 1, 0") == [3, 1, 2])
        #expect(try order("1.2, 0.75, NULL, 0, 1") == [2, 3, 1])
        #expect(try order("1.2, 0.75, NULL, 1, 1") == [3, 2, 1])
    }

    @Test func `mentions of a word in the query count as k3 says`() throws {
        var generator = SeededGenerator(seed: 13)
        let db = try Self.database(&generator, rows: 60)
        func scores(_ query: String, k3: String) throws -> [Int64: Double] {
            let rows = try Row.fetchAll(
                db, sql: "SELECT rowid, -concordance_rank(t, 1.2, 0.75, \(k3)) FROM t WHERE t MATCH ?",
                arguments: [query])
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.decode(at: 0), try $0.decode(at: 1)) })
        }
        let ant = try scores("ant", k3: "NULL")
        let bee = try scores("bee", k3: "NULL")
        for (k3, factor) in [("NULL", 3.0), ("0", 1.0), ("2", 9.0 / 5)] {
            for (id, score) in try scores("ant OR bee OR ant OR (title: ant) OR ant", k3: k3) {
                let title = try scores("title: ant", k3: "NULL")[id] ?? 0
                let expected = (ant[id] ?? 0) * factor + (bee[id] ?? 0) + title
                #expect(Self.isNear(score, expected, 1e-9), "k3 \(k3), row \(id)")
            }
        }
    }

    @Test(arguments: [
        Ranking(k1: -1), Ranking(k1: .nan), Ranking(k1: .infinity), Ranking(b: 1.5), Ranking(b: -0.1), Ranking(k3: -1),
        Ranking(phraseBonus: -1), Ranking(proximityBonus: .infinity),
    ])
    func `impossible numbers are refused at install`(ranking: Ranking) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE source (id INTEGER PRIMARY KEY, title, extra, body)")
        let index = SearchIndex<Row>("t", in: "source") {
            Field("title")
            ranking
        }
        #expect { try db.install(index) } throws: { error in
            if case .invalidRanking(_, index: "t") = error as? SearchIndexError { true } else { false }
        }
        #expect(try db.tableExists("t") == false)
    }

    @Test func `an explanation reads as a tree and survives coding`() throws {
        let db = try Database(path: ":memory:")
        try SearchSupport.enable(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING fts5(title, extra UNINDEXED, body);
                INSERT INTO t VALUES ('A "New" York', '', 'new things'), ('x', '', 'y'), ('z', '', 'z'), ('x', '', 'u');
                """)
        let definition = Self.definition(Ranking(phraseBonus: 1))
        let json = try String.fetchOne(
            db, sql: "SELECT \(definition.explainCall) FROM t WHERE t MATCH 'new OR york OR zebra'")
        let explanation = try definition.explanation(from: json ?? "")
        #expect(
            explanation.description == """
                4.6971 = score
                ├ 1.5738 “New”: 1 of 4 rows have it, idf 0.8473; weighted frequency 10.5, row of 5 tokens (average 2.75)
                │   title: 1 match × weight 10
                │   body: 1 match × weight 0.5
                ├ 1.5617 “York”: 1 of 4 rows have it, idf 0.8473; weighted frequency 10, row of 5 tokens (average 2.75)
                │   title: 1 match × weight 10
                ├ 1.5617 “York” right after “New”: 10
                └ 0.0000 phrase 3: not here; 0 of 4 rows have it, idf 2.1972
                """)
        #expect(try JSONDecoder().decode(ScoreExplanation.self, from: JSONEncoder().encode(explanation)) == explanation)
        #expect(
            try definition.explanation(from: json ?? "", texts: ["a", "b", "c"]).phrases.map(\.text) == ["a", "b", "c"])
    }
}
