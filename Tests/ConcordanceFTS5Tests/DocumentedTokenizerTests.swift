import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import Testing

// The tokenizers that the documentation shows, as it shows them.

private final class PassingTokenizer: FTS5WrapperTokenizer {
    static let name = "custom"
    let wrappedTokenizer: FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        if arguments.isEmpty {
            wrappedTokenizer = try db.makeTokenizer(.unicode61())
        } else {
            let descriptor = FTS5TokenizerDescriptor(components: arguments)
            wrappedTokenizer = try db.makeTokenizer(descriptor)
        }
    }

    func accept(
        token: String,
        flags: FTS5TokenFlags,
        for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        // pass through
        try tokenCallback(token, flags)
    }
}

private final class SynonymsTokenizer: FTS5WrapperTokenizer {
    static let name = "synonyms"
    let wrappedTokenizer: FTS5Tokenizer
    let synonyms: [Set<String>] = [["first", "1st"]]

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func synonyms(for token: String) -> Set<String>? {
        return synonyms.first { $0.contains(token) }
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        if tokenization.contains(.query) {
            // Don't look for synonyms when tokenizing queries
            try tokenCallback(token, flags)
            return
        }

        guard let synonyms = synonyms(for: token) else {
            // Token has no synonym
            try tokenCallback(token, flags)
            return
        }

        for (index, synonym) in synonyms.enumerated() {
            // Notify each synonym, and set the colocated flag for all but the first
            let synonymFlags = (index == 0) ? flags : flags.union(.colocated)
            try tokenCallback(synonym, synonymFlags)
        }
    }
}

private final class LatinAsciiTokenizer: FTS5WrapperTokenizer {
    static let name = "latinascii"
    let wrappedTokenizer: FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        if let token = token.applyingTransform(StringTransform("Latin-ASCII; Lower"), reverse: false) {
            try tokenCallback(token, flags)
        }
    }
}

/// Keeps its arguments, and takes every byte that is not a space for a token of its own.
private final class ByteTokenizer: FTS5CustomTokenizer {
    static let name = "bytes"
    nonisolated(unsafe) static var arguments: [String] = []

    init(db: Database, arguments: [String]) throws { Self.arguments = arguments }

    func tokenize(
        context: UnsafeMutableRawPointer?,
        tokenization: FTS5Tokenization,
        pText: UnsafePointer<Int8>?,
        nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        guard let pText, let tokenCallback else { return 0 }
        for index in 0..<nText where pText[Int(index)] != 0x20 {
            let code = tokenCallback(context, 0, pText + Int(index), 1, index, index + 1)
            if code != 0 { return code }
        }
        return 0
    }
}

@Suite struct `Documented tokenizers` {
    private func database(_ define: (Database) throws -> Void) throws -> Database {
        let db = try Database(path: ":memory:")
        try define(db)
        return db
    }

    private func rows(_ db: Database, _ query: String) throws -> [Int] {
        try Int.fetchAll(
            db, sql: "SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rowid",
            arguments: [FTS5Pattern(matchingAllTokensIn: query)])
    }

    private func createSQL(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'documents'")
    }

    @Test func `built-in tokenizers make the tokens that the text says`() throws {
        let db = try database { _ in }
        func tokens(_ descriptor: FTS5TokenizerDescriptor, _ text: String) throws -> [String] {
            try db.makeTokenizer(descriptor).tokens(in: text).map(\.text)
        }
        let sentence = "SQLite is a database engine"
        #expect(try tokens(.ascii(), sentence) == ["sqlite", "is", "a", "database", "engine"])
        #expect(try tokens(.unicode61(), sentence) == ["sqlite", "is", "a", "database", "engine"])
        #expect(try tokens(.ascii(), "Jérôme Jerome") == ["jérôme", "jerome"])
        #expect(try tokens(.unicode61(), "Jérôme Jerome") == ["jerome", "jerome"])
        #expect(try tokens(.porter(), "database engine") == ["databas", "engin"])
        #expect(try tokens(.porter(), "database engines") == ["databas", "engin"])
        #expect(try tokens(.unicode61(), "first 1st Grossmann Großmann") == ["first", "1st", "grossmann", "großmann"])
    }

    @Test func `a custom tokenizer fuels the engine`() throws {
        let db = try database { db in
            db.add(tokenizer: PassingTokenizer.self)
            try db.create(virtualTable: "documents", using: FTS5()) { t in
                t.tokenizer = PassingTokenizer.tokenizerDescriptor()
                t.column("content")
            }
            try db.execute("INSERT INTO documents VALUES (?)", arguments: ["..."])
            try db.execute("INSERT INTO documents VALUES (?)", arguments: ["Jérôme's database"])
        }
        #expect(try createSQL(db) == "CREATE VIRTUAL TABLE \"documents\" USING fts5(tokenize='custom', content)")
        #expect(FTS5Pattern(matchingAnyTokenIn: "...") == nil)
        #expect(try rows(db, "jerome") == [2])
    }

