import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// What an index says about its files and documents, without times and row numbers.
func contents(_ database: String) throws -> [String] {
    let file = try IndexFile(path: database, isReadOnly: true)
    let files = try String.fetchAll(
        file.database,
        sql: """
            SELECT path || '|' || coalesce(kind, '') || '|' || document_count || '|' || bytes || '|' || complete || '|'
            || coalesce(problem, '') FROM files ORDER BY path
            """)
    let documents = try String.fetchAll(
        file.database,
        sql: """
            SELECT files.path || '|' || coalesce(line, '') || '|' || title || '|' || documents.path || '|' || body
            FROM documents JOIN parts ON document = documents.rowid JOIN files ON files.id = file ORDER BY 1
            """)
    return files + documents
}

@discardableResult
func index(
    _ folder: String, into database: String, workers: Int = 2, options: WalkOptions = WalkOptions(),
    largestFile: Int? = nil
) throws -> IndexingReport {
    let file = try IndexFile.openOrCreate(path: database, analyzer: nil, rebuild: false)
    let root = try file.remember(IndexRoot(path: try #require(DirectoryWalk.resolve(folder)), options: options))
    var extractor = Extractor()
    if let largestFile { (extractor.limits.fileBytes, extractor.limits.unpackedBytes) = (largestFile, largestFile) }
    let report = try Indexer(file, extractor: extractor, workers: workers).run(
        [(root.path, root)], interruption: Flag(), progress: { _ in })
    #expect(try IndexCheck(file).problems == [])
    return report
}

private func search(_ query: String, in database: String) throws -> SearchResult {
    try Searcher(IndexFile(path: database, isReadOnly: true)).search(query)
}

@Suite("The index follows the files")
struct IndexTests {
    @Test func filesThatWereTooLargeAreReadOnceTheLimitIsHigher() throws {
        let (folder, databases) = (try TemporaryFolder(), try TemporaryFolder())
        let database = databases["index.db"]
        let text = String(repeating: "enormous\n", count: 1000)
        try folder.write("large.txt", text)
        try folder.write("packed.txt.gz", gzip(Array(text.utf8)))
        try folder.write("small.txt", "tiny")
        // Read in part: the second file in it is too large.
        try folder.write("both.zip", archive([("first.txt", Array("first".utf8)), ("second.txt", Array(text.utf8))]))
        var report = try index(folder.path, into: database, largestFile: 2000)
        #expect((report.new, report.skipped) == (2, 2))
        #expect(report.problems.map(\.problem) == [.tooLarge(limit: 2000), .tooLarge(limit: 2000)])
        #expect(try search("enormous", in: database).hits.isEmpty)
        // Neither the same limit nor a lower one changes anything.
        for limit in [2000, 1000] {
            report = try index(folder.path, into: database, largestFile: limit)
            #expect((report.unchanged, report.new, report.changed) == (4, 0, 0))
        }
        report = try index(folder.path, into: database, largestFile: 5000)
        #expect(report.unchanged == 1)
        report = try index(folder.path, into: database)
        #expect((report.unchanged, report.skipped) == (1, 0))
        let paths = try String.fetchAll(
            IndexFile(path: database, isReadOnly: true).database,
            sql: "SELECT DISTINCT path FROM documents WHERE documents MATCH 'enormous' ORDER BY path")
        #expect(paths.map { $0.split(separator: "/").last } == ["second.txt", "large.txt", "packed.txt.gz"])
        report = try index(folder.path, into: database)
        #expect(report.unchanged == 4)
    }

    @Test func newChangedTouchedAndRemovedFiles() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        try folder.write("a.txt", "alpha")
        try folder.write("sub/b.md", "# Beta\ntext")
        try folder.write("c.bin", [0, 1, 2, 3, 0, 0, 0, 5])
        var report = try index(folder.path, into: database)
        #expect((report.new, report.changed, report.unchanged, report.skipped) == (2, 0, 0, 1))

        report = try index(folder.path, into: database)
        #expect((report.new, report.changed, report.unchanged, report.skipped, report.removed) == (0, 0, 3, 0, 0))

        // Only the time changes: no document is written.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder["a.txt"])
        report = try index(folder.path, into: database)
        #expect((report.changed, report.unchanged, report.documents) == (0, 3, 0))

        // The same size and, by force, the same time.
        try folder.write("a.txt", "gamma")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder["a.txt"])
        report = try index(folder.path, into: database)
        #expect((report.changed, report.unchanged) == (1, 2))
        #expect(try search("alpha", in: database).total == 0)
        #expect(try search("gamma", in: database).total == 1)

        try FileManager.default.moveItem(atPath: folder["sub/b.md"], toPath: folder["sub/renamed.md"])
        try folder.remove("a.txt")
        report = try index(folder.path, into: database)
        #expect((report.new, report.moved, report.removed, report.unchanged) == (0, 1, 1, 1))
        #expect(
            try search("beta", in: database).hits.map(\.path)
                == [folder["sub/renamed.md"]].map { DirectoryWalk.resolve($0)! })

        let fresh = databases["fresh.db"]
        try index(folder.path, into: fresh)
        #expect(try contents(database) == contents(fresh))
    }

    /// After random edits, the index equals a new one.
    @Test func anyHistoryLeadsToTheSameIndex() throws {
        var generator = SeededGenerator(seed: 21)
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let names = ["a.txt", "b.md", "c.csv", "d/e.jsonl", "d/f.html", "g.txt.gz", "h.1", "i"]
        for round in 0..<8 {
            for name in names where Bool.random(using: &generator) {
                let words = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    ["red", "green", "\n", ",", "{\"text\":\"x\"}\n", "<p>", "# h\n", "\"", "\0\0"].randomElement(
                        using: &generator)!
                }
                let bytes = Array(words.joined(separator: " ").utf8)
                try folder.write(name, name.hasSuffix(".gz") ? gzip(bytes) : bytes)
            }
            if let gone = names.randomElement(using: &generator), FileManager.default.fileExists(atPath: folder[gone]) {
                try folder.remove(gone)
            }
            try index(folder.path, into: databases["grown.db"], workers: 1 + round % 3)
            try index(folder.path, into: databases["fresh\(round).db"])
            #expect(try contents(databases["grown.db"]) == contents(databases["fresh\(round).db"]), "round \(round)")
        }
    }

    /// A second change within one tick of the file system's clock leaves the times as they are.
    @Test func aChangeAtTheSameTimeIsFound() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        /// Writes the text, and sets a time in whole seconds, whose tick is long.
        func write(_ text: String) throws -> FileStamp {
            try folder.write("a.txt", text)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder["a.txt"])
            var status = stat()
            #expect(stat(folder["a.txt"], &status) == 0)
            return FileStamp(status)
        }
        // A machine that pauses for longer than a tick is given other chances.
        let isFound = try (0..<20).contains { attempt in
            let database = databases["\(attempt).db"]
            _ = try write("alpha")
            try index(folder.path, into: database)
            // What the index knows of the time is that of the second change, too.
            let stamp = try write("gamma")
            let file = try IndexFile.openOrCreate(path: database, analyzer: nil, rebuild: false)
            try file.database.execute(
                sql: "UPDATE files SET changed = ? WHERE changed <> 0", arguments: [stamp.changed])
            try file.database.close()
            try index(folder.path, into: database)
            return try search("gamma", in: database).total == 1
        }
        #expect(isFound)
    }

    @Test(arguments: [
        (modified: -500, changed: -500, isTrusted: true), (-500, -5, false), (-5, -500, false), (5, 5, false),
        // Set by a program.
        (3_600_000, -500, true), (-3_600_000, -500, true),
    ])
    func aStampIsTrustedOnceItsTickHasPassed(modified: Int64, changed: Int64, isTrusted: Bool) throws {
        let now: Int64 = 1_700_000_000_123_456_789
        func stamp(_ modified: Int64, _ changed: Int64) -> FileStamp {
            FileStamp(size: 4, modified: now + modified * 1_000_000, changed: now + changed * 1_000_000)
        }
        let kept = stamp(modified, changed).trusted(at: now)
        #expect((kept == stamp(modified, changed)) == isTrusted)
        #expect(kept.size == 4 && kept.modified == now + modified * 1_000_000)
        // Whole seconds only.
        let whole = now / 1_000_000_000 * 1_000_000_000
        for (seconds, isTrusted) in [(0, false), (-1, false), (-3, true)] as [(Int64, Bool)] {
            let stamp = FileStamp(size: 4, modified: whole + seconds * 1_000_000_000, changed: 1)
            #expect((stamp.trusted(at: now) == stamp) == isTrusted)
        }
    }

    @Test func theWalkSkipsHiddenFilesLinksAndOddities() throws {
        let folder = try TemporaryFolder()
        try folder.write("seen.txt", "x")
        try folder.write(".hidden", "x")
        try folder.write(".git/config", "x")
        try folder.write("node_modules/m.js", "x")
        try FileManager.default.createSymbolicLink(atPath: folder["loop"], withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(atPath: folder["link.txt"], withDestinationPath: folder["seen.txt"])
        try FileManager.default.createSymbolicLink(atPath: folder["broken"], withDestinationPath: "nowhere")
        #expect(mkfifo(folder["fifo"], 0o600) == 0)
        func names(_ options: WalkOptions) -> [String] {
            var walk = DirectoryWalk(options)
            var names: [String] = []
            _ = walk.walk(folder.path) { visit in
                if case .file(let path, _) = visit { names.append(String(path.dropFirst(folder.path.count + 1))) }
                return true
            }
            return names
        }
        #expect(names(WalkOptions()) == ["seen.txt"])
        #expect(names(WalkOptions(followsLinks: true)) == ["link.txt", "seen.txt"])
        #expect(
            names(WalkOptions(includesHidden: true)) == [".hidden", "seen.txt", ".git/config", "node_modules/m.js"])
    }

    @Test func rootsAreRememberedAndAbsorbed() throws {
        let folder = try TemporaryFolder()
        let file = try IndexFile.openOrCreate(path: folder["i.db"], analyzer: nil, rebuild: false)
        let options = WalkOptions()
        #expect(try file.remember(IndexRoot(path: "/a/b", options: options)).path == "/a/b")
        #expect(try file.remember(IndexRoot(path: "/a/b/c", options: options)).path == "/a/b")
        #expect(try file.remember(IndexRoot(path: "/a/bc", options: options)).path == "/a/bc")
        #expect(try file.remember(IndexRoot(path: "/a", options: WalkOptions(includesHidden: true))).path == "/a")
        #expect(try file.roots() == [IndexRoot(path: "/a", options: WalkOptions(includesHidden: true))])
        #expect(IndexRoot(path: "/a", options: options).relative("/a/b/c.txt") == "b/c.txt")
        #expect(IndexRoot(path: "/", options: options).relative("/b/c.txt") == "b/c.txt")
        #expect(IndexRoot(path: "/a/c.txt", options: options).relative("/a/c.txt") == "c.txt")
    }

    /// What is named stays in the index, whichever of the two folders was named first.
    @Test(arguments: [true, false])
    func rootsThatAnotherWalkDoesNotReach(_ areFirst: Bool) throws {
        let (folder, databases) = (try TemporaryFolder(), try TemporaryFolder())
        let database = databases["index.db"]
        for name in [".conf/deep/a.txt", ".note.txt", "c.txt", "node_modules/m.js", "sub/b.txt"] {
            try folder.write(name, "word")
        }
        let path = try #require(DirectoryWalk.resolve(folder.path))
        let inner = [".conf", ".note.txt", "node_modules"]
        func indexInner() throws {
            for name in inner { #expect(try index(folder[name], into: database).removed == 0) }
        }
        if areFirst { try indexInner() }
        #expect(try index(path, into: database).new == 2)
        if !areFirst { try indexInner() }
        let file = try IndexFile(path: database, isReadOnly: false)
        let roots = ([path] + inner.map { path + "/" + $0 }).map { IndexRoot(path: $0, options: WalkOptions()) }
        #expect(try file.roots() == roots)
        // Each file is below its own root.
        let names = try String.fetchAll(file.database, sql: "SELECT path FROM documents ORDER BY path")
        #expect(names == [".note.txt", "c.txt", "deep/a.txt", "m.js", "sub/b.txt"])
        let folders = try String.fetchAll(file.database, sql: "SELECT DISTINCT folder FROM parts ORDER BY folder")
        #expect(folders == [path, path + "/.conf/deep", path + "/node_modules", path + "/sub"])
        // All are walked without PATH, and those below a path with it.
        for (paths, isRefresh) in [([], true), ([path], false), ([path, path + "/sub", path + "/.conf"], false)] {
            let requested = paths.map { IndexRoot(path: $0, options: WalkOptions()) }
            let targets = try IndexCommand.targets(requested, isRefresh: isRefresh, in: file)
            #expect(targets.map(\.path).sorted() == roots.map(\.path).sorted())
            #expect(targets.allSatisfy { $0.path == $0.root.path })
            let report = try Indexer(file, extractor: Extractor()).run(targets, interruption: Flag()) { _ in }
            #expect((report.unchanged, report.new, report.changed, report.removed) == (5, 0, 0, 0))
        }
        try folder.remove(".conf/deep/a.txt")
        #expect(try index(folder[".conf"], into: database).removed == 1)
        // A walk that comes there makes them part of it.
        let all = WalkOptions(includesHidden: true)
        let merged = try index(path, into: database, options: all)
        #expect((merged.unchanged, merged.changed) == (2, 2))
        let paths = try String.fetchAll(file.database, sql: "SELECT path FROM documents ORDER BY path")
        #expect(paths == [".note.txt", "c.txt", "node_modules/m.js", "sub/b.txt"])
        #expect(try file.roots() == [IndexRoot(path: path, options: all)])
        #expect(try file.remember(IndexRoot(path: path + "/.conf", options: all)).path == path)
        #expect(try index(path, into: database).removed == 2)
    }

    /// A root with an option that the one around it lacks finds more than that one does.
    @Test func aRootWithMoreOptionsThanTheOneAroundIt() throws {
        let (folder, databases) = (try TemporaryFolder(), try TemporaryFolder())
        let database = databases["index.db"]
        for name in ["a.txt", "sub/b.txt", "sub/.c.txt"] { try folder.write(name, "word") }
        #expect(try index(folder.path, into: database).new == 2)
        let all = WalkOptions(includesHidden: true)
        let report = try index(folder["sub"], into: database, options: all)
        #expect((report.new, report.changed) == (1, 1))
        let walked = try index(folder.path, into: database)
        #expect((walked.unchanged, walked.removed) == (1, 0))
        let file = try IndexFile(path: database, isReadOnly: false)
        #expect(try file.roots().map(\.options) == [WalkOptions(), all])
        let names = try String.fetchAll(file.database, sql: "SELECT path FROM documents ORDER BY path")
        #expect(names == [".c.txt", "a.txt", "b.txt"])
        // The last options count.
        #expect(try index(folder["sub"], into: database).removed == 1)
        #expect(try file.roots().count == 1)
    }

    @Test func whatAWalkReaches() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try outside.write("in/a.txt", "x")
        try folder.write("CVS", "a file")
        try folder.write("mail/cur/1", "x")
        try folder.write("mail/new/2", "x")
        try folder.write("mail/.Sent/cur/3", "x")
        try folder.write("mail/.Sent/new/4", "x")
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: outside.path)
        for (name, plain, all, following) in [
            ("a/gone.txt", true, true, true), (".a/gone.txt", false, true, false), ("a/.gone.txt", false, true, false),
            ("node_modules", false, true, false), ("node_modules/x.js", false, true, false), ("CVS", true, true, true),
            ("mail/.Sent/cur", true, true, true), ("link/in/a.txt", false, false, true), ("link", false, false, true),
        ] {
            for (options, expected) in [
                (WalkOptions(), plain), (WalkOptions(includesHidden: true), all),
                (WalkOptions(followsLinks: true), following),
            ] {
                let root = IndexRoot(path: folder.path, options: options)
                #expect(DirectoryWalk.reaches(folder[name], from: root) == expected, "\(name)")
            }
        }
        #expect(!DirectoryWalk.reaches(outside.path, from: IndexRoot(path: folder.path, options: WalkOptions())))
        let top = IndexRoot(path: "/", options: WalkOptions())
        #expect(DirectoryWalk.reaches("/", from: top) && !DirectoryWalk.reaches("/no/.such", from: top))
    }

    /// If a folder cannot be read, or only its names can, nobody knows which files are there. The superuser sees
    /// everything.
    @Test(.enabled(if: geteuid() != 0), arguments: [0, 0o600] as [mode_t])
    func aFolderThatCannotBeReadKeepsItsFiles(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        try folder.write("closed/a.txt", "alpha")
        try index(folder.path, into: database)
        chmod(folder["closed"], mode)
        defer { chmod(folder["closed"], 0o700) }
        let report = try index(folder.path, into: database)
        #expect(report.removed == 0)
        #expect(report.unreadable.count == 1)
    }

    @Test func aNameThatIsNotUTF8ConcernsItsFileOnly() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        try folder.write("a.txt", "alpha")
        try folder.write("b.txt", "beta")
        let name = Array(folder.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xFF), 0]
        // Some file systems refuse such a name.
        guard let file = fopen(name, "w") else { return }
        fclose(file)
        try index(folder.path, into: database)
        try FileManager.default.removeItem(atPath: folder["b.txt"])
        let report = try index(folder.path, into: database)
        #expect((report.unchanged, report.removed) == (1, 1))
        #expect(report.unreadable.map(\.path.unicodeScalars.last) == ["\u{FFFD}"])
    }

    @Test func anInterruptedRunKeepsWhatIsDone() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        for number in 0..<50 { try folder.write("\(number).txt", "word\(number)") }
        let file = try IndexFile.openOrCreate(path: database, analyzer: nil, rebuild: false)
        let root = try file.remember(
            IndexRoot(path: try #require(DirectoryWalk.resolve(folder.path)), options: WalkOptions()))
        let flag = Flag()
        let report = try Indexer(file, extractor: Extractor(), workers: 1).run([(root.path, root)], interruption: flag)
        {
            if $0.files == 20 { flag.raise() }
        }
        #expect(report.isInterrupted)
        #expect(report.new == 20)
        let rest = try index(folder.path, into: database)
        #expect((rest.new, rest.unchanged) == (30, 20))
    }

    @Test func otherDatabasesAreLeftAlone() throws {
        let folder = try TemporaryFolder()
        let other = try Database(path: folder["other.db"])
        try other.execute(sql: "CREATE TABLE t(x)")
        try other.close()
        #expect(throws: IndexError.foreign(folder["other.db"])) {
            try IndexFile.openOrCreate(path: folder["other.db"], analyzer: nil, rebuild: false)
        }
        #expect(throws: IndexError.missing(folder["none.db"])) {
            try IndexFile(path: folder["none.db"], isReadOnly: true)
        }
        try folder.write("text.db", String(repeating: "no database at all ", count: 100))
        for path in [folder["text.db"], folder.path] {
            #expect(throws: IndexError.foreign(path)) { try IndexFile(path: path, isReadOnly: true) }
            #expect(throws: IndexError.foreign(path)) {
                try IndexFile.openOrCreate(path: path, analyzer: nil, rebuild: false)
            }
        }
        #expect(throws: IndexError.self) {
            try IndexFile.openOrCreate(path: folder["new.db"], analyzer: "no such analyzer", rebuild: false)
        }
        #expect(!FileManager.default.fileExists(atPath: folder["new.db"]))
    }

    @Test func damageIsFoundAndMended() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        try folder.write("a.txt", "alpha")
        try folder.write("b.txt", "beta")
        try index(folder.path, into: database)
        var configuration = Configuration()
        // FTS5's own tables can only be damaged without this protection.
        configuration.defensive = false
        let vandal = try Database(path: database, configuration: configuration)
        try vandal.execute(sql: "DELETE FROM documents_content WHERE id = 1; DELETE FROM parts WHERE document = 2")
        try vandal.close()
        let file = try IndexFile(path: database, isReadOnly: false)
        #expect(try IndexCheck(file).problems.count == 4)
        _ = try IndexCheck(file).repair(file)
        #expect(try IndexCheck(file).problems == [])
        try index(folder.path, into: database)
        #expect(try search("alpha", in: database).total == 1)
        #expect(try search("beta", in: database).total == 1)
    }

    /// Whatever page of the file is overwritten, the check finds it, and repairing and indexing restores all documents.
    @Test func damageToAnyPageIsFoundAndMended() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        for number in 0..<8 {
            let words = (0..<700).map { "word\($0 % 90) other\(number * 700 + $0)" }
            try folder.write("\(number).txt", words.joined(separator: " ") + " alpha")
        }
        try index(folder.path, into: database)
        let state = try contents(database)
        do {
            let whole = try Database(path: database)
            try whole.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            try whole.close()
        }
        let pageSize = 8192
        let sound = try Data(contentsOf: URL(fileURLWithPath: database))
        var mended = 0
        for page in 1..<sound.count / pageSize {
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
            var bytes = sound
            bytes.replaceSubrange(page * pageSize..<(page + 1) * pageSize, with: repeatElement(0xA5, count: pageSize))
            try bytes.write(to: URL(fileURLWithPath: database))
            let file: IndexFile
            do {
                file = try IndexFile(path: database, isReadOnly: false)
            } catch {
                #expect((error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT, "page \(page): \(error)")
                continue
            }
            let check = try IndexCheck(file)
            // A page that is not in use may hold anything.
            if check.problems.isEmpty { continue }
            let repaired = try check.repair(file)
            #expect(try IndexCheck(repaired).problems == [], "page \(page)")
            #expect(try repaired.roots().count <= 1)
            try index(folder.path, into: database)
            #expect(try contents(database) == state, "page \(page)")
            mended += 1
        }
        #expect(mended > 10)
    }

    @Test func theIndexOfPrivateFilesIsPrivate() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        try folder.write("a.txt", "alpha")
        try index(folder.path, into: databases["index.db"])
        let attributes = try FileManager.default.attributesOfItem(atPath: databases["index.db"])
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}

