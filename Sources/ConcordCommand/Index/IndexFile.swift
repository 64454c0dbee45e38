import Concordance
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSearch
import Foundation

/// A problem with an index, described for the user.
enum IndexError: Error, Equatable, CustomStringConvertible {
    case missing(String)
    case foreign(String)
    case newer(String)
    case older(String)
    case otherAnalyzer(asked: String, has: String)
    case otherEngine(asked: String, has: String)
    case badAnalyzer(String, String)
    case cannotCreate(String, String)
    case damaged(String)
    case nothingToIndex
    case noneReadable
    case nothingToFollow
    case followed(by: Int32)
    case replaced(String)

    var description: String {
        switch self {
        case .missing(let path): "there is no index at \(path); create one with: concord index FOLDER"
        case .foreign(let path): "\(path) is not an index of concord; choose another file with --db"
        case .newer(let path):
            "\(path) was created by a newer concord; update concord, or choose another file with --db"
        case .older(let path):
            "\(path) was created by an older concord; read its files again with: concord index"
        case .otherAnalyzer(let asked, let has):
            "the index uses the analyzer '\(has)', not '\(asked)'; add --rebuild to build it again"
        case .otherEngine(let asked, let has):
            "the index uses the engine \(has), not \(asked); add --rebuild to build it again"
        case .badAnalyzer(let text, let why): "'\(text)' is not an analyzer: \(why)"
        case .cannotCreate(let path, let why): "cannot make \(path): \(why)"
        case .damaged(let path):
            "\(path) is damaged beyond repair; delete it, and create another index with: concord index FOLDER"
        case .noneReadable: "nothing to index"
        case .followed(let process):
            "'concord watch' or 'concord serve --watch' (process \(process)) writes to this index; stop it first"
        case .replaced(let path): "the index at \(path) has been deleted or replaced"
        case .nothingToFollow: "no folder has been indexed yet; name one: concord watch FOLDER"
        case .nothingToIndex: "no folder has been indexed yet; name one: concord index FOLDER"
        }
    }
}

/// A folder or file that the user wants to be indexed, and the options for walking it.
struct IndexRoot: Equatable, Sendable {
    var path: String
    var options: WalkOptions

    /// Whether `other` is this root or below it.
    func covers(_ other: String) -> Bool {
        other == path || path == "/" || other.hasPrefix(path + "/")
    }

    /// Whether a walk of this root finds all that a walk of `other`, at or below it, would.
    func includes(_ other: IndexRoot) -> Bool {
        (options.includesHidden || !other.options.includesHidden)
            && (options.followsLinks || !other.options.followsLinks)
            && DirectoryWalk.reaches(other.path, from: self)
    }

    /// A path in the form in which it is searched: relative to the root, since the root's own path says nothing about a
    /// file.
    func relative(_ other: String) -> String {
        guard other != path else {
            return String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        }
        return String(other.dropFirst(path == "/" ? 1 : path.count + 1))
    }
}

/// The database of an index, with these tables:
///
///     settings   name, value                        the analyzer, the limit for the size of files
///     roots      path, hidden, links                what `concord index` without a path indexes
///     files      id, path, kind, size, modified, changed, hash, bytes, document_count, problem, complete
///     parts      document, file, line, entry, page, which documents are whose, where they begin, who wrote them;
///                author, kind, folder, year,
///                modified, language                 what is filtered, counted and ordered by
///                signature                          what near-duplicates are told by
///     documents  title, path, author, body,         full-text, rowid = parts.document
///                kind, folder, year, modified,      the same as values of the engine, where it is ours
///                language
///
/// A root may be below another one whose walk does not come there: a file belongs to the nearest root that covers it.
///
/// `folder` is the folder directly below the root that contains the file at any depth; `modified` is in seconds since
/// 1970, and `year` is its year in UTC.
///
/// A file that is only partly in the index, because a run was interrupted, has `complete` 0; the next run reads it
/// again.
final class IndexFile {
    static let version: Int64 = 6
    /// "Conc", which identifies our files in SQLite's header
    /// (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int64 = 0x436F_6E63

