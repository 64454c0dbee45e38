import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import TestSupport
import Testing

private struct Refusal: Error, Equatable {
    var word: String
}

/// Throws when its argument says so.
private final class ThrowingTokenizer: FTS5WrapperTokenizer {
    static let name = "throwing"
    let wrappedTokenizer: FTS5Tokenizer
    private let isAlways: Bool

    init(db: Database, arguments: [String]) throws {
        if arguments.first == "init" { throw Refusal(word: "init") }
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
        isAlways = arguments.first == "always"
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        if isAlways || token == "bad" || tokenization.contains(.auxiliary) && token == "shy" {
            throw Refusal(word: token)
        }
        try tokenCallback(token, flags)
    }
}

/// Breaks the rules of the interface in the way that its argument names.
private final class WrongTokenizer: FTS5CustomTokenizer {
    static let name = "wrong"
    private let fault: String

    init(db: Database, arguments: [String]) throws { fault = arguments.first ?? "" }

    func tokenize(
        context: UnsafeMutableRawPointer?,
        tokenization: FTS5Tokenization,
        pText: UnsafePointer<Int8>?,
        nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        guard let pText, let tokenCallback, nText > 0 else { return 0 }
        switch fault {
        case "beyond": return tokenCallback(context, 0, pText, 1, nText, nText + 1)
        case "huge": return tokenCallback(context, 0, pText, 1, .max - 1, .max)
        case "negative": return tokenCallback(context, 0, pText, 1, -5, 1)
        case "negativeEnd": return tokenCallback(context, 0, pText, 1, 0, -1)
        case "reversed": return tokenCallback(context, 0, pText, 1, nText, 0)
        case "negativeCount": return tokenCallback(context, 0, pText, -1, 0, 1)
        case "nil": return tokenCallback(context, 0, nil, 3, 0, 1)
        case "row": return SQLITE_ROW
        case "done": return SQLITE_DONE
        case "minus": return -1
        case "corrupt": return SQLITE_CORRUPT
        case "swallow":
            _ = tokenCallback(context, 0, pText, 1, -1, -1)
            _ = tokenCallback(context, 0, pText, 1, 0, 1)
            return 0
        // Errors that FTS5 survives.
        case "decreasing":
            for index in stride(from: nText - 1, through: 0, by: -1) {
                let code = tokenCallback(context, 0, pText + Int(index), 1, index, index + 1)
                if code != 0 { return code }
            }
            return 0
        case "overlapping":
            for index in 0..<nText {
                let code = tokenCallback(context, index == 0 ? 0 : 1, pText + Int(index), 1, 0, nText)
                if code != 0 { return code }
            }
            return 0
        case "empty":
            for index in 0..<nText {
                let code = tokenCallback(context, 0, index % 2 == 0 ? pText : nil, 0, index, index)
                if code != 0 { return code }
            }
            return tokenCallback(context, 0, pText, nText, 0, nText)
        case "flags": return tokenCallback(context, -1, pText, nText, 0, nText)
        default: return tokenCallback(context, 0, pText, nText, 0, nText)
        }
    }
}

/// Wraps itself: as an object, or as a name.
private final class SelfWrappingTokenizer: FTS5WrapperTokenizer {
    static let name = "ouroboros"
    private var inner: FTS5Tokenizer?
    var wrappedTokenizer: FTS5Tokenizer { inner ?? self }

    init(db: Database, arguments: [String]) throws {
        if arguments == ["name"] {
            inner = try db.makeTokenizer(Self.tokenizerDescriptor(arguments: arguments))
        } else if let count = arguments.first.flatMap(Int.init) {
            inner = try db.makeTokenizer(
                count == 0 ? .unicode61() : Self.tokenizerDescriptor(arguments: [String(count - 1)]))
        }
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws { try tokenCallback(token, flags) }
}

/// Catches what it must let pass, and gives empty and enormous tokens.
private final class RudeTokenizer: FTS5WrapperTokenizer {
    static let name = "rude"
    let wrappedTokenizer: FTS5Tokenizer

    init(db: Database, arguments: [String]) throws { wrappedTokenizer = try db.makeTokenizer(.ascii()) }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        for text in ["", token, String(repeating: "long", count: 100_000), "\0\0"] { try? tokenCallback(text, flags) }
    }
}