@Suite("Searching ranks, relaxes and never fails")
struct SearcherTests {
    private let folder: TemporaryFolder
    private let searcher: Searcher

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("docs/swift.md", "# Swift\nA language. Großmann sings in a catalogue of engines.")
        try folder.write("docs/other.txt", "swift birds fly over the catalogue; engine")
        try folder.write("docs/rows.csv", "title,text\nFirst,apple pie\nSecond,pear pie\n")
        try index(folder["docs"], into: folder["i.db"])
        searcher = try Searcher(IndexFile(path: folder["i.db"], isReadOnly: true))
    }

    @Test(arguments: [
        ("swift", ["Swift", "other.txt"], Strictness.exact), ("grossmann", ["Swift"], .exact),
        ("GROSSM", ["Swift"], .prefix),
        ("\"catalogue of\"", ["Swift"], .exact), ("swift -birds", ["Swift"], .exact), ("pear zebra", ["Second"], .any),
        ("apple OR pear", ["First", "Second"], .exact), ("title:first", ["First"], .exact),
        ("path:rows pear", ["Second"], .exact),
        ("swi* bird", ["other.txt"], .prefix), ("grosmann", ["Swift"], .similar),
        ("catalouge languages", ["Swift"], .similar), ("catalouge appel", ["First", "Swift", "other.txt"], .any),
    ])
    func answers(_ query: String, titles: [String], strictness: Strictness) throws {
        let result = try searcher.search(query)
        #expect(result.hits.map(\.title.text).sorted() == titles.sorted())
        #expect(result.hits.first?.title.text == titles.first || query.contains("OR") || titles.count > 2)
        #expect(result.total == titles.count)
        #expect(result.strictness == strictness)
    }

    @Test(arguments: [
        ("grosmann", [SimilarWord(typed: "grosmann", found: "Großmann")]), ("swift", []), ("GROSSM", []),
        (
            "catalouge languages",
            [SimilarWord(typed: "catalouge", found: "catalogue"), SimilarWord(typed: "languages", found: "language")]
        ),
        ("catalouge zebra", [SimilarWord(typed: "catalouge", found: "catalogue")]),
    ])
    func similarWordsAreNamed(_ query: String, words: [SimilarWord]) throws {
        let result = try searcher.search(query)
        #expect(result.similarWords == words)
        for word in words { #expect(SearchCommand.summary(result).contains("\(word.found) for \(word.typed)")) }
    }

    @Test func similarWordsFollowTheVeryWords() throws {
        try folder.write("docs/typo.txt", "a catalouge of typos, and of the languages that have them")
        try index(folder["docs"], into: folder["i.db"])
        let result = try searcher.search("catalouge")
        #expect(result.total == 3 && result.similarCount == 2 && result.strictness == .exact)
        #expect(result.hits.first?.title.text == "typo.txt")
        #expect(SearchCommand.summary(result).hasPrefix("1 document and 2 with similar words, catalogue for catalouge"))
        var options = SearchOptions()
        options.limit = 1
        #expect(try searcher.search("catalouge", options: options).similarCount == 0)
    }

    @Test func wordsAreCompletedOnceTheyAreRead() async throws {
        let service = SearchService(try FileSource(SourceConnections(path: folder["i.db"], readers: 1)))
        while !service.hasWords(table: nil) { await Task.yield() }
        func suggested(_ text: String) throws -> [String] {
            try service.suggestions(for: text, table: nil, limit: 6).map(\.text)
        }
        #expect(try suggested("swift cat") == ["swift catalogue"])
        #expect(try suggested("swift zzz").isEmpty)
    }

    @Test func hitsSayWhereAndWhy() throws {
        let hit = try #require(try searcher.search("pear").hits.first)
        #expect(hit.path.hasSuffix("/docs/rows.csv"))
        #expect(hit.line == 3)
        #expect(hit.kind == "csv")
        #expect(hit.snippet.description == "Second [pear] pie")
        #expect(hit.score > 0)
    }

    @Test func filtersAndPages() throws {
        var options = SearchOptions()
        options.kind = "csv"
        #expect(try searcher.search("pie OR swift", options: options).total == 2)
        options.path = "nowhere"
        #expect(try searcher.search("pie", options: options).total == 0)
        options = SearchOptions()
        options.limit = 1
        let first = try searcher.search("pie", options: options)
        options.offset = 1
        let second = try searcher.search("pie", options: options)
        #expect(first.total == 2 && first.hits.count == 1 && second.hits.count == 1 && first.hits != second.hits)
        options.offset = 1_000_000_000
        let none = try searcher.search("pie", options: options)
        #expect(none.total == 2 && none.hits.isEmpty && none.strictness == .exact)
    }

    @Test func randomTextsAreAnswered() throws {
        var generator = SeededGenerator(seed: 33)
        let pieces = [
            "swift", "pie", " ", " ", "\"", "'", "(", ")", "*", "-", "+", ":", "^", "{", "}", ",", "OR", "AND", "NOT",
            "NEAR", "title:",
            "NEAR(", "\0", "\u{1B}", "é", "漢字", "👍", "\\", "%", "_", ";", "--", "/*", "“", "«", "|", "\n", "\u{2}",
            "\u{301}",
        ]
        for _ in 0..<1500 {
            let count = Int.random(in: 0..<14, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
            for asYouType in [false, true] {
                do {
                    _ = try searcher.search(text, asYouType: asYouType)
                } catch {
                    Issue.record("\(text.debugDescription): \(error)")
                }
            }
        }
        #expect(throws: Never.self) { try searcher.search(String(repeating: "x y \"", count: 300_000)) }
        #expect(throws: Never.self) { try searcher.search(String(repeating: "x", count: 1_000_000)) }
    }
}
