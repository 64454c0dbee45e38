/// The indexed table as searches need it: looked up once for each connection and state of its schema.
final class SearchedTables {
    private var version: Int64?
    private var tables: [String: TableSchema] = [:]

    /// The table of an index.
    ///
    /// - Throws: `SearchIndexError.noSuchTable`; `unsupportedTable` where its rows have no rowid.
    static func table(of definition: IndexDefinition, in db: Database) throws -> (name: String, rowID: String) {
        let schema = try schema(of: definition, in: db)
        guard let rowID = schema.rowID else {
            throw SearchIndexError.unsupportedTable(
                schema.name, index: definition.name, reason: "its rows have no rowid; create it as an ordinary table")
        }
        return (schema.name, rowID)
    }

    /// The table of an index, with its columns.
    static func schema(of definition: IndexDefinition, in db: Database) throws -> TableSchema {
        let known = db.storage(of: SearchedTables.self) { SearchedTables() }
        let version = try Int64.fetchOne(db, sql: "PRAGMA main.schema_version")
        if known.version != version {
            known.tables = [:]
            known.version = version
        }
        if let table = known.tables[definition.table] { return table }
        let table = try TableSchema(definition.table, for: definition.name, in: db)
        known.tables[definition.table] = table
        return table
    }
}
