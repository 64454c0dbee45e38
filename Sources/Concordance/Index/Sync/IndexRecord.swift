import Foundation

/// What the database remembers of a full-text table: a row of `concordance_indexes`.
struct IndexRecord: Sendable {
    enum State: String, Sendable {
        /// Rows are being put in.
        case filling
        /// Triggers were away for a while, so entries are being compared with their rows.
        case checking
        /// All rows are there; what the engine has written of them is being merged.
        case merging
        case ready
        /// Another table has taken its place; it is being dropped.
        case retired
    }

    /// The full-text table.
    var table: String
    /// What its content depends on.
    var fingerprint: String
    /// What belongs to it, as it was created. Each step of a job fetches the record, and few of them ask for this.
    var objects: [SchemaObject] {
        // What is not readable is taken for an index of which nothing is known, and so made anew.
        get { (try? JSONDecoder().decode([SchemaObject].self, from: Data(objectsText.utf8))) ?? [] }
        set { objectsText = Self.text(of: newValue) }
    }
    /// `objects` in JSON.
    private var objectsText: String
    var state: State
    /// Where filling or checking goes on: the first rowid that was not reached; nil for the beginning.
    var position: Int64?
    /// How many rows are done.
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

    private init(_ row: Row, table: String) {
        self.table = row["name"] ?? table
        fingerprint = row["fingerprint"] ?? ""
        objectsText = row["objects"] ?? ""
        state = row["state"].flatMap(State.init(rawValue:)) ?? .checking
        position = row["position"]
        // Counted up from here; a number that somebody has put there must leave room.
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

    /// The record of a full-text table; nil where there is none.
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

    /// Writes the record, in place of the one that there is.
    func save(in db: Database) throws {
        try db.execute(sql: Self.createTable)
        try db.execute(
            literal: """
                INSERT INTO main.concordance_indexes VALUES (\(table), \(fingerprint), \(objectsText),
                  \(state.rawValue), \(position), \(rowsDone))
                ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint,
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

    /// That of no definition.
    static let invalidFingerprint = ""

    /// Has the next `install` build the index anew, whatever it holds.
    static func invalidate(_ table: String, in db: Database) throws {
        guard try db.tableExists("concordance_indexes", in: "main") else { return }
        try db.execute(
            literal: """
                UPDATE main.concordance_indexes SET fingerprint = \(invalidFingerprint)
                WHERE name = \(table) COLLATE NOCASE
                """)
    }

    /// Drops what follows the tables, and leaves the full-text table.
    ///
    /// What that is, the schema says: by the record, which anybody may have edited, a table of the app might go.
    ///
    /// - Parameter keepingTexts: Whether the view stays from which the full-text table reads the texts of its rows; where
    ///   it cannot be read any more, one without rows takes its place.
    func removeFollowers(in db: Database, keepingTexts: Bool = false) throws {
        let names = IndexNames(table: table)
        let keepsView = try keepingTexts && keepTexts(names, in: db)
        let followers = try Row.fetchAll(
            db,
            literal: """
                SELECT type, name FROM main.sqlite_schema
                WHERE type IN ('table', 'view') AND name COLLATE NOCASE IN (\(names.view), \(names.pending))
                  OR type = 'trigger' AND substr(name, 1, length(\(table)) + 1) = \(table + "_") COLLATE NOCASE
                    AND instr(sql, 'Generated by Concordance for the search index')
                ORDER BY type = 'table', type = 'view'
                """)
        // Another index may begin with the same name.
        let triggers = Set(objects.filter { $0.kind == .trigger }.map(\.name))
        for row in followers {
            guard let kind = row["type"].flatMap(SchemaObject.Kind.init(rawValue:)) else { continue }
            let name: String = row["name"] ?? ""
            if kind == .view && keepsView { continue }
            if kind == .trigger && !triggers.isEmpty && !triggers.contains(name) { continue }
            try db.execute(sql: SchemaObject(kind: kind, name: name, sql: "").dropSQL)
        }
    }

    /// Whether the full-text table reads its texts from the view, which then can be read.
    private func keepTexts(_ names: IndexNames, in db: Database) throws -> Bool {
        guard try Self.fullTextTable(table, in: db)?.contains("source=1") == true else { return false }
        let view = names.view.quotedDatabaseIdentifier
        let fields = try db.columns(in: table, schema: "main").filter { $0.kind == .ordinary }
            .map(\.name.quotedDatabaseIdentifier)
        let columns = ([IndexSchema.viewRowID] + fields).joined(separator: ", ")
        do {
            _ = try db.makeStatement(sql: "SELECT \(columns) FROM main.\(view)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            let values = Array(repeating: "NULL", count: fields.count + 1).joined(separator: ", ")
            try db.execute(sql: "DROP VIEW IF EXISTS main.\(view)")
            try db.execute(sql: "CREATE VIEW \(view)(\(columns)) AS SELECT \(values) WHERE 0")
        }
        return true
    }

    /// Drops all that belongs to the full-text table, and the record; the table of records with the last of them.
    ///
    /// What has the name of the full-text table and is none stays.
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

    private func drop(in db: Database) throws { try db.execute(literal: "DROP TABLE main.\(identifier: table)") }

    /// The SQL of a full-text table; nil where there is none of that name.
    static func fullTextTable(_ table: String, in db: Database) throws -> String? {
        try String.fetchOne(
            db,
            literal: """
                SELECT sql FROM main.sqlite_schema
                WHERE type = 'table' AND name = \(table) COLLATE NOCASE AND sql LIKE 'CREATE VIRTUAL TABLE%'
                """)
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

extension DatabaseError {
    /// Whether a full-text table may refuse like this because tables that its engine keeps for it are gone or damaged.
    var isOfDamagedTable: Bool { resultCode == .SQLITE_ERROR || resultCode == .SQLITE_CORRUPT }
}
