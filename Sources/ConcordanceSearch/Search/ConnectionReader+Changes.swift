import ConcordanceSQLite

extension ConnectionReader {
    /// Reads in one transaction in which indexes have followed the changes that programs without this library have noted,
    /// where that can be done at once: nobody else writes, and there are few.
    func reading<Value>(indexes names: [String], _ body: (Database) throws -> Value) throws -> Value {
        SearchSupport.enable(on: self)
        guard let writer = self as? any ConnectionWriter, !isReadOnly else { return try read(body) }
        let value = try read { try arePending(names, in: $0) ? nil : body($0) }
        if let value { return value }
        try writer.offerWriteConnection { IndexChanges.takeInAtOnce(names, on: $0) }
        return try read(body)
    }

    /// Reads so; cancelled with its task.
    func reading<Value: Sendable>(
        indexes names: [String], _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        SearchSupport.enable(on: self)
        guard let writer = self as? any ConnectionWriter, !isReadOnly else { return try await read(body) }
        let value: Value? = try await read { try arePending(names, in: $0) ? nil : body($0) }
        if let value { return value }
        try await writer.offerWriteConnection { IndexChanges.takeInAtOnce(names, on: $0) }
        return try await read(body)
    }
}

private func arePending(_ names: [String], in db: Database) throws -> Bool {
    let tables = try SearchedTables.current(db)
    return try names.contains { try IndexChanges.arePending($0, tables, in: db) }
}

extension IndexChanges {
    /// How long a search spends on changes that others have noted.
    private static let time = Duration.milliseconds(20)

    /// Has indexes follow the changes that are noted, as many as can be done at once. Where another connection has the
    /// lock, or an index cannot follow, they stay as they are.
    fileprivate static func takeInAtOnce(_ names: [String], on connection: OpaquePointer) {
        guard let db = try? SearchSupport.followedDatabase(of: connection) else { return }
        let deadline = ContinuousClock.now + time
        for name in names {
            try? db.inTransaction(.immediate) {
                _ = try takeIn(name, in: db, until: deadline)
                return .commit
            }
        }
    }
}
