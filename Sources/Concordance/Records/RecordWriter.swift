import ConcordanceSQLite
import ConcordanceText

/// Writes one record: its columns, encoded once, and the statements that they are bound to.
struct RecordWriter<Record: MutablePersistableRecord> {
    private let db: Database
    private let container: PersistenceContainer

    private var table: String { Record.databaseTableName }
    private var quotedTable: String { table.quotedDatabaseIdentifier }

    init(_ record: Record, _ db: Database) throws {
        self.db = db
        var container = PersistenceContainer()
        try record.encode(to: &container)
        if let failure = container.failure { throw failure }
        self.container = container
    }

    // MARK: Insert

    /// Nil if the row was ignored.
    func insert(_ conflictResolution: ConflictResolution?) throws -> InsertionSuccess? {
        let resolution = conflictResolution ?? Record.persistenceConflictPolicy.insert
        var statement = try statement(.insert(resolution)) { insertSQL(resolution) }
        try statement.bind(container.values)
        try statement.execute()
        return db.changesCount > 0 ? InsertionSuccess(rowID: db.lastInsertedRowID) : nil
    }

    func insertAndFetch<Fetched: FetchableRecord>(_ conflictResolution: ConflictResolution?) throws -> Fetched {
        let resolution = conflictResolution ?? Record.persistenceConflictPolicy.insert
        var statement = try statement(.insertReturning(resolution)) { insertSQL(resolution) + " RETURNING *" }
        try statement.bind(container.values)
        guard let fetched = try statement.fetchOne(Fetched.self) else {
            throw RecordError.recordNotFound(table: table, key: [:])
        }
        return fetched
    }

    /// Nil if the table has no rowid.
    func upsert(target: [String], updated: [String]?) throws -> InsertionSuccess? {
        let key = try db.recordKeyInfo(of: table)
        var statement = try statement(.upsert(target: target, updated: updated)) {
            try upsertSQL(target: target, updated: updated, key: key)
        }
        try statement.bind(container.values)
        return try statement.fetchOne(Int64.self).map(InsertionSuccess.init(rowID:))
    }

    private func insertSQL(_ resolution: ConflictResolution) -> String {
        let verb = resolution == .abort ? "INSERT" : "INSERT OR \(resolution.rawValue)"
        if container.columns.isEmpty { return "\(verb) INTO \(quotedTable) DEFAULT VALUES" }
        let marks = repeatElement("?", count: container.columns.count).joined(separator: ", ")
        return "\(verb) INTO \(quotedTable) (\(Self.list(container.columns))) VALUES (\(marks))"
    }

    private func upsertSQL(target: [String], updated: [String]?, key: PrimaryKeyInfo) throws -> String {
        let assigned = try updated.map(checked) ?? columns(except: key.columns + target)
        var assignments = assigned.map { column in
            let name = column.quotedDatabaseIdentifier
            return "\(name) = \"excluded\".\(name)"
        }
        if assignments.isEmpty {
            guard let name = (target + container.columns).first?.quotedDatabaseIdentifier else {
                throw RecordError.noColumns(record: "\(Record.self)", table: table)
            }
            // The row stays as it is, and is returned.
            assignments = ["\(name) = \(quotedTable).\(name)"]
        }
        let conflict = target.isEmpty ? "" : " (\(Self.list(target)))"
        let returning = key.hasRowID ? " RETURNING \(Column.rowID.name.quotedDatabaseIdentifier)" : ""
        return insertSQL(.abort)
            + " ON CONFLICT\(conflict) DO UPDATE SET \(assignments.joined(separator: ", "))\(returning)"
    }

    // MARK: Update, delete

    /// Returns whether there is a row with the record's key.
    func update(_ conflictResolution: ConflictResolution?, columns: [String]? = nil) throws -> Bool {
        let resolution = conflictResolution ?? Record.persistenceConflictPolicy.update
        let key = try keyValues()
        var assigned = try columns.map(checked) ?? self.columns(except: key.columns)
        // The record has only key columns: the statement only finds out whether the row exists.
        if assigned.isEmpty { assigned = key.columns }
        let verb = resolution == .abort ? "UPDATE" : "UPDATE OR \(resolution.rawValue)"
        var statement = try RecordStatement(
            db, .update(resolution), table: table, columns: assigned + key.columns
        ) {
            let assignments = assigned.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
            return "\(verb) \(quotedTable) SET \(assignments) WHERE \(Self.condition(key.columns))"
        }
        for column in assigned { try statement.bind(container.value(of: column) ?? .null) }
        try statement.bind(key.values)
        try statement.execute()
        if db.changesCount > 0 { return true }
        return try resolution == .ignore && exists()
    }

    /// Returns whether there was a row with the record's key.
    func delete() throws -> Bool {
        let key = try keyValues()
        var statement = try RecordStatement(db, .delete, table: table, columns: key.columns) {
            "DELETE FROM \(quotedTable) WHERE \(Self.condition(key.columns))"
        }
        try statement.bind(key.values)
        try statement.execute()
        return db.changesCount > 0
    }

    func exists() throws -> Bool {
        let key = try keyValues()
        var statement = try RecordStatement(db, .exists, table: table, columns: key.columns) {
            "SELECT EXISTS (SELECT 1 FROM \(quotedTable) WHERE \(Self.condition(key.columns)))"
        }
        try statement.bind(key.values)
        return try statement.fetchOne(Bool.self) ?? false
    }

    // MARK: Columns and key

    /// Whether the record has a value for a column of its key.
    func hasKey() throws -> Bool {
        try db.recordKey(of: table).contains { column in
            container.value(of: column).map { !$0.isNull } ?? false
        }
    }

    /// The columns to which this record writes a different value than `other`.
    func columns(differingFrom other: Self) -> [String] {
        other.container.columns.filter { container.value(of: $0) != other.container.value(of: $0) }
    }

    func notFound() throws -> RecordError {
        let key = try keyValues()
        return .recordNotFound(table: table, key: Dictionary(zip(key.columns, key.values)) { first, _ in first })
    }

    private func keyValues() throws -> (columns: [String], values: [DatabaseValue]) {
        let columns = try db.recordKey(of: table)
        let values = try columns.map { column in
            guard let value = container.value(of: column) else {
                throw RecordError.missingKeyColumn(record: "\(Record.self)", table: table, column: column)
            }
            return value
        }
        if values.allSatisfy(\.isNull) {
            throw RecordError.nullKey(record: "\(Record.self)", table: table, columns: columns)
        }
        return (columns, values)
    }

    private func columns(except excluded: [String]) -> [String] {
        container.columns.filter { column in !excluded.contains { $0.equalsIgnoringASCIICase(column) } }
    }

    private func checked(_ columns: [String]) throws -> [String] {
        for column in columns where container.value(of: column) == nil {
            throw RecordError.noSuchColumn(
                record: "\(Record.self)", table: table, column: column, written: container.columns)
        }
        return columns
    }

    // MARK: SQL

    private func statement(_ kind: RecordStatement.Kind, sql: () throws -> String) throws -> RecordStatement {
        try RecordStatement(db, kind, table: table, columns: container.columns, sql: sql)
    }

    private static func list(_ columns: [String]) -> String {
        columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }

    private static func condition(_ columns: [String]) -> String {
        columns.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: " AND ")
    }
}
