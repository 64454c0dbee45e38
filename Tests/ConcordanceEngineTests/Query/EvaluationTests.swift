import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Queries have FTS5's answers` {
    /// Rows, matches within them, orders, bounds, and counts of phrases, after a history of changes.
    @Test(arguments: [
        (UInt64(1), TableOptions.Detail.full, []), (2, .full, [1, 2]), (3, .column, []), (4, .column, [2]),
        (5, .none, [1]),
    ])
    func `to random expressions`(seed: UInt64, detail: TableOptions.Detail, prefixes: [Int]) throws {
        let columns = ["x", "y", "z"]
        let harness = try QueryHarness(columns: columns, detail: detail, prefixes: prefixes)
        var generator = QueryGenerator(random: SeededGenerator(seed: seed), columns: columns)
        for _ in 0..<12 {
            try change(harness, &generator)
            for _ in 0..<40 {
                // Occasionally a query that the table cannot answer, for the error.
                generator.hasPhrases = detail == .full || generator.number(0...9) == 0
                // FTS5 finds a synonym of a prefix in texts only if the whole token is there.
                generator.synonymShare = detail == .full ? 10 : 0
                let text = generator.expression(depth: generator.number(0...3))
                generator.synonymShare = 10
                let low = Int64(generator.number(-2...40))
                let bounds = low...low + Int64(generator.number(0...20))
                var expected = harness.askFTS5(text, bounds: bounds)
                var answer = try harness.askIndex(text, bounds: bounds)
                if detail != .full {
                    // There, places are found in the texts.
                    expected.rows = expected.rows.map(Self.withoutInstances)
                    answer.rows = answer.rows.map(Self.withoutInstances)
                }
                #expect(answer == expected, "seed \(seed), \(detail): \(text)")
                if answer != expected { return }
            }
        }
    }

    private static func withoutInstances(_ row: String) -> String {
        let parts = row.split(separator: " ")
        return "\(parts[0]) \(row.split(separator: "/").last ?? "")"
    }

    private func change(_ harness: QueryHarness, _ generator: inout QueryGenerator) throws {
        try harness.index.begin()
        for _ in 0..<generator.number(1...12) {
            let rowID = Int64(generator.number(-5...40))
            if generator.number(0...3) == 0 {
                if harness.index.documents[rowID] != nil { try harness.delete(rowID) }
            } else {
                try harness.insert(
                    rowID, harness.options.columns.map { _ in generator.text(length: 0...6) })
            }
        }
        try harness.index.commit()
    }

    /// Terms of many blocks, prefixes of many terms, segments with windows to search downward.
    @Test(arguments: [[], [1, 2]])
    func `in segments of thousands of rows`(prefixes: [Int]) throws {
        let columns = ["x", "y"]
        let harness = try QueryHarness(columns: columns, detail: .full, prefixes: prefixes)
        harness.stride = 97
        var generator = QueryGenerator(random: SeededGenerator(seed: 7), columns: columns, synonymShare: 0)
        generator.vocabulary = (0..<120).map { "a\($0)" } + ["b", "b", "b", "c", "d", "da", "db"].flatMap { [$0, $0] }
        for rows in [Int64(0)..<4000, 3500..<5000] {
            try harness.index.begin()
            for rowID in rows {
                try harness.insert(rowID, [generator.text(length: 1...3), generator.text(length: 0...2)])
            }
            for rowID in rows where rowID % 7 == 3 { try harness.delete(rowID) }
            try harness.index.commit()
        }
        let expressions = [
            "a*", "b", "b OR c", "b a*", "b NOT a*", "\"b a*\"", "\"a* b\"", "a* + b", "x : a*", "NEAR(a* b)", "^ a*",
            "b AND c", "d* OR a1*", "(b OR c) AND (d OR da)", "a1* NOT (b OR x : c)", "\"b c\" OR \"a1* d\"",
        ]
        for text in expressions {
            let bounds: ClosedRange<Int64> = 1000...4200
            let expected = harness.askFTS5(text, bounds: bounds)
            let answer = try harness.askIndex(text, bounds: bounds)
            #expect(answer.error == expected.error, "\(text)")
            #expect(answer.rows.count == expected.rows.count, "\(text)")
            let difference = zip(answer.rows, expected.rows).first { $0 != $1 }
            #expect(difference == nil, "\(text)")
            #expect(answer.descendingRows == expected.descendingRows, "\(text)")
            #expect(answer.boundedRows == expected.boundedRows, "\(text)")
            #expect(answer.frequencies == expected.frequencies, "\(text)")
        }
    }

    @Test func `to queries of no row and of no table`() throws {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        for text in ["a", "a*", "\"\"", "a NOT b", "\"a b\"", "^a"] {
            #expect(try harness.askIndex(text, bounds: 0...1) == harness.askFTS5(text, bounds: 0...1), "\(text)")
        }
    }
}
