import Concordance
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@Suite("An index that many use at once")
struct ConcurrencyLoadTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Definitions that alternate under one name.
    private static let definitions: [SearchIndex<HostileNotes.Note>] = [
        HostileNotes.index,
        SearchIndex("noteTexts", of: HostileNotes.Note.self, in: "notes") {
            Field(\.title)
            Field(\.body)
            Field("labels").joined("labels", \.name, separator: " ")
            Analysis(.unicode61, prefixes: [2])
        },
    ]

    private func pool() throws -> DatabasePool {
        let pool = try DatabasePool(path: folder["notes.db"], configuration: .patient)
        try pool.write { try $0.execute(sql: HostileNotes.schema + HostileNotes.rows) }
        return pool
    }

    private static func change(_ pool: DatabasePool, _ random: inout SeededGenerator) async throws {
        let id = Int.random(in: 1...60, using: &random)
        let kind = Int.random(in: 0..<4, using: &random)
        let word = Int.random(in: 0..<7, using: &random)
        try await pool.write { db in
            switch kind {
            case 0: try db.execute("UPDATE notes SET body = \("common body word\(word)") WHERE id = \(id)")
            case 1: try db.execute("REPLACE INTO notes VALUES (\(id + 100), \("extra \(id)"), 'added')")
            case 2: try db.execute("DELETE FROM notes WHERE id = \(id + 100)")
            default:
                try db.execute("UPDATE labels SET name = \("label\(word)"), noteID = \(id) WHERE id = \(id)")
            }
        }
    }

    @Test
    func
        `searches, writes, installs, suggestions and live results at once, cancelled at random, of two pools and another process`()
        async throws
    {
        let first = try pool()
        let second = try DatabasePool(path: folder["notes.db"], configuration: .patient)
        // The second definition, to which any SQLite can write if FTS5 keeps the index.
        let index = Self.definitions[1]
        try await first.install(index)
        let python =
            TestEngine.current == .fts5 && Python.isThere()
            ? try Python.start(
                """
                db = sqlite3.connect(sys.argv[1], timeout=3600)
                for i in range(60):
                    db.execute("UPDATE notes SET body = 'common from elsewhere ' || ? WHERE id = ?", (i, i))
                    db.commit()
                """, folder["notes.db"]) : nil
        let failures = Locked<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<12 {
                group.addTask {
                    let pool = worker.isMultiple(of: 2) ? first : second
                    for round in 0..<12 {
                        var random = SeededGenerator(seed: UInt64(worker * 1000 + round))
                        let choice = Int.random(in: 0..<8, using: &random)
                        let delay = Int.random(in: 0..<4000, using: &random)
                        let task = Task { [random] in
                            var random = random
                            switch choice {
                            case 0: try await pool.install(index)
                            case 1: _ = try await pool.suggestions(for: "common bo", in: index)
                            case 2: _ = try await pool.didYouMean("comon body", in: index)
                            case 3:
                                for try await page in pool.results(of: index.query("common").limit(3))
                                where !page.hits.isEmpty { break }
                            case 4:
                                // A rebuild that has begun says so.
                                do { _ = try await pool.verify(index) } catch SearchIndexError.superseded {}
                            case 5: try await pool.rebuild(index)
                            case 6: try await Self.change(pool, &random)
                            default:
                                let page = try await pool.search(index.query("title1").relaxed().facet("labels"))
                                if page.isComplete && page.hits.isEmpty { throw Failure(text: "title1 not found") }
                            }
                        }
                        if round.isMultiple(of: 3) {
                            try? await Task.sleep(for: .microseconds(delay))
                            task.cancel()
                        }
                        do { try await task.value } catch is CancellationError {} catch {
                            let isCancelled = (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
                            if !isCancelled { failures.withLock { $0.append("\(choice): \(error)") } }
                        }
                    }
                }
            }
        }
        python?.waitUntilExit()
        #expect(python?.terminationStatus ?? 0 == 0)
        #expect(failures.withLock { $0 } == [])
        try await first.install(index)
        #expect(try await second.verify(index, thorough: true).isClean)
        #expect(try await first.indexState(of: index) == .ready)
    }

    struct Failure: Error { let text: String }

    @Test
    func `while the definition changes again and again, no search fails or misses rows that were there all along`()
        async throws
    {
        let pool = try pool()
        try await pool.install(Self.definitions[0])
        let isOver = Locked(false)
        let failures = Locked<[String]>([])
        let searches = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    while !isOver.withLock({ $0 }) {
                        let index = Self.definitions[worker % 2]
                        do {
                            let page = try await pool.search(
                                index.query("common").limit(100).counting(.exact).facet("labels"))
                            let ids = Set(page.hits.map(\.id))
                            if !ids.isSuperset(of: 1...60) {
                                failures.withLock { $0.append("missing \(Set(1...60).subtracting(ids).sorted())") }
                            }
                            _ = try await pool.suggestions(for: "common bo", in: index)
                            searches.withLock { $0 += 1 }
                        } catch { failures.withLock { $0.append("\(error)") } }
                    }
                }
            }
            group.addTask {
                var random = SeededGenerator(seed: 5)
                while !isOver.withLock({ $0 }) {
                    do { try await Self.change(pool, &random) } catch { failures.withLock { $0.append("\(error)") } }
                    await Task.yield()
                }
            }
            for round in 1...8 {
                do { try await pool.install(Self.definitions[round % 2]) } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            isOver.withLock { $0 = true }
        }
        #expect(failures.withLock { Array($0.prefix(5)) } == [])
        #expect(searches.withLock { $0 } > 3)
        #expect(try await pool.verify(Self.definitions[0], thorough: true).isClean)
        #expect(
            try await pool.read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '%next%'")
            } == [])
    }

    @Test func `two apps of different versions install against each other`() async throws {
        let pools = [try pool(), try DatabasePool(path: folder["notes.db"], configuration: .patient)]
        await withTaskGroup(of: Void.self) { group in
            for (pool, index) in zip(pools, Self.definitions) {
                group.addTask {
                    for _ in 0..<6 {
                        do { try await pool.install(index) } catch SearchIndexError.superseded {} catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }
        try await pools[0].install(Self.definitions[0])
        #expect(try await pools[1].verify(Self.definitions[0], thorough: true).isClean)
    }
}
