import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Folders are followed by processes that are killed and that get in each other's way")
struct WatchLoadTests {
    private let command: BuiltCommand
    private let folder: TemporaryFolder

    init() throws {
        command = try #require(BuiltCommand())
        folder = try TemporaryFolder()
    }

    private var database: String { folder["index.db"] }

    private func start(_ arguments: String...) throws -> BuiltCommand.Running {
        try command.start(arguments + ["--db", database])
    }

    private func end(_ running: BuiltCommand.Running, _ signal: Int32 = SIGTERM) throws -> BuiltCommand.Output {
        kill(running.process.processIdentifier, signal)
        return try running.wait()
    }

    private func isFollowed() -> Bool { IndexLock.holder(of: database)?.work == .watch }

    private func freshContents() throws -> [String] {
        let fresh = folder["fresh\(UInt32.random(in: .min ... .max)).db"]
        #expect(try command.run(["index", "-q", folder["many"], "--db", fresh]).code == 0)
        return try contents(fresh)
    }

    /// Killed in the middle of bursts, again and again, it misses nothing.
    @Test func killedInBurstsItMissesNothing() throws {
        var generator = SeededGenerator(seed: 5)
        for number in 0..<60 { try folder.write("many/\(number % 6)/\(number).txt", "first text \(number)") }
        for round in 0..<6 {
            let running = try start("watch", "-q", folder["many"])
            // The first time it is killed amid its first walk.
            if round > 0 { try running.wait(until: isFollowed) }
            for step in 0..<40 {
                let name =
                    "many/\(Int.random(in: 0..<6, using: &generator))/\(Int.random(in: 0..<70, using: &generator)).txt"
                switch Int.random(in: 0..<6, using: &generator) {
                case 0:
                    _ = rename(folder[name], folder["many/\(Int.random(in: 0..<6, using: &generator))/m\(step).txt"])
                case 1: try? FileManager.default.removeItem(atPath: folder[name])
                case 2: _ = rename(folder["many/\(step % 6)"], folder["many/\((step + 1) % 6)/in\(round)"])
                default: try folder.write(name, "round \(round) step \(step)")
                }
                if step % 8 == 0 { usleep(UInt32.random(in: 0...40_000, using: &generator)) }
            }
            #expect(try end(running, SIGKILL).code == -SIGKILL)
            let check = try command.run(["check", "--db", database])
            #expect(check.code == 0 || check.messages.contains("is not an index"), "\(check)")
        }
        let expected = try freshContents()
        let running = try start("watch", "-q")
        try running.wait { try contents(database) == expected }
        let result = try end(running)
        #expect(result.code == 0)
        #expect(result.messages == "")
        #expect(try command.run(["check", "--db", database]).output == "The index is intact.\n")
    }

    @Test func onlyOneFollowsAnIndex() throws {
        try folder.write("many/a.txt", "alpha")
        try folder.write("more/b.txt", "beta")
        let running = try start("watch", folder["many"])
        try running.wait { isFollowed() && (try? contents(database).count) == 2 }
        let second = try command.run(["watch", "--db", database])
        #expect(second.code == 3)
        #expect(second.messages.contains("(process \(running.process.processIdentifier)) writes to this index"))
        let rebuilt = try command.run(["index", "--rebuild", "--db", database])
        #expect(rebuilt.code == 3)
        #expect(rebuilt.messages.contains("stop it first"))
        // More folders are handed to it.
        let added = try command.run(["index", folder["more"], "--db", database])
        #expect(added.code == 0)
        #expect(added.messages.contains("now reads these, too"))
        try running.wait { try contents(database).count == 4 }
        #expect(try command.run(["remove", folder["many"], "--db", database]).code == 0)
        try folder.write("more/c.txt", "gamma")
        try running.wait {
            try contents(database).filter { $0.contains("|text|") }.map {
                PathText.name(String($0.prefix { $0 != "|" }))
            }
                == ["b.txt", "c.txt"]
        }
        #expect(try end(running, SIGINT).code == 0)
        // Free again.
        #expect(IndexLock.holder(of: database) == nil)
        #expect(try command.run(["index", "-q", "--db", database]).code == 0)
    }

    /// The index lies in the folder that it is of.
    @Test func theIndexDoesNotFollowItself() throws {
        try folder.write("a.txt", "alpha")
        let running = try start("watch", "-v", folder.path)
        func documents() throws -> Int {
            guard let file = try? IndexFile(path: database, isReadOnly: true) else { return 0 }
            return Int(try IndexFile.number(file.database, "SELECT count(*) FROM files WHERE complete = 1"))
        }
        try running.wait { try documents() == 1 }
        try folder.write("b.txt", "beta")
        try running.wait { try documents() == 2 }
        let result = try end(running)
        #expect(result.code == 0)
        #expect(try documents() == 2)
        #expect(!result.messages.contains("index.db"))
    }

    @Test func aServerThatFollows() throws {
        try folder.write("many/a.txt", "alpha")
        #expect(try command.run(["index", "-q", folder["many"], "--db", database]).code == 0)
        let running = try start("serve", "--watch", "--port", "0")
        let port = try running.port()
        func get(_ target: String) throws -> [String: Any] {
            let connection = try RawConnection(port: port)
            try connection.send(
                Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8))
            return try Reply(connection.receiveAll()).json()
        }
        try running.wait { try get("/api/status")["isFollowed"] as? Bool == true }
        try folder.write("many/b.txt", "freshly written")
        try running.wait { (try get("/api/search?q=freshly")["hits"] as? [Any])?.count == 1 }
        let result = try end(running)
        #expect(result.code == 0)
        #expect(result.messages == "")
        #expect(IndexLock.holder(of: database) == nil)
        // What is no index has no folders.
        _ = try Database(path: folder["app.db"])
        let other = try Database(path: folder["app.db"])
        try other.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(x)")
        let refused = try command.run(["serve", "--watch", "--port", "0", folder["app.db"]])
        #expect(refused.code == 2)
        #expect(refused.messages.contains("is another kind of database"))
    }
}
