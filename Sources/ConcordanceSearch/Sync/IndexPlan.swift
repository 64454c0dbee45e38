import ConcordanceSQLite

/// A full-text table and everything that belongs to it, as they should be in a database.
struct IndexPlan: Sendable {
    let schema: IndexSchema
    let names: IndexNames
    /// The full-text table.
    let table: SchemaObject
    /// The source, the tables of changes and of rows about to be replaced, the triggers; in the order in which they are
    /// created.
    let followers: [SchemaObject]

    /// - Throws: `SearchIndexError` if the triggers cannot be created.
    init(_ schema: IndexSchema, names: IndexNames, in db: Database) throws {
        self.schema = schema
        self.names = names
        table = SchemaObject(kind: .table, name: names.table, sql: schema.createTableSQL(name: names.table))
        let triggers = try IndexTriggers(schema, names: names, in: db)
        let source = SchemaObject(
            kind: .table, name: names.source,
            sql: schema.createSourceSQL(name: names.source, waysBack: triggers.waysBack))
        followers = [source, triggers.changesTable, triggers.pendingTable] + triggers.triggers
    }

    var objects: [SchemaObject] { [table] + followers }

    /// The columns of the full-text table and of its source.
    var columns: String { names.columns(of: schema.definition) }

    /// Whether the full-text table reads the texts of its rows from the source.
    var readsTexts: Bool { schema.definition.engine.readsTexts(of: schema.definition) }

    /// Merges the segments of the full-text table; nil if its engine does that by itself.
    func merging(in db: Database) -> IndexMerging? {
        schema.definition.engine == .fts5 ? nil : IndexMerging(plan: self, db: db)
    }

    /// Creates everything; the full-text table is empty, and about to be filled.
    func create(in db: Database) throws {
        try db.execute(sql: table.sql)
        try applySettings(in: db)
        try merging(in: db)?.begin()
        try createFollowers(in: db)
    }

    func createFollowers(in db: Database) throws {
        for object in followers { try db.execute(sql: object.sql) }
        try IndexChanges.follow(names.table, in: db)
    }

    func record(_ state: IndexRecord.State) -> IndexRecord {
        IndexRecord(
            table: names.table, fingerprint: schema.fingerprint, objects: objects, state: state,
            position: nil, rowsDone: 0)
    }

    /// The definition's settings for ranking and removing rows; changing them does not require building the index
    /// again.
    private var settings: [(name: String, value: DatabaseValue, usual: DatabaseValue?)] {
        let definition = schema.definition
        return [
            ("rank", .text(definition.rankFunction), nil),
            ("secure-delete", .int64(definition.content.secureDelete ? 1 : 0), .int64(0)),
        ]
    }

    /// Whether the full-text table has the settings of the definition. The table itself is asked, since hand-written
    /// SQL can change them.
    func hasSettings(in db: Database) throws -> Bool {
        try settings.allSatisfy { name, value, usual in
            try schema.definition.engine.setting(name, of: names.table, in: db) ?? usual == value
        }
    }

    /// Gives the full-text table the settings of the definition, if they differ.
    func applySettings(in db: Database) throws {
        let table = names.table.quotedDatabaseIdentifier
        for (name, value, usual) in settings
        where try schema.definition.engine.setting(name, of: names.table, in: db) ?? usual != value {
            try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES (?, ?)", arguments: [name, value])
        }
    }

    /// Rebuilds the entry of a row from the source.
    func reindex(_ id: Int64, in db: Database) throws {
        let table = names.table.quotedDatabaseIdentifier
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE rowid = ?").execute(arguments: [id])
        try db.cachedStatement(
            sql: """
                INSERT INTO \(table)(\(columns))
                SELECT \(columns) FROM \(names.source.quotedDatabaseIdentifier) WHERE rowid = ?
                """
        ).execute(arguments: [id])
    }
}
