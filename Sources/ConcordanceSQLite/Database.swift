import CConcordanceSQLite

/// A connection to a database: one opened by this object, or another library's.
///
/// Use it on one thread at a time; `DatabaseQueue` and `DatabasePool` ensure that. Once it is closed, every use throws
/// SQLITE_MISUSE. Its statements keep it alive.
public final class Database {
    /// The path with which the connection was opened; for a borrowed connection, that of the file.
    public let path: String

    /// The options with which the connection was opened.
    public let configuration: Configuration

    /// Interrupts this connection from any thread.
    package let interruptHandle: InterruptHandle

    /// The open connection.
    package private(set) var handle: OpaquePointer?
    let state: ConnectionState
    let isBorrowed: Bool
    var statementCache: StatementCache

    /// Whether `trusted_schema` was turned on for FTS5.
    var isSchemaTrusted = false
    /// The schema version for which a statement was last tried again because a table is gone.
    var schemaVersionTriedAgain: Int64?

    /// How many calls of SQLite that may call back are on the stack; closing the connection would break them.
    @exclusivity(unchecked) var stepDepth = 0

    /// How many statements are between their first step and their end.
    var runningStatementCount = 0

    /// Changes when the connection resets all running statements, so that each starts again with its next step.
    @exclusivity(unchecked) private(set) var statementEpoch = 0

    /// Whether an `inTransaction` block relies on its transaction being open.
    var isInTransactionBlock = false

    /// Whether a savepoint could not be undone, so that its transaction must not be committed.
    var hasFailedUndo = false

    /// Whether statements that write throw: inside the `read` of a queue, whose connection could write.
    var refusesWrites = false

    /// Whether a queue's or pool's connection fails at once with SQLITE_BUSY if another connection has a lock.
    var isImpatient = false

    /// Whether this belongs to a queue or pool that currently lends it to nobody.
    var isAtRest = false

    /// Set for the connections of queues and pools.
    var escapedStatements: EscapedStatements?

    /// The closure set by `trace`.
    var tracer: ((borrowing TraceEvent) -> Void)?

