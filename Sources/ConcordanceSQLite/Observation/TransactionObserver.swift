import CConcordanceSQLite

/// Watches the changes that one connection makes. All methods are optional.
///
/// `databaseDidChange` and `databaseWillCommit` are called in the middle of a statement, and must not use the
/// connection; the other two are called after the statement that ended the transaction, and may use it.
public protocol TransactionObserver: AnyObject, SendableMetatype {
    /// Called when a row was inserted, updated or deleted; the change may still be rolled back.
    ///
    /// SQLite does not report changes of tables WITHOUT ROWID, `DELETE FROM table` without WHERE, or rows that REPLACE
    /// removes (https://www.sqlite.org/c3ref/update_hook.html).
    func databaseDidChange(with event: DatabaseEvent)

    /// Called before changes are committed. If it throws, they are rolled back, and the statement that would have
    /// committed them throws the error.
    func databaseWillCommit() throws

    /// Called after changes were committed. If the host of a borrowed connection commits with its own statement, this
    /// is called at the end of this package's next statement.
    func databaseDidCommit(_ db: Database)

    /// Called after a transaction was rolled back, with or without changes.
    func databaseDidRollback(_ db: Database)
}

extension TransactionObserver {
    public func databaseDidChange(with event: DatabaseEvent) {}
    public func databaseWillCommit() throws {}
    public func databaseDidCommit(_ db: Database) {}
    public func databaseDidRollback(_ db: Database) {}
}

/// A change of a row; valid during the call that reports it.
public struct DatabaseEvent {
    /// What happened to the row; the values are SQLite's.
    public enum Kind: Int32, Sendable {
        /// A DELETE removed it.
        case delete = 9
        /// An INSERT created it.
        case insert = 18
        /// An UPDATE changed it.
        case update = 23
    }

    /// What happened to the row.
    public let kind: Kind
    /// The rowid of the row; after an update, the new one.
    public let rowID: Int64
    private let database: UnsafePointer<CChar>?
    private let table: UnsafePointer<CChar>?

    init(kind: Kind, rowID: Int64, database: UnsafePointer<CChar>?, table: UnsafePointer<CChar>?) {
        self.kind = kind
        self.rowID = rowID
        self.database = database
        self.table = table
    }

    /// The name of the attached database: `main`, `temp`.
    public var databaseName: String { database.map { String(cString: $0) } ?? "" }
    /// The name of the table.
    public var tableName: String { table.map { String(cString: $0) } ?? "" }
}

/// How long an observer watches.
public enum TransactionObservationExtent: Sendable {
    /// As long as it exists; the connection does not keep it alive.
    case observerLifetime
    /// Until the end of the next transaction; the connection keeps it alive.
    case nextTransaction
    /// As long as the connection is open; the connection keeps it alive.
    case databaseLifetime
}

extension Database {
    /// Notifies `observer` of the changes and transactions of this connection.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - extent: How long it observes.
    ///   - replacingHooks: Whether to replace the hooks that the host of a borrowed connection may have set. SQLite has
    ///     one commit hook, one rollback hook and one update hook per connection, and does not tell which functions
    ///     were set before, so they cannot be called as well. If this is false, the call throws `SQLITE_MISUSE` for a
    ///     borrowed connection.
    public func add(
        transactionObserver observer: some TransactionObserver,
        extent: TransactionObservationExtent = .observerLifetime, replacingHooks: Bool = false
    ) throws {
        let connection = try sqliteConnection
        if isBorrowed && !replacingHooks && state.observers == nil {
            throw DatabaseError.misuse(
                "observing a borrowed connection would replace the commit, rollback and update hooks of its host",
                advice: "Pass replacingHooks: true if the host sets no hooks.")
        }
        let observers = try state.observers ?? TransactionObservers.attached(to: connection, state: state)
        observers.add(observer, extent: extent)
    }

    /// Stops notifying `observer`.
    public func remove(transactionObserver observer: some TransactionObserver) {
        state.observers?.remove(observer)
    }

    /// Calls `onCommit` after the next transaction that commits changes, or `onRollback` if it is rolled back instead.
    public func afterNextTransaction(
        onCommit: @escaping (Database) -> Void, onRollback: @escaping (Database) -> Void = { _ in }
    ) throws {
        try add(
            transactionObserver: TransactionEndObserver(onCommit: onCommit, onRollback: onRollback),
            extent: .nextTransaction)
    }

    /// Tells the observers how a transaction ended, if one did; called at the end of each statement.
    func notifyOfTransactionEnd() {
        guard let end = state.transactionEnd else { return }
        state.transactionEnd = nil
        // A commit that failed because of a lock left its transaction open, to be tried again.
        if end == .commit && isInsideTransaction { return }
        state.observers?.notify(of: end, in: self)
    }
}

extension DatabaseWriter {
    /// Notifies `observer` of the changes and transactions of this database's writing connection.
    public func add(
        transactionObserver observer: some TransactionObserver & Sendable,
        extent: TransactionObservationExtent = .observerLifetime
    ) throws {
        try unsafeReentrantWrite { try $0.add(transactionObserver: observer, extent: extent) }
    }

    /// Stops notifying `observer`.
    public func remove(transactionObserver observer: some TransactionObserver & Sendable) throws {
        try unsafeReentrantWrite { $0.remove(transactionObserver: observer) }
    }
}

private final class TransactionEndObserver: TransactionObserver {
    private let onCommit: (Database) -> Void
    private let onRollback: (Database) -> Void

    init(onCommit: @escaping (Database) -> Void, onRollback: @escaping (Database) -> Void) {
        self.onCommit = onCommit
        self.onRollback = onRollback
    }

    func databaseDidCommit(_ db: Database) { onCommit(db) }
    func databaseDidRollback(_ db: Database) { onRollback(db) }
}
