import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("The vocabulary of an index follows its texts")
struct IndexVocabularyTests {
    private typealias Notes = NotesFixture

    @Test func `an unchanged index is not read again, a changed one is read for what changed`() throws {
        let queue = try Notes.queue()
        let vocabulary = IndexVocabulary(Notes.index().definition)
        let first = try vocabulary.dictionary(for: queue)
        #expect(first.count(of: "großmann") == 4)
        #expect(try vocabulary.dictionary(for: queue).byteCount == first.byteCount)
        try queue.write { db in try Notes.insert("Großmann again", in: db) }
        #expect(try vocabulary.dictionary(for: queue).count(of: "großmann") == 5)
    }

    @Test func `fields with analyzers of their own are read as they were written`() throws {
        let index = SearchIndex("noteTexts", of: Notes.Note.self, in: "notes") {
            Field(\.title).analyzed(by: .german)
            Field(\.body).analyzed(by: .english)
            Field(\.tags)
        }
        let queue = try Notes.queue(index)
        let dictionary = try IndexVocabulary(index.definition).dictionary(for: queue)
        let plain = try IndexVocabulary(Notes.index().definition).dictionary(for: Notes.queue())
        var words: [[String]] = [[], []]
        dictionary.forEachWord { word, count in words[0].append("\(word) \(count)") }
        plain.forEachWord { word, count in words[1].append("\(word) \(count)") }
        #expect(words[0] == words[1])
        #expect(try queue.suggestions(for: "visit großm", in: index).map(\.text) == ["visit Großmann"])
        #expect(try queue.didYouMean("laundyr", in: index)?.text == "laundry")
    }

    @Test func `counts of texts that are gone go when they are a tenth`() throws {
        let queue = try Notes.queue()
        let vocabulary = IndexVocabulary(Notes.index().definition, patience: .seconds(3600))
        for number in 0..<40 {
            try queue.write { db in
                try db.execute(sql: "UPDATE notes SET title = 'Get edition \(number)' WHERE id = 1")
            }
            #expect(try vocabulary.dictionary(for: queue).count(of: "edition") <= 2, "\(number)")
        }
    }

    @Test func `a large index is brought up to date in the background`() async throws {
        let queue = try Notes.queue()
        // No time for it within a call.
        let vocabulary = IndexVocabulary(Notes.index().definition, patience: .zero)
        #expect(try vocabulary.dictionary(for: queue).count(of: "zebra") == 0)
        try await queue.write { db in try Notes.insert("Zebra", in: db) }
        #expect(try vocabulary.dictionary(for: queue).count(of: "zebra") == 0)
        while try vocabulary.dictionary(for: queue).count(of: "zebra") == 0 { await Task.yield() }
    }

    @Test func `a build that is cancelled is taken up by the next call`() throws {
        let queue = try Notes.queue()
        let vocabulary = IndexVocabulary(Notes.index().definition)
        for _ in 0..<3 {
            #expect(throws: CancellationError.self) { try vocabulary.dictionary(for: queue) { true } }
        }
        #expect(try vocabulary.dictionary(for: queue).count(of: "großmann") == 4)
    }

    @Test func `a cancelled task gets an error and the queue stays usable`() async throws {
        let queue = try Notes.queue()
        let task = Task { try await queue.prepareSuggestions(for: Notes.index()) }
        task.cancel()
        _ = await task.result
        #expect(try await queue.suggestions(for: "laun", in: Notes.index()).map(\.word) == ["laundry"])
    }

    @Test func `different words are bounded, and the frequent ones stay`() throws {
        let queue = try Notes.queue()
        try queue.write { db in
            for number in 0..<400 { try Notes.insert("word\(number) frequent", "frequent", "", in: db) }
        }
        let vocabulary = IndexVocabulary(Notes.index().definition, maximumWordCount: 100)
        let dictionary = try vocabulary.dictionary(for: queue)
        #expect(dictionary.wordCount <= 100)
        #expect(dictionary.count(of: "frequent") > 700)
    }

    @Test func `rows with the least and the greatest rowid are read`() throws {
        let queue = try Notes.queue()
        try queue.write { db in
            for (id, word) in [(Int64.min, "least"), (.max, "greatest"), (-1, "negative")] {
                try db.execute(
                    sql: "INSERT INTO notes(id, title, body, tags) VALUES (?, ?, '', '')", arguments: [id, word])
            }
        }
        let dictionary = try IndexVocabulary(Notes.index().definition).dictionary(for: queue)
        for word in ["least", "greatest", "negative", "laundry"] { #expect(dictionary.count(of: word) == 1, "\(word)") }
    }

    @Test func `a queue that is gone takes its vocabulary with it`() throws {
        weak var vocabulary: IndexVocabulary?
        do {
            let queue = try Notes.queue()
            _ = try queue.suggestions(for: "gro", in: Notes.index())
            vocabulary = IndexVocabulary.of(Notes.index().definition, for: queue)
            #expect(vocabulary != nil)
        }
        #expect(vocabulary == nil)
    }

    @Test func `texts of an enormous row count from their beginning`() throws {
        let queue = try Notes.queue()
        try queue.write { db in
            try Notes.insert("enormous", "beginning " + String(repeating: "x ", count: 1 << 20) + "behind", "", in: db)
        }
        let dictionary = try IndexVocabulary(Notes.index().definition).dictionary(for: queue)
        #expect(dictionary.count(of: "beginning") == 1 && dictionary.count(of: "behind") == 0)
    }
}
