import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Queries that are bound as trees")
struct MatchQueryTests {
    /// A table `t` of either kind with the same rows.
    private static func database(_ module: String, detail: String = "full", rows: Int = 200) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING \(module)(a, b, \"the c\", prefix='1', detail=\(detail))")
        var random = SeededGenerator(seed: 11)
        for row in 1...rows {
            let texts = (0..<3).map { _ in RandomTree.text(0...12, &random) }
            try db.execute("INSERT INTO t VALUES (\(texts[0]), \(texts[1]), \(texts[2]))")
            if row % 90 == 0 { try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')") }
        }
        return db
    }

    private static func rows(_ query: SQL, in db: Database, selecting columns: SQL = "rowid, rank") throws -> [Row] {
        try Row.fetchAll(db, literal: "SELECT \(columns) FROM t WHERE t MATCH \(query) ORDER BY rank, rowid")
    }

    private static func rowIDs(_ query: SQL, in db: Database) throws -> [Int] {
        try Int.fetchAll(db, literal: "SELECT rowid FROM t WHERE t MATCH \(query) ORDER BY rowid")
    }

    private static func bound(_ tree: QueryTree) -> SQL { "\(MatchQuery(tree).argument)" }

    private static func message(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as DatabaseError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: 0..<4)
    func `find what their text finds, in FTS5 too`(seed: UInt64) throws {
        let engine = try Self.database("concordance")
        let fts5 = try Self.database("fts5")
        var random = RandomTree(random: SeededGenerator(seed: seed))
        var found = 0
        for _ in 0..<40 {
            let tree = random.tree(depth: 5)
            let text = try tree.pattern().rawPattern
            let rows = try Self.rows(Self.bound(tree), in: engine, selecting: "rowid, rank, highlight(t, 0, '[', ']')")
            let parsed = try Self.rows("\(text)", in: engine, selecting: "rowid, rank, highlight(t, 0, '[', ']')")
            #expect(rows == parsed, "\(text)")
            #expect(try Self.rowIDs(Self.bound(tree), in: engine) == Self.rowIDs("\(text)", in: fts5), "\(text)")
            found += rows.isEmpty ? 0 : 1
        }
        #expect(found > 10)
    }