    /// Opens the database at `path`, a file path, a `file:` URI, or `:memory:`, and sets it up as `configuration` says.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        let connection = try Self.open(path, readonly: configuration.readonly)
        self.path = path
        self.configuration = configuration
        handle = connection
        interruptHandle = InterruptHandle(connection)
        state = ConnectionState.join(connection)
        isBorrowed = false
        statementCache = StatementCache(capacity: configuration.statementCacheCapacity)
        state.database = self
        do {
            try setUp(connection)
        } catch {
            try close()
            throw error
        }
    }

    /// Creates a `Database` for another library's connection, whose settings stay as they are. This object never closes
    /// it, and throws SQLITE_MISUSE once its owner has closed it. A connection is used on one thread at a time: here,
    /// the caller's.
    ///
    /// The statements that this object keeps compiled make `sqlite3_close` fail with SQLITE_BUSY: `close()` this object
    /// first, or release it.
    public init(borrowing connection: OpaquePointer) {
        path = csqlite_db_filename(connection, "main").map { String(cString: $0) } ?? ""
        configuration = Configuration()
        handle = connection
        interruptHandle = InterruptHandle(connection)
        state = ConnectionState.join(connection)
        isBorrowed = true
        statementCache = StatementCache(capacity: configuration.statementCacheCapacity)
        if state.database == nil { state.database = self }
        state.watch(connection, for: self)
    }

    deinit { try? close() }

    /// The connection, for calls of SQLite's C API; throws SQLITE_MISUSE once it is closed.
    public var sqliteConnection: OpaquePointer {
        get throws {
            guard let handle else {
                throw DatabaseError.misuse(
                    "the connection is closed", advice: "Open another one: a Database cannot be used after close().")
            }
            return handle
        }
    }

    /// Closes the connection and rolls back its open transaction; a borrowed one is returned to its owner as it is.
    ///
    /// Remaining statements throw from then on. Closing twice is harmless.
    /// - Throws: SQLITE_MISUSE if called by a callback of one of the connection's own statements.
    public func close() throws {
        guard let handle else { return }
        guard stepDepth == 0 else {
            throw DatabaseError.misuse(
                "a connection cannot be closed by a function that it calls",
                advice: "Close it when the statement has finished.")
        }
        freeCachedStatements()
        interruptHandle.invalidate()
        forgetRunningStatements()
        self.handle = nil
        if !isBorrowed {
            // Statements that are still referenced would keep the file locked.
            var statement = csqlite_next_stmt(handle, nil)
            while let current = statement {
                csqlite_reset(current)
                statement = csqlite_next_stmt(handle, current)
            }
            if csqlite_get_autocommit(handle) == 0 { csqlite_exec(handle, "ROLLBACK", nil, nil, nil) }
        }
        if tracer != nil { csqlite_trace_v2(handle, 0, nil, nil) }
        tracer = nil
        if state.database === self { state.database = nil }
        ConnectionState.leave(handle)
        if !isBorrowed { csqlite_close_v2(handle) }
        escapedStatements?.close()
    }

    /// Makes every running statement start again with its next step; the caller lets SQLite reset them.
    func forgetRunningStatements() {
        statementEpoch &+= 1
        runningStatementCount = 0
    }

    /// Ends the execution of a statement.
    func reset(_ statement: OpaquePointer) {
        stepDepth &+= 1  // a tracer or an observer may be called
        csqlite_reset(statement)
        stepDepth &-= 1
    }

    /// Makes statements executed from now on be compiled again.
    package func freeCachedStatements() {
        // The cache is emptied first, and its statements freed afterwards: freeing a statement can free a virtual
        // table, whose code may use this.
        let idle = statementCache
        statementCache.removeAll()
        withExtendedLifetime(idle) {}
    }

    /// Keeps an idle statement compiled.
    func cache(_ prepared: PreparedStatement) {
        // The evicted statement is freed once the cache is no longer being changed.
        let evicted = statementCache.put(prepared)
        withExtendedLifetime(evicted) {}
    }

    /// The owner has closed the borrowed connection.
    func ownerDidClose() {
        interruptHandle.invalidate()
        forgetRunningStatements()
        tracer = nil
        handle = nil
    }

    /// Interrupts the running statement, which fails with SQLITE_INTERRUPT. From other threads, use
    /// `DatabaseReader.interrupt()`.
    public func interrupt() { interruptHandle.interrupt() }

    /// The rowid of the last INSERT on this connection; 0 before any.
    public var lastInsertedRowID: Int64 { handle.map { csqlite_last_insert_rowid($0) } ?? 0 }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed, not counting its triggers and cascades.
    public var changesCount: Int { handle.map { Int(csqlite_changes64($0)) } ?? 0 }

    /// The number of rows changed since the connection was opened.
    package var totalChangesCount: Int { handle.map { Int(csqlite_total_changes64($0)) } ?? 0 }

    /// Whether a transaction is open.
    public var isInsideTransaction: Bool { handle.map { csqlite_get_autocommit($0) == 0 } ?? false }

    /// Whether the open transaction has written, or may write, to the main database.
    package var isWriting: Bool { handle.map { csqlite_txn_state($0, "main") == SQLITE_TXN_WRITE } ?? false }

    /// Whether the main database cannot be written to.
    public var isReadOnly: Bool { handle.map { csqlite_db_readonly($0, "main") == 1 } ?? configuration.readonly }
}

extension Database {
    private static func open(_ path: String, readonly: Bool) throws -> OpaquePointer {
        guard csqlite_is_ready() != 0 else {
            throw DatabaseError.misuse(
                "no SQLite library is set",
                advice: "Link the product that contains CConcordanceSQLiteLink, and SQLite 3.37 or later."
            )
        }
        guard !path.utf8.contains(0) else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "the path contains a NUL character: \(path)")
        }
        let access = readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var connection: OpaquePointer?
        let code = csqlite_open_v2(path, &connection, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK, let connection else {
            defer { _ = csqlite_close_v2(connection) }
            let message = connection.flatMap { csqlite_errmsg($0) }.map { String(cString: $0) }
            let extended = connection.map { csqlite_extended_errcode($0) } ?? code
            throw DatabaseError(
                resultCode: ResultCode(rawValue: extended), message: "\(message ?? "out of memory"): \(path)")
        }
        csqlite_extended_result_codes(connection, 1)
        return connection
    }

    private func setUp(_ connection: OpaquePointer) throws {
        let milliseconds = configuration.busyTimeout * 1000
        csqlite_busy_timeout(connection, milliseconds > 0 ? Int32(min(milliseconds, Double(Int32.max / 2))) : 0)
        for (option, isOn) in [
            (SQLITE_DBCONFIG_ENABLE_FKEY, configuration.foreignKeysEnabled),
            (SQLITE_DBCONFIG_DEFENSIVE, configuration.defensive),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, configuration.trustedSchema),
        ] {
            try check(csqlite_db_config_switch(connection, option, isOn ? 1 : 0, nil))
        }
        csqlite_set_up_connection(connection)
        if let trace = configuration.trace { self.trace(trace) }
        for preparation in configuration.preparations { try preparation(self) }
    }
}
