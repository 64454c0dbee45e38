import ConcordanceGRDB
import Foundation
import GRDB
import Testing

/// What an app's files that use GRDB contain: none of GRDB's names is ambiguous beside ConcordanceGRDB.
@Suite struct `Both libraries in one file` {
    struct Player: Codable, FetchableRecord, PersistableRecord, Identifiable {
        enum Kind: String, Codable, DatabaseValueConvertible { case human, machine }

        var id: UUID
        var name: String
        var score: Int?
        var kind: Kind

        static let databaseTableName = "player"
        enum Columns { static let score = Column(CodingKeys.score) }
    }

    struct Plain: FetchableRecord {
        let name: String
        init(row: Row) throws { name = row["name"] }
    }

    final class Observer: TransactionObserver {
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    @Test func `keep their names`() throws {
        var configuration = Configuration()
        configuration.prepareSearch()
        configuration.prepareDatabase { db in
            db.add(
                function: DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
                    Int64.fromDatabaseValue(values[0]).map { $0 * 2 }
                })
            db.add(collation: DatabaseCollation("backwards") { $1.compare($0) })
        }
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { db in
            try db.create(table: Player.databaseTableName) { table in
                table.primaryKey("id", .blob)
                table.column("name", .text).notNull().collate(.localizedCaseInsensitiveCompare)
                table.column("score", .integer)
                table.column("kind", .text)
            }
            try db.create(virtualTable: "text", using: FTS5()) { table in
                table.tokenizer = .porter(wrapping: .unicode61())
                table.column("body")
            }
            try Player(id: UUID(), name: "Ann", score: 3, kind: .human).insert(db)
            try db.execute(sql: "INSERT INTO text VALUES (?)", arguments: ["some words"])
            try db.execute(literal: "INSERT INTO text VALUES (\("more words"))")
        }
        let observer = Observer()
        queue.add(transactionObserver: observer)
        try queue.read { db in
            #expect("a".databaseValue == DatabaseValue(value: "a"))
            #expect(1.databaseValue.storage.value as? Int64 == 1)
            #expect("a".quotedDatabaseIdentifier == "\"a\"")
            #expect(DatabaseValue.null.isNull)
            #expect(Date(timeIntervalSince1970: 0).databaseValue != .null)
            #expect(try Int.fetchOne(db, sql: "SELECT twice(2)") == 4)
            #expect(try String.fetchAll(db, sql: "SELECT name FROM player") == ["Ann"])
            #expect(try Row.fetchOne(db, sql: "SELECT 1 AS a")?["a"] == 1)
            #expect(try Player.filter { $0.score > 1 }.fetchCount(db) == 1)
            #expect(try Player.select(max(Column("score"))).asRequest(of: Int.self).fetchOne(db) == 3)
            #expect(try Plain.fetchOne(db, sql: "SELECT * FROM player")?.name == "Ann")
            let pattern = FTS5Pattern(matchingAllPrefixesIn: "wor")
            let count = "SELECT count(*) FROM text WHERE text MATCH ?"
            #expect(try Int.fetchOne(db, sql: count, arguments: [pattern]) == 2)
            let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \("Ann")"
            #expect(try request.fetchOne(db)?.kind == .human)
            let statement: Statement = try db.makeStatement(sql: "SELECT ?")
            let arguments: StatementArguments = [1]
            #expect(try Int.fetchOne(statement, arguments: arguments) == 1)
            #expect(try db.columns(in: "player").map(\.name).first == "id")
            #expect(try db.primaryKey("player").columns == ["id"])
        }
        #expect(throws: DatabaseError.self) { try queue.read { try $0.execute(sql: "nonsense") } }
    }
}
