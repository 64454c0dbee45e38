import CConcordanceSQLite

/// The state of one `sqlite3*`, however many `Database` objects stand for it.
final class ConnectionState {
    /// The error that a callback threw, until the failing statement rethrows it.
    var pendingError: (any Error)?

    /// Objects that other modules store, by their type.
    var storage: [ObjectIdentifier: AnyObject] = [:]

    /// The connection's observers, which SQLite keeps alive.
    weak var observers: TransactionObservers?

    /// How a transaction ended during the running statement, if there are observers to be told.
    var transactionEnd: TransactionEnd?

    /// The first living `Database` of the connection.
    weak var database: Database?

    /// The `Database` created for a callback if the connection had none; it lives until the connection is closed.
    var attached: Database?

    /// The living borrowers, and whether SQLite reports that the connection is closed, which is up to another library.
    private var borrowers: [Borrower] = []
    private(set) var isWatched = false

    private struct Borrower {
        weak var database: Database?
    }

    /// The states of all connections that have a `Database`, so that a callback that gets a `sqlite3*` can find it.
    ///
    /// A `Database` adds its connection, and removes it before SQLite frees the `sqlite3*`, whose address the next
    /// connection may get.
    private static let registry = Locked<Registry>(Registry())

    /// The states are passed only to code that holds its connection, which one thread at a time uses.
    private struct Registry: @unchecked Sendable {
        var entries: [OpaquePointer: Entry] = [:]
    }

    private struct Entry {
        var state: ConnectionState
        var userCount: Int
    }

    /// The state of `connection`, which is kept until `leave` has been called as often.
    static func join(_ connection: OpaquePointer) -> ConnectionState {
        registry.withLock {
            var entry = $0.entries[connection] ?? Entry(state: ConnectionState(), userCount: 0)
            entry.userCount += 1
            $0.entries[connection] = entry
            return Unchecked(value: entry.state)
        }.value
    }

    static func leave(_ connection: OpaquePointer) {
        // Stored objects are released after the lock.
        let last: Unchecked<ConnectionState>? = registry.withLock {
            guard var entry = $0.entries[connection] else { return nil }
            entry.userCount -= 1
            $0.entries[connection] = entry.userCount > 0 || entry.state.isWatched ? entry : nil
            return entry.userCount > 0 ? nil : Unchecked(value: entry.state)
        }
        last?.value.storage = [:]
    }

    /// Tells `database`, which borrows the connection, when its owner closes it: the next connection may then get its
    /// address.
    func watch(_ connection: OpaquePointer, for database: Database) {
        borrowers.removeAll { $0.database == nil }
        borrowers.append(Borrower(database: database))
        guard !isWatched else { return }
        // SQLite destroys a connection's functions when it closes it. This one is never called.
        let watch = Watch(self, connection)
        let code = csqlite_create_function_v2(
            connection, "concordance_connection", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(watch).toOpaque(), { context, _, _ in csqlite_result_null(context) }, nil, nil,
            { if let watch = $0 { Unmanaged<Watch>.fromOpaque(watch).takeRetainedValue().end() } })
        watch.isOn = code == SQLITE_OK
        isWatched = watch.isOn
    }

    private final class Watch {
        private let state: ConnectionState
        private let connection: OpaquePointer
        /// Off if SQLite rejected the function, and destroyed it at once.
        var isOn = false

        init(_ state: ConnectionState, _ connection: OpaquePointer) {
            self.state = state
            self.connection = connection
        }

        func end() {
            if isOn { state.connectionDidClose(connection) }
        }
    }

    private func connectionDidClose(_ connection: OpaquePointer) {
        let entry = Self.registry.withLock { Unchecked(value: $0.entries.removeValue(forKey: connection)) }
        withExtendedLifetime(entry) {
            for borrower in borrowers { borrower.database?.ownerDidClose() }
            storage = [:]
            attached = nil
        }
    }

    static func of(_ connection: OpaquePointer) -> ConnectionState? {
        registry.withLock { $0.entries[connection].map { Unchecked(value: $0.state) } }?.value
    }

    /// Carries a state out of the lock to the thread that uses its connection; only that thread uses it.
    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
    }
}
