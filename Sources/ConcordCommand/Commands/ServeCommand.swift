import CConcordanceHTTP
import Concordance
import ConcordanceSQLite
import Foundation

/// `concord serve`
enum ServeCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let host = arguments.value("host") ?? "127.0.0.1"
        let token = arguments.value("token") ?? console.environment["CONCORD_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        guard ListeningSocket.isAddress(host) else { throw UsageError("\(ListenError.badAddress(host))") }
        if let token, !Gate.isToken(token) {
            throw UsageError("a token consists of at least 8 ASCII letters, digits or - . _ ~")
        }
        guard ListeningSocket.isLoopback(host) || token != nil else {
            throw UsageError("other machines could search at \(host); add --token TOKEN, which they must then send")
        }
        let port = try arguments.count("port", in: 0...65_535) ?? 7700
        let path = try SourceLocation.path(arguments, console: console)
        concordance_http_share_memory()
        try SourceLocation.limitMemory()
        var limits = HTTPLimits()
        if !ListeningSocket.isLoopback(host) { limits.connectionsOfAddress = 64 }
        allowOpenFiles(limits.connections + 256)
        // A client that disconnects during a response must not end the server.
        signal(SIGPIPE, SIG_IGN)

        let watching = arguments.has("watch") ? try WatchCommand.options(arguments, console: console) : nil
        if watching == nil,
            ["rescan", "max-size"].contains(where: { arguments.value($0) != nil }) || arguments.has("ocr")
        {
            throw UsageError("--ocr, --max-size and --rescan need --watch")
        }
        if watching != nil, access(path, F_OK) == 0, try IndexFile.replaceOlder(path) {
            console.message("The index was made by an older concord; all files are read again.")
        }
        let source = try SourceLocation.open(path, readers: limits.readers)
        if watching != nil, source.kind != "files" {
            throw UsageError("--watch follows the folders of an index, but \(path) is another kind of database")
        }
        let opener = DesktopOpener(path: console.environment["PATH"])
        return try serve(
            source, Gate(host: host, port: port, token: token), limits, opener, watching, arguments, console: console)
    }

    private static func serve(
        _ source: any SearchedSource, _ gate: Gate, _ limits: HTTPLimits, _ opener: DesktopOpener?,
        _ watching: Watcher.Options?, _ arguments: ParsedArguments, console: Console
    ) throws -> ExitCode {
        let interruption = Interruption()
        let api = Locked<WebAPI?>(nil)
        let server = HTTPServer(limits: limits) { request in
            // `api` needs the address, which is known only once the server listens.
            api.withLock { $0 }?.respond(to: request) ?? HTTPProblem(503, "the server is starting; try again").response
        }
        try server.listen(host: gate.host, port: gate.port)
        var gate = gate
        gate.port = server.addresses.first?.port ?? gate.port
        // For localhost, browsers try this address first. A machine without IPv6 has to do without it.
        if gate.host == "127.0.0.1" { try? server.listen(host: "::1", port: gate.port) }
        let web = WebAPI(SearchService(source), gate: gate, opener: arguments.has("no-open-files") ? nil : opener)
        api.withLock { $0 = web }
        console.print("Concord serves \(TerminalText.line(source.connections.path)) at \(gate.address)/")
        if gate.token != nil { console.print("Open it as \(gate.address)/?token=TOKEN") }
        console.flush()
        if arguments.has("open") {
            opener?.show(gate.address + "/" + (gate.token.map { "?token=\($0)" } ?? ""))
        }
        let watch = watching.map {
            BackgroundWatch(source.connections.path, $0, environment: console.environment)
        }
        interruption.wait()
        web.stop()
        server.stop()
        watch?.stop()
        return .success
    }

    /// Each connection is an open file. Many systems allow a process 256 or 1,024 unless it asks for more.
    private static func allowOpenFiles(_ count: Int) {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
        setrlimit(resource, &limit)
    }
}

/// `concord mcp`
enum MCPCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let path = try SourceLocation.path(arguments, console: console)
        try SourceLocation.limitMemory()
        let source = try SourceLocation.open(path, readers: 1)
        let server = MCPServer(SearchService(source))
        signal(SIGPIPE, SIG_IGN)
        let input = MessageInput(descriptor: 0)
        while let line = input.next() {
            guard let answer = server.answer(to: line) else { continue }
            console.print(answer)
            console.flush()
        }
        return .success
    }
}

/// The database that a command serves: an index of folders, or any other one.
enum SourceLocation {
    /// The operand or, without one, the path of the index.
    static func path(_ arguments: ParsedArguments, console: Console) throws -> String {
        guard let file = arguments.operands.first else {
            return IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        }
        guard arguments.value("db") == nil else { throw UsageError("give the file once: as an operand, or with --db") }
        let path = DirectoryWalk.absolute(file)
        guard access(path, F_OK) == 0 else { throw DatabaseSourceError.missing(path) }
        return path
    }

    /// The most memory, in bytes, that SQLite may take in this process, whatever a file makes it do.
    private static let heapLimit = 1 << 30

    /// Makes SQLite fail rather than take all of the machine's memory.
    static func limitMemory() throws {
        try Database(path: ":memory:").execute(sql: "PRAGMA hard_heap_limit = \(heapLimit)")
    }

    static func open(_ path: String, readers: Int) throws -> any SearchedSource {
        guard access(path, F_OK) == 0 else { throw IndexError.missing(path) }
        do {
            let connections = try SourceConnections(path: path, readers: readers)
            let isIndex = try connections.read {
                try IndexFile.number($0, "PRAGMA application_id") == IndexFile.applicationID
            }
            return isIndex ? try FileSource(connections) : try DatabaseSource(connections)
        } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
            throw DatabaseSourceError.unreadable(path, error.message ?? "\(error)")
        }
    }
}
