import Concordance
import ConcordanceSearch
import Foundation

/// `concord index`
enum IndexCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let extractor = try extractor(arguments, console: console)
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let engine = try engine(arguments)
        // An invalid analyzer must not leave an empty file behind.
        _ = try arguments.value("analyzer").map(IndexFile.analyzer)
        let requested = try requestedRoots(arguments, console: console)
        let lock: IndexLock
        do {
            lock = try IndexLock.waiting(for: path, IndexActivity(.index), console: console)
        } catch IndexError.followed(let process) where !arguments.changesIndex {
            return try leave(requested, to: process, path, arguments, console: console)
        }
        let isQuiet = arguments.has("quiet") || arguments.has("json")
        // A large index takes a while to be emptied.
        let emptying = ActivityLine(console, "Emptying the index", isQuiet: isQuiet)
        let file = try IndexFile.openOrCreate(
            path: path, analyzer: arguments.value("analyzer"), engine: engine,
            rebuild: arguments.has("rebuild"))
        emptying.finish()
        if file.isEmptied, !isQuiet {
            console.message("The index was made by an older concord; all files are read again.")
        }
        try addOptions(arguments, to: file)
        let targets = try targets(requested.roots, isRefresh: arguments.operands.isEmpty, in: file)

        let interruption = Interruption()
        var line = ProgressLine(console, isQuiet: isQuiet)
        let report = try Indexer(file, extractor: extractor)
            .run(targets, interruption: interruption.flag) {
                line.show($0)
                lock.note(IndexActivity($0, .index))
            }
        line.finish()
        try print(report, of: file, arguments, console: console)
        if report.isInterrupted { return .interrupted }
        // Unreadable folders are reported, but only a path given by the user makes the run fail.
        let failed = report.unreadable.contains { problem in targets.contains { $0.path == problem.path } }
        return failed || requested.isSomeMissing ? .failure : .success
    }

    /// What extracts text from files, configured by a command's options.
    static func extractor(_ arguments: ParsedArguments, console: Console) throws -> Extractor {
        var extractor = Extractor()
        if let megabytes = try arguments.count("max-size", in: 1...1_000_000) {
            extractor.limits.fileBytes = megabytes * 1_000_000
            extractor.limits.unpackedBytes = extractor.limits.fileBytes
        }
        let programs = console.environment["PATH"]
        extractor.converters.pdfToText = Subprocess.find("pdftotext", path: programs)
        extractor.converters.pdfInfo = Subprocess.find("pdfinfo", path: programs)
        extractor.converters.wordToText = TextProgram.first(
            of: [("catdoc", ["-w", "-dutf-8"]), ("antiword", ["-m", "UTF-8.txt", "-w", "0"])], path: programs)
        extractor.converters.spreadsheetToText = TextProgram.first(
            of: [("xls2csv", ["-q0", "-c\t", "-dutf-8"])], path: programs)
        extractor.converters.presentationToText = TextProgram.first(
            of: [("catppt", ["-dutf-8"])], path: programs)
        if arguments.has("ocr") {
            extractor.converters.pdfToImage = Subprocess.find("pdftoppm", path: programs)
            extractor.converters.tesseract = Subprocess.find("tesseract", path: programs)
            if extractor.converters.tesseract == nil {
                throw UsageError("--ocr needs tesseract, which is not installed")
            }
        }
        return extractor
    }

    /// Leaves the paths to the process that follows the folders of the index.
    private static func leave(
        _ requested: (roots: [IndexRoot], isSomeMissing: Bool), to process: Int32, _ path: String,
        _ arguments: ParsedArguments, console: Console
    ) throws -> ExitCode {
        let file = try IndexFile(path: path, isReadOnly: false)
        try addOptions(arguments, to: file)
        for root in requested.roots.sorted(by: { $0.path < $1.path }) { _ = try file.remember(root) }
        if !arguments.has("quiet") {
            console.message(
                requested.roots.isEmpty
                    ? "Process \(process) follows the folders of this index, and keeps the index up to date."
                    : "Process \(process) follows the folders of this index, and now reads these, too.")
        }
        return requested.isSomeMissing ? .failure : .success
    }

    private static func engine(_ arguments: ParsedArguments) throws -> SearchEngine? {
        guard let name = arguments.value("engine") else { return nil }
        if let engine = SearchEngine.all.first(where: { $0.moduleName == name }) { return engine }
        let names = SearchEngine.all.map(\.moduleName).joined(separator: " or ")
        throw UsageError("--engine takes \(names), not '\(name)'")
    }

    /// The files and folders on the command line that exist.
    static func requestedRoots(
        _ arguments: ParsedArguments, console: Console
    ) throws -> (roots: [IndexRoot], isSomeMissing: Bool) {
        let options = WalkOptions(includesHidden: arguments.has("all"), followsLinks: arguments.has("follow"))
        var roots: [IndexRoot] = []
        for path in arguments.operands {
            var status = stat()
            guard let resolved = DirectoryWalk.resolve(path), stat(resolved, &status) == 0 else {
                console.complain("\(TerminalText.line(path)): \(systemMessage())")
                continue
            }
            // A device, say, would be remembered, and no later run would succeed.
            if status.st_mode & S_IFMT != S_IFDIR, let refusal = FileStream.refusal(mode: status.st_mode) {
                console.complain("\(TerminalText.line(path)): \(refusal); name a file or a folder")
                continue
            }
            roots.append(IndexRoot(path: resolved, options: options))
        }
        let isSomeMissing = roots.count < arguments.operands.count
        if isSomeMissing, roots.isEmpty { throw IndexError.noneReadable }
        return (roots, isSomeMissing)
    }

    /// Without a path, `--all` and `--follow` are meant for all paths that are remembered.
    private static func addOptions(_ arguments: ParsedArguments, to file: IndexFile) throws {
        guard arguments.operands.isEmpty, arguments.has("all") || arguments.has("follow") else { return }
        for var root in try file.roots() {
            root.options.includesHidden = root.options.includesHidden || arguments.has("all")
            root.options.followsLinks = root.options.followsLinks || arguments.has("follow")
            _ = try file.remember(root)
        }
    }

    /// The paths to walk, each with the remembered root that it belongs to.
    static func targets(
        _ requested: [IndexRoot], isRefresh: Bool, in file: IndexFile
    ) throws -> [(path: String, root: IndexRoot)] {
        if isRefresh {
            let roots = try file.roots()
            guard !roots.isEmpty else { throw IndexError.nothingToIndex }
            return roots.map { ($0.path, $0) }
        }
        var targets: [(path: String, root: IndexRoot)] = []
        for root in requested.sorted(by: { $0.path < $1.path }) {
            let owner = try file.remember(root)
            // A path below another one of the command line is walked with that one.
            let isWalked = targets.contains {
                $0.root.path == owner.path && IndexRoot(path: $0.path, options: owner.options).covers(root.path)
            }
            if !isWalked { targets.append((root.path, owner)) }
        }
        let roots = try file.roots()
        if file.isEmptied { return roots.map { ($0.path, $0) } }
        // Roots below a path are brought up to date with it.
        for root in roots where !targets.contains(where: { $0.path == root.path }) {
            let isBelow = targets.contains { IndexRoot(path: $0.path, options: $0.root.options).covers(root.path) }
            if isBelow { targets.append((root.path, root)) }
        }
        return targets
    }

    private static func print(
        _ report: IndexingReport, of file: IndexFile, _ arguments: ParsedArguments, console: Console
    ) throws {
        let problems = (report.unreadable + report.problems).map { ($0.path, $0.problem.description) }
        if arguments.has("json") {
            console.print(json(report, file: file).text)
        }
        if arguments.has("verbose") {
            for (path, problem) in problems { console.message("skipped \(TerminalText.line(path)): \(problem)") }
        } else {
            for problem in report.unreadable.prefix(10) {
                console.complain("\(TerminalText.line(problem.path)): \(problem.problem)")
            }
        }
        guard !arguments.has("quiet"), !arguments.has("json") else { return }
        console.print(summary(report))
        if report.isInterrupted {
            console.message("Interrupted. The index is intact; 'concord index' continues from here.")
        }
    }

    static func summary(_ report: IndexingReport) -> String {
        var changes: [String] = []
        for (count, what) in [
            (report.new, "new"), (report.changed, "changed"), (report.moved, "moved"), (report.removed, "removed"),
            (report.unchanged, "unchanged"),
            (report.skipped, "skipped"),
        ] where count > 0 {
            changes.append("\(grouped(count)) \(what)")
        }
        var line = "Files: " + (changes.isEmpty ? "none" : changes.joined(separator: ", ")) + "."
        if report.documents > 0 {
            let rate = byteCount(Int(min(Double(report.textBytes) / max(report.seconds, 0.001), 1e15)))
            line += " Indexed \(counted(report.documents, "document")), \(byteCount(report.textBytes)) of text"
            line += " in \(duration(report.seconds)) (\(rate)/s)."
        } else {
            line += " Nothing to index (\(duration(report.seconds)))."
        }
        return line
    }

    private static func json(_ report: IndexingReport, file: IndexFile) -> JSONText {
        .object([
            ("index", .string(file.path)), ("new", .integer(report.new)), ("changed", .integer(report.changed)),
            ("unchanged", .integer(report.unchanged)), ("moved", .integer(report.moved)),
            ("removed", .integer(report.removed)),
            ("skipped", .integer(report.skipped)), ("documents", .integer(report.documents)),
            ("text_bytes", .integer(report.textBytes)), ("seconds", .number(report.seconds)),
            ("interrupted", .bool(report.isInterrupted)),
        ])
    }
}

