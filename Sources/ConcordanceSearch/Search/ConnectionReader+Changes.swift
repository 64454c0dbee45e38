import ConcordanceSQLite

extension ConnectionReader {
    /// Reads in one transaction in which indexes include the changes that programs without this library have made, if
    /// they can follow at once: nobody else is writing, and there are few changes.
    func reading<Value>(_ definitions: [IndexDefinition], _ body: (Database) throws -> Value) throws -> Value {
        SearchSupport.enable(on: self)
        guard let writer = self as? any ConnectionWriter, !isReadOnly else { return try read(body) }
        let value = try read { try areBehind(definitions, in: $0) ? nil : body($0) }
        if let value { return value }
        try writer.offerWriteConnection { try? ForeignChanges(definitions).takeIn(on: $0) }
        return try read(body)
    }

    /// The same, cancelled with its task.
    func reading<Value: Sendable>(
        _ definitions: [IndexDefinition], _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        SearchSupport.enable(on: self)
        guard let writer = self as? any ConnectionWriter, !isReadOnly else { return try await read(body) }
        let value: Value? = try await read { try areBehind(definitions, in: $0) ? nil : body($0) }
        if let value { return value }
        try await writer.offerWriteConnection { try? ForeignChanges(definitions).takeIn(on: $0) }
        return try await read(body)
    }
}

private func areBehind(_ definitions: [IndexDefinition], in db: Database) throws -> Bool {
    let tables = try SearchedTables.current(db)
    return try definitions.contains { definition in
        try tables.exists(definition.name, in: db)
            && (IndexChanges.arePending(definition.name, tables, in: db) || !tables.isFollowed(definition.name, in: db))
    }
}

/// Where the next search goes on, so that changes that an index cannot follow do not take the time for those behind them.
private final class TriedChanges {
    /// By index, the first note that was not tried.
    var next: [String: Int64] = [:]
}

/// The changes of other programs: rows, which triggers have noted, and the schema, from which triggers may have
/// disappeared.
private struct ForeignChanges {
    let definitions: [IndexDefinition]
    /// How much time a search spends on it.
    private static let time = Duration.milliseconds(20)

    init(_ definitions: [IndexDefinition]) { self.definitions = definitions }

    /// Lets indexes follow the changes, as far as possible at once. They stay as they are if another connection has the lock,
    /// and so does a change that an index cannot follow.
    func takeIn(on connection: OpaquePointer) throws {
        let db = try SearchSupport.followedDatabase(of: connection)
        let deadline = ContinuousClock.now + Self.time
        for definition in definitions {
            try? db.inTransaction(.immediate) {
                let tried = db.storage(of: TriedChanges.self) { TriedChanges() }
                let progress = try IndexChanges.takeIn(
                    definition.name, in: db, from: tried.next[definition.name], until: deadline, skipsFailing: true)
                tried.next[definition.name] = progress.next
                let isMended = try mend(definition, until: deadline, in: db)
                // A commit without changes would make live results search again.
                return progress.count > 0 || isMended ? .commit : .rollback
            }
        }
    }

    /// Restores triggers that are gone, as after a rebuild of a table, and compares entries with their rows; the next
    /// search continues with what is left.
    ///
    /// - Returns: Whether there was anything to do.
    private func mend(
        _ definition: IndexDefinition, until deadline: ContinuousClock.Instant, in db: Database
    ) throws -> Bool {
        guard try !SearchedTables.current(db).isFollowed(definition.name, in: db),
            let record = try IndexRecord.fetch(definition.name, in: db),
            // Another definition belongs to another version of the app.
            try record.fingerprint == IndexSchema(definition, in: db).fingerprint
        else { return false }
        var installer = IndexInstaller(definition)
        while try installer.advance(in: db, until: deadline) != nil, ContinuousClock.now < deadline {}
        return true
    }
}
