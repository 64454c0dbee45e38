import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Checkpoints of an installation")
struct CheckpointerTests {
    private static let threshold = 100

    /// A pool whose connections checkpoint after `threshold` pages, and all of whose pages are in the database file.
    private func makePool(_ notes: ManyNotes, threshold: Int = threshold) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(threshold)") }
        let pool = try DatabasePool(path: notes.path, configuration: configuration)
        try pool.checkpoint(.truncate)
        return pool
    }

    private func commit(pages: Int, to pool: DatabasePool, _ checkpointer: Checkpointer?) throws {
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(checkpointing: checkpointer) { db in
                try db.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS filler(content BLOB);
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(pages))
                        INSERT INTO filler SELECT randomblob(3900) FROM n;
                        """)
            }
        }
    }

    /// On this thread: an asynchronous test would not run it here otherwise.
    private func install(_ index: SearchIndex<Row>, in pool: DatabasePool) throws { try pool.install(index) }

    private func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private func threshold(of pool: DatabasePool) throws -> Int? {
        try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") }
    }

    @Test func `are made between commits, not by them, and let the WAL start over`() throws {
        let notes = try ManyNotes(count: 10)
        let pool = try makePool(notes)
        let before = try size(notes.path)
        let checkpointer = Checkpointer(for: pool)
        defer { checkpointer.close() }
        try commit(pages: 200, to: pool, checkpointer)
        #expect(try size(notes.path) == before)
        #expect(try threshold(of: pool) == Self.threshold)
        checkpointer.advance()
        #expect(try size(notes.path) > before + 200 * 3900)
        let walSize = try size(notes.path + "-wal")
        try commit(pages: 150, to: pool, checkpointer)
        #expect(try size(notes.path + "-wal") == walSize)
    }

    @Test func `are made while tasks run`() async throws {
        let notes = try ManyNotes(count: 10)
        let pool = try makePool(notes)
        let before = try size(notes.path)
        let checkpointer = Checkpointer(for: pool)
        try commit(pages: 30, to: pool, checkpointer)
        // In the background: closing waits for it.
        await checkpointer.advance()
        await checkpointer.close()
        #expect(try size(notes.path) > before + 30 * 3900)
        let between = try size(notes.path)
        try commit(pages: 200, to: pool, checkpointer)
        #expect(try size(notes.path) == between)
        await checkpointer.advance()
        #expect(try size(notes.path) > between + 200 * 3900)
        await checkpointer.close()
    }

    @Test func `are made by commits if the WAL has become long`() throws {
        let notes = try ManyNotes(count: 10)
        let pool = try makePool(notes)
        let before = try size(notes.path)
        let checkpointer = Checkpointer(for: pool)
        defer { checkpointer.close() }
        try commit(pages: 5 * Self.threshold, to: pool, checkpointer)
        #expect(try size(notes.path) > before + 5 * Self.threshold * 3900)
        #expect(try threshold(of: pool) == Self.threshold)
    }

    @Test func `are left to an app that has turned those of commits off`() throws {
        let notes = try ManyNotes(count: 10)
        let pool = try makePool(notes, threshold: 0)
        let before = try size(notes.path)
        let checkpointer = Checkpointer(for: pool)
        try commit(pages: 1500, to: pool, checkpointer)
        checkpointer.advance()
        checkpointer.close()
        #expect(try size(notes.path) == before)
        try pool.install(ManyNotes.index)
        #expect(try size(notes.path) == before)
        #expect(try threshold(of: pool) == 0)
    }

    @Test func `are made by commits again after an installation`() async throws {
        let notes = try ManyNotes(count: 3_000)
        let pool = try makePool(notes)
        try install(ManyNotes.index, in: pool)
        try await pool.install(ManyNotes.otherIndex)
        #expect(try threshold(of: pool) == Self.threshold)
        #expect(try await pool.verify(ManyNotes.otherIndex, thorough: true).isClean)
        try await pool.checkpoint(.truncate)
        // The rows may fit in pages that the installation left free, so that the file need not grow.
        let before = FileManager.default.contents(atPath: notes.path)
        try commit(pages: 2 * Self.threshold, to: pool, nil)
        #expect(before != nil && FileManager.default.contents(atPath: notes.path) != before)
    }

    @Test(arguments: ["wal", "delete"]) func `are for databases with a WAL`(mode: String) throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder["notes.sqlite"])
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(mode)")
            try db.execute(sql: "CREATE TABLE t (x)")
            #expect(db.hasWriteAheadLog == (mode == "wal"))
        }
    }
}
