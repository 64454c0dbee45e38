import ConcordanceSQLite
import Dispatch
import Observation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite struct `A search model` {
    struct Reminder: Codable, Sendable {
        var id: Int64
        var title: String
        var isCompleted: Bool
    }

    static let index = SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") { Field(\.title) }

    private let folder: TemporaryFolder
    private let pool: DatabasePool
    private let gate = Gate()
    private let searches = Counter()

    init() throws {
        folder = try TemporaryFolder()
        var configuration = Configuration.patient
        configuration.trace = { [gate, searches] event in
            guard case .begin = event.kind else { return }
            if event.sql.contains("MATCH") { searches.increment() }
            if event.sql.hasPrefix("COMMIT") { gate.pass() }
        }
        pool = try DatabasePool(path: folder["reminders.sqlite"], configuration: configuration)
        try Self.fill(pool)
    }

    private static func fill(_ writer: some DatabaseWriter) throws {
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE reminders (
                      id INTEGER PRIMARY KEY, title TEXT NOT NULL, isCompleted INTEGER NOT NULL DEFAULT 0);
                    INSERT INTO reminders (id, title) VALUES (1, 'Groceries'), (2, 'Weekly review'), (3, 'Haircut');
                    """)
            try db.install(index)
        }
    }

    private func write(_ sql: String) async throws { try await pool.write { try $0.execute(sql: sql) } }

    /// Rows 101, 102, … all of which match "errand".
    private func addErrands(_ count: Int) async throws {
        try await write(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO reminders (id, title) SELECT 100 + i, 'Errand ' || i FROM n
            """)
    }

    /// A model that only looks for hits, and follows the commits of its own pool.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor private func plainModel(
        refinement: @escaping SearchModel<Reminder>.Refinement = { $0 }
    ) -> SearchModel<Reminder> {
        SearchModel(
            Self.index, in: pool, suggestionLimit: 0, offersCorrections: false, pollingEvery: nil,
            refinement: refinement)
    }

    // MARK: - Text and hits

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `shows what the text finds`() async throws {
        let model = SearchModel(Self.index, in: pool)
        #expect(!model.isSearching && model.page == nil && model.hits.isEmpty)
        model.text = "week"
        #expect(model.isSearching && model.page == nil && model.text == "week")
        await observed { !model.isSearching }
        #expect(model.ids == [2])
        #expect(model.hits.first?.highlights(\.title).marked(open: "[", close: "]") == "[Weekly] review")
        #expect(model.page?.total?.count == 1)
        #expect(model.error == nil && !model.hasMore)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `searches a database in memory`() async throws {
        let queue = try DatabaseQueue()
        try Self.fill(queue)
        let model = SearchModel(Self.index, in: queue)
        model.text = "hair"
        await observed { model.ids == [3] }
        try await queue.write { try $0.execute(sql: "INSERT INTO reminders VALUES (4, 'Hairdresser', 0)") }
        await observed { Set(model.ids) == [3, 4] }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `keeps the hits until those of the next text are there`() async throws {
        let model = plainModel()
        model.text = "week"
        await observed { !model.isSearching }
        model.text = "groceries"
        #expect(model.isSearching && model.ids == [2] && model.page?.hits.map(\.id) == [2])
        // Whatever comes next.
        await observed { model.ids != [2] }
        #expect(model.ids == [1] && !model.isSearching)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `runs one search however often the text is set at a time`() async throws {
        let model = plainModel()
        model.text = "week"
        await observed { !model.isSearching }
        let statements = searches.value
        #expect(statements > 0)
        model.text = "hair"
        await observed { !model.isSearching }
        let before = searches.value
        for text in ["g", "gr", "hair", "groceries", "w", "we", "wee", "week"] { model.text = text }
        await observed { !model.isSearching }
        #expect(model.ids == [2])
        model.text = "week"
        #expect(!model.isSearching)
        #expect(searches.value - before == statements)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `never shows an answer that comes after a newer one`() async throws {
        let tokens = Tokens()
        let model = plainModel { tokens.mark($0) }
        var arrivals = gate.arm()
        model.text = "week"
        await arrivals.next()
        // The search for "week" has its hits, and is past the point at which it can be cancelled.
        let old = tokens.last
        model.text = "groceries"
        await observed { model.ids == [1] }
        gate.open()
        await eventually { old.isGone }
        #expect(model.ids == [1] && model.page?.hits.map(\.id) == [1] && model.error == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test(arguments: ["", "  ", "\"\""])
    func `has no page for a text without words`(text: String) async throws {
        let model = SearchModel(Self.index, in: pool)
        model.text = "wekly"
        await observed { model.correction != nil }
        model.text = text
        #expect(model.page == nil && model.hits.isEmpty && model.suggestions.isEmpty && model.correction == nil)
        #expect(!model.isSearching)
        model.text = "week"
        await observed { model.ids == [2] }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `searches for an empty text if it is told to`() async throws {
        let model = SearchModel(Self.index, in: pool, searchesEmptyText: true) { $0.order("title") }
        #expect(model.isSearching)
        await observed { !model.isSearching }
        let page = try await pool.search(Self.index.query("").order("title"))
        #expect(model.page != nil && model.error == nil)
        #expect(model.ids == page.hits.map(\.id))
        model.text = "week"
        await observed { model.ids == [2] }
        model.text = ""
        await observed { !model.isSearching }
        #expect(model.page != nil && model.ids == page.hits.map(\.id))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `can wait until nothing more is typed`() async throws {
        let tokens = Tokens()
        var patient: SearchModel? = SearchModel(Self.index, in: pool, debounce: .seconds(1_000_000)) {
            tokens.mark($0)
        }
        patient?.text = "wee"
        let first = tokens.last
        patient?.text = "week"
        let impatient = SearchModel(Self.index, in: pool, debounce: .milliseconds(1))
        for (text, id) in [("week", 2), ("hair", 3)] as [(String, Int64)] {
            impatient.text = text
            await observed { impatient.ids == [id] }
        }
        // What waits is cancelled by the next text, and by the end of the model.
        await eventually { first.isGone }
        #expect(patient?.isSearching == true && patient?.page == nil)
        patient = nil
        await eventually { tokens.last.isGone }
    }

    // MARK: - Refinements

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `takes filters, orders and facets, and different ones later`() async throws {
        try await addErrands(5)
        let model = plainModel { $0.order(Column("id").desc).facet("isCompleted").limit(2) }
        model.text = "errand"
        await observed { !model.isSearching }
        #expect(model.ids == [105, 104] && model.hasMore)
        #expect(model.page?.facet("isCompleted")?.buckets.map(\.count) == [5])
        model.refine { $0.filter("id < 103").order(Column("id").desc) }
        #expect(model.isSearching && model.ids == [105, 104])
        await observed { !model.isSearching }
        #expect(model.ids == [102, 101] && !model.hasMore && model.text == "errand")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `asks the refinement again`() async throws {
        let largest = Locked(1)
        let model = plainModel { request in request.filter("id <= \(largest.withLock { $0 })") }
        model.text = "week"
        await observed { !model.isSearching }
        #expect(model.ids == [])
        largest.withLock { $0 = 2 }
        model.refresh()
        await observed { !model.isSearching }
        #expect(model.ids == [2])
    }

    // MARK: - Commits

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `follows commits as long as the text stays`() async throws {
        let model = plainModel()
        model.text = "week"
        await observed { model.ids == [2] }
        try await write("UPDATE reminders SET title = 'Week off' WHERE id = 3")
        await observed { Set(model.ids) == [2, 3] }
        #expect(!model.isSearching && model.page?.hits.count == 2)
        try await write("DELETE FROM reminders WHERE id = 2")
        await observed { model.ids == [3] }
        #expect(CommitMonitor.of(pool).watcherCount == 1)
        model.text = ""
        await eventually { CommitMonitor.of(pool).watcherCount == 0 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `ends with its last reference, whatever is under way`() async throws {
        weak var gone: SearchModel<Reminder>?
        let tokens = Tokens()
        var model: SearchModel? = plainModel { tokens.mark($0) }
        gone = model
        var arrivals = gate.arm()
        model?.text = "week"
        await arrivals.next()
        model = nil
        #expect(gone == nil)
        gate.open()
        await eventually { tokens.last.isGone }
        #expect(CommitMonitor.of(pool).watcherCount == 0)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `ends with its last reference while it follows commits`() async throws {
        weak var gone: SearchModel<Reminder>?
        do {
            let model = plainModel()
            gone = model
            model.text = "week"
            await observed { !model.isSearching }
            #expect(CommitMonitor.of(pool).watcherCount == 1)
        }
        #expect(gone == nil)
        await eventually { CommitMonitor.of(pool).watcherCount == 0 }
    }

    // MARK: - More hits

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `adds pages, all of which follow commits`() async throws {
        try await addErrands(45)
        let model = plainModel { $0.order(Column("id")).limit(20) }
        model.text = "errand"
        await observed { !model.isSearching }
        #expect(model.ids == Array(101...120) && model.hasMore)
        model.loadMore()
        model.loadMore()
        #expect(model.ids == Array(101...120))
        await observed { model.hits.count > 20 }
        #expect(model.ids == Array(101...140) && model.hasMore && !model.isSearching)
        // The page with all of them.
        await observed { model.page?.hits.count == 40 }
        try await write("UPDATE reminders SET title = 'Errand of mercy' WHERE id = 135")
        await observed { model.hits[34].record.title == "Errand of mercy" }
        model.loadMore()
        await observed { model.hits.count > 40 }
        #expect(model.ids == Array(101...145) && !model.hasMore)
        model.loadMore()
        await observed { model.page?.hits.count == 45 }
        try await write("DELETE FROM reminders WHERE id IN (101, 145)")
        await observed { model.ids == Array(102...144) }
        // The last page has room for more.
        try await write("INSERT INTO reminders (id, title) VALUES (200, 'Errand, the last')")
        await observed { model.ids == Array(102...144) + [200] }
        // A new text begins with a page of the usual size.
        model.text = "errands"
        model.text = "erran"
        await observed { !model.isSearching }
        #expect(model.ids == Array(102...121))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `adds no page of an earlier text`() async throws {
        try await addErrands(30)
        let tokens = Tokens()
        let model = plainModel { tokens.mark($0.order(Column("id")).limit(10)) }
        model.text = "errand"
        await observed { !model.isSearching }
        // While a search is under way, nobody knows what comes next.
        model.refresh()
        model.loadMore()
        await observed { !model.isSearching }
        try await write("UPDATE reminders SET title = 'Errand of mercy' WHERE id = 105")
        await observed { model.hits[4].record.title == "Errand of mercy" }
        #expect(model.ids == Array(101...110))
        let old = tokens.last
        var arrivals = gate.arm()
        model.loadMore()
        await arrivals.next()
        // The next page has been read.
        model.text = "groceries"
        model.loadMore()
        await observed { !model.isSearching }
        #expect(model.ids == [1])
        gate.open()
        await eventually { old.isGone }
        #expect(model.ids == [1] && !model.hasMore)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `shows a row once that a commit has moved to the next page`() async throws {
        try await addErrands(9)
        let model = plainModel { $0.order("title").limit(3) }
        model.text = "errand"
        await observed { !model.isSearching }
        #expect(model.ids == [101, 102, 103])
        // By another connection, whose commits the model does not check for all the time.
        let other = try DatabasePool(path: folder["reminders.sqlite"], configuration: .patient)
        try await other.write { try $0.execute(sql: "UPDATE reminders SET title = 'Errand 45' WHERE id = 101") }
        model.loadMore()
        await observed { model.hits.count > 3 }
        #expect(Set(model.ids).count == model.ids.count)
        await observed { model.ids == [102, 103, 104, 101, 105, 106] }
    }

    // MARK: - Errors

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `shows an error until a search succeeds`() async throws {
        let model = plainModel()
        model.text = "week"
        await observed { model.ids == [2] }
        model.refine { $0.filter("nowhere = 1") }
        await observed { !model.isSearching }
        #expect(model.error is SearchIndexError)
        #expect(model.page == nil && model.hits.isEmpty && !model.hasMore)
        model.text = "hair"
        #expect(model.isSearching && model.error != nil)
        await observed { !model.isSearching }
        #expect(model.error is SearchIndexError)
        model.refine { $0 }
        await observed { !model.isSearching }
        #expect(model.error == nil && model.ids == [3])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `keeps its hits if following them fails, and follows them again later`() async throws {
        let model = plainModel()
        model.text = "week"
        await observed { model.ids == [2] }
        try await pool.write { try $0.uninstall(Self.index) }
        await observed { model.error != nil }
        #expect(model.error as? SearchIndexError == .notInstalled("reminderTexts"))
        #expect(model.ids == [2] && model.page != nil && !model.isSearching)
        try await pool.install(Self.index)
        model.refresh()
        await observed { !model.isSearching }
        #expect(model.error == nil && model.ids == [2])
        try await write("UPDATE reminders SET title = 'Week off' WHERE id = 3")
        await observed { Set(model.ids) == [2, 3] }
    }

    // MARK: - Suggestions and corrections

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `suggests how the text may continue`() async throws {
        let model = SearchModel(Self.index, in: pool)
        model.text = "gro"
        await observed { !model.suggestions.isEmpty }
        #expect(model.suggestions.map(\.text) == ["groceries"] || model.suggestions.map(\.text) == ["Groceries"])
        #expect(model.ids == [1] && model.correction == nil)
        model.text = "weekly r"
        #expect(!model.suggestions.isEmpty)
        await observed { model.suggestions.map { $0.text.lowercased() } == ["weekly review"] }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `shows hits before suggestions, and none of an earlier text`() async throws {
        // Others have suggestions made for them, one by one.
        let vocabulary = IndexVocabulary.of(Self.index.definition, for: pool)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let hold = DispatchSemaphore(value: 0)
        let other = Task {
            try await vocabulary.run { _ in
                begin.finish()
                hold.wait()
            }
        }
        for await _ in begins {}
        let model = SearchModel(Self.index, in: pool)
        model.text = "gro"
        await observed { model.ids == [1] }
        model.text = "hair"
        await observed { model.ids == [3] }
        #expect(model.suggestions.isEmpty)
        hold.signal()
        await observed { !model.suggestions.isEmpty }
        #expect(model.suggestions.map { $0.text.lowercased() } == ["haircut"])
        try await other.value
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `corrects a text that finds little`() async throws {
        let model = SearchModel(Self.index, in: pool)
        model.text = "grocreies"
        await observed { model.correction != nil }
        // FTS5 has no typos.
        let hasTypos = TestEngine.current == .concordance
        #expect(model.ids == (hasTypos ? [1] : []))
        #expect(model.page?.query.description == (hasTypos ? "grocreies~*" : "grocreies*"))
        let correction = try #require(model.correction)
        model.text = correction.text
        await observed { model.ids == [1] }
        await observed { model.correction == nil }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `has neither suggestions nor corrections if they are not wanted`() async throws {
        try await addErrands(5)
        let model = SearchModel(Self.index, in: pool, suggestionLimit: 0)
        model.text = "grocreies"
        await observed { model.correction != nil }
        #expect(model.suggestions.isEmpty)
        // With enough hits, nothing needs correction: the previous correction disappears with the page.
        model.text = "errand"
        await observed { !model.isSearching }
        #expect(model.hits.count == 5 && model.correction == nil)

        let other = SearchModel(Self.index, in: pool, suggestionLimit: 1, offersCorrections: false)
        other.text = "grocreies"
        await observed { !other.isSearching }
        other.text = "e"
        await observed { !other.suggestions.isEmpty }
        #expect(other.correction == nil && other.suggestions.count == 1)
    }
}

// MARK: - Waiting

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension SearchModel {
    fileprivate var ids: [Int64] { hits.map(\.id) }
}

/// Waits until a condition over observable properties holds, as a view does: checks it again when one of them changes.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor private func observed(_ condition: () -> Bool) async {
    while true {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(condition, onChange: { change.finish() }) { return }
        for await _ in changes {}
    }
}

/// Waits until a condition holds whose changes nothing reports.
@MainActor private func eventually(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// Once armed, stops the first thread that arrives, until it is opened.
private final class Gate: Sendable {
    private let arrival = Locked<AsyncStream<Void>.Continuation?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Reports the arrival.
    func arm() -> AsyncStream<Void>.Iterator {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        arrival.withLock { $0 = continuation }
        return arrivals.makeAsyncIterator()
    }

    func pass() {
        let first = arrival.withLock { arrival in
            defer { arrival = nil }
            return arrival
        }
        guard let first else { return }
        first.yield()
        semaphore.wait()
    }

    func open() { semaphore.signal() }
}

/// Tells when the last user of a request has released it.
@MainActor private final class Tokens {
    private final class Token: Sendable {}

    @MainActor struct Reference {
        fileprivate weak var token: AnyObject?
        var isGone: Bool { token == nil }
    }

    /// The request that was marked last.
    private(set) var last = Reference()

    func mark<Record>(_ request: SearchRequest<Record>) -> SearchRequest<Record> {
        let token = Token()
        last = Reference(token: token)
        return request.map { record in withExtendedLifetime(token) { record } }
    }
}
