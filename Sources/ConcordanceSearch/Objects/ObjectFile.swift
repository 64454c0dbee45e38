import ConcordanceSQLite
import Foundation

/// The file of an `ObjectIndex`: how it is told apart from other files, and what is wrong with it.
///
/// Such a file has "ConO" as its `PRAGMA application_id` and the number of its format as its `PRAGMA user_version`.
struct ObjectFile: Sendable {
    static let applicationID: Int64 = 0x436F_6E4F
    static let format: Int64 = 1

    let path: String
    let configuration: Configuration

    /// Inspects the file without changing it, before it is really opened: that would switch a database of another kind
    /// to WAL mode.
    func check() throws {
        guard let size = try size(), size > 0 else {
            if configuration.readonly { throw ObjectIndexError.noFile(path: path) }
            return
        }
        var configuration = configuration
        configuration.readonly = true
        try translatingErrors {
            let database = try Database(path: path, configuration: configuration)
            defer { try? database.close() }
            try checkFormat(in: database)
        }
    }

    /// Marks a new file as an object index.
    ///
    /// - Throws: `ObjectIndexError` if it belongs to something else, or has a later format.
    func claim(in db: Database) throws {
        try checkFormat(in: db)
        if try Self.number("application_id", in: db) != Self.applicationID {
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        }
        if try Self.number("user_version", in: db) != Self.format {
            try db.execute(sql: "PRAGMA user_version = \(Self.format)")
        }
    }

    func isClaimed(in db: Database) throws -> Bool {
        try Self.number("application_id", in: db) == Self.applicationID
    }

    private func checkFormat(in db: Database) throws {
        let application = try Self.number("application_id", in: db)
        guard application == Self.applicationID else {
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            if application != 0 || count > 0 { throw ObjectIndexError.otherDatabase(path: path) }
            return
        }
        let format = try Self.number("user_version", in: db)
        if format > Self.format {
            throw ObjectIndexError.newerFormat(path: path, format: format, supported: Self.format)
        }
    }

    private static func number(_ pragma: String, in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA main.\(pragma)") ?? 0
    }

    private func size() throws -> Int64? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.int64Value
    }

    /// Runs `body`, and translates SQLite's errors about the file into what they mean for the index.
    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw translated(error)
        }
    }

    func translated(_ error: DatabaseError) -> any Error {
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            ObjectIndexError.damaged(path: path, reason: error.message ?? "\(error.resultCode)")
        case .SQLITE_READONLY: ObjectIndexError.readOnly(path: path)
        default: error
        }
    }

    /// Removes the database and the files that SQLite keeps beside it.
    static func remove(at path: String) throws {
        for suffix in ["-wal", "-shm", "-journal", ""] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
