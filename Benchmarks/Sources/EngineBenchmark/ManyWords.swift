import BenchmarkSupport
import Concordance
import ConcordanceSQLite

/// What a person pastes, as any of its words; phrases of which the last word is half typed; and common phrases beside other words.
struct ManyWords {
    private static let bonusSQL = """
        SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH 'concordance_rank(1.2, 0.75, NULL, 0.2, 0.3)'
        ORDER BY rank LIMIT 10
        """
    private static let phrases = ["to s", "in the b", "how to c", "the file", "set the f", "of a d", "you can u"]
    private static let queryCount = 6

    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents

    func run() throws {
        var rows = [["query", "FTS5 ms", "engine ms", "ratio", "engine ms, with bonuses for positions"]]
        for count in [8, 12, 20, 40, 60, 200] {
            rows.append(try row("any of \(count) words", queries(of: count), isFirst: false))
        }
        let phrases = Self.phrases.map { "\"\($0)\" *" }
        rows.append(try row("phrase with a prefix", phrases, isFirst: false))
        rows.append(try row("phrase with a prefix, first", phrases, isFirst: true))
        for (name, rest) in [
            ("a rare word AND a phrase", "AND \"of the\""), ("a rare word OR a phrase", "OR \"of the\""),
            ("a rare word NOT a phrase", "NOT \"of the\""), ("a rare word AND NEAR", "AND NEAR(of the)"),
            ("a rare word AND a phrase with a prefix", "AND \"of t\" *"),
        ] {
            rows.append(try row(name, words("rare1").map { "\"\($0)\" \(rest)" }, isFirst: false))
        }
        rows.append(
            try row("a common word AND a phrase", words("common1").map { "\"\($0)\" AND \"in the\"" }, isFirst: false))
        print(
            "\n## The best ten of many words, and of phrases beside other words or with a prefix, medians\n\n"
                + markdown(rows))
    }

    /// Some words of a class of queries.
    private func words(_ name: String) -> [String] {
        let queries = data.classes.first { $0.name == name }?.queries ?? []
        return queries.prefix(Self.queryCount).compactMap(\.terms.first)
    }

    /// Words of the texts, each text as often as the next.
    private func queries(of count: Int) -> [String] {
        (0..<Self.queryCount).map { query in
            var words: [String] = []
            var place = query * 131
            while words.count < count {
                let body = data.texts[place * 97 % data.texts.count].body.lowercased()
                let found = body.split { !$0.isLetter }.filter { $0.count > 2 && $0.utf8.count == $0.count }
                if let word = found.isEmpty ? nil : found[place % found.count], !words.contains(String(word)) {
                    words.append(String(word))
                }
                place += 1
            }
            return words.map { "\"\($0)\"" }.joined(separator: " OR ")
        }
    }

    private func row(_ name: String, _ queries: [String], isFirst: Bool) throws -> [String] {
        let fts5 = try databases.open(.fts5, documents, prefix: false)
        let engine = try databases.open(.concordance, documents, prefix: false)
        let ways = try [
            PreparedQuery(fts5, QueryClasses.rankSQL), PreparedQuery(engine, QueryClasses.rankSQL),
            PreparedQuery(engine, Self.bonusSQL),
        ]
        let times = try queries.map { query in
            isFirst
                ? try ways.map { try $0.firstTime(query) }
                : try time(ways.map { way in { try way.run(query) } })
        }
        let medians = ways.indices.map { way in median(times.map { $0[way] }) }
        return [
            name, milliseconds(medians[0]), milliseconds(medians[1]), short(medians[0] / medians[1]),
            milliseconds(medians[2]),
        ]
    }
}
