import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Testing

@testable import ConcordanceEngine

extension Database {
    fileprivate var registry: ExtensionRegistry {
        get throws { try ExtensionRegistry.of(try sqliteConnection) }
    }
}

@Suite("A table's tokenizer")
struct TableTokenizerTests {
    /// A connection whose SQLite seems to have no FTS5, which answers through this function.
    private func databaseWithoutFTS5() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil })
        return db
    }

    private static let components: [([String], [String])] = [
        ([], ["the", "elements", "of", "cafe"]),
        (["unicode61", "remove_diacritics", "0"], ["the", "elements", "of", "café"]),
        (["UNICODE61"], ["the", "elements", "of", "cafe"]),
        (["ascii"], ["the", "elements", "of", "cafÉ"]),
        (["porter"], ["the", "element", "of", "cafe"]),
        (["porter", "ascii", "separators", "e"], ["th", "el", "m", "nt", "of", "cafÉ"]),
        (["porter", "porter"], ["the", "element", "of", "cafe"]),
        (["concordance", "words", "fold"], ["the", "elements", "of", "cafe"]),
        (["porter", "concordance", "words", "fold"], ["the", "element", "of", "cafe"]),
        (["concordance_fields", "words fold", "words"], ["the", "elements", "of", "cafe"]),
    ]

    @Test(arguments: components)
    func `is ours, with FTS5 and without`(_ components: [String], _ expected: [String]) throws {
        for db in [try Database(path: ":memory:"), try databaseWithoutFTS5()] {
            let tokenizer = try TableTokenizer.make(components, db.registry)
            #expect(tokenizer.tokens(in: "The Elements of CafÉ").map(\.text) == expected, "\(components)")
        }
    }

    @Test func `does not go through C if the name is FTS5's own`() throws {
        let db = try Database(path: ":memory:")
        #expect(try TableTokenizer.make(["unicode61"], db.registry) is Unicode61Tokenizer)
        #expect(try TableTokenizer.make(["trigram"], db.registry) is TrigramTokenizer)
        #expect(try TableTokenizer.make(["porter"], db.registry) is PorterTokenizer)
    }

    @Test(
        arguments: [
            (["nosuch"], "no such tokenizer: nosuch"), (["words"], "no such tokenizer: words"),
            (["unicode61", "x", "1"], "error in tokenizer constructor"),
            (["unicode61", "remove_diacritics", "9"], "error in tokenizer constructor"),
            (["porter", "nosuch"], "error in tokenizer constructor"),
            (["trigram", "case_sensitive"], "error in tokenizer constructor"),
        ])
    func `that does not exist fails with FTS5's message`(_ components: [String], _ message: String) throws {
        for db in [try Database(path: ":memory:"), try databaseWithoutFTS5()] {
            let error = #expect(throws: (any Error).self) { try TableTokenizer.make(components, db.registry) }
            let text = (error as? DatabaseError)?.message ?? (error as? CallbackError)?.message
            #expect(text == message)
        }
    }

    @Test(
        arguments: [
            (["concordance", "nosuch"], "there is no tokenizer or filter 'nosuch'; "),
            (["concordance", "words", "stop"], "filter 'stop' needs "),
            (["porter", "concordance", "nosuch"], "there is no tokenizer or filter 'nosuch'; "),
        ])
    func `whose arguments are an analyzer's tells what is wrong with them`(_ components: [String], _ reason: String)
        throws
    {
        let db = try Database(path: ":memory:")
        let error = #expect(throws: CallbackError.self) { try TableTokenizer.make(components, db.registry) }
        #expect(error?.message.hasPrefix("error in tokenizer constructor: \(reason)") == true)
        #expect(error?.cause is AnalyzerError)
    }

    private final class Shouter: FTS5WrapperTokenizer {
        static let name = "unicode61"
        let wrappedTokenizer: FTS5Tokenizer

        init(db: Database, arguments: [String]) throws {
            if arguments == ["fail"] { throw FTS5Error.noColumns(table: "mine") }
            wrappedTokenizer = try db.makeTokenizer(.ascii())
        }

        func accept(
            token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
            tokenCallback: FTS5WrapperTokenCallback
        ) throws {
            if token == "bad" { throw FTS5Error.noSuchTable("bad") }
            try tokenCallback(token.uppercased(), flags)
        }
    }

    @Test func `is another's if that has the name`() throws {
        for db in [try Database(path: ":memory:"), try databaseWithoutFTS5()] {
            #expect(try TableTokenizer.make(["unicode61"], db.registry) is Unicode61Tokenizer)
            db.add(tokenizer: Shouter.self)
            let shouter = try TableTokenizer.make(["unicode61"], db.registry)
            #expect(shouter.tokens(in: "a b").map(\.text) == ["A", "B"])
            #expect(try TableTokenizer.make(["porter"], db.registry).tokens(in: "a b").map(\.text) == ["A", "B"])
            // The default is FTS5's, whoever has its name.
            #expect(try TableTokenizer.make([], db.registry).tokens(in: "A").map(\.text) == ["a"])
            let error = #expect(throws: CallbackError.self) {
                try TableTokenizer.make(["unicode61", "fail"], db.registry)
            }
            #expect(error?.cause as? FTS5Error == .noColumns(table: "mine"))
        }
    }

    @Test func `that fails throws what it threw`() throws {
        let db = try Database(path: ":memory:")
        db.add(tokenizer: Shouter.self)
        let shouter = try TableTokenizer.make(["unicode61"], db.registry)
        var text = "a bad b"
        let connection = try db.sqliteConnection
        text.withUTF8 { utf8 in
            let sink = TokenSink(context: nil) { _, _, _, _, _, _ in 0 }
            #expect(throws: FTS5Error.noSuchTable("bad")) {
                try shouter.tokenize(utf8, for: .document, into: sink, on: connection)
            }
        }
    }
}
