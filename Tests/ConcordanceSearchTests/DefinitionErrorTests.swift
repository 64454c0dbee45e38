import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import TestSupport
import Testing

/// A definition that does not fit, and what its error must say.
struct RefusedDefinition: Sendable, CustomTestStringConvertible {
    let name: String
    let schema: String
    let says: [String]
    let install: @Sendable (Database) throws -> Void

    /// An index `entries` over table `t`.
    init(
        _ name: String, _ schema: String = "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, body TEXT);",
        index: String = "entries", table: String = "t", says: [String],
        @SearchIndexBuilder<Row> _ content: @escaping @Sendable () -> [IndexElement<Row>]
    ) {
        self.name = name
        self.schema = schema
        self.says = says
        install = { try $0.install(SearchIndex(index, in: table, content: content)) }
    }

    var testDescription: String { name }
}

/// An aggregate that an expression cannot use.
private struct Longest: DatabaseAggregate {
    mutating func step(_ values: [DatabaseValue]) {}
    func finalize() -> (any DatabaseValueConvertible)? { nil }
}

@Suite("A definition that does not fit is refused, and nothing has changed")
struct DefinitionErrorTests {
    static let fields: [RefusedDefinition] = [
        RefusedDefinition("unknown column", says: ["titel", "did you mean title?", "id, title, body"]) {
            Field("titel")
        },
        RefusedDefinition("unknown column far from all", says: ["xyzzyplugh", "There are: id, title, body"]) {
            Field("xyzzyplugh")
        },
        RefusedDefinition("no field", says: ["no searchable field"]) {},
        RefusedDefinition("no searched field", says: ["no searchable field"]) { Field("title").unindexed() },
        RefusedDefinition("two fields of a name", says: ["TITLE", "named(_:)"]) {
            Field("title")
            Field("TITLE")
        },
        RefusedDefinition("field named rank", "CREATE TABLE t(id INTEGER PRIMARY KEY, Rank)", says: ["Rank", "named"]) {
            Field("Rank")
        },
        RefusedDefinition("field named rowid", says: ["rowid", "named(_:)"]) { Field("title").named("rowid") },
        RefusedDefinition("field named as the index", says: ["Entries", "named(_:)"]) {
            Field("title").named("Entries")
        },
        RefusedDefinition("field without a name", says: ["must not be empty"]) { Field("title").named("") },
        RefusedDefinition("NUL in a name", says: ["NUL"]) { Field("title").named("a\0b") },
        RefusedDefinition("negative weight", says: ["-1.0", "from 0 to 1e12"]) { Field("title", weight: -1) },
        RefusedDefinition("weight that is no number", says: ["nan"]) { Field("title", weight: .nan) },
        RefusedDefinition("endless weight", says: ["inf"]) { Field("title", weight: .infinity) },
        RefusedDefinition("prefix of no characters", says: ["0 characters", "from 1 to 999"]) {
            Field("title")
            Analysis(.unicode61, prefixes: [2, 0])
        },
        RefusedDefinition("prefix too long", says: ["1000 characters"]) {
            Field("title")
            Analysis(.unicode61, prefixes: [1000])
        },
        RefusedDefinition("too many prefixes", says: ["32 prefix lengths", "31"]) {
            Field("title")
            Analysis(.unicode61, prefixes: Array(1...32))
        },
        RefusedDefinition("NUL in a word list", says: ["NUL"]) {
            Field("title").analyzed(by: Analyzer(.words(), .stop(["a\0b"])))
        },
        RefusedDefinition("too many analyzers", says: ["33 different analyzers", "32"]) {
            for number in 1...33 {
                Field("f\(number)").computed("title").analyzed(
                    by: Analyzer(.words(), .stop(["w\(number)"])))
            }
        },
    ]

