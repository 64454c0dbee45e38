import ConcordanceEngine

/// What a connection needs before it can use search indexes: the engine, the tokenizers and functions that their tables
/// name, and the triggers by which indexes follow its changes.
///
/// Connections that this library opens have engine, tokenizers and functions from the start, and what takes a `Database`
/// or a `DatabaseReader` sees to the rest. Call it for another library's connection.
///
/// ```swift
/// try ConcordanceSearch.enable(on: Database(borrowing: connection))
/// ```
public enum ConcordanceSearch {
    /// Registers engine, tokenizers and functions on one connection, and has the indexes of its database follow what it
    /// changes; does nothing the second time.
    ///
    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5; `DatabaseError`.
    public static func enable(on db: Database) throws {
        try register(on: db)
        _ = db.storage(of: FollowedConnection.self) {
            // A database that cannot be read now says so to the statement that follows.
            try? IndexChanges.followAll(in: db)
            return FollowedConnection()
        }
    }

    /// Does so on all connections of a queue or pool, those that are opened later too; does nothing the second time.
    ///
    /// Where the SQLite in use has no FTS5, the next access of the database throws `FTS5Error.unavailable`.
    public static func enable(on reader: some DatabaseReader) {
        guard enabledReaders.value(OnlyKey(), of: reader, create: { true }).isNew else { return }
        reader.configureEachConnection { try enable(on: $0) }
    }

    /// Registers engine, tokenizers and functions, and reads nothing: the database may have yet to be given its key.
    static func register(on db: Database) throws {
        _ = try db.storage(of: RegisteredConnection.self) {
            try ConcordanceEngine.register(on: db)
            try ConcordanceTokenizers.register(on: db)
            try ConcordanceRanking.register(on: db)
            try db.create(module: IndexChanges.moduleName, IndexChanges.self)
            return RegisteredConnection()
        }
    }

    private static let enabledReaders = ReaderTable<OnlyKey, Bool>()

    /// Marks a connection that has engine, tokenizers and functions.
    private final class RegisteredConnection {}
    /// Marks a connection whose changes are followed.
    private final class FollowedConnection {}
}

/// Called by CConcordance for every connection that is opened. One whose SQLite has no FTS5 says so when it is needed.
@_cdecl("concordance_set_up_connection")
func setUpConnection(_ connection: OpaquePointer) {
    if let db = try? Database.from(connection) { try? ConcordanceSearch.register(on: db) }
}
