import Concordance
import Testing

@Suite("Requests read like their SQL")
struct RequestSQLTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let sql: String
        let arguments: [DatabaseValue]
        let request: @Sendable () -> QueryInterfaceRequest<Book>
        var testDescription: String { sql }

        init(
            _ sql: String, _ arguments: [DatabaseValue] = [],
            _ request: @escaping @Sendable () -> QueryInterfaceRequest<Book>
        ) {
            self.sql = sql
            self.arguments = arguments
            self.request = request
        }
    }

    static let select = #"SELECT "books".* FROM "books""#

    static let conditions: [Case] = [
        Case("") { Book.all() },
        Case(#" WHERE "books"."title" = ?"#, ["x"]) { Book.filter(Column("title") == "x") },
        Case(#" WHERE "books"."title" = ?"#, ["x"]) { Book.filter { $0.title == "x" } },
        Case(#" WHERE "books"."title" <> ?"#, ["x"]) { Book.filter { $0.title != "x" } },
        Case(#" WHERE "books"."year" IS NULL"#) { Book.filter { $0.year == nil } },
        Case(#" WHERE "books"."year" IS NOT NULL"#) { Book.filter(Column("year") != nil) },
        Case(#" WHERE "books"."year" IS NULL"#) { Book.filter { $0.year.isNull } },
        Case(#" WHERE "books"."year" IS ?"#, [1990]) { Book.filter { $0.year === 1990 } },
        Case(#" WHERE "books"."shelf" = ?"#, ["locked"]) { Book.filter { $0.shelf == .locked } },
        Case(#" WHERE "books"."shelf" IN (?, ?)"#, ["open", "lost"]) { Book.filter { $0.shelf.in([.open, .lost]) } },
        Case(#" WHERE "books"."year" IN ()"#) { Book.filter { $0.year.in([Int]()) } },
        Case(#" WHERE "books"."year" >= ? AND "books"."year" < ?"#, [1990, 2000]) {
            Book.filter { $0.year >= 1990 && $0.year < 2000 }
        },
        Case(#" WHERE "books"."year" BETWEEN ? AND ?"#, [1, 2]) { Book.filter { $0.year.between(1, 2) } },
        Case(#" WHERE ("books"."year" = ? OR "books"."year" = ?) AND "books"."isRare" = ?"#, [1, 2, 1]) {
            Book.filter { ($0.year == 1 || $0.year == 2) && $0.isRare == true }
        },
        Case(#" WHERE NOT ("books"."year" = ? AND "books"."isRare")"#, [1]) {
            Book.filter { !($0.year == 1 && $0.isRare) }
        },
        Case(#" WHERE NOT "books"."year" > ?"#, [1]) { Book.filter { !($0.year > 1) } },
        Case(#" WHERE ("books"."year" - ?) * ? > -"books"."price" + ?"#, [1, 2, 3.5]) {
            Book.filter { ($0.year - 1) * 2 > -$0.price + 3.5 }
        },
        Case(#" WHERE "books"."year" - ("books"."id" - ?) = ?"#, [1, 2]) { Book.filter { $0.year - ($0.id - 1) == 2 } },
        Case(#" WHERE "books"."title" LIKE ? ESCAPE ?"#, ["100\\%", "\\"]) {
            Book.filter { $0.title.like("100\\%", escape: "\\") }
        },
        Case(#" WHERE "books"."title" COLLATE "nocase" = ?"#, ["x"]) {
            Book.filter { $0.title.collating("nocase") == "x" }
        },
        Case(#" WHERE ("books"."year" = ?) = ("books"."id" = ?)"#, [1, 2]) {
            Book.filter { ($0.year == 1) == ($0.id == 2) }
        },
        Case(#" WHERE COALESCE("books"."year", ?) + LENGTH("books"."title") = "books"."id""#, [0]) {
            Book.filter { ($0.year ?? 0) + length($0.title) == $0.id }
        },
        Case(#" WHERE year > ?"#, [1990]) { Book.filter("year > \(1990)") },
        Case(#" WHERE (a OR ?) AND "books"."id" = ?"#, [1, 2]) {
            Book.filter("a OR \(1)").filter { $0.id == 2 }
        },
        Case(#" WHERE "books"."we""ird ""; --" = ?"#, ["'; DROP"]) {
            Book.filter(Column(#"we"ird "; --"#) == "'; DROP")
        },
        Case(#" WHERE FALSE"#) { Book.none() },
        Case(#" WHERE "books"."id" = ?"#, [1]) { Book.all().filter(key: 1) },
        Case(#" ORDER BY "books"."year" DESC, "books"."title""#) { Book.order(Column("year").desc, Column("title")) },
        Case(#" ORDER BY "books"."year", "books"."title" DESC"#) {
            Book.order(Column("year").desc, Column("title")).reversed()
        },
        Case(#" ORDER BY "books"."year" NULLS LAST"#) { Book.order { $0.year.ascNullsLast } },
        Case(#" ORDER BY "books"."id" DESC"#) { Book.all().reversed() },
        Case(#" LIMIT 3 OFFSET 5"#) { Book.limit(3, offset: 5) },
        Case(#" GROUP BY "books"."year" HAVING COUNT(*) > ?"#, [1]) {
            Book.all().group(Column("year")).having(SQLExpression.countAll > 1)
        },
        Case(
            #" WHERE "books"."authorId" IN (SELECT "authors"."id" FROM "authors" WHERE "authors"."born" > ?)"#, [1900]
        ) {
            Book.filter { $0.authorId.in(Author.filter { $0.born > 1900 }.select { $0.id }) }
        },
        Case(
            #" WHERE EXISTS (SELECT "authors".* FROM "authors" WHERE "authors"."id" = "books"."authorId")"#
        ) {
            Book.filter { book in Author.filter { $0.id == book.authorId }.existence }
        },
    ]

    @Test(arguments: conditions)
    func sql(_ test: Case) throws {
        let db = try makeLibrary()
        let prepared = try test.request().prepared(db)
        #expect(prepared.sql == Self.select + test.sql)
        #expect(prepared.arguments.positional == test.arguments)
        // SQLite itself agrees that it is SQL, except for the columns that the library does not have.
        if !test.sql.contains("ird"), !test.sql.contains("(a OR") { _ = try test.request().fetchAll(db) }
    }

    @Test func selections() throws {
        let db = try makeLibrary()
        let years = Book.select(Column("year"), as: Int.self).distinct()
        #expect(try years.sql(db) == #"SELECT DISTINCT "books"."year" FROM "books""#)
        let counts = Book.select(Column("year"), SQLExpression.countAll.forKey("n"), as: Row.self)
            .group(Column("year")).order(Column("n").desc)
        #expect(
            try counts.sql(db)
                == #"SELECT "books"."year", COUNT(*) AS "n" FROM "books" GROUP BY "books"."year" ORDER BY "n" DESC"#)
        let annotated = Book.all().annotated(with: length(Column("title")).forKey("n")).filter(Column("n") > 3)
        #expect(
            try annotated.sql(db)
                == #"SELECT "books".*, LENGTH("books"."title") AS "n" FROM "books" WHERE "n" > ?"#)
        #expect(try annotated.fetchCount(db) == 0)
    }

    @Test func requestsInSQLAreCountedWithCommentsAndSemicolons() throws {
        let db = try makeLibrary()
        var book = Book(title: "a", year: 1990)
        try book.insert(db)
        let requests: [SQLRequest<Book>] = [
            "SELECT * FROM books;", "SELECT * FROM books -- all of them", "SELECT * FROM books ; \n",
            "SELECT * FROM books",
        ]
        for request in requests {
            #expect(try request.fetchAll(db).count == 1)
            #expect(try request.fetchCount(db) == 1)
            #expect(try !request.isEmpty(db))
        }
    }

    @Test func countsAndExistence() throws {
        let db = try makeLibrary()
        for year in [1990, 1990, 2000] {
            var book = Book(title: "\(year)", year: year)
            try book.insert(db)
        }
        var run = try statements(of: db) { () throws in
            #expect(try Book.fetchCount(db) == 3)
            #expect(try Book.limit(2).fetchCount(db) == 2)
            #expect(try Book.select(Column("year"), as: Int.self).distinct().fetchCount(db) == 2)
            #expect(try Book.filter { $0.year == 5 }.isEmpty(db))
            #expect(try Book.select(max(Column("year")), as: Int.self).fetchCount(db) == 1)
        }
        #expect(
            run == [
                #"SELECT COUNT(*) FROM "books""#, #"SELECT COUNT(*) FROM (SELECT "books".* FROM "books" LIMIT 2)"#,
                #"SELECT COUNT(*) FROM (SELECT DISTINCT "books"."year" FROM "books")"#,
                #"SELECT NOT EXISTS (SELECT "books".* FROM "books" WHERE "books"."year" = 5)"#,
                #"SELECT COUNT(*) FROM (SELECT MAX("books"."year") FROM "books")"#,
            ])
        run = try statements(of: db) { () throws in
            #expect(
                try Book.filter { $0.year == 1990 }.updateAll(
                    db, Column("price") += 1.5, Column("isRare").set(to: true)) == 2)
            #expect(try Book.order { $0.id.desc }.limit(1).updateAll(db, Column("title").set(to: Column("shelf"))) == 1)
            #expect(try Book.limit(1, offset: 1).deleteAll(db) == 1)
            #expect(try Book.filter { $0.isRare }.deleteAll(db) == 1)
            #expect(try Book.all().updateAll(db, []) == 0)
            #expect(try Book.deleteAll(db) == 1)
        }
        #expect(
            run == [
                #"UPDATE "books" SET "price" = "books"."price" + 1.5, "isRare" = 1 WHERE "books"."year" = 1990"#,
                #"UPDATE "books" SET "title" = "books"."shelf" WHERE "id" IN "#
                    + #"(SELECT "books"."id" FROM "books" ORDER BY "books"."id" DESC LIMIT 1)"#,
                #"DELETE FROM "books" WHERE "id" IN (SELECT "books"."id" FROM "books" LIMIT 1 OFFSET 1)"#,
                #"DELETE FROM "books" WHERE "books"."isRare""#, #"DELETE FROM "books""#,
            ])
    }

    /// SQLite reads a quoted name that it does not know as a text, which is greater than every number.
    @Test func changesOfRowsWithNamedSelections() throws {
        let db = try makeLibrary()
        for name in ["Al", "Beatrice", "Clementine"] {
            var author = Author(name: name)
            try author.insert(db)
        }
        let named = Author.all().annotated(with: length(Column("name")).forKey("nameLength"))
        let long = named.filter(Column("nameLength") > 5)
        #expect(try long.fetchCount(db) == 2)
        #expect(try long.updateAll(db, Column("born").set(to: 1)) == 2)
        #expect(try long.order(Column("name").desc).limit(1).deleteAll(db) == 1)
        #expect(try long.deleteAll(db) == 1)
        #expect(try Author.fetchAll(db) == [Author(id: 1, name: "Al", born: nil)])
        #expect(throws: DatabaseError.self) { try named.updateAll(db, Column("born").set(to: Column("nameLength"))) }
    }

    @Test func ownSQL() throws {
        let db = try makeLibrary()
        var book = Book(title: "It's", year: 1)
        try book.insert(db)
        let title = "It's"
        let request: SQLRequest<Book> = "SELECT * FROM books WHERE title = \(title)"
        #expect(try request.fetchAll(db) == [book])
        #expect(try request.fetchCount(db) == 1)
        #expect(try Book.fetchOne(db, literal: "SELECT * FROM books WHERE year = \(1)") == book)
        #expect(try Book.filter { $0.year == 1 }.select { $0.title }.fetchAll(db) == ["It's"])
        var titles: [String] = []
        let cursor = try Book.fetchCursor(db)
        while let book = try cursor.next() { titles.append(book.title) }
        #expect(titles == ["It's"])
        #expect(try Book.fetchSet(db) == [book])
    }

    @Test func longAndDeepConditions() throws {
        let db = try makeLibrary()
        let wide = (0..<900).map { Column("id") == $0 }.reduce(SQLExpression(false)) { $0 || $1 }
        #expect(try Book.filter(wide).fetchCount(db) == 0)
        let tooWide = (0..<3000).map { Column("id") == $0 }.reduce(SQLExpression(false)) { $0 || $1 }
        #expect(throws: DatabaseError.self) { try Book.filter(tooWide).fetchCount(db) }
        let deep = (0..<2000).reduce(Column("id").sqlExpression) { expression, _ in !expression }
        #expect(throws: RecordError.expressionTooDeep(limit: 1000)) { try Book.filter(deep).fetchCount(db) }
        #expect(try Book.filter { $0.id.in(Array(0..<30_000)) }.fetchCount(db) == 0)
    }

    @Test func misspelledColumnsAreErrors() throws {
        let db = try makeLibrary()
        let error = #expect(throws: DatabaseError.self) { try Book.filter(Column("titel") == "x").fetchAll(db) }
        #expect(error?.message == "no such column: books.titel")
        #expect(throws: DatabaseError.self) { try Book.filter(Column("year") == UInt64.max).fetchAll(db) }
    }
}
