import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The command from end to end", .serialized)
struct CommandTests {
    private let command: BuiltCommand
    private let folder: TemporaryFolder

    init() throws {
        command = try #require(BuiltCommand())
        folder = try TemporaryFolder()
        try folder.write("docs/ls.1", ".TH LS 1\n.SH NAME\nls \\- list directory contents\n")
        try folder.write("docs/evil.txt", "escape \u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{7} \u{9B}2J list\n")
        try folder.write(
            "docs/rows.jsonl", "{\"title\":\"One\",\"text\":\"apple\"}\n{\"title\":\"Two\",\"text\":\"pear\"}\n")
        try folder.write("docs/picture.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0])
    }

    private var database: [String: String] { ["CONCORD_DB": folder["index.db"]] }

    private func run(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws
        -> BuiltCommand.Output
    {
        try command.run(arguments, input: input, environment: database.merging(environment) { $1 })
    }

    /// Repairs an index that SQLite cannot read, as a search and a check say.
    private func repaired() throws -> BuiltCommand.Output {
        let search = try run("search", "list")
        #expect(search.code == 2 && search.messages.contains("concord check --repair"))
        let check = try run("check")
        #expect(check.code == 1 && check.output.hasSuffix("To repair the index, run 'concord check --repair'.\n"))
        let repair = try run("check", "--repair")
        #expect(repair.code == 0)
        return repair
    }

    @Test func indexThenSearch() throws {
        var result = try run("index", folder["docs"])
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("Files: 3 new, 1 skipped. Indexed 4 documents,"))

        result = try run("search", "list")
        #expect(result.code == 0)
        #expect(result.output.contains("1. ls(1) - list directory contents"))
        #expect(result.output.contains("/docs/ls.1\n"))
        #expect(
            !result.output.unicodeScalars.contains { $0 != "\n" && ($0.value < 32 || (0x7F..<0xA0).contains($0.value)) }
        )
        #expect(result.messages.hasPrefix("2 documents ("))

        result = try run("search", "nowhere-to-be-found")
        #expect((result.code, result.output) == (1, ""))
        #expect(result.messages.hasPrefix("Nothing found"))

        result = try run("index")
        #expect(result.output.hasPrefix("Files: 4 unchanged. Nothing to index"))

        try folder.remove("docs/ls.1")
        #expect(try run("index", folder["docs"]).output.hasPrefix("Files: 1 removed, 3 unchanged."))
        let removed = try run("remove", folder["docs/evil.txt"])
        #expect(removed.messages.hasPrefix("The next 'concord index' adds what is there again"))
        #expect(try run("remove", folder["docs"]).output == "Removed 2 files from the index.\n")
        #expect(try run("index").code == 3)
    }

    @Test func hiddenFoldersThatAreNamed() throws {
        try folder.write("docs/.conf/a.txt", "alpha")
        try folder.write("docs/node_modules/m.js", "beta")
        let (hidden, modules) = (folder["docs/.conf"], folder["docs/node_modules"])
        #expect(try run("index", hidden, modules).output.hasPrefix("Files: 2 new."))
        #expect(try run("index", folder["docs"]).output.hasPrefix("Files: 3 new, 2 unchanged, 1 skipped."))
        #expect(try run("index").output.hasPrefix("Files: 6 unchanged."))
        let roots = try #require(try object(run("info", "--json").output)["roots"] as? [String])
        #expect(roots.count == 3)
        // The walk of the folder around it does not add it again.
        let removed = try run("remove", hidden)
        #expect(removed.output == "Removed 1 file from the index.\n" && removed.messages.isEmpty)
        #expect(try run("index", hidden).output.hasPrefix("Files: 1 new."))
        #expect(try run("remove", folder["docs"]).output == "Removed 6 files from the index.\n")
        #expect(try run("index").code == 3)
    }

