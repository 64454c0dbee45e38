import CConcordanceSQLite

/// How a transaction ended.
enum TransactionEnd {
    case commit
    case rollback
}

/// The observers of one connection, and the three hooks that serve them.
///
/// SQLite keeps it alive: it is the context of a function that is never called, and that SQLite destroys when it closes
/// the connection. So the hooks never outlive what they point to, whoever closes the connection.
final class TransactionObservers {
    private struct Entry {
        weak var observer: (any TransactionObserver)?
        /// The same, if the observation keeps it alive.
        let retained: (any TransactionObserver)?
        let extent: TransactionObservationExtent
    }

    private var entries: [Entry] = []
    private let connection: OpaquePointer
    private unowned let state: ConnectionState

    private init(_ connection: OpaquePointer) {
        self.connection = connection
        state = ConnectionState.join(connection)
    }

    deinit { ConnectionState.leave(connection) }

    static func attached(to connection: OpaquePointer, state: ConnectionState) throws -> TransactionObservers {
        let observers = TransactionObservers(connection)
        let code = csqlite_create_function_v2(
            connection, "concordance_observers", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(observers).toOpaque(), { context, _, _ in csqlite_result_null(context) }, nil, nil,
            { context in
                if let context { Unmanaged<TransactionObservers>.fromOpaque(context).release() }
            })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        state.observers = observers
        return observers
    }

    func add(_ observer: some TransactionObserver, extent: TransactionObservationExtent) {
        if entries.isEmpty { installHooks() }
        let retained = extent == .observerLifetime ? nil : observer
        entries.append(Entry(observer: observer, retained: retained, extent: extent))
    }

    func remove(_ observer: some TransactionObserver) {
        keepEntries { $0.observer !== observer }
    }

    func notify(of end: TransactionEnd, in database: Database) {
        let current = entries
        keepEntries { $0.extent != .nextTransaction && $0.observer != nil }
        for entry in current {
            switch end {
            case .commit: entry.observer?.databaseDidCommit(database)
            case .rollback: entry.observer?.databaseDidRollback(database)
            }
        }
    }

    private func keepEntries(where condition: (Entry) -> Bool) {
        // An observer that is released with its entry may remove others.
        let previous = entries
        entries = previous.filter(condition)
        withExtendedLifetime(previous) {}
        if entries.isEmpty { removeHooks() }
    }

    private func installHooks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = csqlite_update_hook(
            connection, { of($0)?.didChange(kind: $1, database: $2, table: $3, rowID: $4) }, context)
        _ = csqlite_commit_hook(connection, { of($0)?.willCommit() ?? 0 }, context)
        _ = csqlite_rollback_hook(connection, { of($0)?.state.transactionEnd = .rollback }, context)
    }

    private func removeHooks() {
        _ = csqlite_update_hook(connection, nil, nil)
        _ = csqlite_commit_hook(connection, nil, nil)
        _ = csqlite_rollback_hook(connection, nil, nil)
    }

    private func didChange(
        kind: Int32, database: UnsafePointer<CChar>?, table: UnsafePointer<CChar>?, rowID: Int64
    ) {
        guard let kind = DatabaseEvent.Kind(rawValue: kind) else { return }
        let event = DatabaseEvent(kind: kind, rowID: rowID, database: database, table: table)
        for entry in entries { entry.observer?.databaseDidChange(with: event) }
    }

    /// A nonzero result makes SQLite roll back.
    private func willCommit() -> Int32 {
        do {
            for entry in entries { try entry.observer?.databaseWillCommit() }
            state.transactionEnd = .commit
            return 0
        } catch {
            state.pendingError = error
            return 1
        }
    }
}

private func of(_ context: UnsafeMutableRawPointer?) -> TransactionObservers? {
    context.map { Unmanaged<TransactionObservers>.fromOpaque($0).takeUnretainedValue() }
}
