import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The server under load, stopped and killed")
struct ServerLoadTests {
    private let documents: IndexedDocuments
    private let command: BuiltCommand

    init() throws {
        command = try #require(BuiltCommand())
        documents = try IndexedDocuments(["a.txt": "alpha beta", "b.txt": "alpha gamma"])
    }

    /// A server process, and its port.
    private func start(_ arguments: String...) throws -> (running: BuiltCommand.Running, port: Int) {
        let running = try command.start(["serve", "--port", "0", "--db", documents.path] + arguments)
        return (running, try running.port())
    }

    private func get(_ target: String, _ port: Int) throws -> Reply {
        let connection = try RawConnection(port: port)
        try connection.send(
            Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8))
        return try Reply(connection.receiveAll())
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsItInOrder(_ signal: Int32) throws {
        let (running, port) = try start()
        #expect(try get("/api/search?q=alpha", port).status == 200)
        let listening = try RawConnection(port: port)
        try listening.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8))
        _ = listening.receive { String(decoding: $0, as: UTF8.self).contains("event: status") }
        kill(running.process.processIdentifier, signal)
        // Its streams end.
        _ = listening.receiveAll()
        #expect(try running.wait().code == 0)
        // The port is free at once.
        let again = try ListeningSocket(host: "127.0.0.1", port: port)
        close(again.descriptor)
    }

    @Test func twoOnOnePort() throws {
        let (running, port) = try start()
        let second = try command.run(["serve", "--port", "\(port)", "--db", documents.path])
        #expect(second.code == 3)
        #expect(second.messages.contains("port \(port) of 127.0.0.1 is in use"))
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        #expect(try command.run(["check", "--db", documents.path]).code == 0)
    }

    /// 200 clients at once, while the index is brought up to date: every answer is one.
    @Test func manyClientsWhileTheIndexIsUpdated() throws {
        let (running, port) = try start()
        let failures = Shared<[String]>([])
        let done = Flag()
        let group = DispatchGroup()
        for client in 0..<200 {
            group.enter()
            let thread = Thread {
                defer { group.leave() }
                for number in 0..<25 {
                    let words = ["alpha", "bet", "gmma", "alpha -beta", "", "word\(number)"][(client + number) % 6]
                    let target = "/api/search?q=" + PercentEncoding.encode(words)
                    do {
                        let reply = try self.get(target, port)
                        if reply.status != 200 { failures.withLock { $0.append("\(reply.status) \(reply.text)") } }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            thread.start()
        }
        let written = DispatchGroup()
        written.enter()
        let writer = Thread {
            defer { written.leave() }
            var number = 0
            while !done.isRaised {
                number += 1
                do {
                    try self.documents.folder.write("more/\(number % 50).txt", "alpha word\(number)")
                    let result = try self.command.run(["index", "-q", "--db", self.documents.path])
                    if result.code != 0 { failures.withLock { $0.append("index: \(result.messages)") } }
                } catch {
                    failures.withLock { $0.append("index: \(error)") }
                }
            }
        }
        writer.start()
        group.wait()
        done.raise()
        written.wait()
        kill(running.process.processIdentifier, SIGTERM)
        #expect(try running.wait().code == 0)
        #expect(failures.withLock { $0 } == [])
    }
}
