import ConcordanceSQLite
import Foundation

/// The state of a full-text table, stored in a row of `concordance_indexes`.
struct IndexRecord: Sendable {
    enum State: String, Sendable {
        /// Rows are being inserted.
        case filling
        /// Triggers were missing for a while, so entries are being compared with their rows.
        case checking
        /// All rows are there, and the engine's segments are being merged.
        case merging
        case ready
        /// Another table has taken its place; it is being dropped.
        case retired
    }

    /// The full-text table.
    var table: String
    /// What its content depends on.
    var fingerprint: String
    /// The objects that belong to it, as they were created. Decoded at their first use, since each step of a job
    /// fetches the record and few of them need this.
    var objects: [SchemaObject] {
        // If this cannot be read, nothing is known about the index, and it is built again.
        get { (try? JSONDecoder().decode([SchemaObject].self, from: Data(objectsText.utf8))) ?? [] }
        set { objectsText = Self.text(of: newValue) }
    }
    /// `objects` in JSON.
    private var objectsText: String
    var state: State
    /// The rowid from which filling or checking continues; nil for the beginning.
    var position: Int64?
    /// The number of rows done.
    var rowsDone: Int

    init(
        table: String, fingerprint: String, objects: [SchemaObject], state: State, position: Int64?, rowsDone: Int
    ) {
        self.table = table
        self.fingerprint = fingerprint
        objectsText = Self.text(of: objects)
        self.state = state
        self.position = position
        self.rowsDone = rowsDone
    }

    /// The indexed table; nil if the record does not say.
    var source: String? { IndexSchema.source(of: fingerprint) }

    private init(_ row: Row, table: String) {
        self.table = row["name"] ?? table
        fingerprint = row["fingerprint"] ?? ""
        objectsText = row["objects"] ?? ""
        state = row["state"].flatMap(State.init(rawValue:)) ?? .checking
        position = row["position"]
        // The number grows from here, so a forged one must leave room.
        rowsDone = min(max(row["rowsDone"] ?? 0, 0), Int.max / 2)
    }

