import Foundation

/// What the database remembers of a full-text table: a row of `concordance_indexes`.
struct IndexRecord: Sendable {
    enum State: String, Sendable {
        /// Rows are being put in.
        case filling
        /// Triggers were away for a while, so entries are being compared with their rows.
        case checking
        case ready
        /// Another table has taken its place; it is being dropped.
        case retired
    }

    /// The full-text table.
    var table: String
    /// What its content depends on.
    var fingerprint: String
    /// What computes its rank.
    var ranking: String
    /// What belongs to it, as it was created.
    var objects: [SchemaObject]
    var state: State
    /// Where filling or checking goes on: the first rowid that was not reached; nil for the beginning.
    var position: Int64?
    /// How many rows are done.
    var rowsDone: Int

    private static let createTable = """
        CREATE TABLE IF NOT EXISTS main.concordance_indexes(
          name TEXT PRIMARY KEY,
          fingerprint TEXT NOT NULL,
          ranking TEXT NOT NULL,
          objects TEXT NOT NULL,
          state TEXT NOT NULL,
          position INTEGER,
          rowsDone INTEGER NOT NULL
        ) WITHOUT ROWID
        """

    /// The record of a full-text table; nil where there is none.
    static func fetch(_ table: String, in db: Database) throws -> IndexRecord? {
        guard try db.tableExists("concordance_indexes", in: "main") else { return nil }
        let row = try Row.fetchOne(
            db, literal: "SELECT * FROM main.concordance_indexes WHERE name = \(table) COLLATE NOCASE")
        guard let row else { return nil }
        let objects: String = row["objects"] ?? ""
        return IndexRecord(
            table: row["name"] ?? table, fingerprint: row["fingerprint"] ?? "", ranking: row["ranking"] ?? "",
            // What is not readable is taken for an index of which nothing is known, and so made anew.
            objects: (try? JSONDecoder().decode([SchemaObject].self, from: Data(objects.utf8))) ?? [],
            state: row["state"].flatMap(State.init(rawValue:)) ?? .checking, position: row["position"],
            rowsDone: row["rowsDone"] ?? 0)
    }

    /// Writes the record, in place of the one that there is.
    func save(in db: Database) throws {
        try db.execute(sql: Self.createTable)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(objects), as: UTF8.self)
        try db.execute(
            literal: """
                INSERT INTO main.concordance_indexes VALUES (\(table), \(fingerprint), \(ranking), \(json),
                  \(state.rawValue), \(position), \(rowsDone))
                ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, ranking = excluded.ranking,
                  objects = excluded.objects, state = excluded.state, position = excluded.position,
                  rowsDone = excluded.rowsDone
                """)
    }

    /// Writes how far the work has come.
    func savePosition(in db: Database) throws {
        try db.execute(
            literal: """
                UPDATE main.concordance_indexes
                SET state = \(state.rawValue), position = \(position), rowsDone = \(rowsDone) WHERE name = \(table)
                """)
    }

    /// Has the next `install` build the index anew, whatever it holds.
    static func invalidate(_ table: String, in db: Database) throws {
        guard try db.tableExists("concordance_indexes", in: "main") else { return }
        try db.execute(
            literal: "UPDATE main.concordance_indexes SET fingerprint = '' WHERE name = \(table) COLLATE NOCASE")
    }

    /// Drops what follows the tables, and leaves the full-text table.
    func removeFollowers(in db: Database) throws {
        for object in objects.reversed() where object.name != table { try db.execute(sql: object.dropSQL) }
    }

    /// Drops all that belongs to the full-text table, and the record; the table of records with the last of them.
    func removeAll(in db: Database) throws {
        for object in objects.reversed() { try db.execute(sql: object.dropSQL) }
        try delete(in: db)
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM main.concordance_indexes") == 0 {
            try db.execute(sql: "DROP TABLE main.concordance_indexes")
        }
    }

    /// Deletes the record alone.
    func delete(in db: Database) throws {
        try db.execute(literal: "DELETE FROM main.concordance_indexes WHERE name = \(table)")
    }

    /// The names of those objects that are gone from the database or were changed.
    static func altered(_ objects: [SchemaObject], in db: Database) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: "SELECT sql FROM main.sqlite_schema WHERE type = ? AND name = ?")
        return try objects.filter { object in
            try statement.setArguments([object.kind.rawValue, object.name])
            var found: String?
            try statement.forEachRow { found = $0.string(at: 0) }
            return found != object.sql
        }.map(\.name)
    }
}
