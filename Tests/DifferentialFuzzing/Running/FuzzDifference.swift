import CConcordanceSQLite

/// A step whose results differ between the two sides.
package struct FuzzDifference: Sendable {
    package let step: Int
    package let expected: SQLResult
    package let actual: SQLResult

    package init(step: Int, expected: SQLResult, actual: SQLResult) {
        self.step = step
        self.expected = expected
        self.actual = actual
    }

    /// What kind of difference it is; a script that shrinks keeps it.
    var kind: String {
        func kind(_ result: SQLResult) -> String {
            result.error.map { error in String(error.filter { !$0.isNumber }.prefix(30)) } ?? "rows"
        }
        return "\(kind(expected)) / \(kind(actual))"
    }
}

extension FuzzDifference: CustomStringConvertible {
    package var description: String {
        """
        expected: \(expected)
        got:      \(actual)
        """
    }
}

extension FuzzComparison {
    /// The largest difference between scores that count as equal.
    static let tolerance = 1e-9

    func accepts(_ actual: SQLResult, for expected: SQLResult) -> Bool {
        guard Self.message(of: actual) == Self.message(of: expected), actual.code == expected.code,
            actual.rows.count == expected.rows.count
        else { return false }
        switch self {
        case .ordered: return Self.equal(expected.rows, actual.rows)
        case .unordered: return Self.equal(Self.sorted(expected.rows), Self.sorted(actual.rows))
        case .scored(let column):
            return Self.equal(expected.rows, actual.rows)
                || Self.equalButForRounding(expected.rows, actual.rows, column)
        }
    }

    /// FTS5 has one message for all damage, and for some mistakes only SQLite's message for the code; the engine says
    /// what is damaged or wrong.
    private static func message(of result: SQLResult) -> String? {
        if result.code == SQLITE_CORRUPT { return "damaged" }
        return result.error?.hasPrefix("SQL logic error: ") == true ? "SQL logic error" : result.error
    }

    private static func equal<Rows: Sequence<[SQLValue]>>(_ left: Rows, _ right: Rows) -> Bool {
        zip(left, right).allSatisfy { left, right in
            left.count == right.count && zip(left, right).allSatisfy { $0.matches($1, tolerance: tolerance) }
        }
    }

    private static func sorted(_ rows: [[SQLValue]]) -> [[SQLValue]] {
        rows.map { ($0, $0.map { value in if case .real = value { "real" } else { value.description } }) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    /// Whether the scores agree in their order, and the rows do where the expected scores are not nearly, yet not
    /// exactly, the same. At the end, a LIMIT may have cut such rows apart.
    private static func equalButForRounding(_ expected: [[SQLValue]], _ actual: [[SQLValue]], _ column: Int) -> Bool {
        guard expected.allSatisfy({ $0.count > column }),
            zip(expected, actual).allSatisfy({ $0[column].matches($1[column], tolerance: tolerance) })
        else { return false }
        var start = 0
        while start < expected.count {
            var end = start + 1
            while end < expected.count, expected[end][column].matches(expected[end - 1][column], tolerance: tolerance) {
                end += 1
            }
            let group = expected[start..<end]
            let isExact = group.allSatisfy { $0[column] == group[start][column] }
            if isExact {
                if !equal(group, actual[start..<end]) { return false }
            } else if end < expected.count, !equal(sorted(Array(group)), sorted(Array(actual[start..<end]))) {
                return false
            }
            start = end
        }
        return true
    }
}
