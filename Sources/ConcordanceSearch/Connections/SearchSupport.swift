import CConcordance
import CConcordanceSQLiteLink
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite

/// What a connection needs before it can use search indexes: the engine, the tokenizers and functions that their tables
/// name, and the triggers by which indexes follow its changes.
///
/// Connections that this package opens have engine, tokenizers and functions from the start, and what takes a
/// `ConnectionReader` sees to the rest. Call it for SQL of your own on another library's connection.
///
/// ```swift
/// try SearchSupport.enable(on: sqliteConnection)
/// ```
public enum SearchSupport {
    /// Registers engine, tokenizers and functions on one connection, and has the indexes of its database follow what it
    /// changes; does nothing the second time.
    ///
    /// - Parameter connection: An open `sqlite3 *`, which no other thread uses meanwhile.
    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5; `DatabaseError`.
    public static func enable(on connection: OpaquePointer) throws { try enable(on: Database.from(connection)) }

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
    public static func enable(on reader: some ConnectionReader) {
        guard enabledReaders.value(OnlyKey(), of: reader, create: { true }).isNew else { return }
        reader.prepareConnections { try enable(on: $0) }
    }

    /// Registers engine, tokenizers and functions, and reads nothing: the database may have yet to be given its key.
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

    /// The connection as this package's `Database`, with engine, tokenizers and functions: for `SearchRequest.fetch(_:)` and
    /// other calls that take one.
    ///
    /// - Parameter connection: An open `sqlite3 *`, which no other thread uses meanwhile. The `Database` lives as long as it.
    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5; `DatabaseError`.
    public static func database(of connection: OpaquePointer) throws -> Database {
        let db = try Database.from(connection)
        try register(on: db)
        return db
    }

    /// A connection that writes, whose changes indexes follow.
    static func followedDatabase(of connection: OpaquePointer) throws -> Database {
        let db = try Database.from(connection)
        try enable(on: db)
        return db
    }

    /// What the loader runs before `main` by itself. A linker leaves object files out of a static archive that nobody names.
    private static let isLinked: Bool = {
        csqlite_link()
        cconcordance_link()
        return true
    }()

    private static let enabledReaders = ReaderTable<OnlyKey, Bool>()

    /// Marks a connection that has engine, tokenizers and functions.
    private final class RegisteredConnection {}
    /// Marks a connection whose changes are followed.
    private final class FollowedConnection {}
}

/// Called by CConcordance for every connection that is opened. One whose SQLite has no FTS5 says so when it is needed.
@_cdecl("concordance_set_up_connection")
func setUpConnection(_ connection: OpaquePointer) {
    if let db = try? Database.from(connection) { try? SearchSupport.register(on: db) }
}