    @Test func `arguments reach the tokenizer`() throws {
        let db = try database { db in
            db.add(tokenizer: ByteTokenizer.self)
            try db.create(virtualTable: "documents", using: FTS5()) { t in
                t.tokenizer = ByteTokenizer.tokenizerDescriptor(arguments: ["arg1", "arg2"])
                t.column("authors")
                t.column("title")
                t.column("body")
            }
            #expect(ByteTokenizer.arguments == ["arg1", "arg2"])
        }
        #expect(
            try createSQL(db)
                == "CREATE VIRTUAL TABLE \"documents\" USING fts5(tokenize='bytes arg1 arg2', authors, title, body)")
        let odd = ["two words", "it's", "", "say \"hi\"", "ü", "[x]", "a,b)", "-"]
        try db.create(virtualTable: "odd", using: FTS5()) { t in
            t.tokenizer = ByteTokenizer.tokenizerDescriptor(arguments: odd)
            t.column("content")
        }
        #expect(ByteTokenizer.arguments == odd)
        try db.execute(sql: "INSERT INTO documents VALUES ('ab', 'c d', 'e')")
        #expect(try rows(db, "b d e") == [1])
    }

    @Test func `the wrapped tokenizer can be chosen`() throws {
        for (descriptor, expected) in [
            (PassingTokenizer.tokenizerDescriptor(), [1, 2]),
            (PassingTokenizer.tokenizerDescriptor(arguments: FTS5TokenizerDescriptor.ascii().components), [2]),
        ] {
            let db = try database { db in
                db.add(tokenizer: PassingTokenizer.self)
                try db.create(virtualTable: "documents", using: FTS5()) { t in
                    t.tokenizer = descriptor
                    t.column("content")
                }
                try db.execute(sql: "INSERT INTO documents VALUES ('Jérôme'), ('JEROME')")
            }
            #expect(try rows(db, "jerome") == expected)
        }
    }

    @Test func `synonyms match each other, and are found at their place`() throws {
        let db = try database { db in
            db.add(tokenizer: SynonymsTokenizer.self)
            try db.create(virtualTable: "documents", using: FTS5()) { t in
                t.tokenizer = SynonymsTokenizer.tokenizerDescriptor()
                t.column("content")
            }
            try db.execute(sql: "INSERT INTO documents VALUES ('I won first place'), ('the 1st of May')")
        }
        #expect(try rows(db, "first") == [1, 2])
        #expect(try rows(db, "1ST") == [1, 2])
        let phrase = FTS5Pattern(matchingPhrase: "won 1st place")
        let found = try String.fetchAll(
            db, sql: "SELECT highlight(documents, 0, '[', ']') FROM documents WHERE documents MATCH ?",
            arguments: [phrase])
        #expect(found == ["I [won first place]"])
    }

    @Test func `latin letters are found in any spelling`() throws {
        let db = try database { db in
            db.add(tokenizer: LatinAsciiTokenizer.self)
            try db.create(virtualTable: "documents", using: FTS5()) { t in
                t.tokenizer = LatinAsciiTokenizer.tokenizerDescriptor()
                t.column("authors")
                t.column("title")
                t.column("body")
            }
            try db.execute(
                sql:
                    "INSERT INTO documents VALUES ('Großmann', 'Encyclopædia', 'ﬁdélité'), ('Jérôme', 'Diyarbakır', '')"
            )
        }
        for query in ["grossmann", "Großmann", "GROSSMANN", "encyclopaedia", "fidelite", "ﬁdélité"] {
            #expect(try rows(db, query) == [1], "\(query)")
        }
        #expect(try rows(db, "jerome diyarbakir") == [2])
    }

    @Test func `tokenizers are added to queues`() throws {
        let dbQueue = try DatabaseQueue()
        dbQueue.add(tokenizer: LatinAsciiTokenizer.self)  // or dbPool.add

        try dbQueue.inDatabase { db in
            try db.create(virtualTable: "documents", using: FTS5()) { t in
                t.tokenizer = LatinAsciiTokenizer.tokenizerDescriptor()
                t.column("authors")
                t.column("title")
                t.column("body")
            }
        }
        try dbQueue.inDatabase { db in
            try db.execute("INSERT INTO documents VALUES (?, '', '')", arguments: ["Großmann"])
            #expect(try rows(db, "grossmann") == [1])
        }
    }
}
