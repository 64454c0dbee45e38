import CConcordanceSQLite
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The setups for every connection of a database: functions, tokenizers, pragmas.
typealias ConnectionSetups = Locked<[@Sendable (Database) throws -> Void]>

/// A connection that accesses use in turn: opened at first use, set up, and tidied up after each use.
// Sendable: all `var`s belong to the holder, the thread that has borrowed the connection from its `ConnectionPool`,
// which lends it to one at a time and passes it on under a lock; SQLite calls the handlers on the holder's thread.
final class PooledConnection: @unchecked Sendable {
    /// Where asynchronous accesses run. Dispatch gives a serial queue a thread when it needs one; on Linux, a
    /// concurrent queue would share the few threads of the cooperative pool, which a closure that waits for a lock
    /// would then block.
    let dispatchQueue: DispatchQueue
    private let setups: ConnectionSetups
    private let keepsTransaction: Bool
    private let open: @Sendable () throws -> Database
    private let interruptHandle = Locked<InterruptHandle?>(nil)
    private(set) var database: Database?
    private var completedSetups = 0
    private var isSettingUp = false
    private var access: Access?
    private var busyTimeout = 0.0
    private var busySince = DispatchTime(uptimeNanoseconds: 0)

    /// How many instructions of SQLite's virtual machine pass between two checks for cancellation, some ten
    /// microseconds. SQLite forgets an interrupt that falls between two statements; this check does not.
    private static let instructionsBetweenLooks: Int32 = 1000
    /// The longest sleep between two attempts to get a lock, in milliseconds: also how late a cancellation is noticed
    /// there.
    private static let longestBusySleep: Int32 = 20

    init(
        name: String, setups: ConnectionSetups, keepsTransaction: Bool, open: @escaping @Sendable () throws -> Database
    ) {
        dispatchQueue = DispatchQueue(label: name)
        self.setups = setups
        self.keepsTransaction = keepsTransaction
        self.open = open
    }

    deinit { try? close() }

    /// Runs `body`; the caller has borrowed the connection.
    func run<Value>(for access: Access?, _ body: (Database) throws -> Value) throws -> Value {
        if access?.isCancelled == true { throw CancellationError() }
        self.database?.isAtRest = false
        defer { self.database?.isAtRest = true }
        return try HeldConnection.holding(self) {
            let database = try readyDatabase()
            database.freeEscapedStatements()
            do {
                let value = try perform(body, on: database, for: access)
                try database.endAccess(keepingTransaction: keepsTransaction)
                return value
            } catch {
                try? database.endAccess(keepingTransaction: keepsTransaction)
                // What SQLite reports for a cancellation depends on where it struck: interrupted, busy, aborted.
                if error is DatabaseError, access?.isCancelled == true { throw CancellationError() }
                throw error
            }
        }
    }

    private func perform<Value>(
        _ body: (Database) throws -> Value, on database: Database, for access: Access?
    ) throws -> Value {
        try access?.begin(database.interruptHandle)
        self.access = access
        defer {
            self.access = nil
            access?.end()
        }
        return try body(database)
    }

    /// The connection, open, with all setups made so far.
    ///
    /// After a setup has thrown, the next access tries it again, and throws its error too.
    func readyDatabase() throws -> Database {
        let database = try self.database ?? openDatabase()
        // A setup that adds another one gets here again; the loop below runs the new one.
        guard !isSettingUp else { return database }
        isSettingUp = true
        defer { isSettingUp = false }
        while let setup = setups.withLock({ completedSetups < $0.count ? $0[completedSetups] : nil }) {
            try runSetup(setup, on: database)
            completedSetups += 1
        }
        return database
    }

    /// Runs a setup, and rolls back a transaction that it leaves open.
    private func runSetup(_ setup: (Database) throws -> Void, on database: Database) throws {
        let wasInTransaction = database.isInsideTransaction
        let result = Result { try setup(database) }
        let isUnfinished = !wasInTransaction && database.isInsideTransaction
        if isUnfinished { try? database.execute(sql: "ROLLBACK") }
        try result.get()
        if isUnfinished { throw PooledConnection.unfinishedTransaction }
    }

