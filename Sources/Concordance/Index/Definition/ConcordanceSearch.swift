import ConcordanceEngine

/// What a connection needs before it can use search indexes: the engine, the tokenizers and the functions that their tables
/// name.
///
/// Everything in this module that takes a `Database` or a `DatabaseReader` sees to it by itself. Call it where other
/// code uses the tables first: SQL of your own on a new connection, another library's connection.
///
/// ```swift
/// try ConcordanceSearch.enable(on: Database(borrowing: connection))
/// ```
public enum ConcordanceSearch {
    /// Registers engine, tokenizers and functions on one connection; does nothing the second time.
    ///
    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5; `DatabaseError`.
    public static func enable(on db: Database) throws {
        _ = try db.storage(of: EnabledConnection.self) {
            try ConcordanceEngine.register(on: db)
            try ConcordanceTokenizers.register(on: db)
            try ConcordanceRanking.register(on: db)
            return EnabledConnection()
        }
    }

    /// Registers them on all connections of a queue or pool, those that are opened later too; does nothing the second
    /// time.
    ///
    /// Where the SQLite in use has no FTS5, the next access of the database throws `FTS5Error.unavailable`.
    public static func enable(on reader: some DatabaseReader) {
        let id = ObjectIdentifier(reader)
        if enabledReaders.withLock({ $0[id]?.reader === reader }) { return }
        reader.configureEachConnection { try enable(on: $0) }
        // Noted afterwards: another thread that asks meanwhile does the same, and finds its connections enabled.
        enabledReaders.withLock { readers in
            // An object that is gone leaves its address to others.
            readers = readers.filter { $0.value.reader != nil }
            readers[id] = EnabledReader(reader: reader)
        }
    }

    private static let enabledReaders = Locked<[ObjectIdentifier: EnabledReader]>([:])

    private struct EnabledReader {
        weak var reader: (any DatabaseReader)?
    }

    /// Marks a connection that has everything.
    private final class EnabledConnection {}
}
