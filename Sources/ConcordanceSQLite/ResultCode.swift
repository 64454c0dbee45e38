import CConcordanceSQLite

/// A result code of SQLite, primary (`SQLITE_CONSTRAINT`) or extended (`SQLITE_CONSTRAINT_UNIQUE`).
///
/// You can catch an error by its code; a primary code catches all of its extended codes:
/// ```swift
/// do { try player.insert(db) } catch ResultCode.SQLITE_CONSTRAINT { print("not unique") }
/// ```
/// Codes and their meaning: <https://www.sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    /// Creates the code with SQLite's number `rawValue`, whether known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The code without its extension: `SQLITE_CONSTRAINT` for `SQLITE_CONSTRAINT_UNIQUE`.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Returns whether `error` is a `DatabaseError` with this code or, for a primary code, with one of its extended
    /// codes.
    public static func ~= (code: ResultCode, error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.extendedResultCode == code || error.resultCode == code
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension ResultCode {
    /// The call succeeded.
    public static let SQLITE_OK = ResultCode(rawValue: 0)
    /// A failure without a code of its own, usually a mistake in the SQL.
    public static let SQLITE_ERROR = ResultCode(rawValue: 1)
    /// A fault in SQLite itself, or in a virtual table or function that reports it.
    public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
    /// A new database file could not get the requested permissions.
    public static let SQLITE_PERM = ResultCode(rawValue: 3)
    /// The statement was stopped before its end, for instance because its transaction was rolled back.
    public static let SQLITE_ABORT = ResultCode(rawValue: 4)
    /// Another connection holds a lock on the database file.
    public static let SQLITE_BUSY = ResultCode(rawValue: 5)
    /// A statement of this connection, or another connection of a shared cache, is using the table.
    public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
    /// Memory ran out.
    public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
    /// The database cannot be written to through this connection.
    public static let SQLITE_READONLY = ResultCode(rawValue: 8)
    /// The statement was interrupted.
    public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
    /// The operating system reported a failed read, write or other operation on a file.
    public static let SQLITE_IOERR = ResultCode(rawValue: 10)
    /// The database file is damaged.
    public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
    /// A file system of SQLite does not know an operation; apps hardly ever see this.
    public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)
    /// The disk is full, or the database has reached `max_page_count`.
    public static let SQLITE_FULL = ResultCode(rawValue: 13)
    /// A file could not be opened: the database, its journal, or a temporary one.
    public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
    /// Other processes kept this one too long from starting to use the WAL.
    public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
    /// The schema kept changing while the statement was compiled.
    public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
    /// A text, a blob or a statement is longer than the limit.
    public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)
    /// The change violates a constraint.
    public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
    /// A value has the wrong type, for instance a rowid that is not an integer.
    public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
    /// SQLite, or this library, was used in a way that cannot work.
    public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
    /// The file would grow beyond what its file system allows.
    public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
    /// An authorizer, or the defensive mode, forbids the statement.
    public static let SQLITE_AUTH = ResultCode(rawValue: 23)
    /// The statement has no parameter, or no column, with that number.
    public static let SQLITE_RANGE = ResultCode(rawValue: 25)
    /// The file is not an SQLite database, or is encrypted.
    public static let SQLITE_NOTADB = ResultCode(rawValue: 26)

    /// The statement needs a collation that this connection does not have.
    public static let SQLITE_ERROR_MISSING_COLLSEQ = extended(1, 1)
    /// Used inside SQLite to compile a statement again.
    public static let SQLITE_ERROR_RETRY = extended(1, 2)
    /// The requested snapshot is no longer in the WAL.
    public static let SQLITE_ERROR_SNAPSHOT = extended(1, 3)
    /// The statement was running when its transaction was rolled back.
    public static let SQLITE_ABORT_ROLLBACK = extended(4, 2)
    /// Another process is recovering the WAL after a crash.
    public static let SQLITE_BUSY_RECOVERY = extended(5, 1)
    /// The transaction has read, and another connection has written since: it can no longer write.
    public static let SQLITE_BUSY_SNAPSHOT = extended(5, 2)
    /// A lock that the operating system waits for was not available in time.
    public static let SQLITE_BUSY_TIMEOUT = extended(5, 3)
    /// Another connection of the same shared cache holds a lock on the table.
    public static let SQLITE_LOCKED_SHAREDCACHE = extended(6, 1)
    /// A virtual table encountered a lock of its own.
    public static let SQLITE_LOCKED_VTAB = extended(6, 2)
    /// The WAL must be recovered, which requires writing.
    public static let SQLITE_READONLY_RECOVERY = extended(8, 1)
    /// The memory that readers of the WAL share is read-only, so that no lock can be set.
    public static let SQLITE_READONLY_CANTLOCK = extended(8, 2)
    /// A crash left a journal that must be rolled back, which requires writing.
    public static let SQLITE_READONLY_ROLLBACK = extended(8, 3)
    /// The database file was moved or deleted after it was opened.
    public static let SQLITE_READONLY_DBMOVED = extended(8, 4)
    /// The memory that readers of the WAL share must be set up, but cannot be written to.
    public static let SQLITE_READONLY_CANTINIT = extended(8, 5)
    /// No journal can be created in the folder of the database file.
    public static let SQLITE_READONLY_DIRECTORY = extended(8, 6)
    /// A read failed.
    public static let SQLITE_IOERR_READ = extended(10, 1)
    /// A read returned fewer bytes than the file should have there.
    public static let SQLITE_IOERR_SHORT_READ = extended(10, 2)
    /// A write failed.
    public static let SQLITE_IOERR_WRITE = extended(10, 3)
    /// Written bytes could not be flushed to the disk.
    public static let SQLITE_IOERR_FSYNC = extended(10, 4)
    /// A virtual table found its content damaged, as FTS5 does when its index does not match its table.
    public static let SQLITE_CORRUPT_VTAB = extended(11, 1)
    /// The table `sqlite_sequence` is damaged.
    public static let SQLITE_CORRUPT_SEQUENCE = extended(11, 2)
    /// An index lacks an entry for a row.
    public static let SQLITE_CORRUPT_INDEX = extended(11, 3)
    /// The path is that of a folder.
    public static let SQLITE_CANTOPEN_ISDIR = extended(14, 2)
    /// The path could not be turned into a full one.
    public static let SQLITE_CANTOPEN_FULLPATH = extended(14, 3)
    /// The path is a symbolic link, which is not allowed.
    public static let SQLITE_CANTOPEN_SYMLINK = extended(14, 6)
    /// A `CHECK` constraint is violated.
    public static let SQLITE_CONSTRAINT_CHECK = extended(19, 1)
    /// A commit hook refused the transaction.
    public static let SQLITE_CONSTRAINT_COMMITHOOK = extended(19, 2)
    /// A foreign key is violated.
    public static let SQLITE_CONSTRAINT_FOREIGNKEY = extended(19, 3)
    /// An extension's function reported a violation.
    public static let SQLITE_CONSTRAINT_FUNCTION = extended(19, 4)
    /// A `NOT NULL` constraint is violated.
    public static let SQLITE_CONSTRAINT_NOTNULL = extended(19, 5)
    /// A `PRIMARY KEY` constraint is violated.
    public static let SQLITE_CONSTRAINT_PRIMARYKEY = extended(19, 6)
    /// A trigger called `RAISE`.
    public static let SQLITE_CONSTRAINT_TRIGGER = extended(19, 7)
    /// A `UNIQUE` constraint or index is violated.
    public static let SQLITE_CONSTRAINT_UNIQUE = extended(19, 8)
    /// A virtual table reported a violation.
    public static let SQLITE_CONSTRAINT_VTAB = extended(19, 9)
    /// The rowid already exists.
    public static let SQLITE_CONSTRAINT_ROWID = extended(19, 10)
    /// A trigger would delete the row that is being updated.
    public static let SQLITE_CONSTRAINT_PINNED = extended(19, 11)
    /// The column of a `STRICT` table does not accept the value.
    public static let SQLITE_CONSTRAINT_DATATYPE = extended(19, 12)
    /// The user may not open the database; only in builds of SQLite with user authentication.
    public static let SQLITE_AUTH_USER = extended(23, 1)

    /// sqlite3.h builds extended codes like this: the primary code, and a number in the bits above its eight.
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

    /// What to do about an error with this code, if the code alone says enough.
    var advice: String? {
        switch self {
        case .SQLITE_BUSY_SNAPSHOT:
            return
                "Another connection wrote after this transaction read: roll it back, and run it again as `.immediate`."
        case .SQLITE_READONLY_DIRECTORY:
            return "SQLite writes its journal beside the database file: make that folder writable."
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            return "Insert the row that is referred to first, or delete the rows that refer to it."
        default: break
        }
        switch primary {
        case .SQLITE_PERM: return "Check the permissions of the database file and its folder."
        case .SQLITE_ABORT: return "The transaction was rolled back: run it again from the start."
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
        case .SQLITE_NOTADB: return "The file is not an SQLite database, or is encrypted: check the path."
        default: return nil
        }
    }
}
