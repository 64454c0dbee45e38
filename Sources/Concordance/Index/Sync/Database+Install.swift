extension Database {
    /// Creates the index with everything that belongs to it and indexes the rows that there are; all or nothing.
    ///
    /// - Throws: `SearchIndexError` where the definition does not fit the database; `DatabaseError`.
    public func install<Record>(_ index: SearchIndex<Record>) throws {
        try ConcordanceSearch.enable(on: self)
        try inSavepoint {
            let schema = try IndexSchema(index.definition, in: self)
            if try tableExists(schema.table, in: "main") { return .commit }
            try execute(sql: schema.createTableSQL(name: schema.table))
            try execute(sql: schema.createViewSQL(name: schema.sourceView))
            try execute(sql: schema.createPendingTableSQL(name: schema.pendingTable))
            for sql in schema.sourceTriggersSQL { try execute(sql: sql) }
            try execute(sql: schema.indexRowsSQL(where: "1"))
            let weights = index.definition.fields.map { ($0.name, $0.weight) }
            let table = FTS5Table(schema.table, columns: index.definition.fields.map(\.name))
            try table.set(.rank(.bm25(Dictionary(weights) { first, _ in first })), in: self)
            return .commit
        }
    }
}

extension IndexSchema {
    /// Puts rows of the view into the full-text table.
    func indexRowsSQL(where condition: String) -> String {
        let columns = ([Self.viewRowID] + definition.fields.map(\.name.quotedDatabaseIdentifier)).joined(
            separator: ", ")
        return """
            INSERT INTO \(table.quotedDatabaseIdentifier)(\(columns)) \
            SELECT \(columns) FROM \(sourceView.quotedDatabaseIdentifier) WHERE \(condition);
            """
    }

    /// Triggers that follow inserts, deletes and updates of the source table.
    var sourceTriggersSQL: [String] {
        func trigger(_ event: String, _ body: String) -> String {
            let name = "\(table)_\(source)_\(event.lowercased())".quotedDatabaseIdentifier
            return "CREATE TRIGGER \(name) AFTER \(event) ON \(source.quotedDatabaseIdentifier) BEGIN \(body) END"
        }
        let row = rowID.quotedDatabaseIdentifier
        let delete = "DELETE FROM \(table.quotedDatabaseIdentifier) WHERE rowid = OLD.\(row);"
        let insert = indexRowsSQL(where: "rowid = NEW.\(row)")
        return [trigger("INSERT", insert), trigger("DELETE", delete), trigger("UPDATE", delete + " " + insert)]
    }
}