    private func openDatabase() throws -> Database {
        let database = try open()
        self.database = database
        database.escapedStatements = EscapedStatements()
        completedSetups = 0
        let connection = try database.sqliteConnection
        let context = Unmanaged.passUnretained(self).toOpaque()
        busyTimeout = try Double(Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0) / 1000
        csqlite_busy_handler(
            connection,
            { context, attempts in
                guard let context else { return 0 }
                return Unmanaged<PooledConnection>.fromOpaque(context).takeUnretainedValue().waitForLock(attempts)
            }, context)
        csqlite_progress_handler(
            connection, Self.instructionsBetweenLooks,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<PooledConnection>.fromOpaque(context).takeUnretainedValue()
                return connection.isCancelled ? 1 : 0
            }, context)
        interruptHandle.withLock { $0 = database.interruptHandle }
        return database
    }

    /// Sleeps until the next attempt to get a lock that another connection holds; zero gives up.
    ///
    /// SQLite's own handler does not check for interrupts: a cancelled task would wait for its whole timeout.
    private func waitForLock(_ attempts: Int32) -> Int32 {
        if attempts == 0 { busySince = .now() }
        let waited = Double(DispatchTime.now().uptimeNanoseconds &- busySince.uptimeNanoseconds) / 1e9
        guard waited < busyTimeout, !isCancelled, database?.isImpatient != true else { return 0 }
        let milliseconds = 1 + min(attempts, Self.longestBusySleep - 1)
        usleep(UInt32(milliseconds) * 1000)
        return 1
    }

    fileprivate static var unfinishedTransaction: DatabaseError {
        .misuse(
            "a transaction was still open when its closure returned, and was rolled back",
            advice: "End it with COMMIT or ROLLBACK, or use write { } or inTransaction { }, which end it.")
    }

    /// Whether the task that this connection works for is cancelled.
    var isCancelled: Bool { access?.isCancelled == true }

    /// Runs the setups that are due; the next access reports an error, and tries again.
    func catchUpSetups() { _ = try? readyDatabase() }

    /// Interrupts the statement that runs on this connection, from any thread.
    func interrupt() {
        interruptHandle.withLock { $0?.interrupt() }
    }

    /// Closes the connection if it is open; the caller has borrowed it, or holds the last reference to it.
    func close() throws {
        guard let database else { return }
        interruptHandle.withLock { $0 = nil }
        // A `Database` that escaped may outlive this object, which the handlers point to.
        if let connection = database.handle {
            csqlite_progress_handler(connection, 0, nil, nil)
            csqlite_busy_handler(connection, nil, nil)
        }
        self.database = nil
        try database.close()
    }
}

extension Database {
    /// Brings the connection to rest after an access: no running statement and, unless it is to be kept, no open
    /// transaction.
    ///
    /// - Throws: `DatabaseError` if a transaction was open, after rolling it back.
    fileprivate func endAccess(keepingTransaction: Bool) throws {
        guard let handle else { return }
        let isInTransaction = csqlite_get_autocommit(handle) == 0
        // A statement left in the middle of its rows keeps its snapshot, which keeps the WAL from being reset. It also
        // keeps an interrupt for the next access, since SQLite clears that only when no statement runs.
        if runningStatementCount > 0 || (!isInTransaction && csqlite_txn_state(handle, nil) != SQLITE_TXN_NONE) {
            resetRunningStatements(handle)
        }
        forgetRunningStatements()
        guard isInTransaction && !keepingTransaction else { return }
        try execute(sql: "ROLLBACK")
        throw PooledConnection.unfinishedTransaction
    }

    private func resetRunningStatements(_ connection: OpaquePointer) {
        var statement = csqlite_next_stmt(connection, nil)
        while let current = statement {
            if csqlite_stmt_busy(current) != 0 { reset(current) }
            statement = csqlite_next_stmt(connection, current)
        }
    }
}
