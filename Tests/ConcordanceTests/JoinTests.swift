import Concordance
import Testing

@Suite("Joined tables decode both sides")
struct JoinTests {
    let db: Database

    init() throws {
        db = try makeLibrary()
        try db.execute(
            sql: """
                CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO country VALUES (1, 'UK');
                ALTER TABLE authors ADD COLUMN countryId INTEGER;
                INSERT INTO authors VALUES (1, 'Ada', 1815, 1), (2, 'Bo', NULL, NULL);
                INSERT INTO books (id, authorId, title, year) VALUES (1, 1, 'Notes', 1843), (2, 2, 'Pins', 1950), (3, NULL, 'Ode', 1);
                """)
    }

    @Test func innerJoin() throws {
        let request = Book.join(Author.self) { book, author in book.authorId == author.id && author.born > 1800 }
        let sql = """
            SELECT NULL AS ":join:books", "books".*, NULL AS ":join:authors", "authors".* FROM "books" \
            JOIN "authors" ON "books"."authorId" = "authors"."id" AND "authors"."born" > ?
            """
        #expect(try request.sql(db) == sql)
        let pair = try #require(try request.fetchOne(db))
        #expect(pair.left.title == "Notes")
        #expect(pair.right == Author(id: 1, name: "Ada", born: 1815))
        #expect(try request.fetchCount(db) == 1)
    }

    @Test func leftJoin() throws {
        let request = Book.leftJoin(Author.self) { $0.authorId == $1.id }.order(Column("id"))
        let pairs = try request.fetchAll(db)
        #expect(pairs.map(\.left.title) == ["Notes", "Pins", "Ode"])
        #expect(pairs.map(\.right?.name) == ["Ada", "Bo", nil])
    }

    @Test func aTableWithItself() throws {
        let other = TableAlias<Book>("other")
        let older = Book.all().join(other, on: TableAlias<Book>().year > other.year).order(Column("id"), other.id)
        #expect(
            try older.fetchAll(db).map { "\($0.left.title) \($0.right.title)" } == [
                "Notes Ode", "Pins Notes", "Pins Ode",
            ])
    }

    struct Country: Codable, FetchableRecord, TableRecord {
        var id: Int64
        var name: String
    }

    @Test func threeTables() throws {
        let author = TableAlias<Author>("writer")
        let country = TableAlias<Country>()
        let request = Book.all()
            .join(author, on: TableAlias<Book>().authorId == author.id)
            .leftJoin(country, on: author["countryId"] == country.id)
            .order(Column("year"))
        let rows = try request.fetchAll(db)
        #expect(rows.map(\.left.left.title) == ["Notes", "Pins"])
        #expect(rows.map(\.left.right.name) == ["Ada", "Bo"])
        #expect(rows.map(\.right?.name) == ["UK", nil])
    }

    @Test func ownRecordOfBothSides() throws {
        struct BookInfo: Decodable, FetchableRecord {
            var book: Book
            var author: Author?
        }
        let infos = try Book.all().aliased("book").leftJoin(Author.self, as: "author") { $0.authorId == $1.id }
            .order(Column("id")).asRequest(of: BookInfo.self).fetchAll(db)
        #expect(infos.map(\.book.title) == ["Notes", "Pins", "Ode"])
        #expect(infos.map(\.author?.name) == ["Ada", "Bo", nil])
    }

    @Test func joiningForTheConditionOnly() throws {
        let request = Book.joining(Author.self) { $0.authorId == $1.id && $1.name == "Bo" }
        #expect(
            try request.sql(db) == """
                SELECT "books".* FROM "books" JOIN "authors" ON "books"."authorId" = "authors"."id" \
                AND "authors"."name" = ?
                """)
        #expect(try request.fetchAll(db).map(\.title) == ["Pins"])
        #expect(try request.deleteAll(db) == 1)
        #expect(try Book.fetchCount(db) == 2)
    }

    @Test func aRowThatIsNotJoined() throws {
        let error = #expect(throws: RecordError.self) {
            try Joined<Book, Author>.fetchAll(db, sql: "SELECT 1 AS a, 2 AS b")
        }
        #expect(error == .notAJoinedRow(columns: ["a", "b"]))
    }
}
