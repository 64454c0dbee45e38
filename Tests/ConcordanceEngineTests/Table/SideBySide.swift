import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

/// Two connections that get the same SQL, `USING MODULE` meaning FTS5 in the one and the engine in the other.
final class SideBySide {
    let fts5: Database
    let engine: Database

    /// - Parameter folder: Where the files are; in memory without.
    init(in folder: TemporaryFolder? = nil) throws {
        fts5 = try Database(path: folder.map { $0["fts5.db"] } ?? ":memory:")
        engine = try Database(path: folder.map { $0["engine.db"] } ?? ":memory:")
        try ConcordanceModule.register(on: engine)
    }

    /// The result of a statement: its rows, or its error as SQLite reports it.
    enum Outcome: Equatable, CustomStringConvertible {
        case rows([[DatabaseValue]])
        case error(code: Int32, message: String?)

        var description: String {
            switch self {
            case .rows(let rows): "\(rows.map { $0.map(\.description).joined(separator: "|") })"
            case .error(let code, let message): "error \(code): \(message ?? "")"
            }
        }
    }

    static func outcome(of sql: String, on db: Database) -> Outcome {
        do {
            return .rows(try Row.fetchAll(db, sql: sql).map(\.databaseValues))
        } catch let error as DatabaseError {
            return .error(code: error.resultCode.rawValue, message: error.message)
        } catch {
            return .error(code: -1, message: "\(error)")
        }
    }

    /// Executes a statement on both, and returns their common outcome.
    @discardableResult
    func check(
        _ sql: String, after history: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> Outcome {
        let expected = Self.outcome(of: sql.replacing("USING MODULE", with: "USING fts5"), on: fts5)
        let outcome = Self.outcome(of: sql.replacing("USING MODULE", with: "USING concordance"), on: engine)
        #expect(
            Self.isSame(outcome, expected), "\(sql)\n  FTS5:   \(expected)\n  engine: \(outcome)\n  after:  \(history)",
            sourceLocation: sourceLocation)
        return expected
    }

    /// Executes a script, one statement after another.
    func check(script: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for (index, sql) in script.enumerated() {
            check(sql, after: Array(script[..<index]), sourceLocation: sourceLocation)
        }
    }

    /// The engine has its own messages for damage and for what FTS5 calls an "SQL logic error"; scores may differ in
    /// the last digits.
    private static func isSame(_ left: Outcome, _ right: Outcome) -> Bool {
        switch (left, right) {
        case (.error(let left, _), .error(let right, _)) where left == right && left == 11: return true
        case (.error(1, let left?), .error(1, "SQL logic error")): return left.hasPrefix("SQL logic error: ")
        case (.rows(let left), .rows(let right)) where left.count == right.count:
            return zip(left, right).allSatisfy { left, right in
                left.count == right.count
                    && zip(left, right).allSatisfy { left, right in
                        if case .double(let left) = left, case .double(let right) = right {
                            return abs(left - right) <= 1e-9
                        }
                        return left == right
                    }
            }
        default: return left == right
        }
    }
}
