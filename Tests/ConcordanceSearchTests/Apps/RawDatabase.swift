import CConcordanceSQLite
import Concordance
import Foundation
import TestSupport

/// An app's own wrapper of SQLite's C API, as it was before the app searched.
final class RawDatabase {
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        let description: String
    }

    private let connection: ForeignConnection
    /// The connection, for functions that need a `sqlite3 *`.
    var handle: OpaquePointer { connection.pointer }

    init(path: String = ":memory:") throws {
        connection = try ForeignConnection(path: path)
        _ = csqlite_busy_timeout(handle, 3_600_000)
        try execute("PRAGMA foreign_keys = ON")
    }

    private func failure(_ code: Int32, _ sql: String) -> Failure {
        Failure(code: code, description: "\(String(cString: csqlite_errmsg(handle))): \(sql)")
    }

    /// Executes statements that are separated by semicolons.
    func execute(_ sql: String) throws {
        let code = csqlite_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// Executes one statement with texts for its parameters, and returns its rows as texts, NULL as "NULL".
    @discardableResult
    func rows(_ sql: String, _ values: String...) throws -> [[String]] {
        var statement: OpaquePointer?
        var code = csqlite_prepare_v3(handle, sql, -1, 0, &statement, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
        defer { csqlite_finalize(statement) }
        for (index, value) in values.enumerated() {
            code = csqlite_bind_text_copy(statement, Int32(index + 1), value, UInt64(value.utf8.count))
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
        var rows: [[String]] = []
        while true {
            code = csqlite_step(statement)
            guard code == SQLITE_ROW else { break }
            rows.append(
                (0..<csqlite_column_count(statement)).map { column in
                    csqlite_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                })
        }
        guard code == SQLITE_DONE else { throw failure(code, sql) }
        return rows
    }

    /// The first column of the rows, which holds numbers.
    func numbers(_ sql: String, _ values: String...) throws -> [Int64] {
        let rows = values.isEmpty ? try rows(sql) : try rows(sql, values[0])
        return rows.compactMap { $0.first.flatMap { Int64($0) } }
    }
}

/// The app's one connection for all of its threads, which also lends it to search indexes.
final class RawLibrary: ConnectionWriter, @unchecked Sendable {
    private let path: String
    private let database: RawDatabase
    private let lock = NSLock()
    private let handlersLock = NSLock()
    private var handlers: [UUID: @Sendable () -> Void] = [:]

    init(path: String) throws {
        self.path = path
        database = try RawDatabase(path: path)
    }

    /// Reads and writes of the app itself, in a transaction.
    func write<Value>(_ body: (RawDatabase) throws -> Value) throws -> Value {
        defer { committed() }
        return try lock.withLock { try transaction("IMMEDIATE") { try body(database) } }
    }

    private func transaction<Value>(_ kind: String, _ body: () throws -> Value) throws -> Value {
        try database.execute("BEGIN \(kind)")
        do {
            let value = try body()
            try database.execute("COMMIT")
            return value
        } catch {
            if csqlite_get_autocommit(database.handle) == 0 { try? database.execute("ROLLBACK") }
            throw error
        }
    }

    private func committed() {
        for handler in handlersLock.withLock({ Array(handlers.values) }) { handler() }
    }

    // MARK: ConnectionReader

    func withReadConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        try lock.withLock { try transaction("DEFERRED") { try body(database.handle) } }
    }

    func withReadConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await elsewhere { try self.withReadConnection(body) }
    }

    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
        let id = UUID()
        handlersLock.withLock { handlers[id] = handler }
        return Observation { [weak self] in self?.remove(id) }
    }

    private func remove(_ id: UUID) { handlersLock.withLock { _ = handlers.removeValue(forKey: id) } }

    /// Calls its closure when it is released.
    private final class Observation: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    func openSeparately(readOnly: Bool) throws -> (any ConnectionWriter)? {
        let other = try RawLibrary(path: path)
        _ = csqlite_busy_timeout(other.database.handle, 0)
        if readOnly { try other.database.execute("PRAGMA query_only = ON") }
        return other
    }

    var isReadOnly: Bool { false }

    // MARK: ConnectionWriter

    func withWriteConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        defer { committed() }
        return try lock.withLock { try body(database.handle) }
    }

    func withWriteConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await elsewhere { try self.withWriteConnection(body) }
    }

    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) throws {
        guard lock.try() else { return }
        defer { committed() }
        defer { lock.unlock() }
        _ = csqlite_busy_timeout(database.handle, 0)
        defer { _ = csqlite_busy_timeout(database.handle, 3_600_000) }
        try body(database.handle)
    }

    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) async throws {
        try await elsewhere { try self.offerWriteConnection(body) }
    }

    /// Runs a closure outside of Swift's cooperative pool.
    private func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
