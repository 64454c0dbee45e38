import ConcordanceFTS5
import ConcordanceSQLite
import Testing

private struct Refusal: Error, Equatable {}

/// Keeps a context past its time.
private final class Keeper: @unchecked Sendable {
    // One test uses it, on one thread.
    var context: FTS5AuxiliaryContext?
    var count = 0
}

@Suite struct `Auxiliary functions in Swift` {
    private func run(
        _ query: String = "one OR \"two three\"", sql: String = "f(docs)",
        _ body: @escaping FTS5AuxiliaryFunction.Body
    ) throws -> [String?] {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE docs USING fts5(title, body);
                INSERT INTO docs VALUES ('one two', 'two three one'), ('x', 'two three'), ('none', 'here'), ('one', NULL)
                """)
        try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("f", body))
        return try Row.fetchAll(
            db, sql: "SELECT CAST(\(sql) AS TEXT) FROM docs WHERE docs MATCH ? ORDER BY rowid", arguments: [query]
        ).map { $0[0] }
    }

    @Test func `see the table, the row and the match`() throws {
        #expect(
            try run { context, _ in try "\(context.columnCount) \(context.rowCount)" }
                == Array(repeating: "2 4", count: 3))
        #expect(try run { context, _ in try context.rowID } == ["1", "2", "4"])
        #expect(
            try run { context, _ in
                try
                    "\(context.totalTokenCount()) \(context.totalTokenCount(column: 0)) \(context.totalTokenCount(column: 1))"
            } == Array(repeating: "11 5 6", count: 3))
        #expect(
            try run { context, _ in
                try "\(context.tokenCount()) \(context.tokenCount(column: 0)) \(context.tokenCount(column: 1))"
            } == ["5 2 3", "3 1 2", "1 1 0"])
        #expect(try run { context, _ in try context.text(column: 1) } == ["two three one", "two three", ""])
        #expect(
            try run { context, _ in
                try "\(context.phraseCount) \(context.phraseSize(0)) \(context.phraseSize(1))"
            } == Array(repeating: "2 1 2", count: 3))
        #expect(
            try run { context, _ in
                try (0..<context.instanceCount).map {
                    let instance = try context.instance($0)
                    return "\(instance.phrase).\(instance.column).\(instance.offset)"
                }.joined(separator: " ")
            } == ["0.0.0 1.1.0 0.1.2", "1.1.0", "0.0.0"])
        #expect(
            try run { context, _ in
                var places: [String] = []
                for phrase in 0..<(try context.phraseCount) {
                    try context.forEachPosition(ofPhrase: phrase) { places.append("\(phrase).\($0).\($1)") }
                }
                return places.joined(separator: " ")
            } == ["0.0.0 0.1.2 1.1.0", "1.1.0", "0.0.0"])
        #expect(
            try run { context, _ in "\(try context.columns(withPhrase: 0))" } == ["[0, 1]", "[]", "[0]"])
        #expect(
            try run { context, _ in try context.tokens(in: "Été, ONE").map(\.text).joined(separator: "+") }
                == Array(repeating: "ete+one", count: 3))
    }

    @Test func `get arguments and return values`() throws {
        let values: [DatabaseValue] = [.null, 1, 2.5, "text", .blob([1, 2])]
        let found = try run("none", sql: "f(docs, NULL, 1, 2.5, 'text', x'0102')") { _, arguments in
            arguments == values ? "same" : "\(arguments)"
        }
        #expect(found == ["same"])
        #expect(try run("none") { _, _ in nil } == [nil])
        #expect(try run("none") { _, _ in [UInt8]([65]) } == ["A"])
    }

    @Test func `look at all rows of a phrase`() throws {
        #expect(
            try run { context, _ in
                var rows: [Int64] = []
                try context.forEachRow(matchingPhrase: 0) { row in
                    rows.append(try row.rowID)
                    return true
                }
                var first = 0
                try context.forEachRow(matchingPhrase: 1) { _ in
                    first += 1
                    return false
                }
                return "\(rows) \(first)"
            } == Array(repeating: "[1, 4] 1", count: 3))
        #expect(throws: Refusal()) {
            try run { context, _ in
                try context.forEachRow(matchingPhrase: 0) { _ in throw Refusal() }
                return nil
            }
        }
    }

    @Test func `keep data for the rows of a query`() throws {
        let keeper = Keeper()
        let found = try run { context, _ in
            let number = try context.auxiliaryData(Int.self) {
                keeper.count += 1
                return 10
            }
            try context.setAuxiliaryData(number + 1)
            return number
        }
        #expect(found == ["10", "11", "12"])
        #expect(keeper.count == 1)
    }

    @Test func `throw their own errors`() throws {
        #expect(throws: Refusal()) { try run { _, _ in throw Refusal() } }
        for number in [-1, 2, Int.max, Int.min] {
            #expect(throws: FTS5Error.indexOutOfRange("column", index: number)) {
                try run { context, _ in try context.text(column: number) }
            }
            #expect(throws: FTS5Error.indexOutOfRange("column", index: number)) {
                try run { context, _ in try context.tokenCount(column: number) }
            }
            #expect(throws: FTS5Error.indexOutOfRange("phrase", index: number)) {
                try run { context, _ in try context.columns(withPhrase: number).count }
            }
            #expect(throws: FTS5Error.indexOutOfRange("phrase", index: number)) {
                try run { context, _ in
                    try context.forEachRow(matchingPhrase: number) { _ in true }
                    return nil
                }
            }
            #expect(throws: FTS5Error.indexOutOfRange("match", index: number == 2 ? 3 : number)) {
                try run("one OR three") { context, _ in try context.instance(number == 2 ? 3 : number).offset }
            }
        }
    }

    @Test func `lose their context when they return`() throws {
        let keeper = Keeper()
        _ = try run { context, _ in
            keeper.context = context
            return nil
        }
        #expect(throws: FTS5Error.auxiliaryContextExpired) { try keeper.context?.rowID }
        #expect(throws: FTS5Error.auxiliaryContextExpired) { try keeper.context?.text(column: 0) }
    }

    @Test func `can rank`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE VIRTUAL TABLE docs USING fts5(a); INSERT INTO docs VALUES ('x'), ('x x'), ('x x x')")
        try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("mostmatches") { context, _ in try -context.instanceCount })
        let docs = try db.fts5Table("docs")
        let found = try Int.fetchAll(
            db,
            literal: """
                SELECT rowid FROM docs WHERE \(docs.matching(FTS5Pattern(matchingPhrase: "x")))
                AND \(docs.ranked(by: .auxiliary("mostmatches"))) ORDER BY rank
                """)
        #expect(found == [3, 2, 1])
    }
}
