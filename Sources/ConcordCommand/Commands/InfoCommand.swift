import Concordance
import ConcordanceEngine
import Foundation

/// `concord info`
enum InfoCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let file = try IndexFile(path: path, isReadOnly: true)
        if arguments.has("skipped") {
            try printSkipped(file, isJSON: arguments.has("json"), console: console)
            return .success
        }
        if arguments.has("sizes") {
            try printSizes(file, isJSON: arguments.has("json"), console: console)
            return .success
        }
        let facts = try IndexFacts(file)
        console.print(
            arguments.has("json") ? facts.json.text : facts.text, terminator: arguments.has("json") ? "\n" : "")
        return .success
    }

    private static func printSizes(_ file: IndexFile, isJSON: Bool, console: Console) throws {
        guard file.engine == .concordance else {
            throw UsageError("--sizes needs an index of the engine concordance; this one belongs to FTS5")
        }
        let line = ActivityLine(console, "Measuring the index", isQuiet: isJSON)
        let texts = try IndexFile.number(
            file.database,
            """
            SELECT ifnull(sum(length(CAST(c0 AS BLOB)) + length(CAST(c1 AS BLOB)) + ifnull(length(CAST(c2 AS BLOB)), 0)
              + length(CAST(c3 AS BLOB))), 0)
            FROM documents_content
            """)
        let sizes =
            try ConcordanceModule.structureSizes(of: "documents", in: file.database).map { ($0.name, $0.byteCount) }
            + [("texts", Int(texts))]
        line.finish()
        if isJSON {
            console.print(JSONText.object(sizes.map { ($0.0, .integer($0.1)) }).text)
            return
        }
        let total = max(sizes.reduce(0) { $0 + $1.1 }, 1)
        for (name, bytes) in sizes {
            let share = rounded(Double(bytes) * 100 / Double(total), digits: 1)
            console.print(
                name + String(repeating: " ", count: max(1, 20 - name.count)) + "\(byteCount(bytes)), \(share) %")
        }
    }

    private static func printSkipped(_ file: IndexFile, isJSON: Bool, console: Console) throws {
        let statement = try file.database.makeStatement(
            sql: "SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path")
        try statement.forEachRow { row in
            let (path, problem) = (row.string(at: 0) ?? "", row.string(at: 1) ?? "")
            if isJSON {
                console.print(JSONText.object([("path", .string(path)), ("problem", .string(problem))]).text)
            } else {
                console.print("\(TerminalText.line(path)): \(TerminalText.line(problem))")
            }
        }
    }
}

/// The facts that `concord info` prints.
struct IndexFacts {
    private let path: String
    private let diskBytes: Int
    private let analyzer: String
    private let contents: IndexContents
    private let sqlite: String
    private let roots: [String]
    private let kinds: [(kind: String, files: Int, documents: Int, bytes: Int)]
    private let skipped: Int
    private let readInPart: Int
    private let unfinished: Int