@Suite struct `Tokenizers that fail` {
    private func table(_ descriptor: FTS5TokenizerDescriptor) throws -> Database {
        let db = try Database(path: ":memory:")
        db.add(tokenizer: ThrowingTokenizer.self)
        db.add(tokenizer: WrongTokenizer.self)
        db.add(tokenizer: SelfWrappingTokenizer.self)
        db.add(tokenizer: RudeTokenizer.self)
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.tokenizer = descriptor
            t.column("x")
        }
        return db
    }

    @Test func `throw their own error out of the statement`() throws {
        let db = try table(ThrowingTokenizer.tokenizerDescriptor())
        #expect(throws: Refusal(word: "bad")) { try db.execute(sql: "INSERT INTO t VALUES ('good bad ugly')") }
        try db.execute(sql: "INSERT INTO t VALUES ('good')")
        #expect(throws: Refusal(word: "bad")) {
            try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH 'good OR bad'")
        }
        #expect(throws: Refusal(word: "bad")) {
            try db.makeTokenizer(ThrowingTokenizer.tokenizerDescriptor()).tokens(in: "a bad b")
        }
        #expect(throws: Refusal(word: "bad")) {
            try db.makeFTS5Pattern(matching: .anyToken, in: "bad", forTable: "t")
        }
        // Neither the errors nor the row have left anything.
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'good'") == [1])
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM t WHERE t MATCH '\"'") }
        try FTS5Table("t").integrityCheck(db)
    }

    @Test func `throw their own error out of auxiliary functions`() throws {
        let db = try table(ThrowingTokenizer.tokenizerDescriptor())
        try db.execute(sql: "INSERT INTO t VALUES ('one shy two')")
        try db.add(
            auxiliaryFunction: FTS5AuxiliaryFunction("own") { context, _ in try context.tokens(in: "a shy b").count })
        for call in ["highlight(t, 0, '[', ']')", "snippet(t, 0, '[', ']', '', 5)", "own(t)"] {
            #expect(throws: Refusal(word: "shy"), "\(call)") {
                try Row.fetchAll(db, sql: "SELECT \(call) FROM t WHERE t MATCH 'two'")
            }
        }
    }

    @Test func `throw the error of their initializer`() throws {
        #expect(throws: Refusal(word: "init")) { try table(ThrowingTokenizer.tokenizerDescriptor(arguments: ["init"])) }
        let db = try table(.ascii())
        #expect(throws: Refusal(word: "init")) {
            try db.makeTokenizer(ThrowingTokenizer.tokenizerDescriptor(arguments: ["init"]))
        }
        #expect(throws: Refusal(word: "init")) {
            try db.execute(sql: "CREATE VIRTUAL TABLE u USING fts5(x, tokenize='porter throwing init')")
        }
        #expect(throws: Refusal(word: "bad")) {
            try db.makeTokenizer(.porter(wrapping: ThrowingTokenizer.tokenizerDescriptor())).tokens(in: "bad")
        }
    }

    @Test(arguments: ["beyond", "huge", "negative", "negativeEnd", "reversed", "negativeCount", "nil", "swallow"])
    func `cannot give tokens outside of their text`(fault: String) throws {
        let db = try table(WrongTokenizer.tokenizerDescriptor(arguments: [fault]))
        func expectInvalidToken(_ body: () throws -> Void) {
            let error = #expect(throws: FTS5Error.self, "\(fault)") { try body() }
            guard case .invalidToken("wrong", _) = error else {
                Issue.record("\(fault): \(String(describing: error))")
                return
            }
        }
        expectInvalidToken { try db.execute(sql: "INSERT INTO t VALUES ('text')") }
        expectInvalidToken { try db.execute(sql: "SELECT * FROM t WHERE t MATCH 'text'") }
        expectInvalidToken {
            _ = try db.makeTokenizer(WrongTokenizer.tokenizerDescriptor(arguments: [fault])).tokens(in: "text")
        }
    }

    @Test(arguments: [("row", SQLITE_ROW), ("done", SQLITE_DONE), ("minus", -1), ("corrupt", SQLITE_CORRUPT)])
    func `cannot pass a result code off as SQLite's`(fault: String, code: Int32) throws {
        let db = try table(WrongTokenizer.tokenizerDescriptor(arguments: [fault]))
        #expect(throws: FTS5Error.tokenizerFailed("wrong", code: code)) {
            try db.execute(sql: "INSERT INTO t VALUES ('text')")
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }

    @Test(arguments: ["decreasing", "overlapping", "empty", "flags"])
    func `may give tokens in any order`(kind: String) throws {
        let db = try table(WrongTokenizer.tokenizerDescriptor(arguments: [kind]))
        for text in ["a", "abc", "hello world", String(repeating: "xy", count: 1000)] {
            try db.execute("INSERT INTO t VALUES (?)", arguments: [text])
        }
        for query in ["a", "\"cba\"", "\"abc\"", "h OR x*"] {
            _ = try Row.fetchAll(
                db,
                sql: """
                    SELECT rank, highlight(t, 0, '[', ']'), snippet(t, 0, '[', ']', '…', 5) FROM t WHERE t MATCH ?
                    ORDER BY rank
                    """, arguments: [query])
        }
        try FTS5Table("t").integrityCheck(db)
    }

    @Test func `that wrap themselves throw`() throws {
        #expect(throws: FTS5Error.tokenizerRecursion("ouroboros")) {
            try table(SelfWrappingTokenizer.tokenizerDescriptor(arguments: ["name"]))
        }
        let db = try table(SelfWrappingTokenizer.tokenizerDescriptor())
        #expect(throws: FTS5Error.tokenizerRecursion("ouroboros")) {
            try db.execute(sql: "INSERT INTO t VALUES ('text')")
        }
        #expect(throws: FTS5Error.tokenizerRecursion("porter")) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: Array(repeating: "porter", count: 100_000)))
        }
        #expect(
            try db.makeTokenizer(SelfWrappingTokenizer.tokenizerDescriptor(arguments: ["5"])).tokens(in: "A b").count
                == 2)
    }

    @Test func `that swallow errors do no harm`() throws {
        let db = try table(RudeTokenizer.tokenizerDescriptor())
        try db.execute(sql: "INSERT INTO t VALUES ('one two')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one'") == [1])
        let tokens = try db.makeTokenizer(RudeTokenizer.tokenizerDescriptor()).tokens(in: "a")
        #expect(tokens.map(\.text.utf8.count) == [1, 400_000, 2])
        // A receiver that stops is not called again.
        var count = 0
        #expect(throws: Refusal.self) {
            var text = "a b c"
            try text.withUTF8 { text in
                try db.makeTokenizer(RudeTokenizer.tokenizerDescriptor()).forEachToken(in: text) { _ in
                    count += 1
                    throw Refusal(word: "stop")
                }
            }
        }
        #expect(count == 1)
    }

    @Test func `that are unknown or refuse their arguments have typed errors`() throws {
        let db = try table(.ascii())
        #expect(throws: FTS5Error.noSuchTokenizer("nosuch")) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["nosuch"]))
        }
        #expect(throws: FTS5Error.tokenizerRefused(["unicode61", "nosuch", "1"])) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["unicode61", "nosuch", "1"]))
        }
        #expect(throws: FTS5Error.tokenizerRefused(["ascii", "a\0b"])) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["ascii", "a\0b"]))
        }
        #expect(try db.makeTokenizer(FTS5TokenizerDescriptor(components: [])).tokens(in: "É").map(\.text) == ["e"])
        #expect(throws: (any Error).self) {
            try db.create(virtualTable: "u", using: FTS5()) { t in
                t.tokenizer = FTS5TokenizerDescriptor(components: ["nosuch"])
                t.column("x")
            }
        }
    }

    @Test func `outlive their connection`() throws {
        var tokenizers: [any FTS5Tokenizer] = []
        do {
            let db = try table(ThrowingTokenizer.tokenizerDescriptor())
            for descriptor in [.unicode61(), .porter(), .trigram(), ThrowingTokenizer.tokenizerDescriptor()] {
                tokenizers.append(try db.makeTokenizer(descriptor))
            }
            try db.close()
        }
        for tokenizer in tokenizers { #expect(try tokenizer.tokens(in: "abc").isEmpty == false) }
        #expect(throws: Refusal(word: "bad")) { try tokenizers.last?.tokens(in: "bad") }
    }
}

