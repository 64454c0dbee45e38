import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// A folder that a watcher of this process follows.
final class FollowedFolder {
    let folder: TemporaryFolder
    private let databases: TemporaryFolder
    private let flag = Flag()
    private let ended = DispatchGroup()
    /// What the watcher has said; a failure, which ends it, comes last.
    private let told = ToldNotices()

    var database: String { databases["index.db"] }
    /// Without links.
    var path: String { DirectoryWalk.resolve(folder.path) ?? folder.path }

    init(
        _ files: [String: String] = [:], options: WalkOptions = WalkOptions(), watching: Watcher.Options = .init(),
        changes: Changes = Changes(), isBlind: Bool = false
    ) throws {
        folder = try TemporaryFolder()
        databases = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        let lock = try IndexLock(databases["index.db"], IndexActivity(.watch))
        let file = try IndexFile.openOrCreate(path: databases["index.db"], analyzer: nil, rebuild: false)
        _ = try file.remember(IndexRoot(path: try #require(DirectoryWalk.resolve(folder.path)), options: options))
        try file.database.close()
        ended.enter()
        let path = databases["index.db"]
        let thread = Thread { [flag, ended, told] in
            do {
                let file = try IndexFile(path: path, isReadOnly: false)
                let watcher = Watcher(file, lock: lock, options: watching, changes: changes) { notice in
                    told.add("\(notice)")
                }
                if isBlind { watcher.makeWatch = { _, _ in throw WatchProblem.tooManyInstances } }
                try watcher.run(interruption: flag)
            } catch {
                told.add("failure: \(error)")
            }
            ended.leave()
        }
        thread.stackSize = 8 << 20
        thread.start()
        waitUntil { !notices.isEmpty }
    }

    var notices: [String] { told.all }

    deinit { stop() }

    func stop() {
        flag.raise()
        ended.wait()
    }

    /// Waits for what the watcher says until the condition holds, unless the watcher has failed.
    func waitUntil(_ condition: () throws -> Bool) rethrows {
        var seen = 0
        while true {
            let known = told.all
            if try condition() { return }
            if let last = known.last, last.hasPrefix("failure") {
                Issue.record("the watcher has ended: \(last)")
                return
            }
            seen = max(seen, known.count)
            told.wait(beyond: seen)
        }
    }

    /// The documents by path below the folder: title and body.
    func documents() throws -> [String: String] {
        let file = try IndexFile(path: database, isReadOnly: true)
        let rows = try Row.fetchAll(
            file.database,
            sql: """
                SELECT documents.path, title || ': ' || body AS text FROM documents
                JOIN parts ON document = documents.rowid JOIN files ON files.id = file
                WHERE complete = 1 AND changed <> \(FileStamp.movedHere)
                """)
        return Dictionary(
            rows.map { ($0["path"] ?? "", $0["text"] ?? "") }, uniquingKeysWith: { "\($0)|\($1)" })
    }

    func numbers() throws -> [String: Int64] {
        let file = try IndexFile(path: database, isReadOnly: true)
        let rows = try Row.fetchAll(file.database, sql: "SELECT path, rowid AS number FROM documents")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["path"] ?? "", $0["number"] ?? 0) })
    }

    func waitFor(_ expected: [String: String]) throws { try waitUntil { try documents() == expected } }

    /// Waits until the index is one that is made afresh of what is there now.
    func waitUntilAsFresh(options: WalkOptions = WalkOptions()) throws {
        let fresh = databases["fresh\(UInt32.random(in: .min ... .max)).db"]
        try index(folder.path, into: fresh, options: options)
        let expected = try contents(fresh)
        try waitUntil { try contents(database) == expected }
        #expect(try IndexCheck(IndexFile(path: database, isReadOnly: false)).problems == [])
    }
}

/// Sentences of another thread.
///
/// `@unchecked Sendable` because the stored property is only touched while `condition` is locked.
private final class ToldNotices: @unchecked Sendable {
    private let condition = NSCondition()
    private var notices: [String] = []

    var all: [String] { condition.withLock { notices } }

