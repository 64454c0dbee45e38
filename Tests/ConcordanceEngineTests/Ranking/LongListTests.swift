import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Words in many documents, each from some document on up to another one, so that the blocks of their lists begin and
/// end in different places.
@Suite struct `Lists of many blocks that begin and end apart` {
    private static func documents(_ count: Int = 6_000, random: inout SeededGenerator) -> [String] {
        let words = (0..<8).map { word in
            let ends = [Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)].sorted()
            return (name: "w\(word)", range: ends[0]...ends[1], share: Double.random(in: 0.05...0.6, using: &random))
        }
        return (0..<count).map { document in
            var tokens: [String] = []
            for word in words where word.range.contains(document) {
                guard Double.random(in: 0..<1, using: &random) < word.share else { continue }
                tokens += Array(repeating: word.name, count: Int.random(in: 1...3, using: &random))
            }
            tokens += Array(repeating: "x", count: Int.random(in: 0...20, using: &random))
            return tokens.joined(separator: " ")
        }
    }

    @Test(arguments: 0..<12)
    func `each row comes once, with the score that FTS5 gives it`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let both = try SideBySide()
        both.check("CREATE VIRTUAL TABLE t USING MODULE(a)")
        let documents = Self.documents(random: &random)
        for db in [both.fts5, both.engine] {
            try db.inTransaction {
                let insert = try db.makeStatement(sql: "INSERT INTO t(a) VALUES (?)")
                for document in documents { try insert.execute(arguments: [document]) }
                return .commit
            }
        }
        for _ in 0..<25 {
            let words = (0..<8).map { "w\($0)" }.shuffled(using: &random)
            let chosen = Array(words.prefix(Int.random(in: 1...4, using: &random)))
            let query =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: "NEAR(\(chosen.joined(separator: " ")), 4)"
                // The words of a row are in the order of their numbers.
                case 1: chosen.sorted().joined(separator: " + ")
                case 2: chosen.joined(separator: " NOT ")
                case 3, 4: chosen.joined(separator: " AND ")
                default: chosen.joined(separator: " OR ")
                }
            for tail in ["", " LIMIT 10", " LIMIT 700"] {
                both.check("SELECT rowid, rank FROM t('\(query)') ORDER BY rank, rowid\(tail)")
            }
            let first = Int.random(in: 0..<6_000, using: &random)
            for tail in [
                "", " AND rowid >= \(first)", " ORDER BY rowid DESC", " AND rowid < \(first) ORDER BY rowid DESC",
            ] {
                both.check("SELECT rowid, bm25(t) FROM t WHERE t MATCH '\(query)'\(tail)")
            }
        }
    }

    /// Bounds of groups of blocks leave out most of the lists, whatever the weights of columns.
    @Test func `the best rows of lists whose blocks are grouped are those of FTS5`() throws {
        let rowCount = (ScoredList.fewestGroups + 4) * SegmentLayout.skipsPerGroup * PostingsCursor.blockSize
        var random = SeededGenerator(seed: 1)
        let both = try SideBySide()
        both.check("CREATE VIRTUAL TABLE t USING MODULE(a, b)")
        let (titles, texts) = (Self.documents(800, random: &random), Self.documents(4_000, random: &random))
        for db in [both.fts5, both.engine] {
            try db.inTransaction {
                let insert = try db.makeStatement(sql: "INSERT INTO t(a, b) VALUES (?, ?)")
                for row in 0..<rowCount {
                    let title = row / 400 % 3 == 0 ? titles[row % titles.count] : ""
                    // Some words are in all parts of the table, and some only in one.
                    let text = texts[row % 7 < 5 ? row * 7 % texts.count : row * texts.count / rowCount]
                    try insert.execute(arguments: [title, text + " common"])
                }
                return .commit
            }
        }
        both.check("INSERT INTO t(t) VALUES ('optimize')")
        let words = ["common", "x"] + (0..<8).map { "w\($0)" }
        for _ in 0..<12 {
            let chosen = words.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            let operation = ["AND", "OR", "OR", "NOT"].randomElement(using: &random) ?? ""
            let query = chosen.joined(separator: " \(operation) ")
            for weights in ["", "10.0, 1.0", "1.0, 5.0", "0.0, 1.0"] {
                both.check(
                    "SELECT rowid, rank FROM t('\(query)') WHERE rank MATCH 'bm25(\(weights))' ORDER BY rank, rowid LIMIT 20"
                )
            }
        }
        for query in ["\"common w0\"", "\"x x x\"", "NEAR(common x, 2)"] {
            both.check("SELECT rowid, rank FROM t('\(query)') ORDER BY rank, rowid LIMIT 20")
        }
    }
}
