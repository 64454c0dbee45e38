import Concordance
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("What a document's name, title and place say about a query")
struct DocumentRankingTests {
    private func reasons(_ query: String, _ path: String, title: String = "", line: Int? = nil) -> [DocumentRanking
        .Reason]
    {
        DocumentRanking(query: query, languages: ["en-GB"]).factors(of: .init(path: path, title: title, line: line))
            .map(\.reason)
    }

    @Test(
        arguments: [
            ("printf", "/usr/share/man/man3/printf.3.gz", [.isNamed]),
            ("printf(3)", "/usr/share/man/man3/printf.3.gz", [.isNamed, .section]),
            ("printf(3)", "/usr/share/man/man1/printf.1.gz", [.isNamed, .otherSection]),
            ("printf (3p) ", "/usr/share/man/man3/printf.3p", [.isNamed, .section]),
            ("git rebase", "/usr/share/man/man1/git-rebase.1", [.isNamed, .usualSection]),
            ("gitrebase", "/usr/share/man/man1/git-rebase.1", [.isNamed, .usualSection]),
            ("systemd tim", "/usr/share/man/man5/systemd.timer.5.gz", [.nameBegins, .usualSection]),
            ("the report", "/home/ada/Documents/quarterly report final.docx", [.nameContains]),
            ("report of the budget", "/home/ada/Documents/budget.ods", [.nameWords]),
            ("Übersicht", "/home/ada/Documents/UBERSICHT.md", [.isNamed]),
            ("tar", "/usr/share/doc/tar/changelog.gz", [.housekeeping]),
            ("tar news", "/usr/share/doc/tar/NEWS.gz", [.nameWords]),
            ("changelog", "/usr/share/doc/tar/changelog.gz", [.isNamed]),
            ("fstab", "/usr/share/doc/mount/examples/other", [.example, .depth]),
            ("mount example", "/usr/share/doc/mount/examples/other", [.depth]),
            ("x y", "/a/b/c/d/e/f/z.txt", [.depth]), ("x y", "/z.txt", []),
            ("dpkg", "/usr/share/man/de/man1/apt.1.gz", [.usualSection, .depth, .translation]),
            ("dpkg", "/usr/share/man/en/man1/apt.1.gz", [.usualSection, .depth]), ("...", "/a/b", []), ("", "/a/b", []),
        ] as [(String, String, [DocumentRanking.Reason])])
    func paths(_ query: String, _ path: String, _ expected: [DocumentRanking.Reason]) {
        #expect(reasons(query, path) == expected)
    }

    @Test func titles() {
        #expect(reasons("printf", "/x", title: "printf(3) - formatted output") == [.titleIs, .titleWords])
        #expect(reasons("formatted output", "/x", title: "printf(3) - formatted output") == [.titleWords])
        #expect(reasons("input", "/x", title: "printf(3) - formatted output") == [])
        #expect(reasons("a b", "/x", title: "", line: 7) == [.laterPart])
    }

    @Test func wordsThatSayNothingDoNotCount() {
        #expect(DocumentRanking(query: "How do I read the file?").subjectWords == ["read", "file"])
        #expect(DocumentRanking(query: "to be or").subjectWords == ["to", "be", "or"])
    }