    private static func text(of objects: [SchemaObject]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(objects)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    private static let createTable = """
        CREATE TABLE IF NOT EXISTS main.concordance_indexes(
          name TEXT PRIMARY KEY,
          fingerprint TEXT NOT NULL,
          objects TEXT NOT NULL,
          state TEXT NOT NULL,
          position INTEGER,
          rowsDone INTEGER NOT NULL
        ) WITHOUT ROWID
        """

    /// The record of a full-text table; nil if there is none.
    static func fetch(_ table: String, in db: Database) throws -> IndexRecord? {
        guard try db.tableExists("concordance_indexes", in: "main") else { return nil }
        let row: Row?
        do {
            row = try Row.fetchOne(
                db, literal: "SELECT * FROM main.concordance_indexes WHERE name = \(table) COLLATE NOCASE")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw SearchIndexError.nameTaken("concordance_indexes", index: table)
        }
        return row.map { IndexRecord($0, table: table) }
    }

    /// Writes the record, replacing the present one.
    func save(in db: Database) throws {
        try db.execute(sql: Self.createTable)
        try db.execute(
            """
            INSERT INTO main.concordance_indexes VALUES (\(table), \(fingerprint), \(objectsText),
              \(state.rawValue), \(position), \(rowsDone))
            ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint,
              objects = excluded.objects, state = excluded.state, position = excluded.position,
              rowsDone = excluded.rowsDone
            """)
    }

    /// Writes the progress of the work.
    func savePosition(in db: Database) throws {
        try db.execute(
            """
            UPDATE main.concordance_indexes
            SET state = \(state.rawValue), position = \(position), rowsDone = \(rowsDone) WHERE name = \(table)
            """)
    }

    /// A fingerprint that no definition has.
    static let invalidFingerprint = ""

    /// Makes the next `install` rebuild the index.
    static func invalidate(_ table: String, in db: Database) throws {
        guard try db.tableExists("concordance_indexes", in: "main") else { return }
        try db.execute(
            """
            UPDATE main.concordance_indexes SET fingerprint = \(invalidFingerprint)
            WHERE name = \(table) COLLATE NOCASE
            """)
    }

    /// Drops the triggers and whatever else follows the tables, but not the full-text table.
    ///
    /// The objects are read from the schema, not from the record, which anybody may have edited: a table of the app
    /// might be dropped.
    ///
    /// - Parameter keepingTexts: Whether to keep the source from which the full-text table reads the texts of its rows.
    ///   If it can no longer be read, one without rows replaces it.
    func removeFollowers(in db: Database, keepingTexts: Bool = false) throws {
        let names = IndexNames(table: table)
        let keepsSource = try keepingTexts && canReadSource(names, in: db)
        let followers = try Row.fetchAll(
            db,
            literal: """
                SELECT type, name FROM main.sqlite_schema
                WHERE type IN ('table', 'view')
                    AND name COLLATE NOCASE IN (\(names.source), \(names.changes), \(names.pending))
                  OR type = 'trigger' AND substr(name, 1, length(\(table)) + 1) = \(table + "_") COLLATE NOCASE
                    AND instr(lower(sql), lower(\(names.triggerMark)))
                ORDER BY type <> 'trigger'
                """)
        // Those of the table that is being built have the same mark, and names that begin like these.
        let triggers = Set(objects.filter { $0.kind == .trigger }.map(\.name))
        for row in followers {
            guard let kind = row["type"].flatMap(SchemaObject.Kind.init(rawValue:)) else { continue }
            let name: String = row["name"] ?? ""
            if keepsSource && name.equalsIgnoringASCIICase(names.source) { continue }
            if kind == .trigger && !triggers.isEmpty && !triggers.contains(name) { continue }
            try db.execute(sql: SchemaObject(kind: kind, name: name, sql: "").dropSQL)
        }
        if keepingTexts && !keepsSource { try createEmptySource(names, in: db) }
    }

    private func canReadSource(_ names: IndexNames, in db: Database) throws -> Bool {
        do {
            _ = try Row.fetchOne(db, literal: "SELECT * FROM main.\(identifier: names.source) WHERE rowid = 0")
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return false
        }
    }

    private func createEmptySource(_ names: IndexNames, in db: Database) throws {
        guard try Self.fullTextTable(table, in: db)?.contains("source=1") == true else { return }
        let fields = try db.columns(in: table, schema: "main").filter { $0.kind == .ordinary }.map(\.name)
        let values = Array(repeating: "NULL", count: fields.count + 1).joined(separator: ", ")
        try db.execute(
            sql: IndexSchema.createSourceSQL(name: names.source, columns: fields, query: "SELECT \(values) WHERE 0"))
    }

    /// Drops everything that belongs to the full-text table, and the record; with the last record, the table of
    /// records.
    ///
    /// Another kind of object with the name of the full-text table stays.
    func removeAll(in db: Database) throws {
        try removeFollowers(in: db)
        if try Self.fullTextTable(table, in: db) != nil {
            do {
                try drop(in: db)
            } catch let error as DatabaseError where error.isOfDamagedTable {
                try SearchEngine.keeping(table, in: db)?.empty(table, in: db)
                try drop(in: db)
            }
        }
        try delete(in: db)
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM main.concordance_indexes") == 0 {
            try db.execute(sql: "DROP TABLE main.concordance_indexes")
        }
    }

    private func drop(in db: Database) throws { try db.execute("DROP TABLE main.\(identifier: table)") }

    /// The SQL of a full-text table; nil if there is none with this name.
    static func fullTextTable(_ table: String, in db: Database) throws -> String? {
        try String.fetchOne(
            db,
            literal: """
                SELECT sql FROM main.sqlite_schema
                WHERE type = 'table' AND name = \(table) COLLATE NOCASE AND sql LIKE 'CREATE VIRTUAL TABLE%'
                """)
    }

    /// Deletes only the record.
    func delete(in db: Database) throws {
        try db.execute("DELETE FROM main.concordance_indexes WHERE name = \(table)")
    }

    /// The names of the objects that are missing from the database or have been changed.
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

extension DatabaseError {
    /// Whether a full-text table may fail like this because its shadow tables are missing or damaged.
    var isOfDamagedTable: Bool { resultCode == .SQLITE_ERROR || resultCode == .SQLITE_CORRUPT }
}
