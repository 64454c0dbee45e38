import Concordance
import Foundation
import TestSupport
import Testing

/// Random tables and requests; what a search finds is computed again in Swift from the rows and their scores.
@Suite("A search finds what a scan finds")
struct SearchOracleTests {
    struct Note: Codable, Sendable, Equatable {
        var id: Int64
        var title: String
        var body: String
        var list: Int?
        var due: Double?
        var mark: String
    }

    static let index = SearchIndex("noteTexts", of: Note.self, in: "notes") {
        Field(\.title, weight: 4)
        Field(\.body)
    }

    static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, list INTEGER, due REAL,
          mark TEXT NOT NULL COLLATE NOCASE);
        """

    static let vocabulary = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu"]

    static func note(_ id: Int64, _ random: inout SeededGenerator) -> Note {
        func text(_ count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &random)).map { _ in
                vocabulary.randomElement(using: &random) ?? ""
            }.joined(separator: " ")
        }
        return Note(
            id: id, title: text(3), body: text(12),
            list: Bool.random(using: &random) ? nil : .random(in: 0...2, using: &random),
            due: [nil, -1.5, 0, 2, 1e300].randomElement(using: &random) ?? nil,
            mark: ["a", "A", "b", "", "Z"].randomElement(using: &random) ?? "")
    }

    static func insert(_ note: Note, into db: Database, or conflict: SQL = "ABORT") throws {
        try db.execute(
            """
            INSERT OR \(conflict) INTO notes VALUES
            (\(note.id), \(note.title), \(note.body), \(note.list), \(note.due), \(note.mark))
            """)
    }

    /// A term of an order, and the same in Swift: whether the first comes before the second; nil if they are equal.
    struct Term: CustomStringConvertible, Sendable {
        let description: String
        let ordering: SQLOrdering
        let isBefore: @Sendable (Note, Note) -> Bool?
    }

    static func before<Value: Comparable>(
        _ left: Value?, _ right: Value?, descending: Bool, nullsFirst: Bool
    ) -> Bool? {
        switch (left, right) {
        case (nil, nil): nil
        case (nil, _): nullsFirst
        case (_, nil): !nullsFirst
        case (let left?, let right?): left == right ? nil : (left < right) != descending
        }
    }

    static let terms: [Term] = [
        Term(description: "list", ordering: Column("list").sqlOrdering) {
            before($0.list, $1.list, descending: false, nullsFirst: true)
        },
        Term(description: "list desc", ordering: Column("list").desc.sqlOrdering) {
            before($0.list, $1.list, descending: true, nullsFirst: false)
        },
        Term(description: "due, nulls last", ordering: Column("due").ascNullsLast.sqlOrdering) {
            before($0.due, $1.due, descending: false, nullsFirst: false)
        },
        Term(description: "due desc, nulls first", ordering: Column("due").descNullsFirst.sqlOrdering) {
            before($0.due, $1.due, descending: true, nullsFirst: true)
        },
        Term(description: "mark", ordering: Column("mark").sqlOrdering) {
            before($0.mark.lowercased(), $1.mark.lowercased(), descending: false, nullsFirst: true)
        },
        Term(description: "mark, by bytes", ordering: SQL("mark COLLATE BINARY").desc.sqlOrdering) {
            before($0.mark, $1.mark, descending: true, nullsFirst: false)
        },
        Term(description: "due IS NULL", ordering: SQL("due IS NULL").sqlOrdering) {
            before($0.due == nil ? 1 : 0, $1.due == nil ? 1 : 0, descending: false, nullsFirst: true)
        },
    ]

    struct Filter: Sendable {
        let name: String
        let apply: @Sendable (SearchRequest<Note>) -> SearchRequest<Note>
        let holds: @Sendable (Note) -> Bool
    }

    static let filters = [
        Filter(name: "none", apply: { $0 }, holds: { _ in true }),
        Filter(name: "list = 1", apply: { $0.filter { $0.list == 1 } }, holds: { $0.list == 1 }),
        Filter(name: "due IS NULL", apply: { $0.filter("due IS NULL") }, holds: { $0.due == nil }),
        Filter(
            name: "title, rowid", apply: { $0.filter("title LIKE '%cat%' OR rowid % 2").filter { $0.mark != "b" } },
            holds: { ($0.title.contains("cat") || $0.id % 2 != 0) && $0.mark.lowercased() != "b" }),
    ]

    static let queries: [(SearchQuery, @Sendable (Set<String>) -> Bool)] = [
        (SearchQuery("cat", isTyping: false), { $0.contains("cat") }),
        (SearchQuery("cat dog", isTyping: false), { $0.contains("cat") && $0.contains("dog") }),
        (SearchQuery("ant OR bee OR gnu", isTyping: false), { !$0.isDisjoint(with: ["ant", "bee", "gnu"]) }),
        (SearchQuery("elk -fox", isTyping: false), { $0.contains("elk") && !$0.contains("fox") }),
        (SearchQuery("NOT cat", isTyping: false), { !$0.contains("cat") }),
        // All rows.
        (SearchQuery("", isTyping: false), { _ in true }),
    ]

    @Test(arguments: 1...6)
    func `order, filters, boosts, totals, facets, groups and pages`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.schema)
        try db.install(Self.index)
        var notes: [Int64: Note] = [:]
        for _ in 0..<40 {
            let note = Self.note(.random(in: -5...1000, using: &random), &random)
            guard notes[note.id] == nil else { continue }
            notes[note.id] = note
            try Self.insert(note, into: db)
        }
        for _ in 0..<60 { try check(notes, db, &random) }
    }

    private func check(_ notes: [Int64: Note], _ db: Database, _ random: inout SeededGenerator) throws {
        guard let (query, matches) = Self.queries.randomElement(using: &random),
            let filter = Self.filters.randomElement(using: &random)
        else { return }
        let terms = Self.terms.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
        let isBoosted = Bool.random(using: &random)
        let limit = Int.random(in: 1...9, using: &random)
        let description = "\(query), \(filter.name), \(terms), boosted: \(isBoosted), \(limit) a page"

        let search = query.isEmpty ? Self.index.all() : Self.index.query(query)
        var request = filter.apply(search).order(terms.map(\.ordering)).limit(limit)
        if isBoosted { request = request.boosted(by: "list").boosted { $0.due } }
        let ranks = try Row.fetchAll(
            db, literal: SQL(raw: "SELECT id, score FROM ") + search.matchesSQL(db))
        let scores = try Dictionary(
            uniqueKeysWithValues: ranks.map {
                (try $0.decode(Int64.self, at: 0), try $0.decode(Double.self, at: 1))
            })
        func score(_ note: Note) -> Double {
            let score = scores[note.id] ?? 0
            guard isBoosted else { return score }
            return score * (note.list.map { Double(max($0, 0)) } ?? 1) * (note.due.map { max($0, 0) } ?? 1)
        }
        let expected = notes.values.filter { note in
            matches(Set("\(note.title) \(note.body)".split(separator: " ").map(String.init))) && filter.holds(note)
        }.sorted { left, right in
            for term in terms { if let isBefore = term.isBefore(left, right) { return isBefore } }
            let scores = (score(left), score(right))
            return scores.0 == scores.1 ? left.id < right.id : scores.0 > scores.1
        }

        var found: [Note] = []
        var cursor: SearchCursor?
        repeat {
            let page = try request.after(cursor).counting(.exact).fetch(db)
            #expect(page.hits.count == min(limit, expected.count - found.count), "\(description)")
            #expect(page.total.map { $0.isExact && $0.count == expected.count } == true, "\(description)")
            for hit in page.hits { #expect(hit.score == score(hit.record), "\(description)") }
            found += page.hits.map(\.record)
            cursor = page.next
        } while cursor != nil && found.count <= notes.count
        #expect(found == expected, "\(description)")
        try checkFacets(request.limit(0), expected, description)
        try checkGroups(request.limit(100), expected, description)

        func checkFacets(_ request: SearchRequest<Note>, _ expected: [Note], _ description: String) throws {
            let page = try request.facet(\.list, limit: 2).facet("mark").fetch(db)
            let counts = Dictionary(grouping: expected, by: \.list).mapValues(\.count)
            let lists = counts.sorted { ($1.value, $0.key ?? -1) < ($0.value, $1.key ?? -1) }
            #expect(
                page.facets[0].buckets.map(\.value) == lists.prefix(2).map { $0.key.databaseValue }, "\(description)")
            #expect(page.facets[0].buckets.map(\.count) == lists.prefix(2).map(\.value), "\(description)")
            #expect(page.facets[0].valueCount == counts.count, "\(description)")
            let marks = Dictionary(grouping: expected) { $0.mark.lowercased() }.mapValues(\.count)
            #expect(
                page.facets[1].buckets.map(\.count)
                    == marks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.value),
                "\(description)")
        }

        func checkGroups(_ request: SearchRequest<Note>, _ expected: [Note], _ description: String) throws {
            let page = try request.grouped { $0.list }.fetch(db)
            var seen: Set<Int?> = []
            let best = expected.filter { seen.insert($0.list).inserted }
            #expect(page.hits.map(\.record) == best, "\(description)")
            let counts = Dictionary(grouping: expected, by: \.list).mapValues(\.count)
            #expect(page.hits.map { $0.group?.count } == best.map { counts[$0.list] }, "\(description)")
            var pages: [Note] = []
            var cursor: SearchCursor?
            repeat {
                let page = try request.grouped { $0.list }.limit(1).after(cursor).fetch(db)
                pages += page.hits.map(\.record)
                cursor = page.next
            } while cursor != nil && pages.count <= expected.count
            #expect(pages == best, "\(description)")
        }
    }

    /// Between two pages another connection writes. Of the rows that it leaves alone, those whose order among
    /// themselves is the same at the end as at the beginning are seen once each.
    @Test(arguments: 1...8)
    func `pages stand still while others write`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["notes.db"])
        try pool.write { db in
            try db.execute(sql: Self.schema)
            try db.install(Self.index)
            for id in Int64(1)...120 { try Self.insert(Self.note(id * 10, &random), into: db) }
        }
        let terms = seed % 2 == 0 ? [] : [Self.terms[Int(seed / 2) % Self.terms.count].ordering]
        var request = Self.index.query(SearchQuery("cat OR dog OR elk", isTyping: false)).order(terms)
        if seed % 3 == 0 { request = request.boosted(by: "1 + ifnull(list, 0)") }
        let start = try pool.search(request.limit(1000)).hits.map(\.id)
        var touched: Set<Int64> = []
        var seen: [Int64] = []
        var cursor: SearchCursor?
        repeat {
            let page = try pool.search(request.limit(7).after(cursor))
            seen += page.hits.map(\.id)
            // As an app would keep it.
            cursor = page.next.flatMap { SearchCursor($0.description) }
            #expect((cursor == nil) == (page.next == nil))
            try pool.write { db in
                for _ in 0..<5 {
                    // Among them are the last hits of the page, by which the cursor knows the place.
                    let id =
                        (Bool.random(using: &random) ? page.hits.suffix(3).randomElement(using: &random)?.id : nil)
                        ?? Int64.random(in: 1...1210, using: &random)
                    touched.insert(id)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: try db.execute("DELETE FROM notes WHERE id = \(id)")
                    case 1:
                        try db.execute("UPDATE notes SET body = body || ' cat cat', list = 1 WHERE id = \(id)")
                    default: try Self.insert(Self.note(id, &random), into: db, or: "REPLACE")
                    }
                }
            }
        } while cursor != nil && seen.count < 1000
        let end = try pool.search(request.limit(1000)).hits.map(\.id)
        // Rows that a write has moved among the others, through the scores, may be seen twice or not at all.
        let calm = Self.longestCommonOrder(start.filter { !touched.contains($0) }, end.filter { !touched.contains($0) })
        let counts = Dictionary(seen.map { ($0, 1) }, uniquingKeysWith: +)
        let wrong = calm.filter { counts[$0] != 1 }
        #expect(
            wrong.isEmpty,
            "seed \(seed): of \(calm.count) calm rows \(wrong) were seen \(wrong.map { counts[$0] ?? 0 }) times")
    }

    /// A longest list of ids that stand in both lists in that order.
    static func longestCommonOrder(_ left: [Int64], _ right: [Int64]) -> [Int64] {
        let difference = right.difference(from: left)
        let removed = Set(
            difference.removals.compactMap { removal -> Int64? in
                if case .remove(_, let id, _) = removal { id } else { nil }
            })
        return left.filter { !removed.contains($0) }
    }

    @Test func `a cursor is of one search, and survives no forgery`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.schema)
        try db.install(Self.index)
        for id in Int64(1)...5 {
            try Self.insert(Note(id: id, title: "cat", body: "", list: 1, due: nil, mark: ""), into: db)
        }
        let request = Self.index.query("cat").limit(2)
        let next = try #require(try request.fetch(db).next)
        let coded = try JSONDecoder().decode(SearchCursor.self, from: JSONEncoder().encode(next))
        #expect(coded == next)
        #expect(try request.after(coded).filter("id > 0").limit(9).fetch(db).hits.map(\.id) == [3, 4, 5])
        for other in [
            request.order { $0.due }, request.boosted(by: "2"), Self.index.query("dog"), request.grouped(by: "1"),
        ] {
            #expect(throws: SearchIndexError.foreignCursor(index: "noteTexts")) { try other.after(next).fetch(db) }
        }
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            var bytes = Array(next.description.utf8)
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
            guard let forged = SearchCursor(String(decoding: bytes, as: UTF8.self)) else { continue }
            _ = try? request.after(forged).fetch(db)
        }
        for text in ["", "e30", "bnVsbA", "====", "\0", "W10"] { #expect(SearchCursor(text) == nil, "\(text)") }
    }
}