@Suite struct `Tokenizers and hostile text` {
    static let texts: [[UInt8]] = [
        [], [0], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xC0, 0x80],
        Array("a\0b\0\0c".utf8), [0x61, 0xFF, 0x62, 0xC3], Array(repeating: 0x80, count: 1000),
        Array(repeating: 0x61, count: 1_000_000), Array(String(repeating: "é", count: 30_000).utf8),
        Array(String(repeating: "a ", count: 20_000).utf8),
    ]

    @Test(arguments: ["unicode61", "porter", "trigram", "throwing", "concordance words fold latin"])
    func `index it, find it, and stay sound`(tokenizer: String) throws {
        let db = try Database(path: ":memory:")
        db.add(tokenizer: ThrowingTokenizer.self)
        try ConcordanceTokenizers.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='\(tokenizer)')")
        let insert = try db.makeStatement(sql: "INSERT INTO t VALUES (CAST(? AS TEXT))")
        for text in Self.texts { try insert.execute(arguments: [DatabaseValue.blob(text)]) }
        for query in ["a", "é", "aaa", "b c"] {
            guard let pattern = try db.makeFTS5Pattern(matching: .anyToken, in: query, forTable: "t") else { continue }
            _ = try Row.fetchAll(
                db,
                sql:
                    "SELECT rank, length(highlight(t, 0, '[', ']')), snippet(t, 0, '[', ']', '…', 9) FROM t WHERE t MATCH ? AND length(x) < 5000",
                arguments: [pattern])
        }
        try FTS5Table("t").integrityCheck(db)
        let made = try db.makeTokenizer(
            FTS5TokenizerDescriptor(components: tokenizer.split(separator: " ").map(String.init)))
        for text in Self.texts {
            try text.withUnsafeBufferPointer { text in
                var end = 0
                try made.forEachToken(in: text) { end = max(end, $0.range.upperBound) }
                #expect(end <= text.count)
            }
        }
    }
}