    @Test func optionsWithoutAPathAreForAllPaths() throws {
        try folder.write("docs/.hidden/a.txt", "alpha")
        try folder.write("more/b.txt", "beta")
        try folder.write("aside/c.txt", "gamma")
        try FileManager.default.createSymbolicLink(atPath: folder["more/link"], withDestinationPath: folder["aside"])
        #expect(try run("index", folder["docs"], folder["more"]).code == 0)
        #expect(try run("index", "--all").output.hasPrefix("Files: 1 new, "))
        #expect(try run("index", "--follow").output.hasPrefix("Files: 1 new, "))
        // They are remembered.
        #expect(try run("index").output.hasPrefix("Files: 7 unchanged."))
        for word in ["alpha", "gamma"] { #expect(try run("search", word).code == 0) }
    }

    #if !canImport(Darwin)
        /// Apple's file systems take the two names for one.
        @Test func pathsAreListedByTheirBytes() throws {
            for name in ["\u{E9}.txt", "e\u{301}.txt"] { try folder.write("names/\(name)", "kingfisher") }
            #expect(try run("index", folder["names"]).output.hasPrefix("Files: 2 new."))
            #expect(try run("search", "-l", "kingfisher").output.utf8.count { $0 == 10 } == 2)
        }
    #endif

    @Test func whatIsNeitherAFileNorAFolderIsNotRemembered() throws {
        #expect(mkfifo(folder["fifo"], 0o600) == 0)
        for path in ["/dev/null", folder["fifo"]] {
            let alone = try run("index", path)
            #expect(alone.code == 3 && alone.messages.contains("name a file or a folder"))
            let together = try run("index", path, folder["docs"])
            #expect(together.code == 3 && together.output.hasPrefix("Files: "))
            #expect(try run("index").code == 0)
            #expect(try run("watch", path).code == 3)
        }
    }

    @Test func aDamagedIndexIsReportedEmptiedAndFilledAgain() throws {
        _ = try run("index", folder["docs"])
        let path = folder["index.db"]
        let vandal = try Database(path: path)
        try vandal.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try #require(
            try Int.fetchOne(vandal, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'documents_data'"))
        try vandal.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange((page - 1) * 8192..<page * 8192, with: repeatElement(0xA5, count: 8192))
        try bytes.write(to: URL(fileURLWithPath: path))
        let repair = try repaired()
        #expect(
            repair.output == """
                SQLite could not read the index, so it has been emptied.
                The index is intact again. To read all files again, run 'concord index'.

                """)
        #expect(try run("index").output.hasPrefix("Files: 3 new, 1 skipped."))
        #expect(try run("search", "list").code == 0)
        #expect(try run("check").output == "The index is intact.\n")
    }

    /// Page 1 has the schema after its header, page 2 the settings; a file that is cut short cannot be opened either.
    @Test(arguments: ["schema", "settings", "end"])
    func anIndexThatCannotBeOpenedIsEmptied(_ damage: String) throws {
        _ = try run("index", "--engine", "fts5", folder["docs"])
        let path = folder["index.db"]
        let vandal = try Database(path: path)
        try vandal.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try #require(
            try Int.fetchOne(vandal, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'settings'"))
        try vandal.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch damage {
        case "schema": bytes.replaceSubrange(100..<8192, with: repeatElement(0xA5, count: 8092))
        case "settings":
            bytes.replaceSubrange((page - 1) * 8192..<page * 8192, with: repeatElement(0xA5, count: 8192))
        default: bytes = bytes.prefix(4096)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let repair = try repaired()
        #expect(repair.output.hasPrefix("SQLite could not read the index, so it has been emptied.\n"))
        let knowsRoots = damage == "settings"
        #expect(repair.output.contains("run 'concord index'") == knowsRoots)
        #expect(try run("check").output == "The index is intact.\n")
        #expect(try run("index").code == (knowsRoots ? 0 : 3))
        #expect(try run("index", folder["docs"]).code == 0)
        #expect(try run("search", "list").code == 0)
    }

    @Test func whatIsNotAnIndexIsNotEmptied() throws {
        let other = try Database(path: folder["index.db"])
        try other.execute(sql: "CREATE TABLE settings(x)")
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder["index.db"]))
        #expect(try run("check", "--repair").code == 3)
        #expect(throws: IndexError.foreign(folder["index.db"])) { try IndexFile.emptied(folder["index.db"]) }
        #expect(throws: IndexError.foreign(folder["docs/evil.txt"])) { try IndexFile.emptied(folder["docs/evil.txt"]) }
        #expect(throws: IndexError.foreign(folder["none"])) { try IndexFile.emptied(folder["none"]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder["index.db"])) == before)
    }

    @Test func jsonIsOneObjectALine() throws {
        let report = try run("index", "--json", folder["docs"])
        #expect(try object(report.output)["documents"] as? Int == 4)
        let found = try run("search", "--json", "apple OR pear")
        let hits = try found.output.split(separator: "\n").map { try object(String($0)) }
        #expect(hits.map { $0["title"] as? String } == ["One", "Two"])
        #expect(hits.map { $0["line"] as? Int } == [1, 2])
        #expect(hits.map { $0["rank"] as? Int } == [1, 2])
        #expect(hits.allSatisfy { ($0["path"] as? String)?.hasSuffix("/docs/rows.jsonl") == true })
        let facts = try object(run("info", "--json").output)
        #expect(["documents", "skipped", "read_in_part"].map { facts[$0] as? Int } == [4, 1, 0])
        #expect(try object(run("check", "--json").output)["ok"] as? Bool == true)
        let tokens = try run("tokenize", "--json", "a b").output.split(separator: "\n").map { try object(String($0)) }
        #expect(tokens.map { $0["token"] as? String } == ["a", "b"])
        #expect(try object(run("info", "--skipped", "--json").output)["problem"] as? String == "binary (PNG)")
    }

    @Test(arguments: ["concordance", "fts5"])
    func eitherEngineKeepsTheIndex(_ engine: String) throws {
        #expect(try run("index", "--engine", "lucene", folder["docs"]).code == 2)
        #expect(try run("index", "--engine", engine, folder["docs"]).code == 0)
        #expect(try run("search", "--json", "apple OR pear").output.split(separator: "\n").count == 2)
        #expect(try run("check").output.hasPrefix("The index is intact."))
        let info = try object(run("info", "--json").output)
        #expect(info["engine"] as? String == engine)
        let segments = try #require(info["segments"] as? [Int])
        #expect(!segments.isEmpty && segments.allSatisfy { $0 > 0 })
        let terms = try #require(info["terms"] as? [[String: Any]])
        let counts = terms.compactMap { $0["documents"] as? Int }
        #expect(terms.count == 10 && counts == counts.sorted(by: >) && counts[0] > 1)
        let sizes = try run("info", "--sizes", "--json")
        #expect(sizes.code == (engine == "fts5" ? 2 : 0))
        if engine == "concordance" {
            let sizes = try object(sizes.output)
            #expect(sizes["small segments"] as? Int == segments.reduce(0, +))
            #expect(try #require(sizes["texts"] as? Int) > 100)
            #expect(try run("info", "--sizes").output.contains("small segments"))
        }
        let other = engine == "fts5" ? "concordance" : "fts5"
        let refused = try run("index", "--engine", other, folder["docs"])
        #expect(refused.code == 3 && refused.messages.contains("--rebuild"))
        #expect(try run("index", "--engine", other, "--rebuild", folder["docs"]).code == 0)
        #expect(try object(run("info", "--json").output)["engine"] as? String == other)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func coloursOnlyWhereTheyAreWanted() throws {
        _ = try run("index", folder["docs"])
        #expect(try !run("search", "list").output.contains("\u{1B}"))
        #expect(try run("search", "--color=always", "list").output.contains("\u{1B}[1;33mlist\u{1B}[0m"))
        #expect(try !run("search", "--color=never", "list").output.contains("\u{1B}"))
        #expect(try run("search", "--color=pink", "list").code == 2)
        let console = Console(environment: ["NO_COLOR": "1"])
        #expect(try !console.style(color: nil).isColored)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func lostOutputIsAnError() throws {
        _ = try run("index", folder["docs"])
        func shell(_ arguments: String) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "'\(command.path)' \(arguments) 2> '\(folder["messages"])'"]
            process.environment = database
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(try shell("search list > /dev/full") == 2)
        let messages = try String(contentsOfFile: folder["messages"], encoding: .utf8)
        #expect(messages.contains("concord: the output could not be written: "))
        #expect(try shell("info > /dev/full") == 3)
        #expect(try shell("search list >&-") == 0)
    }

