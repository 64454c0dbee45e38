import CSQLite

/// A result code of SQLite, primary (`SQLITE_CONSTRAINT`) or extended (`SQLITE_CONSTRAINT_UNIQUE`).
///
/// An error can be caught by its code; a primary code catches all of its extended codes:
/// ```swift
/// do { try player.insert(db) } catch ResultCode.SQLITE_CONSTRAINT { … }
/// ```
/// Codes and their meaning: <https://www.sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    /// The code with SQLite's number `rawValue`, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The code without its extension: `SQLITE_CONSTRAINT` for `SQLITE_CONSTRAINT_UNIQUE`.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `error` is a `DatabaseError` with this code, or, for a primary code, with one of its extended codes.
    public static func ~= (code: ResultCode, error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.extendedResultCode == code || error.resultCode == code
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension ResultCode {
    public static let SQLITE_OK = ResultCode(rawValue: 0)
    public static let SQLITE_ERROR = ResultCode(rawValue: 1)
    public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
    public static let SQLITE_PERM = ResultCode(rawValue: 3)
    public static let SQLITE_ABORT = ResultCode(rawValue: 4)
    public static let SQLITE_BUSY = ResultCode(rawValue: 5)
    public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
    public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
    public static let SQLITE_READONLY = ResultCode(rawValue: 8)
    public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
    public static let SQLITE_IOERR = ResultCode(rawValue: 10)
    public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
    public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)
    public static let SQLITE_FULL = ResultCode(rawValue: 13)
    public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
    public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
    public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
    public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)
    public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
    public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
    public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
    public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
    public static let SQLITE_AUTH = ResultCode(rawValue: 23)
    public static let SQLITE_RANGE = ResultCode(rawValue: 25)
    public static let SQLITE_NOTADB = ResultCode(rawValue: 26)

    public static let SQLITE_ERROR_MISSING_COLLSEQ = extended(1, 1)
    public static let SQLITE_ERROR_RETRY = extended(1, 2)
    public static let SQLITE_ERROR_SNAPSHOT = extended(1, 3)
    public static let SQLITE_ABORT_ROLLBACK = extended(4, 2)
    public static let SQLITE_BUSY_RECOVERY = extended(5, 1)
    public static let SQLITE_BUSY_SNAPSHOT = extended(5, 2)
    public static let SQLITE_BUSY_TIMEOUT = extended(5, 3)
    public static let SQLITE_LOCKED_SHAREDCACHE = extended(6, 1)
    public static let SQLITE_LOCKED_VTAB = extended(6, 2)
    public static let SQLITE_READONLY_RECOVERY = extended(8, 1)
    public static let SQLITE_READONLY_CANTLOCK = extended(8, 2)
    public static let SQLITE_READONLY_ROLLBACK = extended(8, 3)
    public static let SQLITE_READONLY_DBMOVED = extended(8, 4)
    public static let SQLITE_READONLY_CANTINIT = extended(8, 5)
    public static let SQLITE_READONLY_DIRECTORY = extended(8, 6)
    public static let SQLITE_IOERR_READ = extended(10, 1)
    public static let SQLITE_IOERR_SHORT_READ = extended(10, 2)
    public static let SQLITE_IOERR_WRITE = extended(10, 3)
    public static let SQLITE_IOERR_FSYNC = extended(10, 4)
    public static let SQLITE_CORRUPT_VTAB = extended(11, 1)
    public static let SQLITE_CORRUPT_SEQUENCE = extended(11, 2)
    public static let SQLITE_CORRUPT_INDEX = extended(11, 3)
    public static let SQLITE_CANTOPEN_ISDIR = extended(14, 2)
    public static let SQLITE_CANTOPEN_FULLPATH = extended(14, 3)
    public static let SQLITE_CANTOPEN_SYMLINK = extended(14, 6)
    public static let SQLITE_CONSTRAINT_CHECK = extended(19, 1)
    public static let SQLITE_CONSTRAINT_COMMITHOOK = extended(19, 2)
    public static let SQLITE_CONSTRAINT_FOREIGNKEY = extended(19, 3)
    public static let SQLITE_CONSTRAINT_FUNCTION = extended(19, 4)
    public static let SQLITE_CONSTRAINT_NOTNULL = extended(19, 5)
    public static let SQLITE_CONSTRAINT_PRIMARYKEY = extended(19, 6)
    public static let SQLITE_CONSTRAINT_TRIGGER = extended(19, 7)
    public static let SQLITE_CONSTRAINT_UNIQUE = extended(19, 8)
    public static let SQLITE_CONSTRAINT_VTAB = extended(19, 9)
    public static let SQLITE_CONSTRAINT_ROWID = extended(19, 10)
    public static let SQLITE_CONSTRAINT_PINNED = extended(19, 11)
    public static let SQLITE_CONSTRAINT_DATATYPE = extended(19, 12)
    public static let SQLITE_AUTH_USER = extended(23, 1)

    /// sqlite3.h composes extended codes so: the primary one, and a number in the bits above its eight.
    private static func extended(_ primary: Int32, _ detail: Int32) -> ResultCode {
        ResultCode(rawValue: primary | detail << 8)
    }
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's number and sentence: `19 (constraint failed)`.
    public var description: String {
        guard csqlite_is_ready() != 0, let sentence = csqlite_errstr(rawValue) else { return "\(rawValue)" }
        return "\(rawValue) (\(String(cString: sentence)))"
    }

    /// What to do about an error with this code, where the code alone tells.
    var advice: String? {
        switch self {
        case .SQLITE_BUSY_SNAPSHOT:
            return
                "Another connection wrote since this transaction read: roll back, and begin it again as `.immediate`."
        case .SQLITE_READONLY_DIRECTORY:
            return "SQLite writes its journal beside the database file: make that folder writable."
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            return "Insert the row that is referred to first, or delete the rows that refer to it."
        default: break
        }
        switch primary {
        case .SQLITE_PERM: return "Check the permissions of the database file and its folder."
        case .SQLITE_ABORT: return "The transaction was rolled back: run it again from its beginning."
        case .SQLITE_BUSY:
            return
                "Another connection holds the lock: raise `Configuration.busyTimeout`, or shorten the other's transaction."
        case .SQLITE_LOCKED:
            return "Finish the statements of this connection that still read the table, then try again."
        case .SQLITE_NOMEM: return "Memory ran out: read fewer rows or smaller values at a time."
        case .SQLITE_READONLY: return "The database was opened read-only, or its file cannot be written to."
        case .SQLITE_IOERR: return "The disk or file system failed: check the medium and the free space."
        case .SQLITE_CORRUPT:
            return "Run `PRAGMA integrity_check`, and restore from a backup or rebuild the indexes it names."
        case .SQLITE_FULL: return "Free some disk space, or raise `PRAGMA max_page_count`. The statement was undone."
        case .SQLITE_CANTOPEN: return "Check that the folder exists, and that this process may read and write it."
        case .SQLITE_SCHEMA: return "The schema changed meanwhile: run the statement again."
        case .SQLITE_TOOBIG: return "SQLite limits a value, and a statement, to 1,000,000,000 bytes: split it."
        case .SQLITE_AUTH: return "An authorizer of this connection, or its defensive mode, forbids the statement."
        case .SQLITE_NOTADB: return "The file is no SQLite database, or an encrypted one: check the path."
        default: return nil
        }
    }
}
