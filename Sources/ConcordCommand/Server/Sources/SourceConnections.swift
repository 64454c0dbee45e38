import CConcordanceHTTP
import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation

/// The connections to the database that is served: all read-only, each reading one state of it at a time.
///
/// If another file takes the place of the database, new connections are opened to that one.
final class SourceConnections: Sendable {
    /// Those to one file.
    private final class Connections: Sendable {
        /// Nil if the file was gone before it was opened.
        let identity: FileIdentity?
        /// How many files were at the path before.
        let number: Int64
        let pool: DatabasePool
        let watch: ChangeWatch
        let words: CompletionWords

        init(_ path: String, _ configuration: Configuration, number: Int64) throws {
            self.number = number
            // Taken first: a file that has replaced this one meanwhile is noticed later.
            identity = FileIdentity(path)
            var configuration = configuration
            // Sources tell the files apart by it.
            configuration.label = "concord serve" + (number == 0 ? "" : " \(number)")
            (pool, watch) = try SourceConnections.open(path, configuration)
            words = CompletionWords(pool)
            SearchSupport.enable(on: pool)
        }
    }

    let path: String
    private let configuration: Configuration
    private let connections: Locked<Connections>
    /// Held while others are opened, which may take long.
    private let opening = Locked<Void>(())

    private let patience: Double

    private static let busyTimeout = 5.0

    /// - Parameters:
    ///   - readers: How many requests read at once.
    ///   - patience: Seconds that one request may read: a hostile file can make of any look-up an endless one.
    init(path: String, readers: Int, patience: Double = 5) throws {
        self.path = path
        self.patience = patience
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyTimeout = Self.busyTimeout
        configuration.maximumReaderCount = readers + 2
        configuration.prepareDatabase { db in
            // Damaged cells are found before they are read; what is sorted stays in memory, so that nothing is written.
            try db.execute(sql: "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA temp_store = MEMORY")
        }
        self.configuration = configuration
        connections = Locked(try Connections(path, configuration, number: 0))
    }

    /// The connections to the file that is at the path now.
    ///
    /// - Throws: `IndexError.replaced` if none is.
    private func current() throws -> Connections {
        func known() throws -> Connections? {
            guard let identity = FileIdentity(path) else { throw IndexError.replaced(path) }
            let connections = connections.withLock { $0 }
            return identity == connections.identity ? connections : nil
        }
        if let known = try known() { return known }
        return try opening.withLock { _ in
            // Another request may have been quicker.
            if let known = try known() { return known }
            let old = connections.withLock { $0 }
            let new = try Connections(path, configuration, number: old.number + 1)
            connections.withLock { $0 = new }
            old.pool.interrupt()
            return new
        }
    }

    private static func open(_ path: String, _ configuration: Configuration) throws -> (DatabasePool, ChangeWatch) {
        try UnsharedFile.open(path) { location in
            let pool = try DatabasePool(path: location, configuration: configuration)
            // Opening reads nothing yet.
            try pool.read { _ = try Int64.fetchOne($0, sql: "SELECT count(*) FROM main.sqlite_schema") }
            return (pool, try ChangeWatch(path: location, configuration: configuration))
        }
    }

    /// Reads one state of the database, for so long at most.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try current().pool.read { database in
            let alarm = Alarm(database.interruptHandle, seconds: patience)
            defer { alarm.stop() }
            return try body(database)
        }
    }

    /// A number that changes with each commit to the database, whoever makes it, and when another file takes its place.
    func version() throws -> Int64 {
        let connections = try current()
        return connections.number << 32 + (try connections.watch.version())
    }

    /// How a begun text goes on; nothing as long as the words are being read.
    func suggestions(for text: String, in index: SearchIndex<Row>, limit: Int) throws -> [Suggestion] {
        let connections = try current()
        guard connections.words.areReady(for: index) else { return [] }
        return try connections.pool.suggestions(for: text, in: index, limit: limit)
    }

    /// What was probably meant; nil as long as the words are being read.
    func correction(of text: String, in index: SearchIndex<Row>) throws -> QueryCorrection? {
        let connections = try current()
        guard connections.words.areReady(for: index) else { return nil }
        return try connections.pool.didYouMean(text, in: index)
    }

    /// Whether the words of an index can be asked for; begins to read them.
    func hasWords(of index: SearchIndex<Row>) -> Bool { (try? current().words.areReady(for: index)) ?? false }

    /// Has what runs now fail.
    func interrupt() { connections.withLock { $0.pool }.interrupt() }
}

/// Stops a connection's statements after some seconds: the one that runs then, and those that are begun later.
///
/// `@unchecked Sendable` because the mutable property is only touched while `lock` is held.
private final class Alarm: @unchecked Sendable {
    private static let interval = 0.05

    private let lock = NSLock()
    private var isStopped = false

    init(_ handle: InterruptHandle, seconds: Double) {
        ring(handle, in: seconds)
    }

    private func ring(_ handle: InterruptHandle, in seconds: Double) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [self] in
            let isOver = lock.withLock {
                if !isStopped { handle.interrupt() }
                return isStopped
            }
            // An interrupt does not concern what begins after it.
            if !isOver { ring(handle, in: Self.interval) }
        }
    }

    /// The connection may be another's from now on.
    func stop() { lock.withLock { isStopped = true } }
}

/// Sees changes of a database by whatever connection or process.
///
/// `@unchecked Sendable` because the connection is only used while `lock` is held.
private final class ChangeWatch: @unchecked Sendable {
    private let lock = NSLock()
    private let database: Database

    init(path: String, configuration: Configuration) throws {
        database = try Database(path: path, configuration: configuration)
    }

    /// `PRAGMA data_version`, which tells of the commits of other connections, and this one makes none.
    func version() throws -> Int64 {
        try lock.withLock { try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0 }
    }
}

/// The words of the indexes that are served, which are read in the background when they are first asked for.
///
/// `@unchecked Sendable` because the mutable property is only touched while `lock` is held.
private final class CompletionWords: @unchecked Sendable {
    private enum State {
        case reading
        case ready
        /// Reading them has taken too long, and is not tried again.
        case abandoned
    }

    /// Seconds that reading the words may take.
    private static let timeLimit = 300.0

    private let pool: DatabasePool
    private let lock = NSLock()
    private var states: [String: State] = [:]

    init(_ pool: DatabasePool) { self.pool = pool }

    func areReady(for index: SearchIndex<Row>) -> Bool {
        let name = index.definition.name
        return lock.withLock {
            if let state = states[name] { return state == .ready }
            states[name] = .reading
            let reading = Task.detached(priority: .utility) { [weak self, pool] in
                let isRead = (try? await pool.prepareSuggestions(for: index)) != nil
                self?.finish(name, isRead: isRead, isAbandoned: Task.isCancelled)
            }
            // Cancelling interrupts its statement.
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.timeLimit) { reading.cancel() }
            return false
        }
    }

    /// What could not be read is tried again with the next request.
    private func finish(_ name: String, isRead: Bool, isAbandoned: Bool) {
        // Counting them takes many times as much memory as they do.
        concordance_http_return_memory()
        lock.withLock { states[name] = isRead ? .ready : isAbandoned ? .abandoned : nil }
    }
}