    @Test func whatIsNoIndexIsNamed() throws {
        for path in [folder["docs"], folder["docs/rows.jsonl"]] {
            for arguments in [["search", "x"], ["index", folder["docs"]], ["info"], ["check"]] {
                let result = try command.run(arguments + ["--db", path])
                #expect(result.code == (arguments[0] == "search" ? 2 : 3))
                #expect(
                    result.messages == "concord: \(path) is not an index of concord; choose another file with --db\n")
            }
        }
    }

    @Test func aQueryALine() throws {
        _ = try run("index", folder["docs"])
        let result = try run("search", "--interactive", "--json", input: "apple\n\n\"nothing like it\npear\n")
        #expect(result.code == 0)
        #expect(result.output.split(separator: "\n").count == 2)
    }

    @Test(
        arguments: [
            (["search"], 2), (["search", "--limt", "x"], 2), (["serch", "x"], 2), (["--nonsense"], 2),
            (["tokenize"], 2),
            (["info", "extra"], 2), (["search", "-k", "txet", "x"], 2),
            (["tokenize", "--analyzer", "nonsense", "x"], 2),
            (["search", "x"], 2), (["info"], 3), (["check"], 3), (["index"], 3), (["index", "/no/such/folder"], 3),
            (["index", "--db", "/proc/nowhere/i.db", "/tmp"], 3),
            ([], 0), (["help"], 0), (["--help"], 0), (["help", "index"], 0), (["index", "--help"], 0),
            (["--version"], 0),
            (["tokenize", "words", "-here"], 0),
        ] as [([String], Int32)])
    func exitCodes(_ arguments: [String], code: Int32) throws {
        let result = try command.run(arguments, environment: database)
        #expect(result.code == code, "\(result.output)\(result.messages)")
        if code >= 2 {
            #expect(result.messages.hasPrefix("concord: "), "\(result.messages)")
            #expect(result.output.isEmpty)
        }
    }

    @Test func theDefaultPlaceFollowsXDG() throws {
        let result = try command.run(
            ["index", folder["docs"]], environment: ["XDG_DATA_HOME": folder["data"], "HOME": folder["home"]])
        #expect(result.code == 0)
        #if !canImport(Darwin)
            #expect(FileManager.default.fileExists(atPath: folder["data/concord/index.db"]))
        #endif
    }
}
