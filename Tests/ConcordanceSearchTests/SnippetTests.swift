@testable import Concordance
@testable import ConcordanceSearch
import TestSupport
import Testing

@Suite("Snippets")
struct SnippetTests {
    private func snippet(
        _ text: String, _ phrases: String..., length: SnippetOptions.Length = .words(6), fragments: Int = 1,
        keepsLines: Bool = false
    ) -> String {
        Highlighter(.standard, phrases: phrases.map { MatchPhrase($0) })
            .snippet(of: text, SnippetOptions(length: length, fragments: fragments, keepsLines: keepsLines))
            .marked(open: "[", close: "]")
    }

    static let story = """
        Once upon a time there was a fox. It lived in the woods. The quick brown fox jumps over \
        the lazy dog, and then the dog sleeps.
        A last line about nothing.
        """

    @Test func `a short text is shown whole`() {
        #expect(snippet("Take a walk\n  this week ", "week") == "Take a walk this [week]")
        #expect(snippet("Take a walk\nthis week", "week", keepsLines: true) == "Take a walk\nthis [week]")
    }

    @Test func `the stretch with the most different phrases is shown, from the beginning of its sentence`() {
        #expect(
            snippet(Self.story, "fox", "dog", length: .words(9)) == "…The quick brown [fox] jumps over the lazy [dog],…"
        )
        #expect(snippet(Self.story, "woods", length: .words(6)) == "…It lived in the [woods]. The…")
    }

    @Test func `of equal stretches the earlier one is shown`() {
        #expect(snippet("a b c d e f g h a b c d", "b", length: .words(3)) == "a [b] c…")
    }

    @Test func `at the end of the text, the text before it fills the snippet`() {
        #expect(snippet(Self.story, "nothing", length: .words(5)) == "…A last line about [nothing].")
    }

    @Test func `without a match the beginning is shown`() {
        #expect(snippet(Self.story, "zebra", length: .words(4)) == "Once upon a time…")
        #expect(snippet("", "zebra") == "")
        #expect(snippet(" \n ", "zebra") == "")
        #expect(snippet("!?", "zebra") == "!?")
    }

    @Test func `several fragments show what one cannot`() {
        #expect(
            snippet(Self.story, "time", "nothing", length: .words(4), fragments: 2)
                == "Once upon a [time] … last line about [nothing].")
        #expect(snippet("a b c", "a", "c", length: .words(1), fragments: 3) == "[a] … [c]")
        #expect(snippet("a b", "a", "b", length: .words(1), fragments: 3) == "[a] [b]")
    }

    @Test func `a length in characters is kept to, at words`() {
        #expect(snippet(Self.story, "woods", length: .characters(24)) == "…It lived in the [woods].…")
        #expect(snippet("a donaudampfschifffahrt b", "donaudampfschifffahrt", length: .characters(5)) == "…[donau]…")
        #expect(snippet("日本語の文章はここにあります", "文章", length: .characters(4)) == "…[文章]はこ…")
    }

    @Test func `a match of several lines is one`() {
        #expect(snippet("a b\r\n\r\nc d", "b c", length: .words(20)) == "a [b c] d")
    }

    @Test func `the field is chosen that shows most`() throws {
        let queue = try DatabaseQueue()
        let index = SearchIndex("noteTexts", in: "notes") {
            Field<Row>("title")
            Field<Row>("body")
            Field<Row>("source").unindexed()
        }
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT, source TEXT);
                    INSERT INTO notes VALUES (1, 'Plan', 'The plan for the week', 'week plan week plan');
                    INSERT INTO notes VALUES (2, 'Week', NULL, 'week');
                    """)
            try db.install(index)
        }
        let hits = try queue.search(index.query("plan week").order("id")).hits
        #expect(hits.map { $0.snippet().description } == ["The [plan] for the [week]"])
        let week = try queue.search(index.query("week").order("id")).hits
        #expect(week.map { $0.snippet().description } == ["The plan for the [week]", "[Week]"])
        #expect(try week.map { try $0.snippet("title").description } == ["Plan", "[Week]"])
        #expect(try week.map { try $0.highlights("source").description } == ["week plan week plan", "week"])
        let none = SearchIndexError.noSuchField("none", index: "noteTexts", known: ["title", "body", "source"])
        for hit in week {
            #expect(throws: none) { try hit.snippet("none") }
            #expect(throws: none) { try hit.highlights("none") }
            #expect(throws: none) { try hit.text("none") }
        }
    }
}

extension StringProtocol {
    fileprivate var trimmedEnd: String {
        var copy = String(self)
        while copy.unicodeScalars.last == " " { copy.unicodeScalars.removeLast() }
        return copy
    }

    fileprivate func utf8Contains(_ part: String) -> Bool {
        let (all, wanted) = (Array(utf8), Array(part.utf8))
        guard wanted.count <= all.count else { return false }
        return (0...all.count - wanted.count).contains { all[$0...].starts(with: wanted) }
    }
}

extension Int {
    fileprivate var clamped: Int { Swift.min(Swift.max(self, 0), 1_000_000) }
}
