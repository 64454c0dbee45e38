import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The server gives nothing away")
struct ServerSecurityTests {
    private let documents: IndexedDocuments
    private let server: TestServer

    init() throws {
        documents = try IndexedDocuments(["a.txt": "alpha <b>bold</b>", "b \"quoted\" <i>.txt": "alpha beta"])
        server = try TestServer(documents.source())
    }

    private var host: String { "127.0.0.1:\(server.port)" }

    @Test func onlyItsOwnNamesAreAnswered() throws {
        for (name, isOurs) in [
            (host, true), ("localhost:\(server.port)", true), ("[::1]:\(server.port)", true),
            ("LOCALHOST:\(server.port)", true),
            ("localhost", true), ("evil.example:\(server.port)", false), ("evil.example", false),
            ("localhost:1", false),
            ("localhost.evil.example:\(server.port)", false), ("127.0.0.1.evil.example", false), ("", false),
            ("[::1", false), ("localhost:x", false), ("0.0.0.0:\(server.port)", false),
        ] {
            for target in ["/api/status", "/", "/assets/index.html"] {
                let reply = try server.send(target, headers: ["Host": name])
                #expect((reply.status == 200) == isOurs, "\(name) \(target): \(reply.status)")
                if !isOurs, reply.status == 403 { #expect(try reply.problem().detail.contains("http://127.0.0.1")) }
            }
        }
    }

    @Test(
        arguments: [
            ("/api/../../etc/passwd", 404), ("/assets/../../../etc/passwd", 404),
            ("/assets/..%2f..%2fetc%2fpasswd", 404),
            ("/%2e%2e/etc/passwd", 404), ("//etc/passwd", 404), ("/assets/", 404), ("/assets/index.html%00.js", 400),
            ("/api/document?id=../../etc/passwd", 400), ("/api/document?id=1%00", 400), ("/api/search?q=%", 400),
            ("/api/search?q=%4", 400), ("/api/search?q=%zz", 400), ("/api/search?q=%ff%fe", 400), ("/api/search", 400),
            ("/api/search?q=a&limit=0", 400), ("/api/search?q=a&limit=-1", 400), ("/api/search?q=a&limit=1e9", 400),
            ("/api/search?q=a&limit=99999999999999999999", 400), ("/api/search?q=a&sort=body", 400),
            ("/api/search?q=a&sort=1;DROP+TABLE+parts", 400), ("/api/search?q=a&f.nothing=1", 400),
            ("/api/search?q=a&f.year=x", 400), ("/api/search?q=a&f.body=x", 400), ("/api/search?q=a&table=files", 404),
            ("/api/search?q=a&table=%27;--", 404), ("/api/suggest", 400), ("/api/suggest?q=a&limit=1000", 400),
            ("/api/none", 404), ("/api", 404), ("/index.html", 404), ("/api/open", 405),
        ])
    func whatMakesNoSenseIsAProblem(_ target: String, _ status: Int) throws {
        let problem = try server.send(target).problem()
        #expect(problem.status == status)
        #expect(problem.detail.count > 10)
    }

    @Test func longAddressesHeadersAndBodiesAreRefused() throws {
        let words = String(repeating: "a", count: 5000)
        #expect(try server.send("/api/search?q=\(words)").problem().status == 400)
        #expect(try server.send("/api/search?q=\(words + words)").problem().status == 414)
        let body = String(repeating: "x", count: 100_000)
        #expect(try server.send("/api/open", method: "POST", body: body).problem().status == 413)
        let long = ["X-Long": String(repeating: "h", count: 50_000)]
        #expect(try server.send("/api/status", headers: long).problem().status == 431)
        // The library's own answer.
        let reply = try server.send("/api/status", headers: ["X-Long": String(repeating: "h", count: 200_000)])
        #expect([400, 413, 431].contains(reply.status), "\(reply.status)")
        #expect(try server.send("/api/status").status == 200)
    }

    /// Requests that the library could parse, but that HTTP forbids.
    @Test(
        arguments: [
            ("GET /api/status HTTP/1.1\r\n\r\n", 400), ("GET /api/status HTTP/1.0\r\n\r\n", 400),
            ("GET /api/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
            ("GET /api/status HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n", 400),
            ("GET /api/search?q=a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("GET /api/search?q=\u{1}\u{7F} HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("POST /api/open HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ])
    func whatHTTPForbidsIsAProblem(_ request: String, _ status: Int) throws {
        let connection = try RawConnection(port: server.port)
        try connection.send(Array(request.utf8))
        let reply = try Reply(connection.receive { String(decoding: $0, as: UTF8.self).hasSuffix("}") })
        #expect(try reply.problem().status == status)
        #expect(try server.send("/api/status").status == 200)
    }

    @Test func bytesThatAreNoRequestDoNoHarm() throws {
        for text in [
            "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\r\n\r\n\r\n",
            "é\r\n\r\n",
            "GET /api/search?q=\u{1}\u{2} HTTP/1.1\r\nHost: \(host)\r\n\r\n",
            "GET http://x/ HTTP/1.1\r\nHost: \(host)\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: \(host)\r\n\r\n",
            "BREW / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n",
        ] {
            let connection = try RawConnection(port: server.port)
            try connection.send(Array(text.utf8))
        }
        #expect(try server.send("/api/status").status == 200)
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            #expect(try server.send("/api/status", method: method).problem().status == 405, "\(method)")
        }
    }

    @Test func everyAnswerTellsBrowsersWhatNotToDo() throws {
        for target in ["/", "/api/status", "/api/none", "/openapi.json", "/api/search?q=alpha"] {
            let headers = try server.send(target, headers: ["Origin": "http://evil.example"]).headers
            let policy = try #require(headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["cross-origin-opener-policy"] == "same-origin")
            #expect(headers["cross-origin-resource-policy"] == "same-origin")
            #expect(headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func theTokenIsAskedForWhereDataIs() throws {
        let server = try TestServer(documents.source(), token: "correct-horse")
        for headers in [
            [:], ["Authorization": "Bearer wrong-horse"], ["Authorization": "correct-horse"],
            ["Authorization": "Basic correct-horse"], ["Authorization": "Bearer correct-hors"],
            ["Authorization": "Bearer correct-horsecorrect-horse"], ["Authorization": "Bearer "],
            ["Cookie": "concord-\(server.port)=wrong"], ["Cookie": "concord-1=correct-horse"],
        ] {
            for target in ["/api/status", "/api/search?q=alpha", "/api/document?id=1", "/api/events", "/api/none"] {
                let reply = try server.send(target, headers: headers)
                #expect(try reply.problem().status == 401, "\(headers) \(target)")
                #expect(reply.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
            }
        }
        for headers in [
            ["Authorization": "Bearer correct-horse"], ["Authorization": "bearer correct-horse"],
            ["Cookie": "other=1; concord-\(server.port)=correct-horse"],
        ] {
            #expect(try server.send("/api/search?q=alpha", headers: headers).status == 200, "\(headers)")
        }
        // The page itself holds nothing; it asks for the token.
        #expect(try server.send("/").status == 200)
        #expect(try server.send("/?token=wrong").problem().status == 401)
        let admission = try server.send("/?token=correct-horse&q=a%26b")
        #expect(admission.status == 303)
        #expect(admission.headers["location"] == "/?q=a%26b")
        let cookie = try #require(admission.headers["set-cookie"])
        #expect(cookie == "concord-\(server.port)=correct-horse; Path=/; HttpOnly; SameSite=Strict")
        #expect(
            try server.send("/api/status", headers: ["Cookie": String(cookie.prefix { $0 != ";" })]).status == 200)
    }

    @Test func secretsAreComparedAsAWhole() {
        for (given, secret, areEqual) in [
            ("abc", "abc", true), ("abc", "abd", false), ("ab", "abc", false), ("abcabc", "abc", false),
            ("", "abc", false),
            ("abc", "", false), ("", "", true),
        ] {
            #expect(Gate.areEqual(given, secret) == areEqual, "\(given) \(secret)")
        }
        for (token, isOne) in [
            ("12345678", true), ("1234567", false), ("1234 678", false), ("1234567;", false), ("ä2345678", false),
        ] {
            #expect(Gate.isToken(token) == isOne)
        }
    }

    /// Only files of the index, and only if the page itself asks.
    @Test func filesAreOpenedForThePageOnly() throws {
        let opened = documents.databases["opened"]
        let script = try documents.databases.write("opener", "#!/bin/sh\nprintf '%s' \"$1\" > '\(opened)'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let server = try TestServer(documents.source(), opener: DesktopOpener(program: script))
        let found = try #require(server.json("/api/search?q=beta")["hits"] as? [[String: Any]]).first
        let id = try #require(found?["id"] as? String)
        let body = "{\"id\":\"\(id)\"}"
        let page = "http://127.0.0.1:\(server.port)"
        for (headers, body, status) in [
            ([:], body, 403), (["X-Concord": "1", "Origin": "http://evil.example"], body, 403),
            (["X-Concord": "1", "Origin": "null"], body, 403),
            (["X-Concord": "1", "Sec-Fetch-Site": "cross-site"], body, 403),
            (["X-Concord": "1", "Origin": page], "{\"id\":\"999\"}", 404), (["X-Concord": "1"], "{\"id\":1}", 400),
            (["X-Concord": "1"], "{\"id\":\"/etc/passwd\"}", 400), (["X-Concord": "1"], "", 400),
            (["X-Concord": "1"], String(repeating: "[", count: 60_000), 400),
        ] as [([String: String], String, Int)] {
            let reply = try server.send("/api/open", method: "POST", headers: headers, body: body)
            #expect(try reply.problem().status == status, "\(headers) \(body.prefix(50))")
        }
        #expect(!FileManager.default.fileExists(atPath: opened))
        let headers = ["X-Concord": "1", "Origin": page, "Sec-Fetch-Site": "same-origin"]
        #expect(try server.send("/api/open", method: "POST", headers: headers, body: body).status == 204)
        let path = try String(contentsOfFile: opened, encoding: .utf8)
        #expect(path == DirectoryWalk.resolve(documents.folder["b \"quoted\" <i>.txt"]))
        // Without an opener it is not offered.
        let refused = try self.server.send("/api/open", method: "POST", headers: ["X-Concord": "1"], body: body)
        let problem = try refused.problem()
        #expect(problem.status == 403 && problem.detail.contains("--no-open-files"))
    }

    /// Clients that send half a request, or nothing, hold connections and nothing else.
    @Test func slowClientsDoNotKeepOthersWaiting() throws {
        var limits = HTTPLimits()
        limits.workers = 2
        limits.connections = 200
        let server = try TestServer(documents.source(), limits: limits)
        let beginnings = [
            "", "G", "GET /api/status HTTP/1.1\r\nHost: loc",
            "POST /api/open HTTP/1.1\r\nHost: localhost:\(server.port)\r\nContent-Length: 1000\r\n\r\n{",
        ]
        let slow = try (0..<100).map { number in
            let connection = try RawConnection(port: server.port)
            try connection.send(Array(beginnings[number % beginnings.count].utf8))
            return connection
        }
        for _ in 0..<20 { #expect(try server.send("/api/search?q=alpha").status == 200) }
        withExtendedLifetime(slow) {}
    }

    /// More connections than there may be wait for their turn.
    @Test func connectionsBeyondTheLimitWait() throws {
        var limits = HTTPLimits()
        limits.connections = 8
        let server = try TestServer(documents.source(), limits: limits)
        var waiting = try (0..<40).map { _ in try RawConnection(port: server.port) }
        for connection in waiting {
            try connection.send(
                Array("GET /api/status HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n".utf8))
        }
        while let connection = waiting.popLast() { #expect(try Reply(connection.receiveAll()).status == 200) }
    }

    @Test func aPortInUseIsSaidSo() throws {
        #expect(throws: ListenError.inUse("127.0.0.1", server.port)) {
            _ = try ListeningSocket(host: "127.0.0.1", port: server.port)
        }
        #expect(throws: ListenError.badAddress("203.0.113.1")) { _ = try ListeningSocket(host: "203.0.113.1", port: 0) }
        #expect(throws: ListenError.badAddress("nowhere")) { _ = try ListeningSocket(host: "nowhere", port: 0) }
    }
}
