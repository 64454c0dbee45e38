import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("A misspelled query is answered by the one that was meant")
struct QueryCorrectionTests {
    private typealias Notes = NotesFixture

    @Test(arguments: [
        ("grocreies", "groceries"), ("get grocreies", "get groceries"), ("grosman", "Großmann"),
        ("title:grocreies", "title:groceries"), ("\"send weakly\"", "\"send weekly\""),
        ("\"send weekyl\" emials", "\"send weekly\" emails"), ("laundry -mlik", "laundry -Milk"),
        ("#weekned", "tags:weekend"), ("laundy OR apples", "laundry OR apples"), ("inthe", "in the"),
        ("grocer ies", "groceries"), ("NEAR(weekly reprot, 5)", "NEAR(\"weekly\" \"report\", 5)"),
    ])
    func `words are put right, and everything else stays`(typed: String, meant: String) throws {
        let correction = try Notes.queue().didYouMean(typed, in: Notes.index())
        #expect(correction?.text == meant)
    }

    @Test(arguments: [
        "groceries", "get groceries", "großmann", "grossmann", "gro*", "", "-", "\0", "12", "xyzzyplugh", "qq", "漢宇",
        "字",
        "running", "title:", "\"\"", "x", "get groceries -tea",
    ])
    func `if nothing is better, there is no correction`(typed: String) throws {
        #expect(try Notes.queue().didYouMean(typed, in: Notes.index()) == nil)
    }

    @Test func `what was put right is told word by word`() throws {
        let correction = try Notes.queue().didYouMean("get grocreies for grosmann", in: Notes.index())
        #expect(
            correction?.words == [
                .init(typed: "grocreies", meant: "groceries"), .init(typed: "grosmann", meant: "Großmann"),
            ])
    }

    @Test func `a word that the index finds as something else is right`() throws {
        let index = Notes.index(.english)
        let queue = try Notes.queue(index)
        // The stem is in the index, the word is in no text.
        #expect(try queue.didYouMean("runs", in: index) == nil)
        #expect(try queue.didYouMean("runnign", in: index)?.text == "running")
    }

    @Test func `the beginning of a word is right while it is typed`() throws {
        let queue = try Notes.queue()
        #expect(try queue.didYouMean("laund", in: Notes.index()) == nil)
        #expect(try queue.didYouMean("laund", in: Notes.index(), isTyping: false)?.text == "laundry")
    }

    @Test func `a half-typed word is not written as one`() throws {
        let correction = try Notes.queue().didYouMean("sned wee", in: Notes.index())
        #expect(correction?.text == "Send wee")
        #expect(correction?.query.description == "Send wee*")
    }

    @Test func `of words that exist and find nothing together one is put right`() throws {
        let queue = try Notes.queue()
        try queue.write { db in
            for _ in 0..<9 {
                try Notes.insert("The form is long", in: db)
                try Notes.insert("The letter came from Paris", in: db)
            }
        }
        #expect(try queue.didYouMean("letter form paris", in: Notes.index())?.text == "letter from paris")
        #expect(try queue.didYouMean("letter from paris", in: Notes.index()) == nil)
        #expect(try queue.didYouMean("paris -form", in: Notes.index()) == nil)
    }

    @Test func `a rare misspelling in the texts is put right, an uncommon word is not`() throws {
        let queue = try Notes.queue()
        try queue.write { db in
            for _ in 0..<150 { try Notes.insert("We receive letters from there", in: db) }
            try Notes.insert("I recieve a litter", in: db)
        }
        #expect(try queue.didYouMean("recieve", in: Notes.index())?.text == "receive")
        #expect(try queue.didYouMean("litter", in: Notes.index()) == nil)
        #expect(try queue.didYouMean("report", in: Notes.index()) == nil)
    }

    @Test func `words that are gone are not meant`() throws {
        let queue = try Notes.queue()
        #expect(try queue.didYouMean("laundyr", in: Notes.index())?.text == "laundry")
        try queue.write { db in try db.execute(sql: "DELETE FROM notes WHERE title LIKE '%laundry%'") }
        #expect(try queue.didYouMean("laundyr", in: Notes.index()) == nil)
    }

    @Test func `the asynchronous form does the same`() async throws {
        let queue = try Notes.queue()
        try await queue.prepareSuggestions(for: Notes.index())
        #expect(try await queue.didYouMean("get grocreies", in: Notes.index())?.text == "get groceries")
    }

    @Test func `a whole page is not corrected`() throws {
        let page = (0..<100).map { "wrod\($0 % 7)x" }.joined(separator: " ")
        #expect(try Notes.queue().didYouMean(page, in: Notes.index()) == nil)
    }
}
