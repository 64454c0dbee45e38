import Concordance
import Foundation

/// Opens databases in folders that cannot be written to.
enum UnsharedFile {
    /// Opens the database at `path`. Where its folder cannot be written to, SQLite cannot share a write-ahead log with
    /// other processes, and reads the file only if it is told that nobody changes it.
    ///
    /// - Parameters:
    ///   - isFolderWritable: Nil to ask the system.
    ///   - open: Opens a path or a URI, and reads from the database, since opening alone reads nothing.
    /// - Throws: What `open` throws. Commits that are in a log which cannot be read are not left out.
    static func open<Value>(
        _ path: String, isFolderWritable: Bool? = nil, _ open: (String) throws -> Value
    ) throws -> Value {
        do {
            return try open(path)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            // SQLite keeps the log beside the file itself, not beside a link to it.
            guard let file = DirectoryWalk.resolve(path), access(file, R_OK) == 0, !hasLog(file),
                !(isFolderWritable ?? (access(PathText.folder(file), W_OK) == 0))
            else { throw error }
            return try open("file:" + PercentEncoding.encode(file, keepingSlashes: true) + "?immutable=1")
        }
    }

    private static func hasLog(_ path: String) -> Bool {
        var log = stat()
        return stat(path + "-wal", &log) == 0 && log.st_size > 0
    }
}
