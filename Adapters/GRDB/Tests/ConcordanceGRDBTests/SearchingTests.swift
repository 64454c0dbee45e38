import ConcordanceGRDB
import Foundation
import GRDB
import Testing

@Suite struct `Searches in GRDB's databases` {
    private static func filled(_ database: NotesDatabase) throws -> DatabasePool {
        let pool = try database.pool()
        try pool.write { db in
            for number in 1...6 {
                try insertNote(
                    "Week \(number)", "plans", folder: number.isMultiple(of: 2) ? 2 : 1,
                    modified: Date(timeIntervalSince1970: Double(number) * 86_400), in: db)
            }
        }
        try pool.install(noteTexts)
        return pool
    }

    @Test func `take GRDB's expressions, orders and literals`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        let weeks = noteTexts.query("week")
        func titles(_ request: SearchRequest<Note>) async throws -> [String] {
            try await pool.search(request).map(\.record.title)
        }
        #expect(try await titles(weeks.filter(Column("folderID") == 2)) == ["Week 2", "Week 4", "Week 6"])
        #expect(try await titles(weeks.filter { $0.folderID == 2 }.order { $0.modified.desc }.limit(1)) == ["Week 6"])
        #expect(
            try await titles(weeks.filter(["Week 3", "Week 5"].contains(Column("title"))).order(Column("title").desc))
                == ["Week 5", "Week 3"])
        let day = Date(timeIntervalSince1970: 3 * 86_400)
        #expect(try await titles(weeks.filter("modified < \(day)")) == ["Week 1", "Week 2"])
        #expect(
            try await titles(weeks.order(Column("folderID"), Column("modified").desc))
                == ["Week 5", "Week 3", "Week 1", "Week 6", "Week 4", "Week 2"])
        #expect(
            try await titles(weeks.boosted(by: Column("folderID")).limit(3)) == ["Week 2", "Week 4", "Week 6"])
    }

    @Test func `page through an order`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        var request = noteTexts.query("week").order { $0.modified.desc }.limit(4)
        let first = try await pool.search(request)
        request = request.after(first.next)
        let second = try await pool.search(request)
        #expect((Array(first) + Array(second)).map(\.record.title) == (1...6).reversed().map { "Week \($0)" })
        #expect(second.next == nil)
    }

    @Test func `count facets and groups, and mark matches`() throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        let page = try pool.search(noteTexts.query("week").facet("folderID").facet("folder"))
        #expect(page.facet("folderID")?.count(of: 2) == 3)
        let folders = page.facet("folder")?.buckets.map(\.value.grdbValue)
        #expect(folders == ["Private".databaseValue, "Work".databaseValue])
        #expect(try page.first?.highlights("title").html() == "<mark>Week</mark> 1")
        let groups = try pool.search(noteTexts.query("week").grouped(by: Column("folderID")))
        #expect(groups.map(\.group?.count) == [3, 3])
    }

    @Test func `decode types that are only Decodable`() throws {
        struct Heading: Decodable, Sendable, Equatable {
            var title: String
            var modified: Date
        }
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        let headings = SearchIndex("headings", of: Heading.self, in: "note") { Field(\.title) }
        try pool.install(headings)
        #expect(
            try pool.search(headings, "week 3").map(\.record)
                == [Heading(title: "Week 3", modified: Date(timeIntervalSince1970: 3 * 86_400))])
    }

    @Test func `decode records by the places of their columns`() throws {
        struct Heading: FetchableRecord, Sendable, Equatable {
            var id: Int64
            var folder: Int64
            var title: String

            init(row: Row) throws { (id, folder, title) = (row[0], row[1], row[2]) }
        }
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        let headings = SearchIndex("headings", of: Heading.self, in: "note") { Field("title") }
        try pool.install(headings)
        let found = try pool.search(headings, "week 3").map(\.record)
        #expect(found.map(\.id) == [3] && found.map(\.folder) == [1] && found.map(\.title) == ["Week 3"])
    }

    @Test func `take arguments of literals as GRDB does`() throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        let weeks = noteTexts.query("week")
        func ids(_ request: SearchRequest<Note>) throws -> [Int64] { try pool.search(request).map(\.id) }
        let many = Array(Int64(0)..<5000)
        #expect(try ids(weeks.filter(many.contains(Column("id")) && Column("folderID") == 2)) == [2, 4, 6])
        #expect(
            try ids(weeks.filter(GRDB.SQL("title NOT LIKE '%?%' /* ? */ AND \"folderID\" = \(2)"))) == [2, 4, 6])
        let named = GRDB.SQL(
            sql: "id IN (:first, @last) AND id <> :first -- :none", arguments: ["first": 3, "last": 5])
        #expect(try ids(weeks.filter(named)) == [5])
        #expect(try ids(weeks.order(GRDB.SQL("modified desc "))) == [6, 5, 4, 3, 2, 1])
        #expect(try ids(weeks.order(GRDB.SQL("folderID Desc nulls last"), Column("id"))) == [2, 4, 6, 1, 3, 5])
    }

    @Test func `suggest words`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try Self.filled(database)
        #expect(try await pool.suggestions(for: "pla", in: noteTexts).map(\.text) == ["plans"])
        #expect(try await pool.didYouMean("palns", in: noteTexts)?.text == "plans")
    }
}

@Suite struct `Live results of GRDB's databases` {
    @Test(arguments: [false, true]) func `come after each commit`(isPool: Bool) async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let writer: any DatabaseWriter = try isPool ? database.pool() : database.queue()
        try await writer.connections.install(noteTexts)
        var pages = writer.connections.results(of: noteTexts.query("week"), pollingEvery: nil).makeAsyncIterator()
        #expect(try await pages.next()?.isEmpty == true)
        try await writer.write { _ = try insertNote("Week 1", in: $0) }
        #expect(try await pages.next()?.map(\.record.title) == ["Week 1"])
        try await writer.write { db in _ = try Note.deleteAll(db) }
        #expect(try await pages.next()?.isEmpty == true)
    }

    @Test func `come after commits of other processes`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try database.pool()
        try await pool.install(noteTexts)
        var pages = pool.results(of: noteTexts.query("week")).makeAsyncIterator()
        #expect(try await pages.next()?.isEmpty == true)
        let other = try DatabaseQueue(path: database.path)
        try await other.write { try $0.execute(sql: "INSERT INTO note VALUES (7, 1, 'Week 7', '', '2026-01-01')") }
        #expect(try await pages.next()?.map(\.id) == [7])
    }

    @Test func `come by ValueObservation`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try database.pool()
        try await pool.install(noteTexts)
        let observation = noteTexts.query("week").observation()
        var pages = observation.values(in: pool).makeAsyncIterator()
        #expect(try await pages.next()?.isEmpty == true)
        try await pool.write { _ = try insertNote("Week 1", in: $0) }
        var titles: [String] = []
        // It may report a state more than once.
        while titles.isEmpty { titles = try await pages.next()?.map(\.record.title) ?? ["none"] }
        #expect(titles == ["Week 1"])
    }
}
