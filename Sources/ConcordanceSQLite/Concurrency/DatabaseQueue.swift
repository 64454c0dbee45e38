import CConcordanceSQLite

/// One connection, used by one access at a time, in order of arrival.
///
/// ```swift
/// let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite")
/// try await dbQueue.write { db in try db.execute(sql: "CREATE TABLE player (name TEXT)") }
/// let names = try await dbQueue.read { db in try String.fetchAll(db, sql: "SELECT name FROM player") }
/// ```
///
/// Use a queue for a database in memory, for a rollback journal, or for simplicity; `DatabasePool` reads concurrently.
public final class DatabaseQueue: DatabaseWriter, WriteAccess {
    package let configuration: Configuration
    package let path: String
    public var access: DatabaseAccess { DatabaseAccess(self) }
    public var writeAccess: DatabaseWriteAccess { DatabaseWriteAccess(self) }
    private let setups = ConnectionSetups([])
    private let pool: ConnectionPool

    /// Opens the database file at `path`, creating it if there is none and the configuration is not read-only.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot open it, and any error of the configuration's `prepareDatabase`.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.configuration = configuration
        self.path = path
        pool = ConnectionPool(name: configuration.label ?? "DatabaseQueue \(path)", count: 1, setups: setups) {
            try Database(path: path, configuration: configuration)
        }
        try pool.run { _ in }
    }

    /// Opens a database in memory.
    ///
    /// - Parameters:
    ///   - name: Queues opened with the same name in one process share one database, which lives as long as one of them
    ///     is open; nil creates one that nobody else sees.
    ///   - configuration: The options of the connection.
    public convenience init(named name: String? = nil, configuration: Configuration = Configuration()) throws {
        try self.init(path: name.map(Self.sharedMemoryPath) ?? ":memory:", configuration: configuration)
    }

    /// A URI by which several connections can reach one database in memory.
    ///
    /// The locks of SQLite's `memdb` file system make connections wait (the shared cache, which
    /// https://www.sqlite.org/inmemorydb.html describes, has table locks that fail at once); a library built without it
    /// gets the shared cache.
    private static func sharedMemoryPath(_ name: String) -> String {
        let escaped = name.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                return String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16)
                return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }.joined()
        return csqlite_vfs_find("memdb") != nil
            ? "file:/\(escaped)?vfs=memdb" : "file:\(escaped)?mode=memory&cache=shared"
    }

    // MARK: - Reading

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run { try $0.refusingWrites(inTransactionFor: nil, body) }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.run { try $0.refusingWrites(inTransactionFor: $1, body) }
    }

    package func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run(body)
    }

    package func unsafeRead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.run { db, _ in try body(db) }
    }

    package func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let held = pool.heldConnection { return try body(held.readyDatabase()) }
        return try pool.run(body)
    }

    // MARK: - Writing

    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run { try $0.inTransaction(.immediate, for: nil, body) }
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.run { try $0.inTransaction(.immediate, for: $1, body) }
    }

    /// The number of accesses waiting for the connection.
    var writerLineCount: Int { pool.waitingCount }
    /// Whether nobody is using the connection.
    var isWriterFree: Bool { pool.heldCount == 0 }

    package func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run(body)
    }

    package func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.run { db, _ in try body(db) }
    }

    package func barrierWriteWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run(body)
    }

    package func barrierWriteWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.run { db, _ in try body(db) }
    }

    package func unsafeReentrantWrite<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try unsafeReentrantRead(body)
    }

    /// Reads or writes without a transaction: the older name of `writeWithoutTransaction(_:)`.
    public func inDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction(body)
    }

    /// Reads the database's present state: at once, on this thread, since a queue has one connection.
    package func spawnConcurrentRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        do {
            try unsafeReentrantRead { db in
                try db.requireNoTransaction()
                try db.refusingWrites(inTransactionFor: nil) { body(.success($0)) }
            }
        } catch {
            body(.failure(error))
        }
    }

    // MARK: - The connection

    package func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void) {
        setups.withLock { $0.append(setup) }
        pool.heldConnection?.catchUpSetups()
    }

    package func interrupt() { pool.interrupt() }

    package func close() throws { try pool.close() }

    /// Frees the memory that the connection's caches do not need.
    public func releaseMemory() throws {
        try unsafeReentrantRead { _ = csqlite_db_release_memory(try $0.sqliteConnection) }
    }
}
