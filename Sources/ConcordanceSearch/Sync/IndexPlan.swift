import ConcordanceSQLite

/// A full-text table with all that belongs to it, as it has to be in a database.
struct IndexPlan: Sendable {
    let schema: IndexSchema
    let names: IndexNames
    /// The full-text table.
    let table: SchemaObject
    /// The source, the tables of changes and of rows about to be replaced, the triggers; in the order in which they are
    /// created.
    let followers: [SchemaObject]

    /// - Throws: `SearchIndexError` where the triggers cannot be made.
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

    /// What merges the segments of the full-text table; nil where its engine sees to that by itself.
    func merging(in db: Database) -> IndexMerging? {
        schema.definition.engine == .fts5 ? nil : IndexMerging(plan: self, db: db)
    }

    /// Creates everything; the full-text table is empty, and about to be filled.
    func create(in db: Database) throws {
        try db.execute(sql: table.sql)
        try setRanking(in: db)
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

    private var ranking: String { schema.definition.rankFunction }

    /// Whether the full-text table computes `rank` as the definition says. The table itself is asked: SQL by hand can change
    /// it.
    func isRanked(in db: Database) throws -> Bool {
        try schema.definition.engine.rankFunction(of: names.table, in: db) == ranking
    }

    /// Has the full-text table compute `rank` as the definition says.
    func setRanking(in db: Database) throws {
        let name = names.table.quotedDatabaseIdentifier
        try db.execute(sql: "INSERT INTO \(name)(\(name), rank) VALUES ('rank', ?)", arguments: [ranking])
    }

    /// Makes the entry of a row anew from the source.
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
