@testable import Concordance
@testable import ConcordanceSearch
import Testing

@Suite("Queries are composed")
struct QueryCompositionTests {
    struct Note: Codable, Sendable {
        var id: Int64
        var title: String
        var body: String
    }

    static let notes = SearchIndex("noteTexts", of: Note.self, in: "notes") {
        Field(\.title)
        Field(\.body).named("text")
    }

    @Test(
        arguments: [
            ("a_b", "a b*", []), ("a_b c", "a b c*", []), ("a_b OR c_d ", "(a b) OR (c d)", []),
            ("\"a_b\" c_d ", "\"a_b\" c d", []), ("-x_y a_b ", "a b -x_y", ["x_y"]),
            ("title:a_b c_d ", "title:a_b c d", []),
            ("a_b~ c ", "a_b~ c", []), ("15\" a_b －c ", "\"15\"\"\" a b -c", ["c"]), ("-a_b ", "a b", []),
            ("a -\"b c\" -(d OR e) ", "a -\"b c\" -d -e", ["b c", "d", "e"]),
            ("NEAR(a_b c) d_e ", "NEAR(\"a_b\" \"c\", 10) d e", []),
            ("", "", []),
        ] as [(String, String, [String])])
    func `words are replaced and excluded`(_ text: String, _ expected: String, _ excluded: [String]) {
        let query = SearchQuery(text, fields: ["title"])
        let replaced = query.replacingWords { $0.split(separator: "_").map(String.init) }
        #expect(replaced.description == expected)
        #expect(query.excludedWords == excluded)
        #expect(query.replacingWords { [$0] } == query)
    }

    @Test func `as many words as a text may have take the place of others`() {
        let query = SearchQuery("a b c", isTyping: false)
        let count = SearchQuery.termLimit
        let replaced = query.replacingWords { word in (0..<count).map { "\(word)\($0)" } }
        #expect(replaced.words.count == count + 2)
        #expect(
            replaced.words.prefix(count).allSatisfy { $0.hasPrefix("a") } && replaced.words.suffix(2) == ["b0", "c0"])
    }

    @Test(arguments: [
        (SearchQuery.word("milk"), "milk"), (.prefix("groc"), "groc*"), (.phrase("send weekly"), "\"send weekly\""),
        (.phrase("send week", isPrefix: true), "\"send week\"*"),
        (.near("a", "b c", distance: 3), "NEAR(\"a\" \"b c\", 3)"),
        (.word("a") && .word("b") && .word("c"), "a b c"), (.word("a") || .word("b") || .word("c"), "a OR b OR c"),
        (.word("a") && (.word("b") || .word("c")), "a (b OR c)"), (.word("a").excluding(.word("b")), "a -b"),
        (.word("a").excluding(.word("b")).excluding(.word("c")), "a -b -c"), (!SearchQuery.word("a"), "NOT a"),
        (!(!SearchQuery.word("a")), "a"), (.word("a") && !SearchQuery.word("b"), "a -b"),
        ((.word("a") || .word("b")).in("title"), "title:(a OR b)"), (.word("a").in("title", "title", "x"), "title,x:a"),
        (.word("two words"), "\"two words\""), (.word("OR"), "\"OR\""), (.word("-a"), "\"-a\""), (.word(""), ""),
        (.word(" ") && .word("a"), "a"), (.phrase("a") || SearchQuery(nil), "\"a\""),
        (SearchQuery(anyWordOf: "the cat, the hat!"), "the OR cat OR the OR hat"),
        (SearchQuery(anyWordOf: "苹果公司 x", analyzer: .chinese), "苹果 OR 果公 OR 公司 OR x"),
        (SearchQuery(allWordsOf: "the cat"), "the cat"),
        (SearchQuery(anyPieceOf: "the hats", length: 3), "the OR hat OR ats"),
        (SearchQuery(anyPieceOf: "an äöüß", length: 4), "an OR äöüß"), (SearchQuery(anyPieceOf: "", length: 4), ""),
        (SearchQuery(anyPieceOf: "ab", length: 0), "a OR b"), (SearchQuery(anyPieceOf: "ab", length: .max), "ab"),
        (SearchQuery(anyWordOf: "東京駅", analyzer: .japanese), "東京 OR 京駅"),
        (SearchQuery(.excluding(.any([.word("a", isPrefix: false)]), [])), "a"),
    ])
    func `parts go together`(_ query: SearchQuery, _ expected: String) {
        #expect(query.description == expected)
        #expect(SearchQuery(expected, isTyping: false, fields: ["title", "x"]) == query)
    }

    @Test(arguments: [
        ("a b c -d", "(a OR b OR c) -d"), ("a b", "a OR b"), ("a", "a"), ("NOT a", "NOT a"), ("-a", "a"),
        ("a OR b", "a OR b"),
    ])
    func `any part is enough`(_ text: String, _ expected: String) {
        #expect(SearchQuery(text, isTyping: false).matchingAny.description == expected)
    }

    @Test func `fields are named by property`() throws {
        #expect(try SearchQuery.word("a").in(\.title, of: Self.notes).description == "title:a")
        #expect(try SearchQuery.word("a").in(\.body, of: Self.notes).description == "text:a")
        #expect(throws: SearchIndexError.noSuchField("id", index: "noteTexts", known: ["title", "text"])) {
            try SearchQuery.word("a").in(\.id, of: Self.notes)
        }
    }
}
