/// A connection that only asks whether anybody has committed a change: `PRAGMA data_version`
/// (https://www.sqlite.org/pragma.html#pragma_data_version), whose value changes with every commit by another
/// connection, be it of this process or not, and whatever the commit changed.
///
/// The value means something for one connection only, and does not follow that connection's own commits; hence one
/// that nobody else uses. A look costs some ten microseconds: the lock of a reader, taken and given back.
struct VersionProbe {
    enum Outcome {
        case changed
        case unchanged
        /// The question could not be asked, as while another process has locked the file.
        case unknown
    }

    private let path: String
    private let configuration: Configuration
    private var database: Database?
    private var schemas: [String] = []
    private var versions: [Int64]?

    /// A probe of the database that `path` names; nil where no second connection can reach it: a database in memory
    /// that has no name, or a temporary one.
    init?(path: String, configuration: Configuration) {
        guard Self.canBeShared(path) else { return nil }
        self.path = path
        self.configuration = Self.configuration(from: configuration)
    }

    private static func canBeShared(_ path: String) -> Bool {
        if path.isEmpty || path == ":memory:" { return false }
        guard path.hasPrefix("file:") else { return true }
        return !path.hasPrefix("file::memory:") && !(path.contains("mode=memory") && !path.contains("cache=shared"))
    }

    /// The app's own preparations are kept: they may bring the key of the file, or attach others.
    private static func configuration(from original: Configuration) -> Configuration {
        var configuration = original
        configuration.readonly = true
        // The next look asks again; meanwhile the thread is free.
        configuration.busyTimeout = 0
        configuration.trace = nil
        configuration.statementCacheCapacity = 8
        return configuration
    }

    /// Whether there was a commit since the last look. The first one that succeeds answers `changed`.
    mutating func look() -> Outcome {
        do {
            let database = try openedDatabase()
            let current = try schemas.map { schema in
                try Int64.fetchOne(database, sql: "PRAGMA \(schema.quotedDatabaseIdentifier).data_version") ?? 0
            }
            defer { versions = current }
            return current == versions ? .unchanged : .changed
        } catch {
            return .unknown
        }
    }

    private mutating func openedDatabase() throws -> Database {
        if let database { return database }
        let database = try Database(path: path, configuration: configuration)
        schemas = try String.fetchAll(
            database, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp' AND file <> ''")
        if schemas.isEmpty { schemas = ["main"] }
        self.database = database
        return database
    }

    /// Closes the connection; the next look opens another one.
    mutating func close() {
        try? database?.close()
        database = nil
        versions = nil
    }
}