    let path: String
    let database: Database
    let analyzer: Analyzer
    /// The engine of the full-text table.
    let engine: SearchEngine
    /// Whether the index has just been emptied because it had an older version: the files of all its roots have yet to
    /// be read.
    private(set) var isEmptied = false

    /// Opens an existing index.
    init(path: String, isReadOnly: Bool) throws {
        guard access(path, F_OK) == 0 else { throw IndexError.missing(path) }
        self.path = path
        database = try Self.connect(path, isReadOnly: isReadOnly)
        guard try Self.number(database, "PRAGMA application_id") == Self.applicationID else {
            throw IndexError.foreign(path)
        }
        let version = try Self.number(database, "PRAGMA user_version")
        guard version <= Self.version else { throw IndexError.newer(path) }
        guard version == Self.version else { throw IndexError.older(path) }
        let description = try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = 'analyzer'")
        analyzer = try description.map(Self.analyzer) ?? Analyzer.standard
        guard let engine = try SearchEngine.keeping("documents", in: database) else { throw IndexError.foreign(path) }
        self.engine = engine
    }

    /// Opens the index at `path` for writing, and creates it if there is none.
    static func openOrCreate(
        path: String, analyzer wish: String?, engine wantedEngine: SearchEngine? = nil, rebuild: Bool
    ) throws -> IndexFile {
        // An invalid analyzer must not leave an empty file behind.
        let wanted = try wish.map(analyzer)
        if access(path, F_OK) != 0 {
            try createFolder(of: path)
            // The texts of private files are nobody else's business. SQLite gives the files beside it the same permissions.
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if descriptor >= 0 { close(descriptor) }
        }
        let database = try connect(path, isReadOnly: false)
        if try number(database, "PRAGMA application_id") == 0,
            try number(database, "SELECT count(*) FROM sqlite_schema") == 0
        {
            try whenFree {
                try create(in: database, analyzer: wanted ?? .standard, engine: wantedEngine ?? .concordance)
            }
        }
        let isEmptied = try replaceOlder(in: database)
        try database.close()
        let file = try IndexFile(path: path, isReadOnly: false)
        file.isEmptied = isEmptied
        if rebuild {
            try file.rebuild(wanted ?? file.analyzer, engine: wantedEngine ?? file.engine)
            let rebuilt = try IndexFile(path: path, isReadOnly: false)
            rebuilt.isEmptied = isEmptied
            return rebuilt
        }
        if let wanted, wanted != file.analyzer {
            throw IndexError.otherAnalyzer(asked: wanted.description, has: file.analyzer.description)
        }
        if let wantedEngine, wantedEngine != file.engine {
            throw IndexError.otherEngine(asked: wantedEngine.moduleName, has: file.engine.moduleName)
        }
        return file
    }

    /// Replaces an index of an older version with an empty one.
    ///
    /// - Returns: Whether the index was of an older version.
    static func replaceOlder(_ path: String) throws -> Bool {
        let database = try connect(path, isReadOnly: false)
        let isReplaced = try replaceOlder(in: database)
        try database.close()
        return isReplaced
    }

    /// Opens another connection to the same index, for another thread.
    static func connect(_ path: String, isReadOnly: Bool) throws -> Database {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.busyTimeout = 30
        let database = try opened(path, configuration)
        try ConcordanceModule.register(on: database)
        try ConcordanceTokenizers.register(on: database)
        return database
    }

    /// - Throws: `IndexError.foreign` if the file is no database.
    private static func opened(_ path: String, _ configuration: Configuration) throws -> Database {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw IndexError.foreign(path)
        }
        func open(_ location: String) throws -> Database {
            let database = try Database(path: location, configuration: configuration)
            _ = try number(database, "PRAGMA application_id")
            return database
        }
        do {
            return configuration.readonly ? try UnsharedFile.open(path, open) : try open(path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw IndexError.foreign(path)
        }
    }

