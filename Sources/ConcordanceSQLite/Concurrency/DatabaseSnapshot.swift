/// A read-only view of a database as it was when the snapshot was made. See `DatabasePool.makeSnapshot()`.
///
/// It shares its setups with the pool: whatever is added to the connections of one is added to those of the other.
public final class DatabaseSnapshot: DatabaseReader, ReadAccess {
    package let configuration: Configuration
    package let path: String
    public var access: DatabaseAccess { DatabaseAccess(self) }
    private let setups: ConnectionSetups
    private let pool: ConnectionPool

    init(path: String, configuration: Configuration, setups: ConnectionSetups) throws {
        var configuration = configuration
        configuration.readonly = true
        self.configuration = configuration
        self.path = path
        self.setups = setups
        pool = ConnectionPool(
            name: configuration.label ?? "DatabaseSnapshot \(path)", count: 1, setups: setups, keepsTransaction: true
        ) { [configuration] in
            let database = try Database(path: path, configuration: configuration)
            try database.execute(sql: "BEGIN DEFERRED")
            try database.takeSnapshot()
            return database
        }
        try pool.run { _ in }
    }

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.run { try $0.inSnapshot(body) }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.run { db, _ in try db.inSnapshot(body) }
    }

    package func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

    package func unsafeRead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    package func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let held = pool.heldConnection { return try body(held.readyDatabase()) }
        return try read(body)
    }

    package func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void) {
        setups.withLock { $0.append(setup) }
        pool.heldConnection?.catchUpSetups()
    }

    public var isReadOnly: Bool { true }

    public var isSnapshot: Bool { true }

    package func interrupt() { pool.interrupt() }

    package func close() throws { try pool.close() }
}

extension Database {
    fileprivate func inSnapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard isInsideTransaction else {
            throw DatabaseError(
                resultCode: .SQLITE_ABORT,
                message: "the snapshot is lost, because its transaction was ended from within",
                advice: "Make another one.")
        }
        return try body(self)
    }
}
