import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

/// Two tables with the same options and rows, one of FTS5 and one of ours, for the same queries.
final class TablePair {
    let db: Database

    /// - Parameter arguments: The text in the parentheses after the module.
    init(_ arguments: String) throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try ConcordanceRanking.register(on: db)
        try ConcordanceTokenizers.register(on: db)
        for (table, module) in [("fts", "fts5"), ("own", "concordance")] {
            try db.execute(sql: "CREATE VIRTUAL TABLE \(table) USING \(module)(\(arguments))")
        }
    }

    /// Executes a statement for each table, whose name replaces $t.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        for table in ["fts", "own"] {
            try db.execute(sql: sql.replacing("$t", with: table), arguments: arguments)
        }
    }

    /// The result of a query, or its error, for FTS5's table and for ours.
    func answers(_ sql: String, _ arguments: StatementArguments = []) -> (fts: String, own: String) {
        func answer(_ table: String) -> String {
            do {
                let rows = try Row.fetchAll(db, sql: sql.replacing("$t", with: table), arguments: arguments)
                return rows.map { row in
                    (0..<row.count).map { Self.text(row[$0] ?? .null) }.joined(separator: "|")
                }.joined(separator: " / ")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // Ours says what is wrong.
                return "corrupt"
            } catch let error as DatabaseError {
                return "error \(error.resultCode.rawValue): \(error.message ?? "")"
            } catch {
                return "error: \(error)"
            }
        }
        return (answer("fts"), answer("own"))
    }

    /// Checks that both tables give the same.
    func compare(_ sql: String, _ arguments: StatementArguments = [], _ note: String = "") {
        let (fts, own) = answers(sql, arguments)
        #expect(own == fts, "\(sql) \(arguments) \(note)")
    }

    /// Doubles as far as they must agree.
    private static func text(_ value: DatabaseValue) -> String {
        guard case .double(let number) = value else { return "\(value)" }
        return "\((number * 1e9).rounded() == 0 ? 0 : (number * 1e9).rounded())"
    }
}

/// Random texts and queries over few words, so that everything that can meet does.
struct RandomQueries {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let words = ["one", "two", "three", "four", "on", "once", "th", "Fou", "é", "five5"]
    private static let separators = [" ", " ", " ", ". ", ": ", ", ", "\n", "--"]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }

    mutating func text(maximum: Int) -> String {
        var text = chance(5) ? pick(Self.separators) : ""
        for _ in 0..<Int.random(in: 0...maximum, using: &generator) { text += pick(Self.words) + pick(Self.separators) }
        return text
    }

    /// A query of any form that the mode allows, except NEAR below OR and NOT: there FTS5 takes instances of phrases
    /// that are not near each other as matches, and even reads instances of other rows.
    mutating func query(
        columns: [String], hasPositions: Bool, hasColumns: Bool, allowsNear: Bool = true, depth: Int = 2
    ) -> String {
        if depth > 0, chance(2) {
            let connective = pick(["AND", "OR", "NOT", ""])
            let operands = (0..<2).map { _ in
                query(
                    columns: columns, hasPositions: hasPositions, hasColumns: hasColumns,
                    allowsNear: allowsNear && !["OR", "NOT"].contains(connective), depth: depth - 1)
            }
            return "(\(operands[0])) \(connective) (\(operands[1]))"
        }
        var filter = ""
        if hasColumns, chance(4) { filter = (chance(3) ? "- " : "") + pick(columns) + " : " }
        guard hasPositions else { return filter + term() }
        if allowsNear, chance(5) {
            let count = chance(3) ? 3 : 2
            let phrases = (0..<count).map { _ in phrase() }.joined(separator: " ")
            return "\(filter)NEAR(\(phrases), \(pick([0, 1, 2, 10])))"
        }
        return filter + (chance(6) ? "^" : "") + phrase()
    }

    private mutating func term() -> String { "\"\(pick(Self.words))\"" + (chance(4) ? "*" : "") }

    private mutating func phrase() -> String {
        let count = pick([1, 1, 1, 2, 2, 3])
        let words = (0..<count).map { _ in pick(Self.words) }.joined(separator: " ")
        return "\"\(words)\"" + (chance(5) ? "*" : "")
    }
}
