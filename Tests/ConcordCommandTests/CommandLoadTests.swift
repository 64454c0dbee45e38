import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The command, killed, interrupted and twice at once")
struct CommandLoadTests {
    private let command: BuiltCommand
    private let folder: TemporaryFolder

    init() throws {
        command = try #require(BuiltCommand())
        folder = try TemporaryFolder()
    }

    private var database: [String: String] { ["CONCORD_DB": folder["index.db"]] }

    private func run(_ arguments: String...) throws -> BuiltCommand.Output {
        try command.run(arguments, environment: database)
    }

    /// Killed at any moment, again and again, the index stays whole, continues, and ends like one that was never
    /// interrupted.
    @Test func killedAtAnyMomentItGoesOn() throws {
        var generator = SeededGenerator(seed: 77)
        for number in 0..<150 {
            let words = (0..<120).map { _ in "word\(Int.random(in: 0..<5000, using: &generator))" }
            try folder.write("many/\(number % 7)/\(number).txt", words.joined(separator: number % 2 == 0 ? " " : "\n"))
        }
        let big = (0..<12_000).map { "line \($0) of a long file\n" }.joined()
        try folder.write("many/big.txt", big)
        for _ in 0..<5 {
            let running = try command.start(["index", "-q", folder["many"]], environment: database)
            usleep(UInt32.random(in: 5_000...200_000, using: &generator))
            kill(running.process.processIdentifier, SIGKILL)
            _ = try running.wait()
            if FileManager.default.fileExists(atPath: folder["index.db"]) {
                let check = try run("check")
                // The database may not have its tables yet.
                #expect(check.code == 0 || check.messages.contains("is not an index"), "\(check)")
            }
        }
        #expect(try run("index", "-q", folder["many"]).code == 0)
        #expect(try run("check").output == "The index is intact.\n")
        #expect(try command.run(["index", "-q", folder["many"], "--db", folder["fresh.db"]]).code == 0)
        #expect(try contents(folder["index.db"]) == contents(folder["fresh.db"]))
    }

    @Test func anInterruptEndsItInOrder() throws {
        for number in 0..<200 {
            try folder.write("many/\(number).txt", String(repeating: "some words of file \(number) ", count: 250))
        }
        let running = try command.start(["index", folder["many"]], environment: database)
        // Before its work has begun the signal would end it at once.
        while running.process.isRunning, (try? contents(folder["index.db"]))?.isEmpty ?? true { usleep(1_000) }
        kill(running.process.processIdentifier, SIGINT)
        let result = try running.wait()
        // It may have finished before.
        #expect(result.code == 130 || result.code == 0)
        if result.code == 130 { #expect(result.messages.contains("Interrupted.")) }
        #expect(try run("check").code == 0)
    }

    @Test func twoAtOnceDoNotDisturbEachOther() throws {
        for number in 0..<100 { try folder.write("many/\(number).txt", "text number \(number)") }
        let first = try command.start(["index", "-q", folder["many"]], environment: database)
        let second = try command.start(["index", "-q", folder["many"]], environment: database)
        #expect(try first.wait().code == 0)
        #expect(try second.wait().code == 0)
        #expect(try run("check").code == 0)
        #expect(try contents(folder["index.db"]).count == 200)
    }
}