extension ParsedArguments {
    /// Whether the options ask for a new index, or for reading its files in another way.
    fileprivate var changesIndex: Bool {
        has("rebuild") || has("ocr") || ["analyzer", "engine", "max-size"].contains { value($0) != nil }
    }
}

extension IndexActivity {
    init(_ progress: IndexProgress, _ work: Work) {
        self.init(work)
        isBusy = true
        (read, total, path) = (progress.files, progress.total?.files, progress.path)
    }
}

extension IndexLock {
    private static let wait: UInt32 = 100_000

    /// Takes the lock; waits if another process holds it for a while.
    ///
    /// - Throws: `IndexError.followed` if the other process follows the folders, and keeps the lock.
    static func waiting(for database: String, _ activity: IndexActivity, console: Console) throws -> IndexLock {
        try IndexFile.createFolder(of: database)
        var isTold = false
        while true {
            do {
                return try IndexLock(database, activity)
            } catch Refusal.held(let holder) {
                if let holder, holder.work == .watch { throw IndexError.followed(by: holder.process) }
                if !isTold, let holder {
                    console.message("Process \(holder.process) is writing to the index; waiting for it to finish.")
                    isTold = true
                }
                usleep(wait)
            }
        }
    }
}

/// `concord remove`
enum RemoveCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let file = try IndexFile(path: path, isReadOnly: false)
        var removed = 0
        var targets: [String] = []
        let line = ActivityLine(console, "Removing files from the index")
        for operand in arguments.operands {
            // A file deleted from the disk can still be in the index.
            let target = DirectoryWalk.located(operand)
            removed += try Indexer(file, extractor: Extractor()).remove(target)
            try file.forget(target)
            targets.append(target)
        }
        line.finish()
        console.print("Removed \(counted(removed, "file")) from the index.")
        let roots = try file.roots()
        for root in roots where targets.contains(where: { Self.finds($0, root, of: roots) }) {
            console.message(
                "The next 'concord index' adds what is there again, since it indexes \(TerminalText.line(root.path)).")
        }
        return removed > 0 ? .success : .nothing
    }

    /// Whether a walk of a root comes to what was removed.
    private static func finds(_ target: String, _ root: IndexRoot, of roots: [IndexRoot]) -> Bool {
        roots.root(of: target) == root && DirectoryWalk.reaches(target, from: root)
    }
}
