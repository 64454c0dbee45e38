import CConcordanceZlib
import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The server answers searches of an index")
struct ServerTests {
    private static func documents() throws -> IndexedDocuments {
        let documents = try IndexedDocuments([
            "garden/roses.md": "# Roses\nPrune the roses in spring, then water them.",
            "garden/tools.txt": "A spade, a rake and shears for roses.",
            "kitchen/bread.md": "# Bread\nFlour, water, salt; and time.",
            "kitchen/weekly.txt": "Receive the weekly vegetables on Friday.",
            "notes.txt": "Water the plants. <script>alert('x')</script> & more",
        ])
        try documents.touch("garden/roses.md", at: 1_700_000_000)
        try documents.touch("garden/tools.txt", at: 1_600_000_000)
        try documents.touch("kitchen/bread.md", at: 1_500_000_000)
        try documents.touch("kitchen/weekly.txt", at: 1_400_000_000)
        try documents.touch("notes.txt", at: 951_782_400)
        try documents.update()
        return documents
    }

    private let documents: IndexedDocuments
    private let server: TestServer

    init() throws {
        documents = try Self.documents()
        server = try TestServer(documents.source())
    }

    private func hits(_ target: String) throws -> [[String: Any]] {
        try #require(server.json(target)["hits"] as? [[String: Any]])
    }

    private func names(_ target: String) throws -> [String] {
        try hits(target).map { $0["name"] as? String ?? "" }
    }

    private func facet(_ name: String, _ target: String) throws -> [String: Int] {
        let facets = try #require(server.json(target)["facets"] as? [[String: Any]])
        let values = facets.first { $0["name"] as? String == name }?["values"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: values.map { ($0["value"] as? String ?? "", $0["count"] as? Int ?? -1) })
    }

    @Test func aHitTellsWhereAndWhy() throws {
        let hit = try #require(hits("/api/search?q=roses+prune").first)
        let path = try #require(DirectoryWalk.resolve(documents.folder["garden/roses.md"]))
        #expect(marked(hit["title"]) == "[Roses]")
        #expect(marked(hit["snippet"]).contains("[Prune] the [roses] in spring"))
        #expect(hit["path"] as? String == path)
        #expect(hit["folder"] as? String == PathText.folder(path))
        #expect(hit["kind"] as? String == "markdown")
        #expect(hit["modified"] as? String == "2023-11-14T22:13:20Z")
        #expect(hit["table"] as? String == "documents")
    }

    @Test(
        arguments: [
            // Half typed, in any order of words, misspelt, any of the words.
            ("/api/search?q=ros", ["roses.md", "tools.txt"]),
            ("/api/search?q=ros&typing=false", ["roses.md", "tools.txt"]),
            ("/api/search?q=water+flour", ["bread.md"]), ("/api/search?q=recieve", ["weekly.txt"]),
            ("/api/search?q=title:roses", ["roses.md"]), ("/api/search?q=roses+-spade", ["roses.md"]),
            ("/api/search?q=%22the+weekly%22", ["weekly.txt"]), ("/api/search?q=zebra+spade", ["tools.txt"]),
            ("/api/search?q=qqqqqq", []),
            // All documents, the newest first; in other orders.
            ("/api/search?q=", ["roses.md", "tools.txt", "bread.md", "weekly.txt", "notes.txt"]),
            ("/api/search?q=&sort=oldest", ["notes.txt", "weekly.txt", "bread.md", "tools.txt", "roses.md"]),
            ("/api/search?q=water&sort=newest", ["roses.md", "bread.md", "notes.txt"]),
            ("/api/search?q=water&sort=oldest", ["notes.txt", "bread.md", "roses.md"]),
            // Facets.
            ("/api/search?q=water&f.kind=markdown&sort=newest", ["roses.md", "bread.md"]),
            ("/api/search?q=water&f.year=2000", ["notes.txt"]),
            ("/api/search?q=water&f.year=2000&f.year=2017&sort=oldest", ["notes.txt", "bread.md"]),
            ("/api/search?q=water&f.year=2000&f.kind=markdown", []),
            ("/api/search?q=&f.kind=text&sort=newest", ["tools.txt", "weekly.txt", "notes.txt"]),
            // What looks like an error to FTS5.
            ("/api/search?q=%22", ["roses.md", "tools.txt", "bread.md", "weekly.txt", "notes.txt"]),
            ("/api/search?q=(((&f.year=2000", ["notes.txt"]), ("/api/search?q=AND+spade", ["tools.txt"]),
        ])
    func searches(_ target: String, _ expected: [String]) throws {
        #expect(try names(target) == expected)
    }

