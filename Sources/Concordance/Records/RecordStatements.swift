import ConcordanceSQLite

/// The SQL of a connection's records, generated once for each record type and set of columns: these are the texts by
/// which the connection's cache finds its prepared statements.
private final class RecordTexts {
    var texts: [RecordStatement.Key: (columns: [String], sql: String)] = [:]
}

/// A statement that writes one record.
struct RecordStatement {
    /// What the statement does.
    enum Kind: Hashable {
        case insert(ConflictResolution)
        case insertReturning(ConflictResolution)
        case upsert(target: [String], updated: [String]?)
        case update(ConflictResolution)
        case delete
        case exists
    }

    fileprivate struct Key: Hashable {
        let table: String
        let kind: Kind
    }

    private let statement: Statement
    private var parameter = 0

    /// The statement of a kind for these columns; `sql` generates its text the first time on this connection.
    init(_ db: Database, _ kind: Kind, table: String, columns: [String], sql: () throws -> String) throws {
        let texts = db.storage(of: RecordTexts.self) { RecordTexts() }
        let key = Key(table: table, kind: kind)
        if let known = texts.texts[key], known.columns == columns {
            statement = try db.cachedStatement(sql: known.sql)
        } else {
            let sql = try sql()
            statement = try db.cachedStatement(sql: sql)
            texts.texts[key] = (columns, sql)
        }
    }

    /// Binds the next parameter.
    mutating func bind(_ value: DatabaseValue) throws {
        parameter += 1
        try statement.bind(value, at: parameter)
    }

    /// Binds the next parameters.
    mutating func bind(_ values: some Sequence<DatabaseValue>) throws {
        for value in values { try bind(value) }
    }

    /// Runs the statement.
    func execute() throws { try statement.execute() }

    /// Runs the statement to its end, and returns its first row.
    func fetchOne<T: StatementDecodable>(_ type: T.Type) throws -> T? {
        var result: T?
        try statement.forEachRow { row in
            if result == nil { result = try T.decode(row) }
        }
        return result
    }
}
