import CConcordance
import CConcordanceSQLiteLink
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite

/// Sets up a connection for search indexes: registers the engine, the tokenizers and the functions that their tables
/// name, and creates the triggers by which indexes follow its changes.
///
/// Connections that this package opens have the engine, the tokenizers and the functions from the start, and every
/// search or installation through a `ConnectionReader` does the rest. Call `enable(on:)` before you run SQL of your own
/// on another library's connection.
///
/// ```swift
/// try SearchSupport.enable(on: sqliteConnection)
/// ```
public enum SearchSupport {
    /// Registers the engine, tokenizers and functions on one connection, and lets the indexes of its database follow
    /// its changes; does nothing the second time.
    ///
    /// - Parameter connection: An open `sqlite3 *`, which no other thread uses during the call.
    /// - Throws: `FTS5Error.unavailable` if the connection's SQLite has no FTS5; `DatabaseError`.
    public static func enable(on connection: OpaquePointer) throws { try enable(on: Database.from(connection)) }

    /// Registers the engine, tokenizers and functions on one connection, and lets the indexes of its database follow
    /// its changes; does nothing the second time.
    ///
    /// - Throws: `FTS5Error.unavailable` if the connection's SQLite has no FTS5; `DatabaseError`.
    public static func enable(on db: Database) throws {
        try register(on: db)
        let connection = db.storage(of: FollowedConnection.self) { FollowedConnection() }
        if connection.isFollowed { return }
        // If the database cannot be read now, the next statement reports it.
        let isDone = (try? IndexChanges.followAll(in: db)) != nil
        // A transaction that is rolled back takes the triggers with it.
        connection.isFollowed = isDone && !db.isInsideTransaction
    }

    /// Enables search indexes on all connections of a queue or pool, including those opened later; does nothing the
    /// second time.
    ///
    /// If the SQLite in use has no FTS5, the next access to the database throws `FTS5Error.unavailable`.
    public static func enable(on reader: some ConnectionReader) {
        guard enabledReaders.value(OnlyKey(), of: reader, create: { true }).isNew else { return }
        reader.prepareConnections { try enable(on: $0) }
    }

    /// Registers the engine, tokenizers and functions, and reads nothing: the database may still need its key.
    static func register(on db: Database) throws {
        _ = isLinked
        _ = try db.storage(of: RegisteredConnection.self) {
            try ConcordanceModule.register(on: db)
            try ConcordanceTokenizers.register(on: db)
            try ConcordanceRanking.register(on: db)
            try db.create(module: IndexChanges.moduleName, IndexChanges.self)
            return RegisteredConnection()
        }
    }

    /// Returns the connection as this package's `Database`, with the engine, the tokenizers and the functions, for
    /// `SearchRequest.fetch(_:)` and other calls that take a `Database`.
    ///
    /// - Parameter connection: An open `sqlite3 *`, which no other thread uses during the call. The `Database` exists
    ///   until the connection is closed.
    /// - Throws: `FTS5Error.unavailable` if the connection's SQLite has no FTS5; `DatabaseError`.
    public static func database(of connection: OpaquePointer) throws -> Database {
        let db = try Database.from(connection)
        try register(on: db)
        return db
    }

    /// A connection that writes, and whose changes indexes follow.
    static func followedDatabase(of connection: OpaquePointer) throws -> Database {
        let db = try Database.from(connection)
        try enable(on: db)
        return db
    }

    /// The loader runs this function before `main`. Naming it here keeps the linker from dropping its object file from
    /// a static archive.
    private static let isLinked: Bool = {
        csqlite_link()
        cconcordance_link()
        return true
    }()

    private static let enabledReaders = ReaderTable<OnlyKey, Bool>()

    /// Marks a connection on which the engine, tokenizers and functions are registered.
    private final class RegisteredConnection {}
    /// Marks a connection whose changes indexes follow.
    private final class FollowedConnection {
        var isFollowed = false
    }
}

/// CConcordance calls this for every connection that is opened. Where SQLite has no FTS5, the first call that needs it
/// says so.
@_cdecl("concordance_set_up_connection")
func setUpConnection(_ connection: OpaquePointer) {
    if let db = try? Database.from(connection) { try? SearchSupport.register(on: db) }
}