    @Test func typosAndWordsTakenForOthersAreTold() throws {
        let answer = try server.json("/api/search?q=recieve")
        let replaced = try #require(answer["replaced"] as? [[String: Any]])
        #expect(replaced.first?["typed"] as? String == "recieve")
        #expect((replaced.first?["found"] as? [String])?.first?.lowercased() == "receive")
    }

    @Test func facetsCountWhatOtherFiltersLeave() throws {
        #expect(try facet("kind", "/api/search?q=water") == ["markdown": 2, "text": 1])
        #expect(try facet("year", "/api/search?q=water&f.kind=markdown") == ["2023": 1, "2017": 1])
        // Of a facet with a choice, the other values are counted, too.
        #expect(try facet("kind", "/api/search?q=water&f.kind=markdown") == ["markdown": 2, "text": 1])
        #expect(try facet("kind", "/api/search?q=") == ["markdown": 2, "text": 3])
        #expect(try facet("kind", "/api/search?q=&f.kind=text") == ["markdown": 2, "text": 3])
        #expect(try facet("kind", "/api/search?q=&f.year=2000") == ["text": 1])
        #expect(try facet("kind", "/api/search?q=water&f.kind=pdf") == ["markdown": 2, "text": 1, "pdf": 0])
        let root = try #require(DirectoryWalk.resolve(documents.folder.path))
        #expect(
            try facet("folder", "/api/search?q=") == ["\(root)/garden": 2, "\(root)/kitchen": 2, root: 1])
    }

    /// Pages have the hits of one large page in any order, though other documents come meanwhile.
    @Test(arguments: ["q=w&sort=relevance", "q=water&sort=newest", "q=&sort=oldest", "q=", "q=wate+roses", "q=recieve"])
    func pagesFollowEachOther(_ query: String) throws {
        for number in 0..<30 {
            try documents.folder.write("more/\(number).txt", "water number \(number) wood")
            try documents.touch("more/\(number).txt", at: 1_000_000_000 + Double(number % 7) * 1e6)
        }
        try documents.update()
        let expected = try hits("/api/search?\(query)&limit=200").map { $0["id"] as? String ?? "" }
        var found: [String] = []
        var cursor: String?
        repeat {
            let answer = try server.json("/api/search?\(query)&limit=7" + (cursor.map { "&cursor=\($0)" } ?? ""))
            found += try #require(answer["hits"] as? [[String: Any]]).map { $0["id"] as? String ?? "" }
            if cursor != nil { #expect(answer["facets"] is NSNull && answer["correction"] is NSNull) }
            cursor = answer["cursor"] as? String
            if query.hasPrefix("q=w") {
                try documents.folder.write("later.txt", "nothing of that kind \(found.count)")
                try documents.update()
            }
        } while cursor != nil && found.count < 100
        #expect(found == expected)
    }

    @Test func cursorsOfOtherSearchesAndForgedOnesAreRefused() throws {
        let first = try server.json("/api/search?q=water&limit=1")
        let cursor = try #require(first["cursor"] as? String)
        for target in [
            "/api/search?q=roses&cursor=\(cursor)", "/api/search?q=water&sort=newest&cursor=\(cursor)",
            "/api/search?q=water&cursor=x", "/api/search?q=water&cursor=", "/api/search?q=water&cursor=exact.1.e30",
            "/api/search?q=water&cursor=\(cursor.dropLast(9))",
        ] {
            #expect(try server.send(target).problem().status == 400, "\(target)")
        }
    }

    @Test func completionsAndCorrections() throws {
        // The words are read in the background.
        while !server.service.hasWords(table: nil) { #expect(try server.send("/api/status").status == 200) }
        let answer = try server.json("/api/suggest?q=water+veg")
        #expect(try #require(answer["completions"] as? [Any]).isEmpty)
        let completions = try #require(server.json("/api/suggest?q=ros")["completions"] as? [[String: Any]])
        #expect(completions.first?["text"] as? String == "Roses")
        #expect(marked(completions.first?["runs"]) == "Ros[es]")
        let correction = try #require(server.json("/api/search?q=shaers")["correction"] as? [String: Any])
        #expect(correction["query"] as? String == "shears")
        #expect(marked(correction["runs"]) == "[shears]")
    }

    @Test func aDocumentHasItsMatchesMarked() throws {
        let id = try #require(hits("/api/search?q=plants").first?["id"] as? String)
        let document = try server.json("/api/document?id=\(id)&q=plan")
        let columns = try #require(document["columns"] as? [[String: Any]])
        #expect(
            marked(columns.first?["runs"]) == "Water the [plants]. <script>alert('x')</script> & more")
        #expect(document["matches"] as? Int == 1)
        #expect((document["fileURL"] as? String)?.hasPrefix("file:///") == true)
        #expect(try server.json("/api/document?id=\(id)")["matches"] as? Int == 0)
        // Words with typos, if those that were typed are missing.
        #expect(try server.json("/api/document?id=\(id)&q=plnats")["matches"] as? Int == 1)
        #expect(try server.send("/api/document?id=999999").problem().status == 404)
        #expect(try server.send("/api/document?id=x").problem().status == 400)
        #expect(try server.send("/api/document").problem().status == 400)
        #expect(try server.send("/api/document?id=\(id)&from=999").problem().status == 400)
        #expect(try server.send("/api/document?id=\(id)&from=x").problem().status == 400)
    }

    @Test func aLongDocumentComesInParts() throws {
        let lines = (0..<30_000).map { "line \($0) of a long text\n" }.joined()
        try documents.folder.write("long.txt", lines)
        try documents.update()
        let id = try #require(hits("/api/search?q=line+29999").first?["id"] as? String)
        let first = try #require(hits("/api/search?q=%22line+0+of%22").first?["id"] as? String)
        #expect(id != first)
        var text = ""
        var from: String?
        repeat {
            let part = try server.json("/api/document?id=\(first)" + (from.map { "&from=\($0)" } ?? ""))
            text += marked(try #require(part["columns"] as? [[String: Any]]).first?["runs"])
            from = part["next"] as? String
        } while from != nil
        #expect(text == lines)
    }

    @Test func answersAreKnownByTheirTags() throws {
        // An answer has more once the words of the index are known.
        while !server.service.hasWords(table: nil) { #expect(try server.send("/api/status").status == 200) }
        let target = "/api/search?q=water"
        let tag = try #require(server.send(target).headers["etag"])
        let again = try server.send(target, headers: ["If-None-Match": "\"other\", \(tag)"])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(try server.send("/api/search?q=roses", headers: ["If-None-Match": tag]).status == 200)
        try documents.folder.write("new.txt", "water")
        try documents.update()
        #expect(try server.send(target, headers: ["If-None-Match": tag]).status == 200)
        for target in ["/", "/openapi.json"] {
            let tag = try #require(server.send(target).headers["etag"])
            #expect(try server.send(target, headers: ["If-None-Match": tag]).status == 304)
        }
    }

    @Test func answersArePackedForThoseWhoUnpack() throws {
        let plain = try server.send("/openapi.json")
        #expect(plain.headers["content-encoding"] == nil)
        for (header, isPacked) in [
            ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("gzip;q=0", false), ("br", false),
            ("gzip; q=0.0", false),
        ] {
            let reply = try server.send("/openapi.json", headers: ["Accept-Encoding": header])
            #expect((reply.headers["content-encoding"] == "gzip") == isPacked, "\(header)")
            let body =
                isPacked ? try GzipStream(MemoryStream([reply.body]), limit: 1 << 20).whole(limit: 1 << 20) : reply.body
            #expect(body == plain.body)
        }
        let small = try server.send("/api/suggest?q=x", headers: ["Accept-Encoding": "gzip"])
        #expect(small.headers["content-encoding"] == nil)
    }

    @Test func theStatusSaysWhatThereIs() throws {
        let status = try server.json("/api/status")
        #expect(status["documents"] as? Int == 5)
        #expect(status["state"] as? String == "ready")
        #expect(status["version"] as? String == ConcordCommand.version)
        #expect(status["roots"] as? [String] == [try #require(DirectoryWalk.resolve(documents.folder.path))])
        let nothing = try IndexedDocuments([:])
        #expect(try TestServer(nothing.source()).json("/api/status")["state"] as? String == "empty")
    }

    /// The server has the deleted file open, but does not answer from it.
    @Test func anIndexThatIsDeletedAndMadeAgain() throws {
        let target = "/api/search?q=roses&typing=false"
        #expect(try names(target).sorted() == ["roses.md", "tools.txt"])
        let tag = try #require(server.send(target).headers["etag"])
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: documents.path + suffix) }
        for target in [target, "/api/status", "/api/suggest?q=ros"] {
            let problem = try server.send(target).problem()
            #expect(problem.status == 503 && problem.detail.contains("deleted or replaced"))
        }
        try documents.folder.remove("garden")
        try documents.folder.write("only.txt", "Roses again.")
        // The schema has the same version, but another analyzer.
        try IndexFile.openOrCreate(path: documents.path, analyzer: "english", rebuild: false).database.close()
        try documents.update()
        let answer = try server.send(target, headers: ["If-None-Match": tag])
        #expect(answer.status == 200)
        #expect(try names(target) == ["only.txt"])
        #expect((try answer.json()["replaced"] as? [Any])?.isEmpty == true)
        #expect(try server.json("/api/status")["documents"] as? Int == 4)
        // What is not an index any more is not served.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: documents.path + suffix) }
        let other = try Database(path: documents.path)
        try other.execute(sql: "CREATE TABLE t(x)")
        try other.close()
        #expect(try server.send(target).problem().status == 503)
    }

    /// Whoever listens gets the status, and word of each change.
    @Test func eventsTellOfChanges() throws {
        let connection = try RawConnection(port: server.port)
        try connection.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n".utf8))
        var seen = connection.receive { String(decoding: $0, as: UTF8.self).contains("event: status\ndata: {") }
        #expect(
            String(decoding: seen, as: UTF8.self).contains("content-type: text/event-stream")
                || String(decoding: seen, as: UTF8.self).contains("Content-Type: text/event-stream"))
        try documents.folder.write("new.txt", "water")
        try documents.update()
        seen = connection.receive { String(decoding: $0, as: UTF8.self).contains("event: change\ndata: {\"version\":") }
        #expect(!seen.isEmpty)
    }

    /// What another process does is known by its lock, which ends with it, and by what it says.
    @Test func theStatusSaysWhatIsBeingDone() throws {
        func status() throws -> [String: Any] { try server.json("/api/status") }
        #expect(try status()["isFollowed"] as? Bool == false)
        #expect(try status()["progress"] is NSNull)
        let tag = try #require(server.send("/api/status").headers["etag"])
        // The words that are read meanwhile are no part of it.
        while !server.service.hasWords(table: nil) { #expect(try server.send("/api/status").status == 200) }
        #expect(try server.send("/api/status", headers: ["If-None-Match": tag]).status == 304)
        let connection = try RawConnection(port: server.port)
        try connection.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n".utf8))
        _ = connection.receive { String(decoding: $0, as: UTF8.self).contains("event: status\ndata: {") }
        do {
            var activity = IndexActivity(.watch)
            let lock = try IndexLock(documents.path, activity)
            #expect(try status()["isFollowed"] as? Bool == true)
            #expect(try status()["state"] as? String == "ready")
            (activity.isBusy, activity.read, activity.path) = (true, 3, "/a \"b\".txt")
            lock.note(activity, isUrgent: true)
            #expect(try status()["state"] as? String == "indexing")
            let progress = try #require(status()["progress"] as? [String: Any])
            #expect(progress["read"] as? Int == 3)
            #expect(progress["total"] is NSNull)
            #expect(progress["path"] as? String == "/a \"b\".txt")
            #expect(try server.send("/api/status", headers: ["If-None-Match": tag]).status == 200)
            _ = connection.receive { String(decoding: $0, as: UTF8.self).contains("\"state\":\"indexing\"") }
            (activity.read, activity.total) = (4, 9)
            lock.note(activity, isUrgent: true)
            let seen = connection.receive { String(decoding: $0, as: UTF8.self).contains("event: progress\ndata: {") }
            #expect(String(decoding: seen, as: UTF8.self).contains("\"read\":4,\"total\":9"))
            let answer = try #require(JSONValue(server.send("/api/status").body))
            let schema = JSONSchema(document: try #require(JSONValue(server.send("/openapi.json").body)))
            #expect(schema.problems(of: answer, schema.resolved("#/components/schemas/Status")) == [])
            // What is torn or foreign says only that somebody is at work.
            try documents.databases.write("index.db-lock", "{\"wo")
            #expect(try status()["state"] as? String == "indexing")
            #expect(throws: IndexLock.Refusal.held(nil)) { _ = try IndexLock(documents.path, activity) }
            withExtendedLifetime(lock) {}
        }
        #expect(try status()["state"] as? String == "ready")
        _ = connection.receive { String(decoding: $0, as: UTF8.self).contains("\"state\":\"ready\"") }
        // Interrupted, an index is not being indexed for ever.
        let file = try IndexFile(path: documents.path, isReadOnly: false)
        try file.database.execute(sql: "UPDATE files SET complete = 0 WHERE id = (SELECT min(id) FROM files)")
        #expect(try status()["state"] as? String == "interrupted")
    }

    /// Words such as "the" are marked only in phrases, and where a query has no others.
    @Test(
        arguments: [
            ("/api/search?q=the+weekly&typing=false", "Receive the [weekly] vegetables on Friday."),
            ("/api/search?q=%22the+weekly%22&typing=false", "Receive [the weekly] vegetables on Friday."),
            ("/api/search?q=weekly+on+the&typing=false", "Receive the [weekly] vegetables on Friday."),
            ("/api/search?q=on&typing=false&f.year=2014", "Receive the weekly vegetables [on] Friday."),
        ])
    func stopWordsAloneAreNotMarked(_ target: String, _ expected: String) throws {
        let hit = try #require(hits(target).first)
        #expect(marked(hit["snippet"]) == expected)
        let id = try #require(hit["id"] as? String)
        let query = try #require(target.split(separator: "?").last?.split(separator: "&").first)
        let document = try server.json("/api/document?id=\(id)&\(query)")
        let columns = try #require(document["columns"] as? [[String: Any]])
        #expect(marked(columns.first?["runs"]) == expected)
    }

    /// All answers are what the description of the API says.
    @Test func answersAreAsDescribed() throws {
        let description = try #require(JSONValue(server.send("/openapi.json").body))
        let schema = JSONSchema(document: description)
        #expect(description["paths"]?.object?.count == 6)
        let id = try #require(hits("/api/search?q=plants").first?["id"] as? String)
        for target in [
            "/api/status", "/api/search?q=water", "/api/search?q=recieve", "/api/search?q=shaers&limit=1",
            "/api/search?q=",
            "/api/search?q=water&limit=1&f.kind=text&f.kind=markdown", "/api/suggest?q=ros", "/api/suggest?q=shaers",
            "/api/document?id=\(id)&q=plants",
        ] {
            let path = String(target.prefix { $0 != "?" })
            let ok = description["paths"]?[path]?["get"]?["responses"]?["200"]
            let expected = try #require(ok?["content"]?["application/json"]?["schema"])
            let answer = try #require(JSONValue(server.send(target).body))
            #expect(schema.problems(of: answer, expected) == [], "\(target)")
        }
        let problem = try #require(JSONValue(server.send("/api/search").body))
        #expect(schema.problems(of: problem, schema.resolved("#/components/schemas/Problem")) == [])
    }

    @Test func thePageIsInTheCommandAsItStandsInItsFolder() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/ConcordCommand/Server/Page").path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
            #expect(PageFiles.all[name]?.bytes == bytes, "\(name): run Scripts/embed-page")
            #expect(try server.send("/assets/\(name)").body == bytes)
        }
        for target in ["/", "/?q=100%"] {
            let page = try server.send(target)
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        }
        #expect(try server.send("/", method: "HEAD").body.isEmpty)
    }
}