    @Test func `are parsed from their text as the same expression`() throws {
        var options = TableOptions()
        options.columns = ["a", "b", "the c"].map { TableOptions.Column(name: $0) }
        let compiler = QueryCompiler(options: options, tokenizer: SynonymTokenizer())
        var random = RandomTree(random: SeededGenerator(seed: 5))
        for _ in 0..<500 {
            let tree = random.tree(depth: 5)
            let text = try tree.pattern().rawPattern
            let column = [nil, 0, 2].randomElement(using: &random.random) ?? nil
            #expect(
                try compiler.compile(tree, column: column) == compiler.compile(text, column: column), "\(text)")
        }
    }

    @Test func `find nothing if they are empty`() throws {
        for module in ["concordance", "fts5"] {
            let db = try Self.database(module, rows: 20)
            for tree in [QueryTree(), .nothing, .all([]), .any([]), .phrase(" ⁂"), .near([], distance: 1)] {
                let query: SQL = module == "fts5" ? "\(try tree.pattern())" : Self.bound(tree)
                #expect(try Self.rowIDs(query, in: db).isEmpty, "\(tree)")
            }
            let words: [QueryTree] = [.phrase("one"), .phrase(" ")]
            let any: SQL =
                module == "fts5" ? "\(try QueryTree.any(words).pattern())" : Self.bound(.any(words))
            #expect(try Self.rowIDs(any, in: db) == Self.rowIDs("\("one")", in: db))
        }
    }

    @Test func `are nested up to a height`() throws {
        let db = try Self.database("concordance", rows: 20)
        var tree = QueryTree.phrase("one")
        for _ in 1..<QueryTree.heightLimit { tree = tree.excluding(.phrase("seven")) }
        #expect(tree.height == QueryTree.heightLimit)
        #expect(try Self.rowIDs(Self.bound(tree), in: db) == Self.rowIDs("\("one NOT seven")", in: db))
        for _ in 0..<3_000 { tree = QueryTree.phrase("one").excluding(tree) }
        let error = #expect(throws: DatabaseError.self) { try Self.rowIDs(Self.bound(tree), in: db) }
        #expect(error?.message == "fts5 expression tree is too large (maximum depth 256)")
        #expect(throws: FTS5Error.self) { try tree.pattern() }
        // The number of operators of one kind is not limited.
        var flat = QueryTree.phrase("one")
        for _ in 0..<2_000 { flat = .any([flat, .phrase("seven")]) }
        #expect(flat.height == 2)
        #expect(try Self.rowIDs(Self.bound(flat), in: db) == Self.rowIDs("\("one OR seven")", in: db))
    }

    @Test func `stand at the right of a column, of an equals sign, and in parentheses`() throws {
        let db = try Self.database("concordance")
        let query = Self.bound(.any([.phrase("one"), .phrase("two six")]))
        let text: SQL = "\("one OR \"two six\"")"
        for place in ["a MATCH", "\"the c\" MATCH", "t MATCH", "t =", "b MATCH 'one' AND t MATCH"] {
            let start: SQL = "SELECT rowid FROM t WHERE \(raw: place) "
            #expect(
                try Int.fetchAll(db, literal: start + query) == Int.fetchAll(db, literal: start + text), "\(place)")
        }
        #expect(
            try Int.fetchAll(db, literal: "SELECT rowid FROM t(\(query))")
                == Int.fetchAll(db, literal: "SELECT rowid FROM t(\(text))"))
    }

    @Test func `say what the index cannot answer, as FTS5 does`() throws {
        let db = try Self.database("concordance", detail: "none", rows: 20)
        let phrase = QueryTree.phrase("one two")
        let cases: [(QueryTree, String)] = [
            (phrase, "fts5: phrase queries are not supported (detail!=full)"),
            (.near(["one", "two"], distance: 2), "fts5: NEAR queries are not supported (detail!=full)"),
            (.phrase("one").inColumns(["a"]), "fts5: column queries are not supported (detail=none)"),
        ]
        for (tree, expected) in cases {
            #expect(Self.message { _ = try Self.rowIDs(Self.bound(tree), in: db) } == expected)
        }
        let full = try Self.database("concordance", rows: 1)
        let message = Self.message { _ = try Self.rowIDs(Self.bound(.phrase("one").inColumns(["nope"])), in: full) }
        #expect(message == "no such column: nope")
    }

    // MARK: Statements

    @Test func `serve a statement that is executed again, and see what was written meanwhile`() throws {
        let db = try Self.database("concordance", rows: 10)
        let query = Self.bound(.phrase("zebra", isPrefix: true))
        let count: SQL = "SELECT count(*) FROM t WHERE t MATCH \(query)"
        let statement = try db.makeStatement(sql: count.sql)
        try statement.setArguments(count.arguments)
        for expected in 0..<4 {
            var counts: [Int64] = []
            try statement.forEachRow { counts.append($0.int64(at: 0)) }
            #expect(counts == [Int64(expected)])
            try db.execute(sql: "INSERT INTO t(a) VALUES ('zebras')")
            // SQLite compiles the statement again, and passes it the bound values.
            if expected == 1 { try db.execute(sql: "CREATE TABLE other(x)") }
        }
    }

    @Test func `are tokenized once, however often a join asks`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        db.add(tokenizer: CountingTokenizer.self)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, tokenize='counting');
                CREATE VIRTUAL TABLE u USING concordance(b, a, tokenize='counting');
                CREATE TABLE o(x);
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50)
                INSERT INTO o SELECT x FROM n;
                INSERT INTO t SELECT 'one two' FROM o;
                INSERT INTO u SELECT 'one', 'two' FROM o;
                """)
        let query = MatchQuery(.all([.phrase("one"), .phrase("two")]))
        let sql: SQL = "SELECT count(*) FROM o CROSS JOIN t WHERE t MATCH \(query.argument) AND t.rowid <= o.x"
        let before = CountingTokenizer.queries.withLock { $0 }
        for _ in 0..<3 { #expect(try Int.fetchOne(db, literal: sql) == 50 * 51 / 2) }
        #expect(CountingTokenizer.queries.withLock { $0 } == before + 2)
        // Another table has other columns.
        let other = "SELECT count(*) FROM u WHERE u MATCH \(query.argument)" as SQL
        #expect(try Int.fetchOne(db, literal: other) == 50)
        let column = "SELECT count(*) FROM u WHERE b MATCH \(query.argument)" as SQL
        #expect(try Int.fetchOne(db, literal: column) == 0)
        #expect(try Int.fetchOne(db, literal: sql) == 50 * 51 / 2)
    }

    @Test func `live no longer than statements hold them`() throws {
        let db = try Self.database("concordance", rows: 5)
        weak var query: MatchQuery?
        func run() throws {
            let made = MatchQuery(.phrase("one"))
            query = made
            let sql: SQL = "SELECT count(*) FROM t WHERE t MATCH \(made.argument)"
            let statement = try db.cachedStatement(sql: sql.sql)
            try statement.execute(arguments: sql.arguments)
        }
        try run()
        #expect(query == nil)
    }

    @Test func `are errors, not crashes, if they do not arrive`() throws {
        final class Other: Hashable, Sendable {
            static let type = PointerType<Other>("concordance query")
            static func == (left: Other, right: Other) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        let db = try Self.database("concordance", rows: 5)
        let fts5 = try Self.database("fts5", rows: 5)
        let foreign: SQL = "\(PointerArgument(Other(), type: Other.type))"
        #expect(
            Self.message { _ = try Self.rowIDs(foreign, in: db) }
                == "the query is an object that only another function or module can read")
        let query = Self.bound(.phrase("one"))
        let null: SQL = "\(nil as String?)"
        let lost: [(Database, SQL)] = [
            (db, null), (db, "abs(\(query))"), (db, "(SELECT x FROM kept)"),
            (db, "\(query) || ''"), (fts5, query), (fts5, null),
        ]
        try db.execute("CREATE TABLE kept AS SELECT \(query) AS x")
        for (db, value) in lost {
            let error = #expect(throws: DatabaseError.self, "\(value.sql)") { try Self.rowIDs(value, in: db) }
            #expect(error?.message == "fts5: syntax error near \"\"", "\(value.sql)")
            #expect(error?.advice?.contains("MATCH itself") == true, "\(value.sql)")
        }
        // A value that SQLite passes on unchanged arrives.
        let expected = try Self.rowIDs("\("one")", in: db)
        for value in [query, "+\(query)", "(\(query))"] as [SQL] {
            #expect(try Self.rowIDs(value, in: db) == expected)
        }
        // A value that only some versions of SQLite pass on unchanged arrives, or is NULL.
        for value in ["CAST(\(query) AS TEXT)", "(SELECT max(\(query)))", "nullif(\(query), 1)"] as [SQL] {
            do {
                #expect(try Self.rowIDs(value, in: db) == expected)
            } catch let error as DatabaseError {
                #expect(error.message == "fts5: syntax error near \"\"")
            }
        }
    }
}

/// Counts the strings of queries that it gets.
private final class CountingTokenizer: FTS5CustomTokenizer {
    static let name = "counting"
    static let queries = Locked(0)
    private let words = SynonymTokenizer()

    init(db: Database, arguments: [String]) {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        if tokenization.contains(.query) { Self.queries.withLock { $0 += 1 } }
        return words.tokenize(
            context: context, tokenization: tokenization, pText: pText, nText: nText, tokenCallback: tokenCallback)
    }
}

/// Random trees over a small vocabulary.
struct RandomTree {
    var random: SeededGenerator
    static let words = ["one", "two", "three", "four", "five", "six", "seven", "tw", "t"]

    static func text(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }

    mutating func tree(depth: Int) -> QueryTree {
        let isPrefix = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &random) {
        case 0, 1: return .phrase(Self.text(1...1, &random), isPrefix: isPrefix)
        case 2:
            let hostile = ["", "\"", "one\0two", "a\"b", "one|two", "^ *", "東京"]
            return .phrase(
                Bool.random(using: &random)
                    ? Self.text(1...3, &random) : hostile.randomElement(using: &random) ?? "", isPrefix: isPrefix)
        case 3:
            let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.text(1...2, &random) }
            return .near(texts, distance: Int.random(in: 0...5, using: &random), isPrefix: isPrefix)
        case 4:
            let columns = [["a"], ["B"], ["the c", "a"], ["a", "b", "the c"]].randomElement(using: &random) ?? []
            return tree(depth: depth - 1).inColumns(columns)
        case 5, 6: return .all(trees(depth: depth - 1))
        case 7, 8: return .any(trees(depth: depth - 1))
        default: return tree(depth: depth - 1).excluding(tree(depth: depth - 1))
        }
    }

    private mutating func trees(depth: Int) -> [QueryTree] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in tree(depth: depth) }
    }
}
