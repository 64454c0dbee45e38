import DifferentialFuzzing
import Testing

@Suite("Conformance with the cases of FTS5's own tests")
struct ConformanceTests {
    static let modules: [FullTextModule] = [.fts5, .engine]

    @Test(arguments: modules)
    func `recorded cases give the recorded rows and errors`(module: FullTextModule) throws {
        guard let cases = try ConformanceData.lines("cases.jsonl", as: ConformanceCase.self),
            let setups = try ConformanceData.setups()
        else { return }
        var run = ConformanceRun(module)
        for test in cases { try run.run(test, setup: test.setup.flatMap { setups[$0] } ?? []) }
        print(run.report())
        #expect(run.failures.isEmpty, "printed above")
        #expect(run.passedShare >= 0.98)
    }

    @Test(arguments: modules)
    func `generated expressions match the recorded rows, or give the recorded error`(module: FullTextModule) throws {
        guard let cases = try ConformanceData.lines("parser-generated.jsonl", as: ExpressionCase.self),
            let corpus = try ConformanceData.lines("parser-generated.corpus.jsonl", as: [RecordedValue].self)
        else { return }
        let session = try module.open(":memory:")
        _ = session.run(module.translate("CREATE VIRTUAL TABLE t USING fts5(c1, c2, c3)"))
        for row in corpus {
            let values = row.map(\.value.description).joined(separator: ", ")
            try #require(session.run("INSERT INTO t(rowid, c1, c2, c3) VALUES (\(values))").isSuccess)
        }
        for test in cases {
            let actual = session.matches(of: test.expr)
            if let expected = test.error {
                #expect(actual.error == expected, "\(test.expr)")
            } else {
                #expect(actual.error == nil, "\(test.expr)")
                #expect(actual.rows == (test.matchRowids ?? []).map { [.integer($0)] }, "\(test.expr)")
                if let canonical = test.equivalent {
                    #expect(session.matches(of: canonical) == actual, "\(test.expr) is \(canonical)")
                }
            }
        }
    }

    @Test(arguments: modules)
    func `expressions of the parser's tests mean what their canonical form means`(module: FullTextModule) throws {
        guard let cases = try ConformanceData.lines("parser-cases.jsonl", as: ExpressionCase.self) else { return }
        for test in cases {
            let session = try module.open(":memory:")
            let arguments = (test.columns.isEmpty ? ["x"] : test.columns) + (test.options ?? [])
            let create = "CREATE VIRTUAL TABLE t USING fts5(\(arguments.joined(separator: ", ")))"
            try #require(session.run(module.translate(create)).isSuccess)
            try fill(session, columnCount: max(test.columns.count, 1))
            let actual = session.matches(of: test.expr)
            #expect(actual.error == test.error, "\(test.expr)")
            if let canonical = test.equivalent {
                #expect(session.matches(of: canonical) == actual, "\(test.expr) is \(canonical)")
            }
        }
    }

    /// Rows in which the words of the expressions stand alone, in pairs and far apart.
    private func fill(_ session: SQLSession, columnCount: Int) throws {
        let texts = [
            "abc", "abcd", "abc def", "abcd cdef", "one two three", "one x x x x x x x x x x x x two", "a \" b", "",
        ]
        for shift in 0..<texts.count {
            let values = (0..<columnCount).map { texts[(shift + $0) % texts.count].sqlLiteral }
            try #require(session.run("INSERT INTO t VALUES (\(values.joined(separator: ", ")))").isSuccess)
        }
    }
}

extension SQLSession {
    fileprivate func matches(of expression: String) -> SQLResult {
        run("SELECT rowid FROM t WHERE t MATCH \(expression.sqlLiteral)")
    }
}
