import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation
import TestSupport

/// A database of each kind that live values work on, with a table `t(id, n)` and a table `w` WITHOUT ROWID.
struct LiveDatabase: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case memory, sharedMemory, queue, pool

        /// Whether another connection can reach the same database.
        var isShared: Bool { self != .memory }
    }

    let writer: any DatabaseWriter
    private let folder: TemporaryFolder
    private let kind: Kind
    private let name: String

    init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        self.kind = kind
        name = UUID().uuidString
        writer = try Self.open(kind, folder: folder, name: name)
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, u INTEGER UNIQUE);
                    CREATE TABLE w (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
                    CREATE TABLE other (x);
                    """)
        }
    }

    private static func open(_ kind: Kind, folder: TemporaryFolder, name: String) throws -> any DatabaseWriter {
        switch kind {
        case .memory: try DatabaseQueue()
        case .sharedMemory: try DatabaseQueue(named: name, configuration: .patient)
        case .queue: try DatabaseQueue(path: folder["live.sqlite"], configuration: .patient)
        case .pool: try DatabasePool(path: folder["live.sqlite"], configuration: .patient)
        }
    }

    var path: String { folder["live.sqlite"] }

    /// Another connection to the same database.
    func another() throws -> any DatabaseWriter { try Self.open(kind, folder: folder, name: name) }

    /// The sum of both tables, live.
    func sums(_ fetches: Counter = Counter()) -> LiveValues<Int> {
        writer.values(pollingEvery: .milliseconds(10)) { db in
            fetches.increment()
            return try Self.sum(db)
        }
    }

    static func sum(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT coalesce((SELECT sum(n) FROM t), 0) + coalesce((SELECT sum(n) FROM w), 0)") ?? 0
    }
}

/// A number that several threads count up.
final class Counter: Sendable {
    private let number = Locked(0)
    var value: Int { number.withLock { $0 } }
    func increment() { number.withLock { $0 += 1 } }
}
