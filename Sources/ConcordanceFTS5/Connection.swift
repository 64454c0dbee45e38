import CConcordanceSQLite
import ConcordanceSQLite

/// A connection, as SQLite's callbacks know it; used only while it is open, on its thread.
struct ConnectionReference {
    let pointer: OpaquePointer

    /// The `Database` of the connection; another library's connection gets one of its own.
    var database: Database? { try? Database.from(pointer) }

    /// Makes the statement that is running throw `error`.
    func report(_ error: any Error) { Database.setPendingCallbackError(error, on: pointer) }
}

/// What this module stores with a connection.
final class FTS5Connection {
    let library: FTS5Library
    /// The tokenizers of tables, created for patterns.
    var tokenizers: [QualifiedName: TableTokenizer] = [:]

    /// How many tables' tokenizers are cached.
    static let tokenizerLimit = 64

    struct TableTokenizer {
        /// The `CREATE VIRTUAL TABLE` that it was created for.
        var sql: String
        var options: TableOptions
        var tokenizer: any FTS5Tokenizer
    }

    private init(library: FTS5Library) { self.library = library }

    /// What belongs to the connection of `db`.
    ///
    /// - Throws: SQLITE_MISUSE once it is closed.
    static func of(_ db: Database) throws -> FTS5Connection {
        let connection = try db.sqliteConnection
        return try db.storage(of: FTS5Connection.self) {
            FTS5Connection(library: try FTS5Library(connection: connection))
        }
    }
}