    /// The analyzer with this name or descriptor.
    static func analyzer(_ text: String) throws -> Analyzer {
        if let named = Analyzer.named.first(where: { $0.name == text }) { return named.analyzer }
        do {
            return try Analyzer(parsing: text)
        } catch {
            throw IndexError.badAnalyzer(text, "\(error)")
        }
    }

    /// Whether a path is that of an index, or of a file that SQLite or this command keeps beside it.
    static func isPart(_ path: String, of database: String) -> Bool {
        path.hasPrefix(database)
            && ["", "-wal", "-shm", "-journal", "-lock"].contains(path.dropFirst(database.count))
    }

    static func createFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw IndexError.cannotCreate(folder, (error as NSError).localizedDescription)
        }
    }

    /// Tries again for some seconds while the database is busy. When SQLite changes the journal mode, it does not wait
    /// for another process, which may be creating the same index.
    private static func whenFree(_ body: () throws -> Void) throws {
        for _ in 0..<250 {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                usleep(20_000)
            }
        }
        try body()
    }

    private static func create(in database: Database, analyzer: Analyzer, engine: SearchEngine) throws {
        try database.execute(sql: "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
            // Another process may have been quicker.
            if try number(database, "PRAGMA application_id") == applicationID { return .rollback }
            try database.execute(
                sql: """
                    CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE roots(
                      path TEXT PRIMARY KEY, hidden INTEGER NOT NULL, links INTEGER NOT NULL) WITHOUT ROWID;
                    \(filesSQL)
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    """)
            try createDocuments(in: database, analyzer: analyzer, engine: engine)
            return .commit
        }
    }

    private static let filesSQL = """
        CREATE TABLE files(
          id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT, size INTEGER NOT NULL,
          modified INTEGER NOT NULL, changed INTEGER NOT NULL, hash INTEGER, bytes INTEGER NOT NULL,
          document_count INTEGER NOT NULL, problem TEXT, complete INTEGER NOT NULL);
        CREATE TABLE parts(
          document INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id), line INTEGER, kind TEXT,
          folder TEXT, year INTEGER, modified INTEGER, entry TEXT, page INTEGER, language TEXT, author TEXT,
          signature BLOB);
        CREATE INDEX files_size ON files(size, modified);
        CREATE INDEX parts_file ON parts(file);
        CREATE INDEX parts_modified ON parts(modified);
        """

    /// Replaces the tables of an index of an older version with empty ones, and keeps its roots, analyzer and engine.
    ///
    /// - Returns: Whether the index was of an older version.
    private static func replaceOlder(in database: Database) throws -> Bool {
        func isOlder() throws -> Bool {
            try number(database, "PRAGMA application_id") == applicationID
                && number(database, "PRAGMA user_version") < version
        }
        guard try isOlder() else { return false }
        let description = try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = 'analyzer'")
        let analyzer = try description.map(Self.analyzer) ?? Analyzer.standard
        let engine = try SearchEngine.keeping("documents", in: database) ?? .concordance
        try database.inTransaction(.immediate) {
            // Another process may have been quicker.
            guard try isOlder() else { return .rollback }
            try database.execute(sql: "DROP TABLE documents; DROP TABLE parts; DROP TABLE files")
            try database.execute(sql: filesSQL)
            try createDocuments(in: database, analyzer: analyzer, engine: engine)
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
        return true
    }

    private static func createDocuments(in database: Database, analyzer: Analyzer, engine: SearchEngine) throws {
        func define(_ table: FTS5TableDefinition) {
            table.tokenizer = .concordance(analyzer)
            table.column("title")
            table.column("path")
            table.column("author")
            table.column("body")
            // People search as they type: each first letter is looked up.
            table.prefixes = [1, 2, 3]
            // FTS5 has no values; the same columns of parts answer for them.
            if engine == .concordance { for name in valueNames { table.column(name).storesValues() } }
        }
        if engine == .fts5 {
            try database.create(virtualTable: "documents", using: FTS5(), define)
        } else {
            try database.create(virtualTable: "documents", using: ConcordanceTable(), define)
        }
        // An engine writes a segment whenever its memory is full. With more memory there are fewer segments, which are
        // merged less often.
        try database.execute(
            sql: """
                INSERT INTO documents(documents, rank) VALUES ('rank', ?);
                INSERT INTO documents(documents, rank) VALUES ('hashsize', 16777216);
                """, arguments: [searchIndex(engine: engine, analyzer: analyzer).definition.rankFunction])
        try database.execute(
            sql: "INSERT OR REPLACE INTO settings VALUES ('analyzer', ?)", arguments: [analyzer.description])
    }

    /// The columns by which documents are filtered, counted and ordered.
    static let valueNames = ["kind", "folder", "year", "modified", "language"]

    /// Forgets all documents, and creates the full-text table again.
    private func rebuild(_ analyzer: Analyzer, engine: SearchEngine) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: "DROP TABLE documents; DELETE FROM parts; DELETE FROM files")
            try Self.createDocuments(in: database, analyzer: analyzer, engine: engine)
            return .commit
        }
        try database.close()
    }

    /// Empties an index that SQLite cannot read, in place. Keeps the analyzer, the engine and, if they can be read, the roots.
    ///
    /// - Returns: The index to use from now on.
    func emptied() throws -> IndexFile {
        try Self.empty(database, path, analyzer: analyzer, engine: engine)
    }

    /// Empties, in place, an index that cannot be opened. Keeps what can be read of its analyzer, engine and roots.
    ///
    /// - Throws: `IndexError.foreign` unless the file's header says that it is an index.
    static func emptied(_ path: String) throws -> IndexFile {
        guard let header = header(path), header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8))
        else { throw IndexError.foreign(path) }
        // https://www.sqlite.org/fileformat.html#the_database_header
        func number(at place: Int) -> Int64 { header.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int64($1) } }
        guard number(at: 68) == applicationID else { throw IndexError.foreign(path) }
        guard number(at: 60) <= version else { throw IndexError.newer(path) }
        var configuration = Configuration()
        configuration.busyTimeout = 30
        do {
            let database = try Database(path: path, configuration: configuration)
            let description = try? String.fetchOne(
                database, sql: "SELECT value FROM settings WHERE name = 'analyzer'")
            return try empty(
                database, path, analyzer: description.flatMap { try? Self.analyzer($0) } ?? .standard,
                engine: (try? SearchEngine.keeping("documents", in: database)) ?? .concordance)
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw IndexError.damaged(path)
        }
    }

    /// The first bytes of a file. It is closed again before SQLite opens it, since closing it gives up SQLite's locks.
    private static func header(_ path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return try? file.read(upToCount: 100)
    }

    private static func empty(
        _ database: Database, _ path: String, analyzer: Analyzer, engine: SearchEngine
    ) throws -> IndexFile {
        let roots = (try? roots(in: database)) ?? []
        try database.erase()
        try database.close()
        let empty = try connect(path, isReadOnly: false)
        try create(in: empty, analyzer: analyzer, engine: engine)
        try empty.close()
        let file = try IndexFile(path: path, isReadOnly: false)
        for root in roots { _ = try file.remember(root) }
        return file
    }

    static func number(_ database: Database, _ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
        try Int64.fetchOne(database, sql: sql, arguments: arguments) ?? 0
    }

    /// The number of files with a problem of which nothing is in the index.
    static func skippedCount(_ database: Database) throws -> Int {
        Int(try number(database, "SELECT count(*) FROM files WHERE problem IS NOT NULL AND kind IS NULL"))
    }

    /// The number of files with a problem of which something is in the index.
    static func partialCount(_ database: Database) throws -> Int {
        Int(try number(database, "SELECT count(*) FROM files WHERE problem IS NOT NULL AND kind IS NOT NULL"))
    }
}

