import ConcordanceSQLite
import ConcordanceText

/// What searches need to know about the schema, looked up once for each connection and state of its schema.
final class SearchedTables {
    private var version: Int64?
    private var tables: [String: TableSchema] = [:]
    private var existing: Set<String> = []
    private var engines: [String: SearchEngine] = [:]
    private var followed: Set<String> = []
    private var fields: [String: Set<String>] = [:]
    private var storedFields: [String: StoredFields] = [:]

    /// What is known about the present schema; valid during one transaction.
    static func current(_ db: Database) throws -> SearchedTables {
        let known = db.storage(of: SearchedTables.self) { SearchedTables() }
        var version: Int64?
        try db.cachedStatement(sql: "PRAGMA main.schema_version").forEachRow { version = $0.int64(at: 0) }
        // A write transaction may change the schema and be rolled back, and another change may then get the same
        // version.
        let isWriting = db.isWriting
        if known.version != version || isWriting {
            known.tables = [:]
            known.existing = []
            known.engines = [:]
            known.followed = []
            known.fields = [:]
            known.storedFields = [:]
            known.version = isWriting ? nil : version
        }
        return known
    }

    /// The table of an index.
    ///
    /// - Throws: `SearchIndexError.noSuchTable`; `unsupportedTable` if its rows have no rowid.
    func table(of definition: IndexDefinition, in db: Database) throws -> (name: String, rowID: String) {
        let schema = try schema(of: definition, in: db)
        guard let rowID = schema.rowID else {
            throw SearchIndexError.unsupportedTable(
                schema.name, index: definition.name, reason: "its rows have no rowid; create it as an ordinary table")
        }
        return (schema.name, rowID)
    }

    /// The table of an index, with its columns.
    func schema(of definition: IndexDefinition, in db: Database) throws -> TableSchema {
        if let table = tables[definition.table] { return table }
        let table = try TableSchema(definition.table, for: definition.name, isSearched: true, in: db)
        tables[definition.table] = table
        return table
    }

    /// Whether a table with that name exists.
    func exists(_ table: String, in db: Database) throws -> Bool {
        if existing.contains(table) { return true }
        guard try db.tableExists(table, in: "main") else { return false }
        existing.insert(table)
        return true
    }

    /// Whether the triggers of an installed index, and everything else that belongs to it, are unchanged, and nothing
    /// is left to do from a time when they were not. (While an index is being filled, `install` takes care of it.)
    func isFollowed(_ name: String, in db: Database) throws -> Bool {
        if followed.contains(name) { return true }
        var known: IndexRecord?
        do {
            known = try IndexRecord.fetch(name, in: db)
        } catch is SearchIndexError {
            // A table with that name belongs to something else, and says nothing about the index.
        }
        guard let record = known else { return true }
        let isFollowed =
            try record.state == .filling || record.state == .retired
            || record.state == .ready && IndexRecord.altered(record.objects, in: db).isEmpty
        // Remaining work ends without a change of the schema, and so does filling.
        if record.state == .ready, isFollowed { followed.insert(name) }
        return isFollowed
    }

    /// Whether the installed index has the fields of a definition. An index that lacks some has an earlier definition,
    /// until it is rebuilt.
    func hasFields(of definition: IndexDefinition, in db: Database) throws -> Bool {
        let known =
            try fields[definition.name]
            ?? Set(db.columns(in: definition.name, schema: "main").map(\.name.lowercasedASCII))
        fields[definition.name] = known
        return definition.fields.allSatisfy { known.contains($0.name.lowercasedASCII) }
    }

    /// The values of a definition that the installed index stores.
    func storedFields(of definition: IndexDefinition, in db: Database) throws -> StoredFields {
        // Two versions of an app may use one name for two definitions.
        let key = definition.fields.reduce(definition.name) { $1.isValue ? "\($0)\0\($1.name)\0\($1.source)" : $0 }
        if let known = storedFields[key] { return known }
        let fields = try StoredFields(definition, of: schema(of: definition, in: db), in: db)
        storedFields[key] = fields
        return fields
    }

    /// The engine of the installed index, which differs from the definition's until the index has been rebuilt.
    func engine(of definition: IndexDefinition, in db: Database) throws -> SearchEngine {
        if let engine = engines[definition.name] { return engine }
        let engine = try SearchEngine.keeping(definition.name, in: db) ?? definition.engine
        engines[definition.name] = engine
        return engine
    }
}

/// The tokenizers for the searches of a connection, taken from `TokenizerPool`.
final class AnalyzerMachines {
    private var machines: [(analyzer: Analyzer, tokenizer: any Tokenizer)] = []
    /// More than an app's indexes have fields.
    private static let limit = 32

    /// The tokenizers of a connection.
    static func of(_ db: Database) -> AnalyzerMachines { db.storage(of: AnalyzerMachines.self) { AnalyzerMachines() } }

    /// The tokenizer of an analyzer.
    func tokenizer(of analyzer: Analyzer) -> any Tokenizer {
        if let known = machines.first(where: { $0.analyzer == analyzer }) { return known.tokenizer }
        if machines.count == Self.limit { machines.removeFirst() }
        let tokenizer = TokenizerPool.shared.take(analyzer)
        machines.append((analyzer, tokenizer))
        return tokenizer
    }

    deinit {
        for (analyzer, tokenizer) in machines { TokenizerPool.shared.giveBack(tokenizer, of: analyzer) }
    }
}
