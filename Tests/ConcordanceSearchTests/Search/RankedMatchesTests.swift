import Concordance
import Testing

/// Point-Free's episode 337 ends in "unable to use function bm25 in the requested context": here the same query runs.
@Suite("Ranked matches in any SQL")
struct RankedMatchesTests {
    let db: Database
    let index = RemindersFixture.index

    struct Reminder: Codable, FetchableRecord, TableRecord, Equatable {
        static let databaseTableName = "reminders"
        var id: Int64
        var title: String
        var isCompleted: Bool
    }

    init() throws {
        db = try RemindersFixture.database()
        try db.install(index)
    }

    @Test func `matches stand beside aggregates, groups and joins`() throws {
        let matches = try index.query("week").matchesSQL(db)
        let rows = try Row.fetchAll(
            db,
            literal: """
                SELECT reminders.id, json_group_array(tags.title) FILTER (WHERE tags.id IS NOT NULL) AS tags,
                  matches.score AS score
                FROM \(matches) AS matches
                JOIN reminders ON reminders.id = matches.id
                LEFT JOIN reminderTags ON reminderTags.reminderID = reminders.id
                LEFT JOIN tags ON tags.id = reminderTags.tagID
                GROUP BY reminders.id ORDER BY reminders.isCompleted, matches.score DESC
                """)
        #expect(rows.map { $0["id"] as Int? } == [4, 2, 1])
        #expect(rows[0]["tags"] as String? == #"["weekend","fun"]"#)
        let page = try index.query("week").fetch(db)
        #expect(rows.map { $0["score"] as Double? } == page.hits.map(\.score))
    }

    @Test(arguments: [
        "SELECT count(*), sum(score) FROM \0",
        "SELECT max(score) FROM \0 GROUP BY score > 0.5 HAVING min(id) > 0",
        "SELECT row_number() OVER (ORDER BY score DESC) FROM \0",
        "SELECT DISTINCT score FROM \0 ORDER BY score",
        "SELECT group_concat(title) FROM reminders WHERE id IN (SELECT id FROM \0 WHERE score > 0)",
        "SELECT title, (SELECT score FROM \0 WHERE id = reminders.id) AS s FROM reminders ORDER BY s",
        "SELECT id FROM \0 UNION SELECT id FROM \0 ORDER BY id LIMIT 2",
        "SELECT a.id, avg(b.score) FROM \0 AS a LEFT JOIN \0 AS b ON a.id <> b.id GROUP BY a.id",
        "WITH m AS (SELECT * FROM \0) SELECT json_group_array(score) FROM m",
    ])
    func `any query takes them`(_ template: String) throws {
        let queries = [
            index.query("week"), index.query("-week"), index.query("week").filter("isCompleted = 0"),
            index.query("week").boosted(by: "1 + isCompleted"), index.query(""),
        ]
        for request in queries {
            let matches = try request.matchesSQL(db)
            let parts = template.split(separator: "\0", omittingEmptySubsequences: false).map { SQL(raw: String($0)) }
            _ = try Row.fetchAll(db, literal: parts.joined(separator: matches))
        }
    }

    @Test(arguments: [
        "count(*)", "row_number() OVER (ORDER BY title)", "max(title)", "(SELECT count(*) FROM tags)", "total(id)",
        "json_group_array(title)", "lag(id) OVER (PARTITION BY isCompleted ORDER BY id)",
    ])
    func `no expression of a request meets the rank function`(_ expression: String) throws {
        let sql = SQL(raw: expression)
        let week = index.query("week")
        let requests = [
            week.order(sql), week.boosted(by: sql), week.facet("x", by: sql), week.grouped(by: sql), week.filter(sql),
            week.order(sql).boosted(by: sql).grouped(by: sql).filter("id > 0"),
        ]
        for request in requests {
            do {
                _ = try request.fetch(db)
            } catch let error as DatabaseError {
                #expect(error.message?.contains("requested context") == false, "\(error)")
            }
        }
    }

    @Test func `requests for records are joined with matches`() throws {
        let request = Reminder.matching(index, "weekend").order(Column("isCompleted"), Column.rank)
        #expect(try request.fetchAll(db).map(\.title) == ["Take a walk", "Haircut", "Groceries"])
        #expect(try request.fetchCount(db) == 3)
        #expect(try Reminder.filter { $0.id > 1 }.matching(index.query("weekend")).fetchCount(db) == 2)
        #expect(try request.limit(1).fetchOne(db)?.id == 4)
        let counts = Reminder.matching(index, "weekend").select(
            Column("isCompleted"), count(Column("id")), as: Row.self)
        #expect(try counts.group(Column("isCompleted")).fetchAll(db).first?[1] as Int? == 3)
    }

    @Test func `a request for another table is refused`() throws {
        struct Tag: Codable, FetchableRecord, TableRecord {
            static let databaseTableName = "tags"
            var id: Int64
        }
        #expect(throws: SearchIndexError.otherTable("tags", index: "reminderTexts", indexed: "reminders")) {
            try Tag.matching(index, "weekend").fetchAll(db)
        }
    }
}
