import ConcordanceSQLite

/// Compares a table with what must be in it: its rows, the answers of FTS5 over those rows, and what follows from their
/// stored values.
package struct TableCheck {
    private let workload: Workload
    private let model: TableModel
    /// FTS5 in memory, with the rows of the model.
    private let oracle: Database

    package init(_ workload: Workload, _ model: TableModel) throws {
        self.workload = workload
        self.model = model
        oracle = try Database(path: ":memory:")
        try oracle.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, b, \(workload.options)); BEGIN")
        for (id, row) in model.rows.sorted(by: { $0.key < $1.key }) {
            try oracle.cachedStatement(sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)")
                .execute(arguments: [id, row.texts[0], row.texts[1]])
        }
        try oracle.execute(sql: "COMMIT")
    }

    /// What is wrong; nil where nothing is.
    ///
    /// - Parameter whole: Whether the file and the table are checked as a whole, which needs to write.
    package func problem(_ db: Database, whole: Bool = true, number: Int = 0) throws -> String? {
        if whole {
            let answer = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            if answer != ["ok"] { return "integrity_check: \(answer)" }
            do { try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')") } catch {
                return "integrity-check: \(error)"
            }
        }
        if let problem = try rowProblem(db) ?? valueProblem(db) { return problem }
        for query in Self.queries(detail: workload.detail, number: number) {
            if let problem = try problem(db, query: query) { return "\(query): \(problem)" }
        }
        return nil
    }

    /// What is wrong with the answer to one query; nil if nothing is.
    func problem(_ db: Database, query: String) throws -> String? {
        try Self.difference(answer(oracle, query), answer(db, query))
    }

    private func rowProblem(_ db: Database) throws -> String? {
        let names = workload.columnNames.joined(separator: ", ")
        let found = try Row.fetchAll(db, sql: "SELECT rowid, \(names) FROM t ORDER BY rowid").map(\.databaseValues)
        let expected = model.rows.sorted { $0.key < $1.key }.map {
            $0.value.databaseValues(rowID: $0.key, hasValue: workload.hasValues)
        }
        guard found == expected else { return "\(found.count) rows, not the \(expected.count) expected" }
        return nil
    }

    // MARK: Stored values

    /// What is wrong with conditions on stored values, or with facets; nil if nothing is.
    func valueProblem(_ db: Database) throws -> String? {
        guard workload.hasValues else { return nil }
        for word in ["w0", "w7", "w40", "phantom"] {
            let rows = model.rows.filter { $0.value.contains(word: word) }
            for (condition, isFulfilled) in Self.conditions {
                let expected = rows.filter { isFulfilled($0.value.value) }.keys.sorted()
                let sql = "SELECT rowid FROM t WHERE t MATCH ? AND \(condition) ORDER BY rowid"
                let found = try Int64.fetchAll(db, sql: sql, arguments: [word])
                if found != expected { return "\(word), \(condition): rows \(found), not \(expected)" }
            }
            var counts: [DatabaseValue: Int64] = [:]
            for row in rows.values { counts[row.value, default: 0] += 1 }
            let expected = Set(counts.map { [$0.key, .int64($0.value)] })
            let sql = "SELECT value, count FROM concordance_facets('t', ?, 'v')"
            let found = try Row.fetchAll(db, sql: sql, arguments: [word]).map(\.databaseValues)
            if Set(found) != expected || found.count != expected.count {
                return "\(word): facets \(found), not \(expected)"
            }
        }
        return nil
    }

    /// Conditions, and whether a value fulfils them.
    private static let conditions: [(sql: String, isFulfilled: @Sendable (DatabaseValue) -> Bool)] = [
        ("v >= 25", { isAtLeast25($0) }), ("v IS NULL", { $0.isNull }),
        ("v = \(RandomTexts.phantomValue)", { $0 == .int64(RandomTexts.phantomValue) }),
    ]

    /// Texts are greater than numbers.
    private static func isAtLeast25(_ value: DatabaseValue) -> Bool {
        switch value {
        case .null: false
        case .int64(let integer): integer >= 25
        case .double(let real): real >= 25
        case .text, .blob: true
        }
    }

    /// Other queries on stored values, for a table that has some.
    static let valueQueries = [
        "SELECT rowid, v FROM t WHERE t MATCH 'w0' ORDER BY v DESC LIMIT 10",
        "SELECT rowid FROM t WHERE t MATCH 'w1*' AND v < 40 ORDER BY v, rank LIMIT 10",
        "SELECT rowid FROM t WHERE t MATCH 'w2' AND v IN (1, 2, 3, 'v4', 5.5) ORDER BY rank LIMIT 5",
        "SELECT value, count FROM concordance_facets('t', NULL, 'v')",
        "SELECT value, count FROM concordance_facets('t', 'w1', 'v', '[null, 10, 20.5, \"v1\"]')",
    ]

    // MARK: Answers

    /// Queries of all forms that the detail allows.
    package static func queries(detail: String, number: Int) -> [String] {
        var queries = [
            "w0", "w3", "w59", "phantom", "s\(number)", "s\(max(1, number - 1))", "w1 w2", "w0 OR w4 OR w17",
            "w0 NOT w1", "(w1 OR w2) AND w3 NOT w5", "w1*", "w* NOT w0", "s\(number / 10)*", "w2 AND w1*",
        ]
        if detail != "none" { queries += ["a : w2", "{a b} : w1", "- b : w4", "a : w3 AND b : w1*"] }
        if detail == "full" {
            queries += [
                "\"w0 w1\"", "w0 + w0", "NEAR(w0 w2, 3)", "NEAR(w1 w1 w0)", "^w0", "a : ^w1", "\"w1 w0\" OR w9",
                "w1 + w2*",
            ]
        }
        return queries
    }

    private func answer(_ db: Database, _ query: String) throws -> [(Int64, Double)] {
        let sql = "SELECT rowid, rank FROM t WHERE t MATCH ? ORDER BY rowid"
        var answer = try Self.pairs(db, sql, query)
        // Which of the rows with the same rank come first is the module's choice; the ranks are not.
        answer += try Self.pairs(db, "SELECT 0, rank FROM t WHERE t MATCH ? ORDER BY rank LIMIT 7", query)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH ?", arguments: [query])
        return answer + [(Int64(count ?? -1), 0)]
    }

    private static func pairs(_ db: Database, _ sql: String, _ query: String) throws -> [(Int64, Double)] {
        var pairs: [(Int64, Double)] = []
        try db.cachedStatement(sql: sql).forEachRow(arguments: [query]) { row in
            pairs.append((row.int64(at: 0), row.double(at: 1)))
        }
        return pairs
    }

    private static func difference(_ expected: [(Int64, Double)], _ found: [(Int64, Double)]) -> String? {
        guard expected.count == found.count else { return "\(found.count) rows, not \(expected.count)" }
        for (one, other) in zip(expected, found) {
            guard one.0 == other.0, abs(one.1 - other.1) <= 1e-9 * max(1, abs(one.1)) else {
                return "\(other), not \(one)"
            }
        }
        return nil
    }
}
