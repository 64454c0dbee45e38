import ConcordanceSearch
import Foundation
import GRDB

extension DatabaseQueue: @retroactive ConnectionWriter {}
extension DatabasePool: @retroactive ConnectionWriter {}
extension AnyDatabaseReader: @retroactive ConnectionReader {}
extension AnyDatabaseWriter: @retroactive ConnectionWriter {}
extension DatabaseSnapshot: @retroactive ConnectionReader {
    public var isReadOnly: Bool { true }
    public var isSnapshot: Bool { true }
}

extension DatabaseReader {
    /// The same database for search indexes, where its static type is only `any DatabaseReader`.
    ///
    /// ```swift
    /// let dbReader: any DatabaseReader
    /// let page = try await dbReader.connections.search(noteTexts, "week")
    /// ```
    public var connections: any ConnectionReader { self as? any ConnectionReader ?? AnyDatabaseReader(self) }
}

extension DatabaseWriter {
    /// The same database for search indexes, where its static type is only `any DatabaseWriter`.
    public var connections: any ConnectionWriter { self as? any ConnectionWriter ?? AnyDatabaseWriter(self) }
}

// MARK: - Reading

extension DatabaseReader {
    /// Lends the connection of `read`.
    public func withReadConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        try read { try $0.lend(body) }
    }

    /// Lends the connection of `read`.
    public func withReadConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await read { try $0.lend(body) }
    }

    /// Calls `handler` after each commit that GRDB's transaction observers see.
    public func observeCommits(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
        let observer = CommitObserver(handler)
        (self as? any DatabaseWriter)?.asyncWriteWithoutTransaction { db in
            db.add(transactionObserver: observer, extent: .observerLifetime)
            // For commits before the observer was there.
            handler()
        }
        return observer
    }

    /// Opens a `DatabaseQueue` with the same configuration.
    public func openSeparately(readOnly: Bool) throws -> (any ConnectionWriter)? {
        let isInMemory = path.isEmpty || path == ":memory:" || path.contains("mode=memory")
        if isInMemory && !path.contains("cache=shared") { return nil }
        var configuration = configuration
        configuration.readonly = readOnly
        configuration.busyMode = .immediateError
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// As the configuration says.
    public var isReadOnly: Bool { configuration.readonly }
}

// MARK: - Writing

extension DatabaseWriter {
    /// Lends the connection of `writeWithoutTransaction`.
    public func withWriteConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        try writeWithoutTransaction { try $0.lendForWriting(body) }
    }

    /// Lends the connection of `writeWithoutTransaction`.
    public func withWriteConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { try $0.lendForWriting(body) }
    }

    /// Asks for the connection of `writeWithoutTransaction`, and waits some milliseconds for it. If it comes later, it is
    /// used all the same. A search does this to apply the changes of other programs, so live results are not told of it.
    public func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) throws {
        let began = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        asyncWriteWithoutTransaction { db in
            began.signal()
            try? db.withoutWaitingForLocks { try $0.lend(body) }
            done.signal()
        }
        if began.wait(timeout: .now() + OfferedConnection.patience) == .success { done.wait() }
    }

    /// Asks for the connection of `writeWithoutTransaction`, and waits some milliseconds for it. If it comes later, it is
    /// used all the same.
    public func offerWriteConnection(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Void
    ) async throws {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let offered = OfferedConnection(continuation)
            asyncWriteWithoutTransaction { db in
                offered.begin()
                try? db.withoutWaitingForLocks { try $0.lend(body) }
                offered.end()
            }
        }
    }
}

/// Resumes a task when the work offered to a connection is done, or soon if that work has not begun.
private final class OfferedConnection: Sendable {
    static let patience = DispatchTimeInterval.milliseconds(20)

    private enum State {
        case waiting(CheckedContinuation<Void, Never>)
        case begun(CheckedContinuation<Void, Never>)
        case over
    }

    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        state = Mutex(.waiting(continuation))
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.giveUp() }
    }

    func begin() {
        state.withLock { if case .waiting(let continuation) = $0 { $0 = .begun(continuation) } }
    }

    func end() {
        state.withLock { state in
            if case .begun(let continuation) = state { continuation.resume() }
            state = .over
        }
    }

    private func giveUp() {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return }
            continuation.resume()
            state = .over
        }
    }
}

/// A value under a lock. (The standard library's `Mutex` is not available on all platforms.)
private final class Mutex<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func withLock(_ body: (inout Value) -> Void) { lock.withLock { body(&value) } }
}

/// Calls a handler after every commit.
private final class CommitObserver: TransactionObserver, Sendable {
    private let handler: @Sendable () -> Void

    init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { handler() }
    func databaseDidRollback(_ db: Database) {}
}

// MARK: - A connection

extension Database {
    /// Runs `body` with the connection, whose errors become GRDB's.
    func lend<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        guard let sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed")
        }
        return try CurrentDatabase.$value.withValue(CurrentDatabase(db: self)) {
            try translatingErrors { try body(sqliteConnection) }
        }
    }

    /// Runs `body` with a connection that fails with SQLITE_BUSY rather than wait for a lock, unless the app has a callback
    /// of its own for that.
    fileprivate func withoutWaitingForLocks(_ body: (Database) throws -> Void) throws {
        guard case .timeout(let seconds) = configuration.busyMode else { return try body(self) }
        try execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? execute(sql: "PRAGMA busy_timeout = \(Int(seconds * 1000))") }
        try body(self)
    }

    /// The same as `lend`, after which GRDB's observers learn of what was committed: GRDB tells them only of its own statements,
    /// even if these commit nothing.
    fileprivate func lendForWriting<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        let count = totalChangesCount
        let result = Result { try lend(body) }
        // What was committed stays so, whether the observers learn of it or not, and the error of `body` is the one to throw.
        if totalChangesCount != count, !isInsideTransaction { try? execute(sql: "BEGIN DEFERRED; COMMIT") }
        return try result.get()
    }
}

/// The GRDB connection whose `sqlite3 *` is lent.
struct CurrentDatabase: @unchecked Sendable {
    /// Only the closure that borrows it uses it, on that closure's thread.
    let db: Database

    @TaskLocal static var value: CurrentDatabase?
}