// Roots.
extension IndexFile {
    func roots() throws -> [IndexRoot] { try Self.roots(in: database) }

    private static func roots(in database: Database) throws -> [IndexRoot] {
        var roots: [IndexRoot] = []
        try database.makeStatement(sql: "SELECT path, hidden, links FROM roots ORDER BY path").forEachRow { row in
            roots.append(
                IndexRoot(
                    path: row.string(at: 0) ?? "",
                    options: WalkOptions(includesHidden: row.int64(at: 1) != 0, followsLinks: row.int64(at: 2) != 0)))
        }
        return roots
    }

    /// Remembers `root`, unless the walk of a remembered root includes it; roots below it that its walk includes become
    /// part of it. The others below it remain, and keep their files to themselves.
    ///
    /// - Returns: The root to which its files belong.
    func remember(_ root: IndexRoot) throws -> IndexRoot {
        var owner = root
        try database.inTransaction(.immediate) {
            let known = try roots()
            var kept: [IndexRoot] = []
            // Ordered by path, a folder comes before what is in it.
            for next in (known.filter { $0.path != root.path } + [root]).sorted(by: { $0.path < $1.path }) {
                let isIncluded = root.covers(next.path) && kept.root(of: next.path)?.includes(next) == true
                if !isIncluded { kept.append(next) }
            }
            owner = kept.root(of: root.path) ?? root
            for old in known where !kept.contains(old) {
                try database.execute(sql: "DELETE FROM roots WHERE path = ?", arguments: [old.path])
            }
            for new in kept where !known.contains(new) {
                try database.execute(
                    sql: "INSERT INTO roots VALUES (?, ?, ?)",
                    arguments: [new.path, new.options.includesHidden ? 1 : 0, new.options.followsLinks ? 1 : 0])
            }
            // Files that belong to another root now are read again, since documents hold paths relative to their root.
            let (before, after) = (Set(known.map(\.path)), Set(kept.map(\.path)))
            for path in before.symmetricDifference(after) where known.root(of: path) != nil {
                let base = path == "/" ? "" : path
                try database.execute(
                    sql: "UPDATE files SET size = -1, hash = NULL WHERE path = ? OR (path > ? AND path < ?)",
                    arguments: [path, base + "/", base + "0"])
            }
            return .commit
        }
        return owner
    }