    /// ASCII has a way of its own.
    @Test func wordsAreThoseOfAFoldedText() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let text = String(
                decoding: (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
                    UInt8.random(in: 0..<128, using: &generator)
                }, as: UTF8.self)
            #expect(DocumentRanking.words(text) == DocumentRanking.foldedWords(text), "\(text.debugDescription)")
        }
        for byte: UInt8 in 0..<128 {
            let text = "Ab" + String(Unicode.Scalar(byte)) + "cD"
            #expect(DocumentRanking.words(text) == DocumentRanking.foldedWords(text), "\(byte)")
        }
        #expect(DocumentRanking.words("Übersicht, Nr. 7 ａ") == ["ubersicht", "nr", "7", "a"])
    }

    @Test func anyTextHasFactorsThatAreNumbers() {
        var generator = SeededGenerator(seed: 5)
        let pieces = [
            "(", ")", "3", "(3)", ".", "/", "man", "man3", ".gz", "é", "漢", " ", "-", "\0", "printf", "examples",
        ]
        for _ in 0..<2000 {
            func text() -> String {
                (0..<Int.random(in: 0..<8, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
                    .joined()
            }
            let factor = DocumentRanking(query: text()).factor(
                of: .init(path: text(), title: text(), line: Int.random(in: -1...3, using: &generator)))
            #expect(factor > 0 && factor < 30)
        }
    }
}

@Suite("The first documents are those that people mean")
struct RankedSearchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func searcher() throws -> Searcher {
        try index(folder["docs"], into: folder["i.db"])
        return try Searcher(IndexFile(path: folder["i.db"], isReadOnly: true))
    }

    private func names(_ result: SearchResult) -> [String] {
        result.hits.map { String($0.path.split(separator: "/").last ?? "") }
    }

    @Test func aNameIsBetterThanManyMentions() throws {
        try folder.write("docs/crontab.txt", "Tables that drive the daemon.\n" + String(repeating: "word ", count: 500))
        try folder.write("docs/changelog", String(repeating: "crontab fixed. ", count: 50))
        try folder.write("docs/notes.txt", String(repeating: "crontab crontab. ", count: 20))
        let searcher = try searcher()
        #expect(try names(searcher.search("crontab")).first == "crontab.txt")
        #expect(try names(searcher.search("cront")).first == "crontab.txt")
    }

    @Test func documentsWithMostOfManyWordsStandAmongThoseWithAll() throws {
        try folder.write("docs/df.txt", "report file system space usage\nHow much is free.")
        let filler = String(repeating: "filler text of another matter entirely. ", count: 200)
        try folder.write("docs/long.txt", "report \(filler) file \(filler) system \(filler) disk \(filler) space usage")
        let result = try searcher().search("report file system disk space usage")
        #expect(names(result) == ["df.txt", "long.txt"])
        #expect(result.total == 2 && result.looseCount == 1 && result.strictness == .exact)
        #expect(SearchCommand.summary(result).hasPrefix("1 document and 1 with some of the words"))
    }

    @Test func exactWordsStandBeforeSimilarOnes() throws {
        let filler = String(repeating: "filler text of another matter entirely. ", count: 200)
        try folder.write("docs/notes.txt", "Notes\n\(filler) wombatsrt \(filler)")
        for number in 0..<3 { try folder.write("docs/wombatrst \(number).txt", "wombatrst \(number)\nwombatrst") }
        // Words that most documents have count for nothing.
        for number in 0..<20 { try folder.write("docs/other \(number).txt", "other \(number)") }
        let searcher = try searcher()
        let result = try searcher.search("wombatsrt")
        #expect(names(result).first == "notes.txt" && result.hits.count == 4 && result.similarCount == 3)
        #expect(zip(result.hits, result.hits.dropFirst()).allSatisfy { $0.score >= $1.score })
        var options = SearchOptions()
        options.limit = 1
        options.offset = 1
        #expect(try searcher.search("wombatsrt", options: options).hits.first == result.hits[1])
    }

    @Test func quotedWordsAreMeantAsTheyStand() throws {
        try folder.write("docs/a.txt", "report file system space usage")
        try folder.write("docs/b.txt", "report file system disk space usage")
        #expect(try names(searcher().search("\"disk space\" report file")) == ["b.txt"])
    }

    @Test func namesWithUnderscoresAreFoundMisspelled() throws {
        try folder.write("docs/threads.txt", "pthread_create starts a thread")
        let result = try searcher().search("pthred_create")
        #expect(names(result) == ["threads.txt"] && result.strictness == .apart)
    }

    @Test(arguments: ["pthred_create -mutex", "pthred_create -mutex_lock", "pthread_create (-mutex)", "thread -starts"])
    func noWayOfReadingAQueryFindsWhatItExcludes(_ query: String) throws {
        try folder.write("docs/threads.txt", "pthread_create starts a thread, mutex_lock locks")
        try folder.write("docs/lock.txt", "lock")
        #expect(try names(searcher().search(query)).isEmpty)
    }

    @Test func documentsOfTheSameContentAreOneHit() throws {
        for name in ["a", "b", "c"] { try folder.write("docs/\(name)/licence.txt", "the same licence for all") }
        try folder.write("docs/other.txt", "another licence")
        let result = try searcher().search("licence")
        #expect(result.hits.map(\.similarCount).sorted() == [0, 2])
    }

    @Test func pagesAreCutFromOneList() throws {
        for number in 0..<230 {
            let words =
                String(repeating: "pie ", count: 1 + number % 7) + String(repeating: "filler ", count: number % 11)
            try folder.write("docs/\(number % 5)/recipe \(number).txt", "\(words) \(number)")
        }
        let searcher = try searcher()
        var options = SearchOptions()
        options.limit = 1000
        let all = try searcher.search("pie", options: options).hits.map(\.path)
        #expect(all.count == 230 && Set(all).count == 230)
        for limit in [7, 20, 100, 101] {
            options.limit = limit
            var pages: [String] = []
            for offset in stride(from: 0, to: 230, by: limit) {
                options.offset = offset
                pages += try searcher.search("pie", options: options).hits.map(\.path)
            }
            #expect(pages == all, "pages of \(limit)")
        }
    }

    @Test func cursorsLeadThroughTheSameList() throws {
        for number in 0..<150 {
            try folder.write("docs/recipe \(number).txt", "pie \(number % 13) of apples \(number)")
        }
        _ = try searcher()
        let file = try IndexFile(path: folder["i.db"], isReadOnly: true)
        let ladder = QueryLadder(IndexFile.searchIndex(engine: file.engine, analyzer: file.analyzer))
        var wanted = LadderQuery("pie apples")
        wanted.standings = DocumentStandings(query: wanted.text).callAsFunction
        wanted.limit = 1000
        let all = try ladder.search(wanted, in: file.database).hits.map(\.hit.id)
        #expect(all.count == 150)
        wanted.limit = 23
        var pages: [Int64] = []
        repeat {
            let found = try ladder.search(wanted, in: file.database)
            pages += found.hits.map(\.hit.id)
            let next = found.next
            wanted.cursor = next.flatMap { LadderCursor($0.description) }
            #expect(wanted.cursor == next)
        } while wanted.cursor != nil && pages.count < 1000
        #expect(pages == all)
        for forged in [
            "exact.0.~-1~a", "exact.0.~999999~a", "exact.2.~1~a", "~1~a", "exact.0.", "exact.0.~1", "none.0.~1~a", "",
        ] {
            #expect(LadderCursor(forged) == nil)
        }
    }

    @Test func aPlaceIsExplained() throws {
        try folder.write("docs/crontab.txt", "Tables that drive the daemon.")
        try folder.write("docs/notes.txt", "crontab")
        try folder.write("docs/other.txt", "nothing of it")
        let searcher = try searcher()
        let explanation = try #require(try searcher.explanation(of: "crontab", path: folder["docs/crontab.txt"]))
        #expect(explanation.place == 0 && explanation.total.count == 2)
        #expect(explanation.factors.map(\.reason).contains(.isNamed))
        #expect(explanation.words?.contains("crontab") == true)
        #expect(try searcher.explanation(of: "crontab", path: folder["docs/other.txt"])?.score == nil)
        #expect(try searcher.explanation(of: "crontab", path: "/nowhere") == nil)
    }

    /// A document with only part of the words is not found if others have all of them.
    @Test func whatTheSearchDoesNotFindIsNotExplained() throws {
        try folder.write("docs/both.txt", "garden spade")
        try folder.write("docs/one.txt", "garden")
        let searcher = try searcher()
        let path = folder["docs/one.txt"]
        let explanation = try #require(try searcher.explanation(of: "garden spade", path: path))
        #expect(explanation.score == nil && explanation.place == nil && explanation.total.count == 1)
        #expect(ExplainCommand.lines(explanation, path: path) == ["The search does not find \(path)."])
        // Without the other one, it is.
        #expect(try searcher.explanation(of: "garden rake", path: path)?.score != nil)
        #expect(try searcher.explanation(of: "nowhere at all", path: path)?.score == nil)
        // Far down the list, but found.
        for number in 0..<200 { try folder.write("docs/garden \(number).txt", "garden spade \(number)") }
        try folder.write("docs/far.txt", "spade" + String(repeating: " word", count: 3000) + " garden")
        let far = try #require(try self.searcher().explanation(of: "garden spade", path: folder["docs/far.txt"]))
        #expect(far.score != nil && far.place == nil && far.total.count == 202)
    }
}
