import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// A value that threads share.
///
/// `@unchecked Sendable` because the value is only touched while `lock` is held.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}

/// A server in this process, at a port that was free.
final class TestServer {
    let port: Int
    let service: SearchService
    private let server: HTTPServer
    private let web: WebAPI

    init(
        _ source: any SearchedSource, token: String? = nil, limits: HTTPLimits = HTTPLimits(),
        opener: DesktopOpener? = nil
    ) throws {
        let answering = Shared<WebAPI?>(nil)
        server = HTTPServer(limits: limits) { request in
            answering.withLock { $0 }?.respond(to: request) ?? HTTPResponse(status: 500)
        }
        try server.listen(host: "127.0.0.1", port: 0)
        port = try #require(server.addresses.first).port
        service = SearchService(source)
        web = WebAPI(service, gate: Gate(host: "127.0.0.1", port: port, token: token), opener: opener)
        answering.withLock { [web] in $0 = web }
    }

    deinit {
        web.stop()
        server.stop()
    }

    /// The answer to a request on a connection of its own.
    func send(
        _ target: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
    ) throws -> Reply {
        let connection = try RawConnection(port: port)
        var lines = ["\(method) \(target) HTTP/1.1"]
        let fixed = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        for (name, value) in fixed.merging(headers, uniquingKeysWith: { $1 }) where value != "-" {
            lines.append("\(name): \(value)")
        }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
        return try Reply(connection.receiveAll())
    }

    func json(_ target: String) throws -> [String: Any] {
        let reply = try send(target)
        #expect(reply.status == 200, "\(target): \(reply.text)")
        #expect(reply.headers["content-type"] == "application/json; charset=utf-8")
        return try reply.json()
    }
}

/// A TCP connection to this machine.
final class RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(what: "connect: \(systemMessage())") }
    }

    deinit { close(descriptor) }

    struct Failure: Error {
        var what: String
    }

    /// It is not a failure if a server that has seen enough stops reading.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags: Int32 = 0
            #endif
            let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// The next bytes; none once the connection is closed.
    func receive() -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = recv(descriptor, &piece, piece.count, 0)
            if got < 0, errno == EINTR { continue }
            return got > 0 ? Array(piece[..<got]) : []
        }
    }

    func receiveAll() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = receive()
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    func receive(until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        while !isEnough(bytes) {
            let piece = receive()
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        return bytes
    }
}

/// An answer as it came.
struct Reply {
    var status: Int
    /// By their names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let separator = Array("\r\n\r\n".utf8)
        let end = bytes.indices.first { bytes[$0...].starts(with: separator) }
        guard let end else {
            throw RawConnection.Failure(what: "no answer: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        body = Array(bytes[(end + 4)...])
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    /// The status and the detail of a problem.
    func problem() throws -> (status: Int, detail: String) {
        #expect(headers["content-type"] == "application/problem+json; charset=utf-8", "\(text)")
        let object = try json()
        #expect(object["status"] as? Int == status)
        #expect(object["type"] as? String == "about:blank")
        #expect(object["title"] as? String != nil)
        return (status, try #require(object["detail"] as? String))
    }
}

/// The runs of a text as they are told apart: `a [b] c`.
func marked(_ runs: Any?) -> String {
    (runs as? [[String: Any]] ?? []).map { run in
        let text = run["text"] as? String ?? ""
        return run["marked"] as? Bool == true ? "[\(text)]" : text
    }.joined()
}

/// An index of some documents, and a source over it.
struct IndexedDocuments {
    let folder: TemporaryFolder
    let databases: TemporaryFolder
    var path: String { databases["index.db"] }

    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder()
        databases = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        try update()
    }

    func update() throws { try index(folder.path, into: path) }

    func source() throws -> FileSource { try FileSource(SourceConnections(path: path, readers: 4)) }

    func touch(_ name: String, at seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder[name])
    }
}