    /// Forgets the roots at and below a path.
    func forget(_ path: String) throws {
        let place = IndexRoot(path: path, options: WalkOptions())
        for root in try roots() where place.covers(root.path) {
            try database.execute(sql: "DELETE FROM roots WHERE path = ?", arguments: [root.path])
        }
    }
}

extension Sequence<IndexRoot> {
    /// The root to which a file at a path belongs: of those that cover it, the nearest.
    func root(of path: String) -> IndexRoot? {
        var nearest: IndexRoot?
        for root in self where root.covers(path) {
            if nearest.map({ $0.covers(root.path) }) ?? true { nearest = root }
        }
        return nearest
    }

    /// The roots below another one, whose files do not belong to that one.
    func inside(_ root: IndexRoot) -> [IndexRoot] { filter { $0.path != root.path && root.covers($0.path) } }
}

/// The default location of the index.
enum IndexLocation {
    /// `--db`, or `CONCORD_DB`, or the system's folder for application data
    /// (https://specifications.freedesktop.org/basedir-spec/latest).
    static func path(option: String?, environment: [String: String]) -> String {
        if let option { return DirectoryWalk.absolute(option) }
        if let path = environment["CONCORD_DB"], !path.isEmpty { return DirectoryWalk.absolute(path) }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        #if canImport(Darwin)
            return home + "/Library/Application Support/concord/index.db"
        #else
            // The specification ignores relative folders.
            let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (data ?? home + "/.local/share") + "/concord/index.db"
        #endif
    }
}
