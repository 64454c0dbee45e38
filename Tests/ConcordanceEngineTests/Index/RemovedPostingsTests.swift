import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A contentless table whose rows are removed")
struct RemovedPostingsTests {
    private static let rowCount = 700

    /// Words in all rows, in many and in few; so their lists have several blocks, one, and none.
    private static func text(_ random: inout SeededGenerator) -> String {
        var words = ["all"]
        if Bool.random(using: &random) { words.append("half") }
        if Int.random(in: 0..<10, using: &random) == 0 { words.append("tenth") }
        words.append("word\(Int.random(in: 0..<200, using: &random))")
        for _ in 0..<Int.random(in: 0..<5, using: &random) { words.append("all") }
        return words.joined(separator: " ")
    }

    private static func makeTable(_ name: String, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(name) USING concordance(
                    text, content='', contentless_delete=1, prefix='2')
                """)
        try db.execute(sql: "CREATE VIRTUAL TABLE \(name)_terms USING concordancevocab('\(name)', 'row')")
    }

    /// A result that depends on the statistics of a table, rounded so that the order in which segments are summed does
    /// not matter.
    private static func look(at name: String, _ db: Database) throws -> [String] {
        var result: [String] = []
        for query in ["all", "half", "tenth", "word1*", "wo*", "all tenth", "half OR word7", "\"all half\""] {
            let rows = try Row.fetchAll(
                db, sql: "SELECT rowid, printf('%.9g', rank) FROM \(name)(?) ORDER BY rank, rowid LIMIT 20",
                arguments: [query])
            result.append("\(query): \(rows)")
        }
        result += try Row.fetchAll(db, sql: "SELECT * FROM \(name)_terms").map { "\($0)" }
        return result
    }

    @Test(arguments: 0..<4)
    func `ranks as one that never had them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 4200 + seed)
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try Self.makeTable("t", db)
        var texts: [Int64: String] = [:]
        func put(_ rowID: Int64) throws {
            texts[rowID] = Self.text(&random)
            try db.execute(sql: "REPLACE INTO t(rowid, text) VALUES (?, ?)", arguments: [rowID, texts[rowID]])
        }
        try db.execute(sql: "BEGIN")
        for rowID in 1...Int64(Self.rowCount) { try put(rowID) }
        try db.execute(sql: "COMMIT")
        for round in 0..<8 {
            // A few, and then very many, so that removed documents are looked up in lists, and lists in removed
            // documents.
            let count = [1, 3, 20, 250][round % 4]
            try db.execute(sql: "BEGIN")
            let before = texts
            for _ in 0..<count {
                let rowID = Int64.random(in: 1...Int64(Self.rowCount), using: &random)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try put(rowID)
                } else {
                    try db.execute(sql: "DELETE FROM t WHERE rowid = ?", arguments: [rowID])
                    texts[rowID] = nil
                }
            }
            if round == 1 || round == 6 {
                // What was counted within the transaction is not valid after it.
                _ = try Self.look(at: "t", db)
                try db.execute(sql: "ROLLBACK")
                texts = before
            } else {
                try db.execute(sql: "COMMIT")
            }
            if round == 5 { try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('merge', -4)") }
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
            try Self.makeTable("other", db)
            for (rowID, text) in texts.sorted(by: { $0.key < $1.key }) {
                try db.execute(sql: "INSERT INTO other(rowid, text) VALUES (?, ?)", arguments: [rowID, text])
            }
            #expect(try Self.look(at: "t", db) == Self.look(at: "other", db), "seed \(seed), round \(round)")
            try db.execute(sql: "DROP TABLE other_terms; DROP TABLE other")
        }
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == texts.count)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }
}