    static let indexes: [RefusedDefinition] = [
        RefusedDefinition("index without a name", index: "", says: ["must not be empty"]) { Field("title") },
        RefusedDefinition("index named rank", index: "RANK", says: ["RANK", "choose another"]) { Field("title") },
        RefusedDefinition("index with SQLite's names", index: "sqlite_x", says: ["sqlite_"]) { Field("title") },
        RefusedDefinition("index with our names", index: "concordance_x", says: ["concordance_"]) { Field("title") },
        RefusedDefinition("index with the name of one that is built anew", index: "x_Next", says: ["_next"]) {
            Field("title")
        },
        RefusedDefinition("index with the name of one that has been replaced", index: "x_OLD", says: ["_old"]) {
            Field("title")
        },
        RefusedDefinition("index named as the table", index: "T", says: ["needs the name T"]) { Field("title") },
        RefusedDefinition(
            "index named as a view", "CREATE TABLE t(id INTEGER PRIMARY KEY, title); CREATE VIEW entries AS SELECT 1;",
            says: ["needs the name entries"]
        ) { Field("title") },
        RefusedDefinition(
            "index named as an index of SQLite",
            "CREATE TABLE t(id INTEGER PRIMARY KEY, title); CREATE INDEX entries_source ON t(title);",
            says: ["entries_source", "choose another name"]
        ) { Field("title") },
        RefusedDefinition(
            "table with the name of a shadow table",
            "CREATE TABLE t(id INTEGER PRIMARY KEY, title); CREATE TABLE Entries_Data(x);", says: ["entries_data"]
        ) { Field("title") },
        RefusedDefinition(
            "trigger of somebody else",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, title);
            CREATE TRIGGER ENTRIES_t_insert AFTER INSERT ON t BEGIN SELECT 1; END;
            """, says: ["entries_t_insert"]
        ) { Field("title") },
        RefusedDefinition(
            "full-text table of somebody else",
            "CREATE TABLE t(id INTEGER PRIMARY KEY, title); CREATE VIRTUAL TABLE entries USING fts5(title);",
            says: ["needs the name entries"]
        ) { Field("title") },
        RefusedDefinition(
            "index whose view is another's shadow table",
            "CREATE TABLE t(id INTEGER PRIMARY KEY, title); CREATE VIRTUAL TABLE x USING fts5(title);",
            index: "x_data", says: ["needs the name x_data"]
        ) { Field("title") },
    ]

    static let tables: [RefusedDefinition] = [
        RefusedDefinition("no table at all", "SELECT 1", table: "remindrs", says: ["database has no tables"]) {
            Field("title")
        },
        RefusedDefinition("unknown table", table: "tt", says: ["tt", "did you mean t?"]) { Field("title") },
        RefusedDefinition("view", "CREATE VIEW t AS SELECT 1 AS title", says: ["it is a view"]) { Field("title") },
        RefusedDefinition("virtual table", "CREATE VIRTUAL TABLE t USING fts5(title)", says: ["virtual table"]) {
            Field("title")
        },
        RefusedDefinition(
            "shadow table", "CREATE VIRTUAL TABLE x USING fts5(title)", table: "x_content",
            says: ["belongs to a virtual"]
        ) { Field("c0") },
        RefusedDefinition("SQLite's table", table: "sqlite_schema", says: ["SQLite's own"]) { Field("name") },
        RefusedDefinition(
            "no rowid", "CREATE TABLE t(title TEXT PRIMARY KEY) WITHOUT ROWID", says: ["WITHOUT ROWID", "ordinary"]
        ) { Field("title") },
        RefusedDefinition(
            "rows that VACUUM renumbers", "CREATE TABLE t(title)", says: ["VACUUM", "INTEGER PRIMARY KEY"]
        ) { Field("title") },
        RefusedDefinition(
            "rowid without a name", "CREATE TABLE t(rowid, _rowid_, oid, title UNIQUE)",
            says: ["all names of the rowid"]
        ) { Field("title") },
        RefusedDefinition(
            "temporary table", "CREATE TEMP TABLE t(id INTEGER PRIMARY KEY, title)", says: ["schema temp"]
        ) { Field("title") },
        RefusedDefinition(
            "attached table", "ATTACH ':memory:' AS other; CREATE TABLE other.t(id INTEGER PRIMARY KEY, title)",
            says: ["schema other", "main"]
        ) { Field("title") },
    ]

    static let related = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, title, parent REFERENCES t, author REFERENCES people(id));
        CREATE TABLE people(id INTEGER PRIMARY KEY, name, born);
        CREATE TABLE letters(sender REFERENCES people, receiver REFERENCES people, text);
        CREATE TABLE loose(title);
        CREATE VIEW shown AS SELECT * FROM people;
        """

    static let relations: [RefusedDefinition] = [
        RefusedDefinition("unknown related table", related, says: ["peopel", "did you mean people?"]) {
            Field("author").joined("peopel", \.name)
        },
        RefusedDefinition("unknown related column", related, says: ["nam", "did you mean name?", "table people"]) {
            Field("author").joined("people", \.nam)
        },
        RefusedDefinition("unknown order", related, says: ["bron", "did you mean born?"]) {
            Field("author").joined("people", \.name, orderedBy: "bron")
        },
        RefusedDefinition("no foreign key", related, says: ["no foreign key", #"Step("loose", on: "#]) {
            Field("other").joined("loose", \.title)
        },
        RefusedDefinition(
            "two foreign keys", related,
            says: [
                #"Step("letters", on: "sender", equals: "id")"#, #"Step("letters", on: "receiver", equals: "id")"#,
            ]
        ) { Field("letters").joined("letters", \.text, through: "people") },
        RefusedDefinition(
            "table that refers to itself", related,
            says: [#"Step("t", on: "id", equals: "parent")"#, #"Step("t", on: "parent", equals: "id")"#]
        ) { Field("parent").joined("t", \.title) },
        RefusedDefinition("related view", related, says: ["shown", "view"]) {
            Field("author").joined(Relation.Step("shown", on: "id", equals: "author"), \.name)
        },
        RefusedDefinition("columns without partners", related, says: ["2 columns", "with 1"]) {
            Field("author").joined(Relation.Step("people", on: ["id", "name"], equals: ["author"]), \.name)
        },
        RefusedDefinition("unknown column of a step", related, says: ["auhtor", "did you mean author?"]) {
            Field("author").joined(Relation.Step("people", on: "id", equals: "auhtor"), \.name)
        },
        RefusedDefinition("NUL in a separator", related, says: ["separator", "NUL"]) {
            Field("author").joined("people", \.name, separator: "\0")
        },
    ]

    static func expression(_ sql: String, says: [String]) -> RefusedDefinition {
        RefusedDefinition(sql, related, says: says) { Field("x").computed(sql) }
    }

    static let expressions: [RefusedDefinition] = [
        expression("", says: ["syntax error"]),
        expression("title ||", says: ["syntax error"]),
        expression("title, id", says: ["row value"]),
        expression("title) , (id", says: ["more than one"]),
        expression("titel", says: ["titel", "did you mean title?"]),
        expression("\"titel\"", says: ["titel", "did you mean title?"]),
        expression("people.name", says: ["people.name"]),
        expression("frobnicate(title)", says: ["frobnicate", "add(function:)"]),
        expression("max(title)", says: ["aggregate"]),
        expression("group_concat(title)", says: ["aggregate"]),
        expression("row_number() OVER ()", says: ["window"]),
        expression("(SELECT name FROM people)", says: ["people", "joined"]),
        expression("(SELECT max(title) FROM t)", says: ["only its own row", "joined"]),
        expression("(SELECT count(*) FROM sqlite_schema)", says: ["only its own row"]),
        expression("title || ?", says: ["parameter"]),
        expression("title || :name", says: ["parameter"]),
        expression("title || random()", says: ["random()"]),
        expression("title || last_insert_rowid()", says: ["last_insert_rowid()"]),
        expression("title || datetime('now')", says: ["time"]),
        expression("strftime('%Y', title, 'localtime')", says: ["time"]),
        expression("strftime('%Y')", says: ["time"]),
        expression("date( )", says: ["time"]),
        expression("CURRENT_TIMESTAMP", says: ["current_timestamp"]),
        expression("title COLLATE unheard", says: ["unheard"]),
        expression("load_extension(title)", says: ["load_extension()"]),
        expression("dice(title)", says: ["dice()", "must be pure"]),
        expression("longest(title)", says: ["aggregate", "longest"]),
    ]

    @Test(arguments: fields + indexes + tables + relations + expressions)
    func `the error says what is wrong and what there is, and the database is as before`(
        _ refused: RefusedDefinition
    ) throws {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("dice", argumentCount: 1, innocuous: true) { _ in 4 })
        try db.add(function: DatabaseFunction("longest", argumentCount: 1, pure: true, aggregate: Longest.self))
        try db.execute(sql: refused.schema)
        let before = try DatabaseDump.of(db)
        let error = #expect(throws: SearchIndexError.self) { try refused.install(db) }
        let description = error.map { "\($0)" } ?? ""
        for part in refused.says { #expect(description.contains(part), "\(description)") }
        #expect(try DatabaseDump.of(db) == before)
        #expect(!db.isInsideTransaction)
    }

    @Test func `an index over a read-only connection is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder["reminders.sqlite"]
        do {
            let db = try Database(path: path)
            try db.execute(sql: RemindersFixture.schema)
        }
        var configuration = Configuration()
        configuration.readonly = true
        let db = try Database(path: path, configuration: configuration)
        #expect(throws: SearchIndexError.readOnly(index: "reminderTexts")) { try db.install(RemindersFixture.index) }
    }

    @Test func `an error inside a transaction leaves the transaction as it was`() throws {
        let db = try RemindersFixture.database()
        try db.inTransaction {
            try db.execute("UPDATE reminders SET title = 'Shopping' WHERE id = 1")
            #expect(throws: SearchIndexError.self) {
                try db.install(SearchIndex("texts", in: "reminders") { Field("nothing") })
            }
            return .commit
        }
        #expect(try String.fetchOne(db, sql: "SELECT title FROM reminders WHERE id = 1") == "Shopping")
        #expect(try !db.tableExists("texts"))
    }

    struct Place: Codable, Sendable {
        struct Address: Codable, Sendable { var city: String }
        var id: Int64
        var address: Address
        var title: String { address.city }
    }

    @Test func `a key path without a column is an error of the field`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE places(id INTEGER PRIMARY KEY, address TEXT)")
        for keyPath in [\Place.address.city, \Place.title] {
            let index = SearchIndex("texts", of: Place.self, in: "places") { Field(keyPath) }
            let error = #expect(throws: SearchIndexError.self) { try db.install(index) }
            guard case .invalidField(_, index: "texts", let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("Place"))
        }
    }
}
