import Concordance
import ConcordanceEngine
import ConcordanceSearch
import TestSupport
import Testing

@Suite("Searches for words with typos")
struct SearchTyposTests {
    struct Note: Codable, Sendable, Equatable {
        var id: Int64
        var title: String
        var body: String
    }

    static let index = SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .concordance) {
        Field(\.title, weight: 4)
        Field(\.body)
    }

    private static func pool(
        _ rows: [(String, String)], _ index: SearchIndex<Note> = index
    ) throws -> (DatabaseQueue, SearchIndex<Note>) {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)")
            for (title, body) in rows { try db.execute("INSERT INTO notes(title, body) VALUES (\(title), \(body))") }
        }
        try queue.install(index)
        return (queue, index)
    }

    private static let rows = [
        ("Change log", "recieve signal faster"), ("Receiver", "you receive a signal"), ("Großmann", "call him"),
        ("Receive", "no signals here"), ("Weekly", "2024 review of the relief"), ("Weakly", "received"),
    ]

    private func find(
        _ text: String, _ change: (SearchRequest<Note>) -> SearchRequest<Note> = { $0 }, isTyping: Bool = false
    ) throws -> SearchPage<Note> {
        let (queue, index) = try Self.pool(Self.rows)
        return try queue.search(change(index.query(text, isTyping: isTyping)))
    }

    @Test(arguments: [
        ("recieve signal", [1, 2, 4]), ("grosmann", [3]), ("grossmnn", [3]), ("receive", [4, 2, 1, 6]),
        ("weekyl", [5]), ("\"recieve\"", [1]), ("reveiw -recieve", [5]), ("review -weakyl", [5]),
        ("rfeceive", [4, 2, 1, 6]), ("2042", []), ("hin", []), ("title:recieve", [4]),
        ("xeceive", [4, 2]), ("grosmann OR recieve", [3, 1]),
    ])
    func `rows with the very words come first, others follow`(_ text: String, _ ids: [Int64]) throws {
        let page = try find(text)
        #expect(page.hits.map(\.id).prefix(1) == ids.prefix(1))
        #expect(Set(page.hits.map(\.id)) == Set(ids))
        #expect(page.total?.count == ids.count && page.total?.isExact == true)
        #expect(
            try Self.pool(Self.rows).0.read { try Self.index.query(text, isTyping: false).fetchCount($0) } == ids.count)
    }

    @Test(arguments: [
        ("grosmann", "grosmann~"), ("recieve signal", "recieve~ signal~"), ("receive singal", "receive singal~"),
        ("call grosmann", "call grosmann~"),
        ("\"no signals\" recive", "\"no signals\" recive~"), ("weekly", "weekly~"), ("review 2024", "review 2024"),
        ("zebra", "zebra"), ("relief OR grosmann", "relief OR grosmann~"),
    ])
    func `pages say which words were found with typos`(_ text: String, _ query: String) throws {
        let page = try find(text)
        #expect(page.query.description == query)
        #expect(SearchQuery(query, isTyping: false) == page.query)
    }

    @Test func `the words found are marked, in each hit those that it was found by`() throws {
        let page = try find("receive")
        let marked = try page.hits.map { hit in
            let texts = [try hit.highlights("title"), try hit.highlights("body")]
            return texts.map { $0.html() }.joined(separator: " / ")
        }
        #expect(
            marked == [
                "<mark>Receive</mark> / no signals here",
                // It was found by the very word.
                "Receiver / you <mark>receive</mark> a signal",
                "Weakly / <mark>received</mark>",
                "Change log / <mark>recieve</mark> signal faster",
            ])
        let half = try find("grosm", isTyping: true)
        #expect(try half.hits.map { try $0.highlights("title").html() } == ["<mark>Großmann</mark>"])
    }

    @Test func `typos can be turned on for all matches, and off`() throws {
        #expect(try find("grosmann") { $0.typos(.none) }.hits.isEmpty)
        #expect(try find("grosmann~") { $0.typos(.none) }.hits.map(\.id) == [3])
        let always = try find("receive") { $0.typos(.always) }
        #expect(Set(always.hits.map(\.id)) == [1, 2, 4, 6] && always.query.description == "receive~")
        #expect(zip(always.hits, always.hits.dropFirst()).allSatisfy { $0.score >= $1.score })
        let (queue, index) = try Self.pool(Self.rows, Self.index.typos(.none))
        #expect(try queue.search(index, "grosmann").isEmpty)
        #expect(try queue.search(index.query("grosmann").typos(.automatic)).hits.map(\.id) == [3])
    }

    @Test func `fields may have none`() throws {
        let index = SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .concordance) {
            Field(\.title).withoutTypos()
            Field(\.body)
        }
        let (queue, _) = try Self.pool([("receiver", "signal"), ("x", "receiver"), ("receivers", "y")], index)
        let page = try queue.search(index.query("reciever", isTyping: false))
        #expect(page.hits.map(\.id) == [2])
        #expect(try page.hits[0].highlights("body").html() == "<mark>receiver</mark>")
        let other = try queue.search(index.query("receivers", isTyping: false))
        #expect(other.hits.map(\.id) == [3, 2])
        #expect(try other.hits[1].highlights("title").html() == "x")
    }

    @Test func `what was understood finds the same rows`() throws {
        for text in ["xeceive", "grosmann", "rfeceive", "weekyl OR grosmann"] {
            let page = try find(text)
            #expect(try !page.isEmpty && Set(find(page.query.description).hits.map(\.id)) == Set(page.hits.map(\.id)))
        }
    }

    @Test func `a full page costs what it costs without typos`() throws {
        let (queue, index) = try Self.pool((0..<30).map { ("receive \($0)", "") } + [("recieve", "")])
        let request = index.query("receive", isTyping: false).limit(20)
        let ranked = try queue.write { db in
            let work = QueryWork.of(db)
            return try [SearchTypos.none, .automatic].map { typos in
                let before = work.rankedRows
                let page = try request.typos(typos).fetch(db)
                #expect(page.count == 20 && page.total?.count == 30)
                return work.rankedRows - before
            }
        }
        #expect(ranked == [21, 21])
        // The first page decides for all.
        let first = try queue.search(request)
        let second = try queue.search(request.after(first.next))
        #expect(second.count == 10 && second.next == nil)
        #expect(try queue.search(request.limit(31)).hits.map(\.id).last == 31)
    }

    @Test func `two spellings of one word are marked, and words that some field has are not replaced`() throws {
        let index = SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .concordance) {
            Field(\.title).analyzed(by: .english)
            Field(\.body)
        }
        let (queue, _) = try Self.pool([("Großmann", "grossmann"), ("running", "runing")], index)
        let page = try queue.search(index.query("title:Grosmann OR body:GROSMANN", isTyping: false))
        #expect(page.query.description == "title:Grosmann~ OR body:GROSMANN~")
        #expect(try page.hits.map { try $0.highlights("title").html() } == ["<mark>Großmann</mark>"])
        #expect(try page.hits.map { try $0.highlights("body").html() } == ["<mark>grossmann</mark>"])
        // The stem is known in titles, the word is in no body.
        #expect(try queue.search(index.query("running", isTyping: false)).query.description == "running")
    }

    @Test func `totals and facets are of all rows that the pages hold`() throws {
        for limit in [0, 3, 20] {
            let page = try find("recive") { $0.limit(limit).facet("title").counting(.exact) }
            #expect(page.total?.count == 3 && page.facets.first?.valueCount == 3, "\(limit)")
        }
    }

    @Test func `other orders have typos only if nothing else is found`() throws {
        let byID = { (request: SearchRequest<Note>) in request.order(Column("id").desc) }
        #expect(try find("receive", byID).hits.map(\.id) == [4, 2])
        #expect(try find("recive", byID).hits.map(\.id) == [4, 2, 1])
        #expect(try find("recive", byID).query.description == "recive~")
    }

    @Test func `words are dropped that not even typos find`() throws {
        let relaxed = { (request: SearchRequest<Note>) in request.relaxed() }
        let page = try find("recieve zebra", relaxed)
        #expect(page.droppedWords == ["zebra"] && Set(page.hits.map(\.id)) == [1, 2, 4])
        let found = try find("singal relief", relaxed)
        #expect(found.droppedWords == ["relief"] || found.droppedWords == ["singal"])
        let both = try find("grosmann call", relaxed)
        #expect(both.droppedWords.isEmpty && both.hits.map(\.id) == [3])
    }

    @Test func `explanations name the word that was found`() throws {
        let page = try find("grosmann") { $0.explained() }
        let phrase = try #require(page.hits.first?.explanation?.phrases.first)
        #expect(phrase.text == "grosmann" && phrase.found == "Großmann", "\(phrase)")
        #expect(try find("receive") { $0.explained() }.hits.allSatisfy { $0.explanation?.phrases.first?.found != nil })
    }

    @Test func `explanations name half-typed words, also beside exclusions`() throws {
        for text in ["-absent grosm", "grosm -absent"] {
            let page = try find(text, { $0.explained() }, isTyping: true)
            let phrases = try #require(page.hits.first?.explanation?.phrases)
            #expect(phrases.contains { $0.text == "grosm" && $0.found == "Großmann" }, "\(phrases)")
        }
    }

    // MARK: - Against brute force

    private static func word(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 3...8, using: &random)
        return (0..<count).map { _ in ["a", "b", "o"].randomElement(using: &random) ?? "a" }.joined()
    }

    /// Whether a text has a word, or one that is taken as it.
    private static func has(_ word: String, isKnown: Bool, _ text: String, typos: Bool) -> Bool {
        text.split(separator: " ").map(String.init).contains { token in
            if token == word { return true }
            guard typos, word.count > 3 else { return false }
            if isKnown { return typoCount(word, of: token) <= 1 }
            return editDistance(word, token) <= (word.count < 8 ? 1 : 2) && typoCount(word, of: token) <= 2
        }
    }

    @Test(arguments: 1...40)
    func `pages hold each row once, those with the very words first, while others are changed`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = (0..<80).map { _ in
            (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.word(&random) }.joined(separator: " ")
        }
        let (queue, index) = try Self.pool(texts.map { ($0, "") })
        let all = Set(texts.joined(separator: " ").split(separator: " ").map(String.init))
        for _ in 0..<8 {
            let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                Bool.random(using: &random) ? Self.word(&random) : all.randomElement(using: &random) ?? "a"
            }
            // Then no variant is left out.
            guard words.allSatisfy({ word in all.count { typoCount(word, of: $0) <= 2 } <= 64 }) else { continue }
            let isKnown = words.map(all.contains)
            let limit = Int.random(in: 1...30, using: &random)
            let isOdd = Bool.random(using: &random)
            let rows = texts.indices.filter { !isOdd || $0.isMultiple(of: 2) }
            func matches(_ row: Int, typosOfKnown: Bool) -> Bool {
                zip(words, isKnown).allSatisfy {
                    Self.has($0, isKnown: $1, texts[row], typos: !$1 || typosOfKnown)
                }
            }
            let first = rows.filter { matches($0, typosOfKnown: false) }.map { Int64($0 + 1) }
            let similar = rows.filter { matches($0, typosOfKnown: true) }.map { Int64($0 + 1) }
            let isReplaced = zip(words, isKnown).contains { $0.count > 3 && !$1 }
            let expected = first.count < limit && (!isReplaced || first.isEmpty) ? similar : first
            var request = index.query(words.joined(separator: " "), isTyping: false).limit(limit).counting(.exact)
            if isOdd { request = request.filter("id % 2 = 1") }
            var found: [Int64] = []
            var cursor: SearchCursor?
            repeat {
                let page = try queue.search(request.after(cursor))
                #expect(page.total?.count == expected.count, "\(words)")
                #expect(page.count == min(limit, expected.count - found.count), "\(words)")
                found += page.hits.map(\.id)
                // The scores of all rows change with each write.
                try queue.write { try $0.execute("INSERT INTO notes(title, body) VALUES ('zzz', 'xyz')") }
                cursor = page.next.flatMap { SearchCursor($0.description) }
            } while cursor != nil
            #expect(Set(found.prefix(first.count)) == Set(first), "\(words) \(limit)")
            #expect(found.count == expected.count && Set(found) == Set(expected), "\(words) \(limit)")
            #expect(try queue.read { try request.fetchCount($0) } == expected.count)
        }
    }
}
