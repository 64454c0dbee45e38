import ConcordanceSQLite

extension ConnectionReader {
    /// Reads in one transaction, on a connection that is set up for searches.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try withReadConnection { try body(SearchSupport.database(of: $0)) }
    }

    /// Reads in one transaction; cancelled with its task.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withReadConnection { try body(SearchSupport.database(of: $0)) }
    }
}

extension ConnectionWriter {
    /// Writes without opening a transaction; `body` begins and ends its own. Indexes follow what the connection
    /// changes.
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try withWriteConnection { try body(SearchSupport.followedDatabase(of: $0)) }
    }

    /// Writes without opening a transaction; cancelled with its task.
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withWriteConnection { try body(SearchSupport.followedDatabase(of: $0)) }
    }

    /// Writes in one immediate transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.inImmediateTransaction { try body(db) } }
    }

    /// Writes in one immediate transaction; cancelled with its task.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await writeWithoutTransaction { db in try db.inImmediateTransaction { try body(db) } }
    }
}

extension Database {
    /// Runs `body` in a transaction that holds the write lock from the start.
    func inImmediateTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try inTransaction(.immediate, returning: body)
    }

    /// Runs `body` in the open transaction, or opens one, so that it sees a single state of the database.
    func inReadTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        isInsideTransaction ? try body() : try inTransaction(.deferred, returning: body)
    }

    private func inTransaction<Value>(_ kind: TransactionKind, returning body: () throws -> Value) throws -> Value {
        var result: Value?
        try inTransaction(kind) {
            result = try body()
            return .commit
        }
        guard let result else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a transaction did not run")
        }
        return result
    }
}
