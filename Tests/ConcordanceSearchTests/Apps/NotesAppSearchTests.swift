import Concordance
import Foundation
import TestSupport
import Testing

@Suite struct `A search in a notes app` {
    private typealias App = NotesApp
    private typealias Request = SearchRequest<NotesApp.Note>

    private let folder: TemporaryFolder
    private let pool: DatabasePool
    private let oracle: NotesOracle

    init() throws {
        folder = try TemporaryFolder()
        pool = try App.open(folder["notes.sqlite"])
        try pool.write { db in
            try App.addFoldersAndTags(db)
            try App.addNotes(150, seed: 2, db)
        }
        try pool.install(App.index)
        oracle = try pool.read { try NotesOracle($0) }
    }

    private func entries(_ isMatch: (NotesOracle.Entry) -> Bool) -> [NotesOracle.Entry] {
        oracle.entries.filter(isMatch)
    }

    /// All hits, page by page, with cursors that were texts in between.
    private func allHits(_ request: Request, pageSize: Int) throws -> [SearchHit<App.Note>] {
        var hits: [SearchHit<App.Note>] = []
        var cursor: SearchCursor?
        repeat {
            let page = try pool.search(request.limit(pageSize).after(cursor))
            #expect(page.next == nil || page.hits.count == pageSize)
            hits += page.hits
            cursor = page.next.flatMap { SearchCursor($0.description) }
            #expect(cursor == page.next)
        } while cursor != nil
        return hits
    }

    // MARK: - Filters and orders

    @Test func `filters are those of the rows' columns, by properties, columns and SQL`() throws {
        let (work, after) = try pool.read { (try App.folder("work", $0), App.date(60)) }
        let request = App.index.query("lantern ").counting(.exact).limit(1_000)
        let cases: [(Request, (NotesOracle.Entry) -> Bool)] = [
            (request.filter { $0.isPinned == true }, { $0.isPinned }),
            (request.filter { $0.folderID == work && $0.isPinned == false }, { $0.folderID == work && !$0.isPinned }),
            (request.filter { $0.modified >= after }, { $0.modified >= after }),
            (
                request.filter { $0.modified.between(App.date(10), after) },
                { $0.modified >= App.date(10) && $0.modified <= after }
            ),
            (
                request.filter("modified < \(after) AND folderID <> \(work)"),
                { $0.modified < after && $0.folderID != work }
            ),
            (request.filter(Column("folderID").in([work, work + 2])), { [work, work + 2].contains($0.folderID) }),
            (
                request.filter("folderID IN (SELECT id FROM folders WHERE parentID = \(work))"),
                { $0.has("work", in: "shelf") }
            ),
            (
                request.filter("id IN (SELECT noteID FROM noteTags JOIN tags ON tags.id = tagID WHERE name = 'paper')")
                    .filter { $0.isPinned == false }, { $0.has("paper", in: "tags") && !$0.isPinned }
            ),
            (request.filter { $0.folderID == -1 }, { _ in false }),
        ]
        for (index, (request, isMatch)) in cases.enumerated() {
            let expected = oracle.ids { $0.has("lantern") && isMatch($0) }
            let page = try pool.search(request)
            #expect(page.hits.map(\.id).sorted() == expected, "case \(index)")
            #expect(page.total?.count == expected.count, "case \(index)")
            #expect(try pool.read { try request.fetchCount($0) } == expected.count, "case \(index)")
            #expect(expected.isEmpty == (index == cases.count - 1), "case \(index)")
        }
    }

