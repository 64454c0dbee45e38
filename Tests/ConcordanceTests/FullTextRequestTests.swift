import Concordance
import ConcordanceFTS5
import Foundation
import Testing

struct Document: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "documents"
    var content: String
}

@Suite("Records are found by their text")
struct FullTextRequestTests {
    @Test func aTableOfDocuments() throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "documents", using: FTS5()) { t in
            t.tokenizer = .porter()
            t.column("content")
        }
        try db.execute("INSERT INTO documents VALUES (?)", arguments: ["a database"])
        try Document(content: "database engines and other engines").insert(db)
        try Document(content: "something else").insert(db)

        let pattern = FTS5Pattern(matchingAnyTokenIn: "engine")
        let documents = try Document.matching(pattern).fetchAll(db)
        #expect(documents == [Document(content: "database engines and other engines")])
        let request = Document.matching(FTS5Pattern(matchingAnyTokenIn: "database engine")).order(Column.rank)
        #expect(
            try request.sql(db) == """
                SELECT "documents".* FROM "documents" WHERE "documents"."documents" MATCH ? ORDER BY "documents"."rank"
                """)
        #expect(try request.fetchAll(db).map(\.content) == ["database engines and other engines", "a database"])
        #expect(try request.fetchCount(db) == 2)
        #expect(try Document.matching(nil).fetchAll(db).isEmpty)
        #expect(try Document.matching(FTS5Pattern(matchingAnyTokenIn: " \"* ")).fetchCount(db) == 0)
        #expect(try Document.all().aliased("d").matching(pattern).fetchCount(db) == 1)
        #expect(try Document.matching(pattern).updateAll(db, Column("content").set(to: "changed")) == 1)
        #expect(try Document.matching(FTS5Pattern(matchingAnyTokenIn: "changed")).deleteAll(db) == 1)
        #expect(try Document.fetchCount(db) == 2)
    }

    @Test func aTableWithAFullTextTableBesideIt() throws {
        let db = try makeLibrary()
        try db.create(virtualTable: "books fts", using: FTS5()) { t in
            t.synchronize(withTable: "books")
            t.column("title")
        }
        for (title, year) in [("The Sea, the Sea", 1978), ("Sea of Poppies", 2008), ("Landfall", 1946)] {
            var book = Book(title: title, year: year)
            try book.insert(db)
        }
        let pattern = FTS5Pattern(matchingAllTokensIn: "sea")
        let ranked = Book.matching(pattern, in: "books fts").order(Column.rank, Column("year"))
        #expect(
            try ranked.sql(db) == """
                SELECT "books".* FROM "books" JOIN "books fts" ON "books fts"."rowid" = "books"."rowid" \
                WHERE "books fts"."books fts" MATCH ? ORDER BY "books fts"."rank", "books"."year"
                """)
        #expect(try ranked.fetchAll(db).map(\.title) == ["The Sea, the Sea", "Sea of Poppies"])
        #expect(try ranked.filter { $0.year > 2000 }.fetchAll(db).map(\.title) == ["Sea of Poppies"])
        #expect(try Book.matching(pattern, in: "books fts", on: Column("id")).fetchCount(db) == 2)
        #expect(try Book.matching(nil, in: "books fts").fetchAll(db).isEmpty)
        #expect(try Book.matching(pattern, in: "books fts").limit(1).deleteAll(db) == 1)
        #expect(try Book.fetchCount(db) == 2)
    }
}
