import Concordance
import ConcordanceSearch
import Foundation

/// Answers requests: the page, and the API that it uses (`openapi.json`).
final class WebAPI: Sendable {
    private let service: SearchService
    private let gate: Gate
    private let events: EventHub
    /// Opens a file with the desktop's program; nil where that is not offered.
    private let opener: DesktopOpener?
    private let kept = AnswerCache()
    /// Makes tags of different runs differ.
    private let run = String(UInt64.random(in: .min ... .max), radix: 36)

    private static let queryBytes = 4096
    private static let searchLimit = 200
    private static let suggestionLimit = 50

    init(_ service: SearchService, gate: Gate, opener: DesktopOpener?) {
        self.service = service
        self.gate = gate
        self.opener = gate.isLoopback ? opener : nil
        let canOpen = self.opener != nil && service.source.kind == "files"
        events = EventHub(
            version: { try? service.source.connections.version() }, activity: { service.source.activity() },
            status: { (try? service.status()).map { Self.json($0.status, $0.tables, service, canOpen: canOpen) } })
    }

    /// Ends the streams of events.
    func stop() {
        events.end()
        service.source.connections.interrupt()
    }

    // MARK: - Requests

    func respond(to request: HTTPRequest) -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try answer(request)
        } catch {
            response = Self.problem(error).response
        }
        pack(&response, for: request)
        response.headers += Self.protection
        return response
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        try gate.checkHost(request)
        if request.method == "POST" {
            try gate.checkOrigin(request)
            try gate.checkToken(request)
            return try post(request)
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            throw HTTPProblem(405, "\(request.method) is not answered here", headers: ["Allow": "GET, HEAD"])
        }
        if let admission = try gate.admission(request) { return admission }
        if let file = try file(request) { return file }
        guard request.path.hasPrefix("/api/") else { throw Self.nothingHere }
        // Nothing else holds what anybody would want to keep for himself.
        try gate.checkToken(request)
        return try get(request)
    }

    private static let nothingHere = HTTPProblem(404, "there is nothing here; the API is described at /openapi.json")

    private func get(_ request: HTTPRequest) throws -> HTTPResponse {
        switch request.path {
        case "/api/status":
            // Of what is being done, the database knows nothing.
            let activity = service.source.activity()
            let state = activity.map { "\($0.work) \($0.progress.text)" } ?? ""
            return try tagged(request, state: state, isKept: false) {
                let (status, tables) = try service.status()
                return Self.json(status, tables, service, canOpen: opener != nil && service.source.kind == "files")
            }
        case "/api/search": return try tagged(request) { try search(request) }
        case "/api/suggest": return try tagged(request) { try suggest(request) }
        case "/api/document": return try tagged(request, isKept: false) { try document(request) }
        case "/api/events":
            if request.method == "HEAD" { throw HTTPProblem(405, "events are streamed", headers: ["Allow": "GET"]) }
            guard let stream = events.listen() else {
                throw HTTPProblem(503, "too many pages listen; close some", headers: ["Retry-After": "10"])
            }
            return HTTPResponse(
                headers: [("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store")],
                body: .stream(stream))
        case "/api/open": throw HTTPProblem(405, "a file is opened by POST", headers: ["Allow": "POST"])
        default: throw Self.nothingHere
        }
    }

    /// The page itself, for everyone whom the host check lets through; a path is a name among those there are.
    private func file(_ request: HTTPRequest) throws -> HTTPResponse? {
        let name: String
        switch request.path {
        case "/": name = "index.html"
        case "/favicon.ico": name = "icon.svg"
        case "/openapi.json": name = "openapi.json"
        default:
            guard request.path.hasPrefix("/assets/") else { return nil }
            name = String(request.path.dropFirst("/assets/".count))
        }
        guard let file = PageFiles.all[name] else { throw HTTPProblem(404, "the page has no such file") }
        return cached(request, file.bytes, type: file.type, tag: file.tag)
    }

    private func cached(_ request: HTTPRequest, _ bytes: [UInt8], type: String, tag: String) -> HTTPResponse {
        let headers = [("ETag", "W/\"\(tag)\""), ("Cache-Control", "no-cache")]
        if Self.matches(request.headers["if-none-match"], tag) { return HTTPResponse(status: 304, headers: headers) }
        return HTTPResponse(headers: [("Content-Type", type)] + headers, body: .bytes(bytes))
    }

    /// An answer that stays the same until the database changes: known by the version of that and the request.
    private func tagged(
        _ request: HTTPRequest, state: String = "", isKept: Bool = true, _ make: () throws -> JSONText
    ) throws -> HTTPResponse {
        // Read before the answer is made: what changes meanwhile makes the tag older than the answer, and never younger.
        let version = try service.source.connections.version()
        // Any request has the words read in the background, but only searches and suggestions, whose answers are kept, have
        // completions and corrections, which are made of them.
        let hasWords = service.hasWords(table: request.parameter("table")) && isKept
        var hash = XXHash64()
        hash.update(Array("\(run) \(version) \(hasWords) \(state) \(request.target)".utf8))
        let tag = String(hash.finish(), radix: 36)
        let headers = [("ETag", "W/\"\(tag)\""), ("Cache-Control", "private, no-cache")]
        if Self.matches(request.headers["if-none-match"], tag) { return HTTPResponse(status: 304, headers: headers) }
        var response: HTTPResponse
        if isKept {
            let answer = try kept.answer(to: "\(hasWords) \(request.target)", in: version) {
                try make().bytes
            }
            response = HTTPResponse(headers: [HTTPResponse.jsonType], body: .kept(answer))
        } else {
            response = .json(try make())
        }
        response.headers += headers
        return response
    }

    /// Whether one of the tags in If-None-Match is this one (RFC 9110, 13.1.2, which compares weakly).
    private static func matches(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let text = part.drop { $0 == " " }
            return (text.hasPrefix("W/") ? text.dropFirst(2) : text).prefix { $0 != " " } == "\"\(tag)\""
        }
    }

    // MARK: - The API

    private func query(_ request: HTTPRequest) throws -> String {
        guard let text = request.parameter("q") else {
            throw HTTPProblem(400, "q is missing: what is looked for, which may be empty")
        }
        guard text.utf8.count <= Self.queryBytes else {
            throw HTTPProblem(400, "q has more than \(Self.queryBytes) bytes; look for less")
        }
        return text
    }

    private func search(_ request: HTTPRequest) throws -> JSONText {
        var wish = SearchWish(try query(request))
        wish.table = request.parameter("table")
        wish.sort = request.parameter("sort")
        wish.limit = try request.count("limit", in: 1...Self.searchLimit) ?? wish.limit
        wish.cursor = request.parameter("cursor")
        wish.isTyping = !["0", "false"].contains(request.parameter("typing"))
        for parameter in request.parameters where parameter.name.hasPrefix("f.") {
            wish.values[String(parameter.name.dropFirst(2)), default: []].append(parameter.value)
        }
        guard wish.values.allSatisfy({ $0.value.count <= 100 }) else {
            throw HTTPProblem(400, "a facet takes at most 100 values")
        }
        return try service.search(wish).json(query: wish.text)
    }

    private func suggest(_ request: HTTPRequest) throws -> JSONText {
        let text = try query(request)
        let limit = try request.count("limit", in: 1...Self.suggestionLimit) ?? 8
        let table = request.parameter("table")
        let suggestions = try service.suggestions(for: text, table: table, limit: limit)
        let correction = suggestions.isEmpty ? try service.correction(of: text, table: table) : nil
        return .object([
            ("query", .string(text)), ("completions", .array(suggestions.map { $0.json(typed: text) })),
            ("correction", correction?.json ?? .null),
        ])
    }

    private func document(_ request: HTTPRequest) throws -> JSONText {
        guard let text = request.parameter("id"), let id = Int64(text) else {
            throw HTTPProblem(400, "id is the number of a document, as a search tells it")
        }
        let query = request.parameter("q") ?? ""
        guard query.utf8.count <= Self.queryBytes else {
            throw HTTPProblem(400, "q has more than \(Self.queryBytes) bytes; look for less")
        }
        return try service.document(
            id, table: request.parameter("table"), text: query, from: request.parameter("from")
        ).json
    }

    private func post(_ request: HTTPRequest) throws -> HTTPResponse {
        guard request.path == "/api/open" else {
            throw request.path.hasPrefix("/api/")
                ? HTTPProblem(405, "POST is not answered here", headers: ["Allow": "GET, HEAD"]) : Self.nothingHere
        }
        guard let opener else {
            throw HTTPProblem(
                403,
                "this server opens no files: it was started with --no-open-files, it does not listen at 127.0.0.1, or xdg-open is not installed"
            )
        }
        guard request.isLocal else {
            throw HTTPProblem(
                403, "files are opened only for people at this machine; the server has to listen at 127.0.0.1")
        }
        guard request.headers["x-concord"] == "1" else { throw HTTPProblem(403, "the header X-Concord: 1 is missing") }
        struct Body: Decodable { var id: String }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)), let id = Int64(body.id) else {
            throw HTTPProblem(400, "the body is {\"id\": \"123\"}, with the id of a document")
        }
        try opener.open(try service.file(of: id))
        return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")])
    }

    private static func json(
        _ status: SourceStatus, _ tables: [ServedTable], _ service: SearchService, canOpen: Bool
    ) -> JSONText {
        let path = service.source.connections.path
        return .object([
            ("version", .string(ConcordCommand.version)),
            (
                "source",
                .object([
                    ("kind", .string(service.source.kind)), ("path", .string(path)),
                    ("name", .string(PathText.name(path))),
                ])
            ), ("state", .string(status.state.rawValue)), ("progress", status.activity?.progress ?? .null),
            ("isFollowed", .bool(status.activity?.work == .watch)),
            ("documents", .integer(status.documents)),
            ("canOpen", .bool(canOpen)),
            (
                "tables",
                .array(
                    tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("label", .string(table.label)),
                            ("documents", .integer(status.tableDocuments[table.name] ?? 0)),
                            ("columns", .array(table.columns.map { .string($0) })),
                            (
                                "facets",
                                .array(
                                    table.facets.map {
                                        .object([("name", .string($0.name)), ("label", .string($0.label))])
                                    })
                            ), ("sorts", .array(table.sorts.map { .string($0.name) })),
                        ])
                    })
            ), ("skipped", .integer(status.skipped)), ("roots", .array(status.roots.map { .string($0) })),
        ])
    }

    // MARK: - Answers

    /// What browsers are told not to do with any answer.
    private static let protection = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Vary", "Accept-Encoding, Cookie"),
    ]

    private static let smallestPacked = 1024

    private func pack(_ response: inout HTTPResponse, for request: HTTPRequest) {
        guard Self.acceptsGzip(request.headers["accept-encoding"] ?? ""),
            response.header("Content-Type")?.hasPrefix("image/png") != true
        else { return }
        let packed: [UInt8]?
        switch response.body {
        case .bytes(let bytes): packed = bytes.count > Self.smallestPacked ? gzipped(bytes) : nil
        case .kept(let answer): packed = answer.bytes.count > Self.smallestPacked ? answer.gzip() : nil
        case .stream: packed = nil
        }
        guard let packed else { return }
        response.body = .bytes(packed)
        response.headers.append(("Content-Encoding", "gzip"))
    }

    /// `gzip, br`, but not `gzip;q=0` (RFC 9110, 12.5.3).
    private static func acceptsGzip(_ header: String) -> Bool {
        header.lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " } }
            guard words.first == "gzip" || words.first == "*" else { return false }
            return !words.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }

    /// The problem that an error is for a client.
    static func problem(_ error: any Error) -> HTTPProblem {
        switch error {
        case let problem as HTTPProblem: return problem
        case let error as SearchIndexError:
            switch error {
            case .foreignCursor:
                return HTTPProblem(400, "the cursor is of another search; leave it out for the first page")
            case .notInstalled, .superseded:
                return HTTPProblem(503, "the index is being made anew; try again", headers: ["Retry-After": "2"])
            case .damaged: return HTTPProblem(500, "\(error)")
            default: return HTTPProblem(422, "\(error)")
            }
        case let error as DatabaseError: return problem(of: error)
        case is IndexError: return HTTPProblem(503, "\(error)")
        default: return HTTPProblem(500, "\(error)")
        }
    }

    private static func problem(of error: DatabaseError) -> HTTPProblem {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            HTTPProblem(503, "another program holds the database; try again", headers: ["Retry-After": "1"])
        case .SQLITE_INTERRUPT: HTTPProblem(503, "this takes too long; look for something else")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            HTTPProblem(500, "the database is damaged: \(error.message ?? "SQLite says no more")")
        case .SQLITE_ERROR: HTTPProblem(422, "the table cannot answer this: \(error.message ?? "SQLite says no more")")
        default: HTTPProblem(500, "SQLite: \(error.message ?? "error \(error.resultCode.rawValue)")")
        }
    }
}
