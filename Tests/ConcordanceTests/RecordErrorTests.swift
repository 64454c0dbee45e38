import Concordance
import Foundation
import Testing

@Suite("Errors of records name what is wrong")
struct RecordErrorTests {
    struct Item: Codable, FetchableRecord, PersistableRecord {
        struct Size: Codable { var width: Int }
        var id: Int64
        var size: Size
        var when: Date
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let sql: String
        let message: String
        var testDescription: String { sql }
    }

    static let cases = [
        Case(
            sql: "SELECT 1 AS id",
            message:
                #"Item: column "size" is missing; expected Size; the row has id - while running: SELECT 1 AS id"#),
        Case(
            sql: "SELECT NULL AS id",
            message: #"Item: column "id" is NULL; expected Int64, or make the property optional - while running: "#
                + "SELECT NULL AS id"),
        Case(
            sql: "SELECT 'x' AS id",
            message: #"Item: column "id" holds text "x", which is not a valid Int64 - while running: SELECT 'x' AS id"#),
        Case(
            sql: "SELECT 1.5 AS id",
            message: #"Item: column "id" holds real 1.5, which is not a valid Int64 - while running: SELECT 1.5 AS id"#),
        Case(
            sql: "SELECT 1 AS id, 5 AS size",
            message:
                #"Item: column "size" holds integer 5, which is not a valid Size - while running: "#
                + "SELECT 1 AS id, 5 AS size"),
        Case(
            sql: "SELECT 1 AS id, '{}' AS size",
            message: #"Item: column "size" holds text "{}", which is not valid JSON for Size: no value for key "width""#
                + " - while running: SELECT 1 AS id, '{}' AS size"),
        Case(
            sql: #"SELECT 1 AS id, '{"width":1}' AS size, '2024-02-30' AS "when""#,
            message: #"Item: column "when" holds text "2024-02-30", which is not a valid Date - while running: "#
                + #"SELECT 1 AS id, '{"width":1}' AS size, '2024-02-30' AS "when""#),
    ]

    @Test(arguments: cases)
    func decoding(_ test: Case) throws {
        let db = try Database(path: ":memory:")
        let error = #expect(throws: RowDecodingError.self) { try Item.fetchAll(db, sql: test.sql) }
        #expect(error?.description == test.message)
    }

    @Test func hugeValuesAreCutInMessages() throws {
        let db = try Database(path: ":memory:")
        let error = #expect(throws: RowDecodingError.self) {
            try Item.fetchAll(db, sql: "SELECT ? AS id", arguments: [String(repeating: "x", count: 100_000)])
        }
        #expect((error?.description.count ?? .max) < 300)
    }

    @Test func writingWithoutRowOrKey() throws {
        let db = try makeLibrary()
        try db.execute(sql: "CREATE VIEW names AS SELECT name FROM authors; CREATE TABLE keyless (name TEXT)")
        struct Named: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "names"
            var name: String
        }
        struct Keyless: Codable, PersistableRecord { var name: String }
        func error(_ body: () throws -> Void) -> RecordError? { #expect(throws: RecordError.self) { try body() } }

        #expect(
            error { try Author(id: 3, name: "x").update(db) }
                == .recordNotFound(table: "authors", key: ["id": .int64(3)]))
        #expect(
            error { try Author(name: "x").update(db) } == .nullKey(record: "Author", table: "authors", columns: ["id"]))
        #expect(
            error { try Author(name: "x").delete(db) } == .nullKey(record: "Author", table: "authors", columns: ["id"]))
        #expect(
            error { try Author(id: 1, name: "x").update(db, columns: ["nam"]) }
                == .noSuchColumn(record: "Author", table: "authors", column: "nam", written: ["id", "name", "born"]))
        #expect(error { try Named(name: "x").update(db) } == .noPrimaryKey(table: "names"))
        #expect(error { _ = try Named.fetchOne(db, key: 1) } == .noPrimaryKey(table: "names"))
        #expect(
            error { try Keyless(name: "x").delete(db) }
                == .missingKeyColumn(record: "Keyless", table: "keyless", column: "rowid"))
        #expect(
            error { _ = try Author.fetchOne(db, key: ["born": 1]) }
                == .keyMismatch(table: "authors", given: ["born"], primaryKey: ["id"]))
        #expect(error { _ = try Author.find(db, key: 4) } == .recordNotFound(table: "authors", key: ["id": .int64(4)]))
        #expect(throws: DatabaseError.self) { try Author.fetchAll(Database(path: ":memory:")) }
        #expect(throws: DatabaseError.self) { try Author(id: 1, name: "x").update(Database(path: ":memory:")) }
    }

    @Test func valuesThatSQLiteWouldLose() throws {
        struct Reading: Codable, PersistableRecord {
            var value: Double?
            var count: UInt64 = 0
            var nested: Float?
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE reading (value REAL, count INT, nested REAL)")
        #expect(throws: RecordError.notANumber(record: "Reading", column: "value")) {
            try Reading(value: .nan).insert(db)
        }
        #expect(throws: RecordError.notANumber(record: "Reading", column: "nested")) {
            try Reading(nested: .nan).insert(db)
        }
        #expect(throws: DatabaseError.self) { try Reading(count: .max).insert(db) }
        try Reading(value: .infinity, count: UInt64(Int64.max), nested: -.infinity).insert(db)
        #expect(try Row.fetchAll(db, sql: "SELECT * FROM reading").count == 1)
    }

    @Test func encodingsWithoutAPlaceInARow() throws {
        struct Nesting: Encodable, PersistableRecord {
            enum Key: CodingKey { case a }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try nested.encode(1, forKey: .a)
            }
        }
        struct Listing: Encodable, PersistableRecord {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(1)
            }
        }
        let db = try Database(path: ":memory:")
        #expect(throws: RecordError.unsupportedEncoding(record: "Nesting", what: "a nested container a")) {
            try Nesting().insert(db)
        }
        #expect(throws: RecordError.unsupportedEncoding(record: "Listing", what: "a list")) { try Listing().insert(db) }
    }
}