    init(_ file: IndexFile) throws {
        let database = file.database
        path = file.path
        diskBytes = ["", "-wal"].reduce(0) { $0 + Self.size(file.path + $1) }
        analyzer = file.analyzer.description
        contents = try IndexContents(file)
        sqlite = try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? ""
        roots = try file.roots().map(\.path)
        var kinds: [(String, Int, Int, Int)] = []
        try database.makeStatement(
            sql: """
                SELECT kind, count(*), sum(document_count), sum(bytes) FROM files WHERE kind IS NOT NULL
                GROUP BY kind ORDER BY 2 DESC, 1
                """
        ).forEachRow { row in
            kinds.append(
                (
                    row.string(at: 0) ?? "", Int(clamping: row.int64(at: 1)), Int(clamping: row.int64(at: 2)),
                    Int(clamping: row.int64(at: 3))
                ))
        }
        self.kinds = kinds
        skipped = try IndexFile.skippedCount(database)
        readInPart = try IndexFile.partialCount(database)
        unfinished = Int(try IndexFile.number(database, "SELECT count(*) FROM files WHERE complete = 0"))
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private var files: Int { kinds.reduce(0) { $0 + $1.files } }
    private var documents: Int { kinds.reduce(0) { $0 + $1.documents } }
    private var bytes: Int { kinds.reduce(0) { $0 + $1.bytes } }

    var text: String {
        var rows = [
            ("Index", TerminalText.line(path)), ("Size", byteCount(diskBytes)),
            ("Documents", "\(grouped(documents)) in \(counted(files, "file")), \(byteCount(bytes)) of text"),
        ]
        for kind in kinds {
            rows.append(
                (
                    "  \(kind.kind)",
                    "\(grouped(kind.documents)) in \(counted(kind.files, "file")), \(byteCount(kind.bytes))"
                ))
        }
        if skipped > 0 { rows.append(("Skipped", "\(counted(skipped, "file")) (concord info --skipped)")) }
        if readInPart > 0 {
            rows.append(("Read in part", "\(counted(readInPart, "file")) (concord info --skipped)"))
        }
        if unfinished > 0 { rows.append(("Unfinished", "\(counted(unfinished, "file")) (concord index continues)")) }
        for (index, root) in roots.enumerated() { rows.append((index == 0 ? "Folders" : "", TerminalText.line(root))) }
        rows.append(("Analyzer", analyzer))
        rows += contents.rows
        rows.append(("Versions", "concord \(ConcordCommand.version), SQLite \(sqlite)"))
        return rows.map { $0.0 + String(repeating: " ", count: max(1, 14 - $0.0.count)) + $0.1 + "\n" }.joined()
    }

    var json: JSONText {
        .object(
            [
                ("index", .string(path)), ("size", .integer(diskBytes)), ("files", .integer(files)),
                ("documents", .integer(documents)), ("text_bytes", .integer(bytes)),
                (
                    "kinds",
                    .object(
                        kinds.map { kind in
                            (
                                kind.kind,
                                .object([
                                    ("files", .integer(kind.files)), ("documents", .integer(kind.documents)),
                                    ("text_bytes", .integer(kind.bytes)),
                                ])
                            )
                        })
                ),
                ("skipped", .integer(skipped)), ("read_in_part", .integer(readInPart)),
                ("unfinished", .integer(unfinished)),
                ("roots", .array(roots.map { .string($0) })), ("analyzer", .string(analyzer)),
                ("version", .string(ConcordCommand.version)), ("sqlite", .string(sqlite)),
            ] + contents.json)
    }
}

/// `concord check`
enum CheckCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let file = try opened(path)
        let line = ActivityLine(console, "Checking the index", isQuiet: arguments.has("json"))
        var check: IndexCheck
        switch file {
        case .success(let file): check = try IndexCheck(file) { line.begin($0) }
        case .failure(let damage): check = IndexCheck(unreadable: damage.text)
        }
        var knowsRoots = true
        var (isRepaired, isEmptied) = (false, false)
        if arguments.has("repair"), !check.problems.isEmpty {
            let lock = try IndexLock.waiting(for: path, IndexActivity(.index), console: console)
            defer { withExtendedLifetime(lock) {} }
            line.begin("Repairing the index")
            let found = check.problems
            (isRepaired, isEmptied) = (true, !check.isReadable)
            let repaired =
                if case .success(let file) = file { try check.repair(file) } else { try IndexFile.emptied(path) }
            knowsRoots = try !repaired.roots().isEmpty
            check = try IndexCheck(repaired) { line.begin($0) }
            line.finish()
            for problem in found { console.message("found: \(problem)") }
        }
        line.finish()
        if arguments.has("json") {
            console.print(
                JSONText.object([
                    ("ok", .bool(check.problems.isEmpty)), ("problems", .array(check.problems.map { .string($0) })),
                    ("unfinished", .integer(check.unfinished)), ("repaired", .bool(isRepaired)),
                ]).text)
        } else {
            for problem in check.problems { console.print(TerminalText.line(problem)) }
            if isEmptied { console.print("SQLite could not read the index, so it has been emptied.") }
            switch (check.problems.isEmpty, isRepaired) {
            case (true, false): console.print("The index is intact.")
            case (true, true):
                console.print(
                    knowsRoots || !isEmptied
                        ? "The index is intact again. To read all files again, run 'concord index'."
                        : "The index is intact again, but its folders are not known any more. To read them again, run "
                            + "'concord index PATH...'.")
            case (false, false): console.print("To repair the index, run 'concord check --repair'.")
            case (false, true): console.print("To build the index again, run 'concord index --rebuild'.")
            }
            if check.unfinished > 0, !isRepaired {
                console.print(
                    "Indexing was interrupted in \(counted(check.unfinished, "file")); 'concord index' continues.")
            }
        }
        return check.problems.isEmpty ? .success : .nothing
    }

    private struct Damage: Error {
        var text: String
    }

    /// The index, unless it is so damaged that it cannot be opened. FTS5's check is an INSERT, so it is opened for writing.
    private static func opened(_ path: String) throws -> Result<IndexFile, Damage> {
        do {
            return .success(try IndexFile(path: path, isReadOnly: false))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return .failure(Damage(text: error.message ?? "damaged"))
        }
    }
}
