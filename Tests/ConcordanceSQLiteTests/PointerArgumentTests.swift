import ConcordanceSQLite
import Testing

@Suite("Objects as arguments")
struct PointerArgumentTests {
    final class Text: Hashable, Sendable {
        static let type = PointerType<Text>("text of the tests")
        let value: String

        init(_ value: String) { self.value = value }

        static func == (left: Text, right: Text) -> Bool { left.value == right.value }
        func hash(into hasher: inout Hasher) { hasher.combine(value) }

        var argument: PointerArgument { PointerArgument(self, type: Self.type) }
    }

    @Test func `are NULL to SQL`() throws {
        let db = try Database(path: ":memory:")
        let sql: SQL = "SELECT \(1), \(Text("a").argument), \("b"), typeof(\(Text("c").argument))"
        #expect(sql.sql == "SELECT ?, ?, ?, typeof(?)")
        #expect(sql.arguments.positional == [1, .null, "b", .null])
        #expect(try Row.fetchOne(db, literal: sql)?.databaseValues == [1, .null, "b", "null"])
        try db.execute("CREATE TABLE t AS SELECT \(Text("a").argument) AS x")
        #expect(try DatabaseValue.fetchAll(db, sql: "SELECT x FROM t") == [.null])
    }

    @Test func `keep their places when arguments are joined`() {
        let parts: [SQL] = ["\(1) \(Text("a").argument)", "\(Text("b").argument) \(2)", "x"]
        let joined = parts.joined(separator: " AND ")
        #expect(joined == "\(1) \(Text("a").argument) AND \(Text("b").argument) \(2) AND x")
        #expect(joined != "\(1) \(Text("b").argument) AND \(Text("a").argument) \(2) AND x")
        #expect(joined != "\(1) \(nil as Int?) AND \(nil as Int?) \(2) AND x")
        #expect(Set([joined, parts.joined(separator: " AND ")]).count == 1)
    }

    @Test func `live as long as they are bound`() throws {
        let db = try Database(path: ":memory:")
        weak var first: Text?
        weak var second: Text?
        let statement = try db.makeStatement(sql: "SELECT ?, ?")
        func bind() throws {
            let (one, two) = (Text("one"), Text("two"))
            (first, second) = (one, two)
            var arguments = StatementArguments()
            arguments.append(one.argument)
            arguments.append(two.argument)
            try statement.setArguments(arguments)
        }
        try bind()
        for _ in 0..<3 { try statement.execute() }
        #expect(first?.value == "one" && second?.value == "two")
        try statement.setArguments([1, 2])
        #expect(first == nil && second == nil)
        try bind()
        // A text in the place of one of them, by hand.
        try statement.bind("text", at: 1)
        try statement.execute()
        try statement.setArguments([1, 2])
        #expect(first == nil && second == nil)
    }

    @Test func `are let go by a statement that is kept for later, and by one that cannot be bound`() throws {
        let db = try Database(path: ":memory:")
        weak var object: Text?
        func run(_ sql: String, _ count: Int) throws {
            let text = Text("x")
            object = text
            var arguments = StatementArguments()
            for _ in 0..<count { arguments.append(text.argument) }
            let statement = try db.cachedStatement(sql: sql)
            try statement.execute(arguments: arguments)
        }
        try run("SELECT ?", 1)
        #expect(object == nil)
        #expect(throws: DatabaseError.self) { try run("SELECT ?", 2) }
        #expect(object == nil)
        #expect(throws: DatabaseError.self) { try run("SELECT ?, ?", 1) }
        #expect(object == nil)
    }
}