    @Test func `orders are by properties and columns, and pages follow them to the end`() throws {
        let found = entries { $0.has("lantern") }
        let request = App.index.query("lantern ")
        for pageSize in [1, 7, found.count, 1_000] {
            let newest = try allHits(request.order { $0.modified.desc }, pageSize: pageSize).map(\.id)
            #expect(newest == found.sorted { $0.modified > $1.modified }.map(\.id))
            let pinned = try allHits(request.order({ $0.isPinned.desc }, { $0.modified }), pageSize: pageSize)
            #expect(
                pinned.map(\.id)
                    == found.sorted {
                        $0.isPinned == $1.isPinned ? $0.modified < $1.modified : $0.isPinned
                    }.map(\.id))
            let byFolder = try allHits(
                request.order(Column("folderID"), SQL("id % 2"), Column("id").desc), pageSize: pageSize)
            #expect(
                byFolder.map(\.id)
                    == found.sorted {
                        ($0.folderID, $0.id % 2, -$0.id) < ($1.folderID, $1.id % 2, -$1.id)
                    }.map(\.id))
        }
    }

    @Test func `pages by relevance are one list, best first`() throws {
        for typed in ["lantern ", "copper OR violin ", "har"] {
            let request = App.index.query(typed)
            let hits = try allHits(request, pageSize: 9)
            #expect(hits.map(\.id) == (try pool.search(request.limit(10_000))).hits.map(\.id))
            for (hit, next) in zip(hits, hits.dropFirst()) {
                #expect(hit.score > next.score || (hit.score == next.score && hit.id < next.id))
            }
        }
        // A match in a title counts ten times as much as one in a body.
        let ids = try pool.write { db in
            let home = try App.folder("home", db)
            return try [("copper", "zephyr puzzle"), ("zephyr", "copper puzzle")].map { title, body in
                var note = App.Note(folderID: home, title: title, body: body, modified: App.date(0))
                try note.insert(db)
                return note.id
            }
        }
        #expect(try pool.search(App.index, "zephyr").hits.map(\.record.id) == ids.reversed())
    }

    @Test func `rows that come, go and change between two pages disturb no others`() throws {
        let request = App.index.query("lantern ").order { $0.modified.desc }
        let before = oracle.ids { $0.has("lantern") }
        let order = entries { $0.has("lantern") }.sorted { $0.modified > $1.modified }.map(\.id)
        let first = try pool.search(request.limit(10))
        #expect(first.hits.map(\.id) == Array(order.prefix(10)))
        let (seen, gone, late) = (order[3], order[20], order[order.count - 1])
        let new = try pool.write { db in
            try db.execute(sql: "DELETE FROM notes WHERE id = ?", arguments: [gone])
            try db.execute(sql: "UPDATE notes SET body = 'lantern' WHERE id IN (?, ?)", arguments: [seen, late])
            return try App.addNotes(20, seed: 3, db)
        }
        var ids = first.hits.map(\.id)
        var cursor = first.next
        while let next = cursor {
            let page = try pool.search(request.limit(10).after(next))
            ids += page.hits.map(\.id)
            cursor = page.next
        }
        #expect(ids.count == Set(ids).count)
        #expect(ids.filter { !new.contains($0) } == order.filter { $0 != gone })
        #expect(Set(before).subtracting(ids) == [gone])
        #expect(throws: SearchIndexError.foreignCursor(index: "noteTexts")) {
            try pool.search(App.index.query("copper ").after(first.next))
        }
    }

    // MARK: - Counts

    private func counts(_ facet: SearchFacet?) -> [DatabaseValue: Int] {
        Dictionary((facet?.buckets ?? []).map { ($0.value, $0.count) }, uniquingKeysWith: +)
    }

    private func counts(_ values: [DatabaseValue]) -> [DatabaseValue: Int] {
        Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test(arguments: ["lantern", "copper", "nowhere"])
    func `facets count all matches by folder, tag and expression`(word: String) throws {
        let found = entries { $0.has(word) }
        let page = try pool.search(
            App.index.query(word + " ").counting(.exact).limit(0)
                .facet(\.folderID).facet("tags").facet("folder", limit: 2).facet(
                    "pin", by: "iif(isPinned, 'yes', 'no')"))
        #expect(page.hits.isEmpty && page.total?.count == found.count)
        #expect(page.facets.map(\.name) == ["folderID", "tags", "folder", "pin"])
        #expect(counts(page.facet("folderID")) == counts(found.map { .int64($0.folderID) }))
        let tags = found.flatMap { entry -> [DatabaseValue] in
            let tags = entry.texts["tags"] ?? []
            return tags.isEmpty ? [.null] : tags.map { .text($0) }
        }
        #expect(counts(page.facet("tags")) == counts(tags))
        #expect(counts(page.facet("pin")) == counts(found.map { .text($0.isPinned ? "yes" : "no") }))
        let folders = counts(found.flatMap { ($0.texts["folder"] ?? []).map { .text($0) } })
        let facet = try #require(page.facet("folder"))
        #expect(facet.valueCount == folders.count && facet.buckets.count == min(2, folders.count))
        #expect(facet.buckets.map(\.count) == Array(folders.values.sorted(by: >).prefix(2)))
        for name in ["urgent", "paper"] where !found.isEmpty {
            #expect(page.facet("tags")?.count(of: name) == found.count { $0.has(name, in: "tags") })
        }
    }

    @Test func `the best note of each folder comes with the size of its group`() throws {
        let found = entries { $0.has("copper") }
        let request = App.index.query("copper ").limit(1_000)
        let all = try pool.search(request).hits
        let groups = try pool.search(request.grouped { $0.folderID }).hits
        #expect(
            counts(groups.map { .int64($0.record.folderID) }) == counts(Set(found.map(\.folderID)).map { .int64($0) }))
        for hit in groups {
            let folder = hit.record.folderID
            #expect(hit.group?.value == .int64(folder))
            #expect(hit.group?.count == found.count { $0.folderID == folder })
            #expect(hit.id == all.first { $0.record.folderID == folder }?.id)
        }
    }

    @Test func `matches are joined with the app's own tables in SQL and in requests`() throws {
        let found = entries { $0.has("copper") }
        try pool.read { db in
            let matches = try App.index.query("copper ").matchesSQL(db)
            let rows = try Row.fetchAll(
                db,
                literal: """
                    SELECT tags.name, count(*), max(matches.score) FROM \(matches) AS matches
                    JOIN noteTags ON noteTags.noteID = matches.id JOIN tags ON tags.id = noteTags.tagID
                    GROUP BY tags.id
                    """)
            let expected = counts(found.flatMap { ($0.texts["tags"] ?? []).map { .text($0) } })
            #expect(
                Dictionary(rows.map { ($0[0] ?? .null, $0[1] ?? 0) }, uniquingKeysWith: { first, _ in first })
                    == expected)
            let request = App.Note.filter { $0.isPinned == true }.matching(App.index, "copper ").order(Column.rank)
            #expect(try request.fetchAll(db).compactMap(\.id).sorted() == found.filter(\.isPinned).map(\.id).sorted())
        }
    }

    // MARK: - Queries of programs

    @Test func `programs put queries together`() throws {
        let hasEither = { (entry: NotesOracle.Entry) in entry.has("copper") || entry.has("violin") }
        let any = SearchQuery(anyWordOf: "copper violin")
        let composed = (SearchQuery.word("copper") || .prefix("har").in("title")).excluding(.phrase("lantern harvest"))
        let cases: [(Request, (NotesOracle.Entry) -> Bool)] = [
            (App.index.query("copper violin ").matching(.any), hasEither),
            (App.index.query(any), hasEither),
            (App.index.query(SearchQuery(allWordsOf: "copper violin")), { $0.has("copper") && $0.has("violin") }),
            (
                App.index.query(composed),
                { ($0.has("copper") || $0.has(prefix: "har", in: "title")) && !$0.has(phrase: ["lantern", "harvest"]) }
            ),
            (App.index.query(!SearchQuery.word("lantern")), { !$0.has("lantern") }),
            (App.index.query("lanter", isTyping: false), { $0.has("lanter") }),
        ]
        for (index, (request, isMatch)) in cases.enumerated() {
            let page = try pool.search(request.typos(.none).limit(1_000))
            #expect(page.hits.map(\.id).sorted() == oracle.ids(isMatch), "case \(index): \(page.query)")
            // What was understood reads back as the same query.
            #expect(SearchQuery(page.query.description, for: App.index.definition, isTyping: false) == page.query)
        }
    }

    @Test func `words that find nothing are dropped on request, and named`() throws {
        let strict = try pool.search(App.index.query("copper nowhere "))
        #expect(strict.hits.isEmpty && strict.droppedWords.isEmpty)
        let page = try pool.search(App.index.query("copper nowhere ").relaxed().limit(1_000))
        #expect(page.droppedWords == ["nowhere"])
        #expect(page.hits.map(\.id).sorted() == oracle.ids { $0.has("copper") })
    }

    @Test func `a boost puts pinned notes first, and an explanation adds up`() throws {
        let request = App.index.query("ribbon ").limit(1_000).explained()
            .boosted(by: "CASE WHEN isPinned THEN 100000 ELSE 1 END")
        let hits = try pool.search(request).hits
        let pinned = entries { $0.has("ribbon") && $0.isPinned }.count
        #expect(hits.map(\.record.isPinned) == hits.indices.map { $0 < pinned })
        for hit in hits {
            let explanation = try #require(hit.explanation)
            let sum = explanation.parts.reduce(0) { $0 + $1.value }
            #expect(abs(sum - hit.score) <= 1e-6 * abs(hit.score))
        }
    }

    // MARK: - What is shown

    /// The word of the query `lantern har` that a word matches.
    private func phrase(_ word: Substring) -> Int? { word == "lantern" ? 0 : word.hasPrefix("har") ? 1 : nil }

    private func words(_ text: some StringProtocol) -> [Substring] { Substring(text).split(separator: " ") }

    private func marked(_ text: HighlightedText) -> [Substring] {
        text.runs.filter(\.isMatch).flatMap { words($0.text) }
    }

    @Test func `highlights mark every word that matched, and no other`() throws {
        let hits = try pool.search(App.index.query("lantern har").limit(1_000)).hits
        #expect(hits.map(\.id).sorted() == oracle.ids { $0.has("lantern") && $0.has(prefix: "har") })
        for hit in hits {
            let (entry, folder, marks, tags) = try (
                #require(oracle.entries.first { $0.id == hit.id }), hit.text("folder"), hit.highlights("folder"),
                hit.text("tags")
            )
            for (text, highlights) in [
                (hit.record.title, hit.highlights(\.title)), (hit.record.body, hit.highlights(\.body)),
            ] {
                #expect(highlights.text == text)
                #expect(marked(highlights) == words(text).filter { phrase($0) != nil })
                #expect(highlights.ranges.map { text[$0] }.flatMap { words($0) } == marked(highlights))
            }
            #expect(folder == entry.texts["folder"]?.first && !marks.hasMatches)
            #expect(NotesOracle.words(tags ?? "").sorted() == entry.words(["tags"]).sorted())
        }
        let titles = try pool.search(App.index.query("title:har").limit(1_000)).hits
        #expect(
            !titles.isEmpty
                && titles.allSatisfy { $0.highlights(\.title).hasMatches && !$0.highlights(\.body).hasMatches })
    }

    @Test func `a snippet is the part of the body that shows most`() throws {
        for hit in try pool.search(App.index.query("lantern har").limit(1_000)).hits {
            let snippet = hit.snippet(\.body)
            let shown = words(snippet.text.trimmingCharacters(in: ["…"]))
            let body = words(hit.record.body)
            let length = min(16, body.count)
            #expect(shown.count <= 16 && !shown.isEmpty)
            #expect(body.indices.contains { Array(body[$0...].prefix(shown.count)) == shown })
            #expect(marked(snippet) == shown.filter { phrase($0) != nil })
            let most = (0...(body.count - length)).map { Set(body[$0..<($0 + length)].compactMap(phrase)).count }.max()
            #expect(Set(shown.compactMap(phrase)).count == most, "\(snippet) of \(hit.record.body)")
            let short = hit.snippet(\.body, SnippetOptions(length: .words(4), ellipsis: "..."))
            #expect(words(short.text.trimmingCharacters(in: ["."])).count <= 4)
        }
    }

    @Test func `what a note says stays text in HTML and in a terminal`() throws {
        let title = "<b>zephyr</b> & \"co\" \u{1B}[31m"
        try pool.write { db in
            var note = App.Note(folderID: try App.folder("home", db), title: title, body: "", modified: App.date(0))
            try note.insert(db)
        }
        let hit = try #require(try pool.search(App.index, "zephyr").hits.first)
        let highlights = hit.highlights(\.title)
        #expect(highlights.text == title)
        #expect(highlights.marked(open: "{", close: "}") == title.replacingOccurrences(of: "zephyr", with: "{zephyr}"))
        #expect(highlights.html().hasPrefix("&lt;b&gt;<mark>zephyr</mark>&lt;/b&gt; &amp; &quot;co&quot; "))
        #expect(highlights.ansi(open: "(", close: ")").filter { $0 == "\u{1B}" }.isEmpty)
    }

    // MARK: - What was meant

    /// How often each word stands in the texts of some notes.
    private func frequencies(_ entries: [NotesOracle.Entry]) -> [String: Int] {
        Dictionary(entries.flatMap { $0.words() }.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test func `suggestions are the words of the notes that go with those before`() async throws {
        try await pool.prepareSuggestions(for: App.index)
        for (before, prefix) in [("", "lan"), ("", "ha"), ("", "fam"), ("copper ", "har"), ("#urgent ", "v")] {
            let found = entries { entry in
                before.isEmpty || (before == "copper " ? entry.has("copper") : entry.has("urgent", in: "tags"))
            }
            let expected = frequencies(found).filter { $0.key.hasPrefix(prefix) }
            let suggestions = try await pool.suggestions(for: before + prefix, in: App.index)
            #expect(!expected.isEmpty)
            #expect(
                Dictionary(suggestions.map { ($0.word, $0.count) }, uniquingKeysWith: +) == expected,
                "\(before)\(prefix)")
            #expect(suggestions.map(\.text) == suggestions.map { before + $0.word })
            #expect(suggestions.map(\.count) == expected.values.sorted(by: >))
        }
        try await pool.write {
            try $0.execute(sql: "DELETE FROM noteTags WHERE tagID IN (SELECT id FROM tags WHERE name = 'family')")
        }
        #expect(try await pool.suggestions(for: "fam", in: App.index).isEmpty)
    }

    @Test func `a misspelled word is put right by a word of the notes`() throws {
        let words = [
            ("lantren", "lantern"), ("thmible", "thimble"), ("pumkpin", "pumpkin"), ("orchadr", "orchard"),
            ("copperr", "copper"), ("vinegr", "vinegar"), ("femily", "family"),
        ]
        for (typed, meant) in words {
            let expected = oracle.ids { $0.has(meant) }
            try #require(!expected.isEmpty, "\(meant)")
            let correction = try #require(try pool.didYouMean(typed, in: App.index), "\(typed)")
            #expect(correction.words == [.init(typed: typed, meant: meant)] && correction.text == meant)
            let page = try pool.search(App.index.query(correction.query).limit(1_000))
            #expect(page.hits.map(\.id).sorted() == expected)
            #expect(try pool.didYouMean(meant, in: App.index) == nil)
        }
        try #require(!oracle.ids { $0.has("harvest", in: "title") && !$0.has("thimble") }.isEmpty)
        let correction = try pool.didYouMean("title:harvset -thmible", in: App.index)
        #expect(correction?.text == "title:harvest -thimble")
        #expect(correction?.words.map(\.meant) == ["harvest", "thimble"])
    }

    // MARK: - Several indexes

    @Test func `notes and folders are searched together`() throws {
        let folders = SearchIndex("folderTexts", of: App.Folder.self) { Field(\.name) }
        try pool.install(folders)
        let (noteRequest, folderRequest) = (App.index.query("garden ").limit(1_000), folders.query("garden "))
        let (notePage, folderPage) = try pool.search(noteRequest, folderRequest)
        let expected = oracle.ids { $0.has("garden") }
        #expect(notePage.hits.map(\.id).sorted() == expected)
        #expect(folderPage.hits.map(\.record.name) == ["garden"])
        let fused = try pool.search(
            fusing: [
                noteRequest.map { "note \($0.id ?? 0)" }, folderRequest.map { "folder \($0.name)" }.weighted(2),
            ], limit: 1_000)
        #expect(Set(fused.hits.map(\.record)) == Set(expected.map { "note \($0)" } + ["folder garden"]))
        #expect(fused.hits.first?.record == "folder garden")
    }
}
