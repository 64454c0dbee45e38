import ConcordanceSQLite

/// A connection that only asks whether somebody has committed a change: the value of `PRAGMA data_version`
/// (https://www.sqlite.org/pragma.html#pragma_data_version) changes with every commit by another connection, in this
/// process or another, whatever it changed.
///
/// The value has a meaning for one connection only, and does not follow that connection's own commits; so nobody else
/// uses this one. A look costs about ten microseconds: acquiring and releasing a read lock.
struct VersionProbe {
    enum Outcome {
        case changed
        case unchanged
        /// The question could not be asked, for instance while another process has locked the file.
        case unknown
    }

    private weak var reader: (any ConnectionReader)?
    private var connection: (any ConnectionWriter)?
    /// Whether no second connection can reach the database.
    private var isBlind = false
    private var schemas: [String] = []
    private var versions: [Int64]?

    init(_ reader: some ConnectionReader) { self.reader = reader }

    var isOpen: Bool { connection != nil }

    /// Whether there was a commit since the last look. The first look that succeeds answers `changed`.
    mutating func look() -> Outcome {
        do {
            guard let connection = try openedConnection() else { return .unchanged }
            // Without a transaction: acquires and releases a lock.
            let (schemas, current) = try connection.withWriteConnection { [schemas] connection in
                let db = try Database.from(connection)
                let schemas = try schemas.isEmpty ? Self.schemas(of: db) : schemas
                let versions = try schemas.map { schema in
                    try Int64.fetchOne(db, sql: "PRAGMA \(schema.quotedDatabaseIdentifier).data_version") ?? 0
                }
                return (schemas, versions)
            }
            self.schemas = schemas
            defer { versions = current }
            return current == versions ? .unchanged : .changed
        } catch {
            return .unknown
        }
    }

    private static func schemas(of db: Database) throws -> [String] {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp' AND file <> ''")
        return names.isEmpty ? ["main"] : names
    }

    private mutating func openedConnection() throws -> (any ConnectionWriter)? {
        if connection != nil || isBlind { return connection }
        guard let reader else { return nil }
        connection = try reader.openSeparately(readOnly: true)
        isBlind = connection == nil
        return connection
    }

    /// Closes the connection; the next look opens another one.
    mutating func close() {
        connection = nil
        versions = nil
    }
}
