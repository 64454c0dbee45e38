import CConcordanceSQLite

/// What belongs to one `sqlite3*`, however many `Database` objects stand for it.
final class ConnectionState {
    /// What a callback threw, until the statement that fails with it throws it on.
    var pendingError: (any Error)?

    /// The objects of the modules above, by their type.
    var storage: [ObjectIdentifier: AnyObject] = [:]

    /// The observers of the connection, which SQLite keeps alive.
    weak var observers: TransactionObservers?

    /// How a transaction ended during the statement that runs, where there are observers to be told.
    var transactionEnd: TransactionEnd?

    /// The first living `Database` of the connection.
    weak var database: Database?

    /// The `Database` that a callback was given where the connection had none; it lives until the connection is closed.
    var attached: Database?

    /// The living borrowers, and whether SQLite tells when it closes the connection, which is another library's to do.
    private var borrowers: [Borrower] = []
    private(set) var isWatched = false

    private struct Borrower {
        weak var database: Database?
    }

    /// The states of all connections that have a `Database`, so that a callback which gets a `sqlite3*` finds it.
    ///
    /// A `Database` adds its connection and takes it away before SQLite frees the `sqlite3*`, whose address the next
    /// connection may get.
    private static let registry = Locked<Registry>(Registry())

    /// The states are handed out only to code that has its connection, which one thread at a time uses.
    private struct Registry: @unchecked Sendable {
        var entries: [OpaquePointer: Entry] = [:]
    }

    private struct Entry {
        var state: ConnectionState
        var userCount: Int
    }

    /// The state of `connection`, which is kept until as many calls of `leave`.
    static func join(_ connection: OpaquePointer) -> ConnectionState {
        registry.withLock {
            var entry = $0.entries[connection] ?? Entry(state: ConnectionState(), userCount: 0)
            entry.userCount += 1
            $0.entries[connection] = entry
            return Unchecked(value: entry.state)
        }.value
    }

    static func leave(_ connection: OpaquePointer) {
        // What is stored goes when the lock is free again.
        let last: Unchecked<ConnectionState>? = registry.withLock {
            guard var entry = $0.entries[connection] else { return nil }
            entry.userCount -= 1
            $0.entries[connection] = entry.userCount > 0 || entry.state.isWatched ? entry : nil
            return entry.userCount > 0 ? nil : Unchecked(value: entry.state)
        }
        last?.value.storage = [:]
    }

    /// Has `database`, which borrows the connection, told when its owner closes it: its address may then be the next one's.
    func watch(_ connection: OpaquePointer, for database: Database) {
        borrowers.removeAll { $0.database == nil }
        borrowers.append(Borrower(database: database))
        guard !isWatched else { return }
        // SQLite destroys the functions of a connection when it closes it: this one is never called.
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
        /// Off where SQLite would not have the function, and destroyed it at once.
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

    /// Carries a state out of the lock to the thread that uses its connection: that thread alone touches it.
    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
    }
}
