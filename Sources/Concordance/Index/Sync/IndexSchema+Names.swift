extension IndexSchema {
    /// The full-text table.
    var table: String { definition.name }
    /// The view with what the full-text table must hold.
    var sourceView: String { definition.name + "_source" }

    /// Checks that the connection can write.
    ///
    /// - Throws: `SearchIndexError.readOnly`
    func checkWritable(in db: Database) throws(SearchIndexError) {
        if db.isReadOnly { throw .readOnly(index: definition.name) }
    }

    /// Checks that nothing has a name that a full-text table which is to be created needs, those included of the tables
    /// that the engine makes for it.
    ///
    /// - Throws: `SearchIndexError.nameTaken`
    func checkRoom(for names: IndexNames, in db: Database) throws {
        let shadowTables = definition.engine.shadowTableSuffixes.map { names.table + $0 }
        for name in [names.table, names.view, names.pending] + shadowTables {
            // Tables, views and indexes share their names; triggers have theirs.
            let isTaken = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type <> 'trigger' AND name = ? COLLATE NOCASE)
                    """, arguments: [name])
            if isTaken == true { throw SearchIndexError.nameTaken(name, index: definition.name) }
        }
    }
}
