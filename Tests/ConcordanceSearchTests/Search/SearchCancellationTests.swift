import Concordance
import ConcordanceSQLite
import TestSupport
import Testing

/// Cancels a task from within the statement that it runs: at a certain call of the SQL function `moment()`.
private final class Moment: Sendable {
    private struct State: Sendable {
        var callsLeft = 0
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    func register(in db: Database) throws {
        try db.add(
            function: DatabaseFunction("moment", argumentCount: 1) { [self] _ in
                let cancel: (@Sendable () -> Void)? = state.withLock { state in
                    state.callsLeft -= 1
                    return state.callsLeft == 0 ? state.cancel : nil
                }
                cancel?()
                return true
            })
    }

    /// Runs `work` in a task that is cancelled at the given call of `moment()`, if there are so many.
    ///
    /// - Returns: Whether it was cancelled.
    func cancelling(at call: Int, _ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        let (start, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in start {}
            try await work()
        }
        state.withLock {
            $0.callsLeft = call
            $0.cancel = { task.cancel() }
        }
        gate.finish()
        defer { state.withLock { $0 = State() } }
        do { try await task.value } catch is CancellationError { return true }
        return false
    }
}

@Suite("A task that is cancelled in the middle of a statement")
struct SearchCancellationTests {
    private static let definitions: [SearchIndex<HostileNotes.Note>] = [
        HostileNotes.index,
        SearchIndex("noteTexts", of: HostileNotes.Note.self, in: "notes") {
            Field(\.title)
            Field(\.body)
            Analysis(.unicode61, prefixes: [2])
        },
    ]

    /// Every access has the connection that the cancelled one had.
    @Test func `leaves those that nobody cancelled alone, while the definition changes`() async throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        let pool = try DatabasePool(path: folder["notes.db"], configuration: configuration)
        let moment = Moment()
        pool.configureEachConnection { try moment.register(in: $0) }
        try await pool.write { try $0.execute(sql: HostileNotes.schema + HostileNotes.rows) }
        for call in 1...60 {
            let index = Self.definitions[call / 10 % 2]
            try await pool.install(index)
            let isSearchCancelled = try await moment.cancelling(at: call) {
                _ = try await pool.search(index.query("common").filter("moment(id)").limit(100).counting(.exact))
            }
            let isChangeCancelled = try await moment.cancelling(at: call) {
                try await pool.write { db in
                    try db.execute(sql: "UPDATE notes SET body = body || ' again' WHERE id % 2 AND moment(id)")
                    try db.execute(sql: "DELETE FROM notes WHERE moment(id)")
                }
            }
            #expect(isSearchCancelled && isChangeCancelled, "call \(call)")
            let page = try await pool.search(index.query("common").limit(100).counting(.exact))
            #expect(page.hits.count == 60 && page.total?.count == 60, "call \(call)")
            _ = try await pool.suggestions(for: "common bo", in: index)
            try await pool.write { try $0.execute(sql: "UPDATE notes SET title = title WHERE id = 1") }
        }
        #expect(try await pool.verify(Self.definitions[0], thorough: true).isClean)
    }
}