    func add(_ notice: String) {
        condition.withLock {
            notices.append(notice)
            condition.broadcast()
        }
    }

    /// Waits until there are more than so many.
    func wait(beyond count: Int) {
        condition.withLock {
            while notices.count <= count { condition.wait() }
        }
    }
}

@Suite("The index follows folders that are watched")
struct WatchTests {
    private func rename(_ folder: TemporaryFolder, _ old: String, _ new: String) {
        #expect(Foundation.rename(folder[old], folder[new]) == 0)
    }

    @Test func filesThatAreWrittenMovedAndRemoved() throws {
        let followed = try FollowedFolder(["a.txt": "alpha", "sub/b.md": "# Beta\ntext"])
        let folder = followed.folder
        try followed.waitFor(["a.txt": "a.txt: alpha", "sub/b.md": "Beta: Beta\ntext\n"])
        try folder.write("a.txt", "changed")
        try folder.write("c.txt", "new")
        try followed.waitFor([
            "a.txt": "a.txt: changed", "c.txt": "c.txt: new", "sub/b.md": "Beta: Beta\ntext\n",
        ])
        try folder.remove("a.txt")
        rename(folder, "sub/b.md", "b2.md")
        try followed.waitFor(["c.txt": "c.txt: new", "b2.md": "Beta: Beta\ntext\n"])
        // As editors save: another file takes the place.
        try folder.write("c.txt.tmp", "saved")
        rename(folder, "c.txt.tmp", "c.txt")
        try followed.waitFor(["c.txt": "c.txt: saved", "b2.md": "Beta: Beta\ntext\n"])
        // With the old one kept.
        rename(folder, "c.txt", "c.txt~")
        try folder.write("c.txt", "again")
        try folder.remove("c.txt~")
        try followed.waitFor(["c.txt": "c.txt: again", "b2.md": "Beta: Beta\ntext\n"])
        // The same size and, by force, the same time.
        let time = Date(timeIntervalSince1970: 1e9)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder["c.txt"])
        try folder.write("c.txt", "AGAIN")
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder["c.txt"])
        try followed.waitFor(["c.txt": "c.txt: AGAIN", "b2.md": "Beta: Beta\ntext\n"])
        try followed.waitUntilAsFresh()
    }

    @Test func aFileThatIsWrittenSlowly() throws {
        let followed = try FollowedFolder()
        let file = try #require(fopen(followed.folder["slow.txt"], "w"))
        for piece in ["one ", "two ", "three "] {
            fputs(piece, file)
            fflush(file)
        }
        // It is read before it is closed.
        try followed.waitFor(["slow.txt": "slow.txt: one two three "])
        fputs("four", file)
        fclose(file)
        try followed.waitFor(["slow.txt": "slow.txt: one two three four"])
    }

    /// What is moved keeps its documents, which have the same numbers.
    @Test func whatIsMovedIsNotReadAgain() throws {
        var files: [String: String] = [
            "old/name.txt": "untitled words", "old/page.md": "# Title\nbody", "other/place/x.txt": "x",
        ]
        for number in 0..<30 { files["deep/a/\(number % 3)/\(number).md"] = "# Title \(number)\nbody" }
        let followed = try FollowedFolder(files)
        let folder = followed.folder
        try followed.waitUntil { try followed.documents().count == 33 }
        let before = try followed.numbers()
        rename(folder, "deep/a", "deep/b")
        rename(folder, "deep/b", "other/place/c")
        rename(folder, "old/name.txt", "old/renamed.txt")
        rename(folder, "old/page.md", "other/page.md")
        try followed.waitUntil { try followed.documents().keys.filter { $0.hasPrefix("other/place/c/") }.count == 30 }
        try followed.waitUntilAsFresh()
        let after = try followed.numbers()
        for (path, number) in before {
            let moved = path.replacing("deep/a/", with: "other/place/c/").replacing("old/page", with: "other/page")
                .replacing("name.txt", with: "renamed.txt")
            #expect(after[moved] == number, "\(path)")
        }
        #expect(try followed.documents()["old/renamed.txt"] == "renamed.txt: untitled words")
        // What its name decides is read again.
        rename(folder, "old/renamed.txt", "old/renamed.md")
        rename(folder, "other", "others")
        try followed.waitUntilAsFresh()
        try FileManager.default.moveItem(atPath: folder["others/place"], toPath: folder["others/place2"])
        try folder.write("others/place2/c/1/1.md", "# Written after it was moved")
        try followed.waitUntilAsFresh()
    }

    @Test func foldersThatComeAndGo() throws {
        let followed = try FollowedFolder(["a.txt": "alpha"])
        let folder = followed.folder
        let outside = try TemporaryFolder()
        for number in 0..<40 { try outside.write("full/\(number % 4)/\(number).txt", "word \(number)") }
        // Made and filled at once.
        for number in 0..<40 { try folder.write("new/\(number % 5)/in/\(number).txt", "text \(number)") }
        try followed.waitUntilAsFresh()
        try FileManager.default.moveItem(atPath: outside["full"], toPath: folder["moved-in"])
        try followed.waitUntilAsFresh()
        #expect(try followed.documents().count == 81)
        try folder.write("moved-in/2/later.txt", "later")
        try followed.waitUntilAsFresh()
        try FileManager.default.moveItem(atPath: folder["new/1"], toPath: outside["out"])
        try followed.waitUntilAsFresh()
        // Nobody looks any more at what was moved out.
        try outside.write("out/in/1.txt", "elsewhere")
        try FileManager.default.removeItem(atPath: folder["moved-in"])
        try folder.write("moved-in", "a file now")
        try followed.waitUntilAsFresh()
        // Swapped.
        rename(folder, "new/2", "new/t")
        rename(folder, "new/3", "new/2")
        rename(folder, "new/t", "new/3")
        rename(folder, "new/4", "new/3/4")
        try followed.waitUntilAsFresh()
    }

    @Test func whatAWalkPassesOverIsNotFollowed() throws {
        let followed = try FollowedFolder(["a.txt": "alpha"])
        let folder = followed.folder
        try folder.write(".hidden.txt", "x")
        try folder.write(".git/config", "x")
        try folder.write("node_modules/m.js", "x")
        try FileManager.default.createSymbolicLink(atPath: folder["link.txt"], withDestinationPath: folder["a.txt"])
        #expect(mkfifo(folder["fifo"], 0o600) == 0)
        try folder.write("b.txt", "beta")
        try followed.waitFor(["a.txt": "a.txt: alpha", "b.txt": "b.txt: beta"])
        rename(folder, "b.txt", ".b.txt")
        try followed.waitFor(["a.txt": "a.txt: alpha"])
        rename(folder, ".b.txt", "c.txt")
        rename(folder, "a.txt", ".git/a.txt")
        try followed.waitFor(["c.txt": "c.txt: beta"])
        rename(folder, ".git", "git")
        try followed.waitUntilAsFresh()
        rename(folder, "git", "node_modules/git")
        try followed.waitUntilAsFresh()
    }

    @Test func hiddenFilesAndLinksWhereTheyAreWanted() throws {
        let options = WalkOptions(includesHidden: true, followsLinks: true)
        let outside = try TemporaryFolder()
        try outside.write("o/outside.txt", "outside")
        let followed = try FollowedFolder([".a.txt": "alpha"], options: options)
        let folder = followed.folder
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: outside["o"])
        try folder.write(".git/config.txt", "x")
        try followed.waitUntilAsFresh(options: options)
        try outside.write("o/more.txt", "more")
        try followed.waitUntilAsFresh(options: options)
        #expect(try followed.documents().count == 4)
    }

    /// The documents of a folder that is gone stay until it is back.
    @Test func aRootThatGoesAndComesBack() throws {
        let followed = try FollowedFolder(["a.txt": "alpha", "b/c.txt": "gamma"])
        let away = try TemporaryFolder()
        let path = followed.folder.path
        try followed.waitUntil { try followed.documents().count == 2 }
        try FileManager.default.moveItem(atPath: path, toPath: away["gone"])
        followed.waitUntil { followed.notices.contains { $0.hasPrefix("missing") } }
        #expect(try followed.documents().count == 2)
        try away.write("gone/a.txt", "changed meanwhile")
        try away.remove("gone/b/c.txt")
        try FileManager.default.moveItem(atPath: away["gone"], toPath: path)
        try followed.waitFor(["a.txt": "a.txt: changed meanwhile"])
        #expect(followed.notices.contains { $0.hasPrefix("back") })
        try followed.folder.write("new.txt", "new")
        try followed.waitUntilAsFresh()
        // Deleted, and made anew at once.
        try FileManager.default.removeItem(atPath: path)
        try followed.folder.write("other.txt", "other")
        try followed.waitFor(["other.txt": "other.txt: other"])
    }

    @Test func aRootThatIsAFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("notes/a.txt", "alpha")
        try folder.write("notes/b.txt", "not asked for")
        let followed = try FollowedFolder()
        let file = try IndexFile(path: followed.database, isReadOnly: false)
        let path = try #require(DirectoryWalk.resolve(folder["notes/a.txt"]))
        _ = try file.remember(IndexRoot(path: path, options: WalkOptions()))
        try followed.waitFor(["a.txt": "a.txt: alpha"])
        try folder.write("notes/b.txt", "still not asked for")
        try folder.write("notes/a.txt.new", "beta")
        rename(folder, "notes/a.txt.new", "notes/a.txt")
        try followed.waitFor(["a.txt": "a.txt: beta"])
        try file.forget(path)
        _ = try file.remember(IndexRoot(path: PathText.folder(path), options: WalkOptions()))
        try followed.waitUntil { try followed.documents().count >= 2 }
    }

    /// A root with files that the walk of the folder around it passes over.
    @Test func rootsBelowAFolderThatIsFollowed() throws {
        let followed = try FollowedFolder([
            "a.txt": "alpha", ".conf/b.txt": "beta", ".conf/.no.txt": "no", ".note.txt": "note",
            "in/.deep/c.txt": "gamma",
        ])
        let folder = followed.folder
        let file = try IndexFile(path: followed.database, isReadOnly: false)
        for name in [".conf", ".note.txt", "in/.deep"] {
            _ = try file.remember(IndexRoot(path: followed.path + "/" + name, options: WalkOptions()))
        }
        var expected = [
            "a.txt": "a.txt: alpha", "b.txt": "b.txt: beta", ".note.txt": ".note.txt: note", "c.txt": "c.txt: gamma",
        ]
        try followed.waitFor(expected)
        try folder.write(".conf/new/d.txt", "delta")
        try folder.write(".note.txt", "noted")
        try folder.write("in/.deep/c.txt", "changed")
        expected["new/d.txt"] = "d.txt: delta"
        expected[".note.txt"] = ".note.txt: noted"
        expected["c.txt"] = "c.txt: changed"
        try followed.waitFor(expected)
        // From one to the other, and back.
        rename(folder, "a.txt", ".conf/new/a.txt")
        rename(folder, ".conf/b.txt", "in/b.txt")
        expected["new/a.txt"] = expected.removeValue(forKey: "a.txt")
        expected["in/b.txt"] = expected.removeValue(forKey: "b.txt")
        try followed.waitFor(expected)
        // A root that is gone keeps its documents, also if the folder around it has moved.
        rename(folder, "in", "out")
        expected["out/b.txt"] = expected.removeValue(forKey: "in/b.txt")
        try followed.waitFor(expected)
        followed.waitUntil { followed.notices.contains { $0.hasPrefix("missing") } }
        rename(folder, "out", "in")
        try folder.write("in/.deep/e.txt", "epsilon")
        expected["in/b.txt"] = expected.removeValue(forKey: "out/b.txt")
        expected["e.txt"] = "e.txt: epsilon"
        try followed.waitFor(expected)
        #expect(try IndexCheck(file).problems == [])
    }

    /// A root whose options make it find more than the root around it does.
    @Test func aRootWithMoreOptionsBelowAFolderThatIsFollowed() throws {
        let followed = try FollowedFolder(["a.txt": "alpha", "in/b.txt": "beta", "in/.c/c.txt": "gamma"])
        let folder = followed.folder
        let file = try IndexFile(path: followed.database, isReadOnly: false)
        _ = try file.remember(
            IndexRoot(path: followed.path + "/in", options: WalkOptions(includesHidden: true)))
        try followed.waitFor(["a.txt": "a.txt: alpha", "b.txt": "b.txt: beta", ".c/c.txt": "c.txt: gamma"])
        try folder.write("in/.c/c.txt", "changed")
        try folder.write("in/new/d.txt", "delta")
        try folder.write("e/e.txt", "epsilon")
        try followed.waitFor([
            "a.txt": "a.txt: alpha", "b.txt": "b.txt: beta", ".c/c.txt": "c.txt: changed", "new/d.txt": "d.txt: delta",
            "e/e.txt": "e.txt: epsilon",
        ])
        // Made part of the folder around it again.
        _ = try file.remember(IndexRoot(path: followed.path + "/in", options: WalkOptions()))
        try followed.waitFor([
            "a.txt": "a.txt: alpha", "in/b.txt": "b.txt: beta", "in/new/d.txt": "d.txt: delta",
            "e/e.txt": "e.txt: epsilon",
        ])
    }

    /// Too many changes to be told one by one.
    @Test func burstsBeyondTheLimits() throws {
        let followed = try FollowedFolder(changes: Changes(pathLimit: 5, folderLimit: 2))
        for round in 0..<3 {
            for number in 0..<60 {
                try followed.folder.write("\(round)/\(number % 7)/\(number).txt", "round \(round) file \(number)")
            }
            if round > 0 { rename(followed.folder, "\(round - 1)/3", "\(round)/moved") }
        }
        try followed.waitUntilAsFresh()
    }

    /// Without anything that tells of changes, folders are walked again and again.
    @Test func wherePathsCannotBeWatched() throws {
        let followed = try FollowedFolder(
            ["a.txt": "alpha", "b.txt": "beta"], watching: .init(rescan: 0.01), isBlind: true)
        #expect(followed.notices.contains { $0.contains("max_user_instances") })
        try followed.waitUntil { try followed.documents().count == 2 }
        let before = try followed.numbers()
        try followed.folder.write("c.txt", "gamma")
        rename(followed.folder, "a.txt", "a2.txt")
        try followed.folder.remove("b.txt")
        try followed.waitFor(["a2.txt": "a2.txt: alpha", "c.txt": "c.txt: gamma"])
        #expect(try followed.numbers()["a2.txt"] == before["a.txt"])
    }

    /// Whatever happens, and in whatever order, the index becomes that of what is there.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyHistoryLeadsToTheSameIndex(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let followed = try FollowedFolder()
        let folder = followed.folder
        let names = ["a", "b", "c", "d.txt", "e.md", "f.txt", ".g"]
        func place() -> String {
            (0..<Int.random(in: 1...3, using: &generator)).map { _ in names.randomElement(using: &generator)! }
                .joined(separator: "/")
        }
        for step in 0..<160 {
            let (first, second) = (folder[place()], folder[place()])
            // Much of it fails, for want of a folder or because something is there.
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let text = "# T\(Int.random(in: 0..<4, using: &generator))\nstep \(step)"
                try? FileManager.default.createDirectory(
                    atPath: PathText.folder(first), withIntermediateDirectories: true)
                try? text.write(toFile: first, atomically: Bool.random(using: &generator), encoding: .utf8)
            case 5..<8: _ = Foundation.rename(first, second)
            case 8: try? FileManager.default.removeItem(atPath: first)
            default:
                try? FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(step))], ofItemAtPath: first)
            }
            if step % 40 == 39 { try followed.waitUntilAsFresh() }
        }
        #expect(followed.notices.allSatisfy { !$0.hasPrefix("trouble") })
    }
}
