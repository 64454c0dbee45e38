/// How a connection is opened and set up.
public struct Configuration: Sendable {
    /// Opens the database read-only, and does not create it.
    public var readonly = false

    /// How long to wait for a lock of another connection before SQLITE_BUSY, in seconds.
    public var busyTimeout = 5.0

    /// Whether foreign keys are enforced.
    public var foreignKeysEnabled = true

    /// Whether SQL is kept from corrupting the file (SQLITE_DBCONFIG_DEFENSIVE): shadow tables of virtual tables and
    /// `sqlite_schema` cannot be written to.
    public var defensive = true

    /// Whether functions and virtual tables that are not marked innocuous may be used by the triggers, views, indexes
    /// and constraints of the schema, which, in a file from elsewhere, are not the app's (`PRAGMA trusted_schema`).
    ///
    /// Triggers and views may use FTS5 in any case. Where SQLite does not mark it innocuous, the pragma turns on with the
    /// first statement that needs it; functions added to a `Database` stay as protected as before.
    public var trustedSchema = false

    /// A name for debugging; queues and pools use it for their dispatch queues.
    public var label: String?

    /// How many connections a `DatabasePool` reads with at most: from 1 to 1,000, since each holds open files; numbers
    /// beyond are taken for the nearest.
    public var maximumReaderCount = 5

    /// How many idle statements a connection keeps prepared at most.
    public var statementCacheCapacity = 64

    /// Called for each statement that begins and ends; see `Database.trace`.
    public var trace: (@Sendable (borrowing TraceEvent) -> Void)?

    var preparations: [@Sendable (Database) throws -> Void] = []

    /// The defaults: a file that is read and written, created where there is none, with foreign keys enforced.
    public init() {}

    /// Adds a closure to run on each connection once it is open, behind those added before: pragmas, functions,
    /// collations, tokenizers. What it throws fails the opening.
    public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
        preparations.append(setup)
    }
}
