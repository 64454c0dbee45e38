import ConcordanceSQLite

extension IndexSchema {
    /// Checks that the connection can write.
    ///
    /// - Throws: `SearchIndexError.readOnly`
    func checkWritable(in db: Database) throws(SearchIndexError) {
        if db.isReadOnly { throw .readOnly(index: definition.name) }
    }
}

extension IndexPlan {
    /// Checks that no name is taken of what is about to be created, including the tables that the engine creates for a
    /// full-text table.
    ///
    /// - Throws: `SearchIndexError.nameTaken`
    func checkRoom(in db: Database) throws {
        let definition = schema.definition
        let shadowTables = definition.engine.shadowTableSuffixes.map { (name: names.table + $0, isTrigger: false) }
        for (name, isTrigger) in objects.map({ ($0.name, $0.kind == .trigger) }) + shadowTables {
            // Tables, views and indexes share one namespace; triggers have another.
            let isTaken = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                      SELECT 1 FROM main.sqlite_schema WHERE (type = 'trigger') = ? AND name = ? COLLATE NOCASE)
                    """, arguments: [isTrigger, name])
            if isTaken == true { throw SearchIndexError.nameTaken(name, index: definition.name) }
        }
    }
}
