/// How a connection is opened and set up.
public struct Configuration: Sendable {
    /// Whether the database is opened read-only, without creating it.
    public var readonly = false

    /// How long a statement waits for another connection's lock before it fails with SQLITE_BUSY, in seconds.
    public var busyTimeout = 5.0

    /// Whether foreign keys are enforced.
    public var foreignKeysEnabled = true

    /// Whether SQL is prevented from corrupting the file (SQLITE_DBCONFIG_DEFENSIVE): it cannot write to shadow tables
    /// of virtual tables or to `sqlite_schema`.
    public var defensive = true

    /// Whether triggers, views, indexes and constraints of the schema may use functions and virtual tables that are not
    /// marked innocuous (`PRAGMA trusted_schema`). In a file from elsewhere, the schema is not the app's own.
    ///
    /// Triggers and views may always use FTS5. If SQLite does not mark it innocuous, the pragma is turned on with the
    /// first statement that needs it; functions added to a `Database` stay as protected as before.
    public var trustedSchema = false

    /// A name for debugging; queues and pools use it for their dispatch queues.
    public var label: String?

    /// The most connections with which a `DatabasePool` reads: from 1 to 1,000, since each holds open files. Other
    /// numbers are replaced by the nearest of these.
    public var maximumReaderCount = 5

    /// The most idle statements that a connection keeps prepared.
    public var statementCacheCapacity = 64

    /// Called when a statement begins, and when it ends; see `Database.trace(_:)`.
    public var trace: (@Sendable (borrowing TraceEvent) -> Void)?

    var preparations: [@Sendable (Database) throws -> Void] = []

    /// Creates the default configuration: a file that is read and written, created if it does not exist, with foreign
    /// keys enforced.
    public init() {}

    /// Adds a closure to run on each connection once it is open, after those added before: pragmas, functions,
    /// collations, tokenizers. If it throws, opening fails with its error.
    public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
        preparations.append(setup)
    }
}
