import DifferentialFuzzing

/// Runs recorded cases on a module, each on a fresh database, and keeps account.
struct ConformanceRun {
    let module: FullTextModule
    private(set) var passed = 0
    private(set) var excluded: [(id: String, reason: String)] = []
    /// Cases that are compared with what the engine does by design.
    private(set) var different: [(id: String, reason: String)] = []
    private(set) var failures: [String] = []

    init(_ module: FullTextModule) { self.module = module }

    mutating func run(_ test: ConformanceCase, setup: [String]) throws {
        if module.name != "fts5", let reason = ConformanceMapping.exclusions[test.id] {
            excluded.append((test.id, reason))
            return
        }
        let session = try module.open(":memory:")
        for statement in setup { _ = session.run(module.translate(statement)) }
        let actual = ConformanceMapping.normalize(session.run(module.translate(test.sql)), of: module)
        try session.close()
        var expected = SQLResult(rows: (test.rows ?? []).map { $0.map(\.value) }, error: test.error)
        if module.name != "fts5", let difference = ConformanceMapping.differences[test.id] {
            expected = difference.expected
            different.append((test.id, difference.reason))
        }
        let isRight =
            expected.isSuccess
            ? actual.isSuccess && Self.equal(actual.rows, expected.rows) : actual.error == expected.error
        check(isRight, test, expected, actual)
    }

    private mutating func check(_ isRight: Bool, _ test: ConformanceCase, _ expected: SQLResult, _ actual: SQLResult) {
        if isRight {
            passed += 1
        } else {
            failures.append(
                """
                \(test.id) (setup \(test.setup ?? "none")): \(Self.shortened(test.sql))
                  expected \(Self.text(of: expected))
                  got      \(Self.text(of: actual))
                """)
        }
    }

    private static func equal(_ left: [[SQLValue]], _ right: [[SQLValue]]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                left.count == right.count && zip(left, right).allSatisfy { $0.matches($1, tolerance: 1e-9) }
            }
    }

    private static func text(of result: SQLResult) -> String {
        shortened(result.error.map { "error \($0)" } ?? "rows \(result.rows)")
    }

    private static func shortened(_ text: String) -> String {
        text.count <= 600 ? text : text.prefix(600) + "…"
    }

    /// How many of the cases that were run and not excluded passed.
    var passedShare: Double {
        let count = passed + failures.count
        return count == 0 ? 0 : Double(passed) / Double(count)
    }

    /// The account: figures, and each exclusion and failure.
    func report() -> String {
        var lines = ["\(module.name): passed \(passed), failed \(failures.count), excluded \(excluded.count)"]
        lines += different.map { "  by design otherwise \($0.id): \($0.reason)" }
        lines += excluded.map { "  excluded \($0.id): \($0.reason)" }
        lines += failures.map { "  FAILED \($0)" }
        return lines.joined(separator: "\n")
    }
}
