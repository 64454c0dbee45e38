import Concordance
import Foundation
import TestSupport
import Testing

@Suite("An index where the database has no room, no rights or no time")
struct HostileResourceTests {
    let folder: TemporaryFolder
    let index = HostileNotes.index

    init() throws { folder = try TemporaryFolder() }

    private func prepared(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
        let pool = try DatabasePool(path: folder["notes.db"], configuration: configuration)
        try pool.write { try $0.execute(sql: HostileNotes.schema + HostileNotes.rows) }
        return pool
    }

    @Test func `a full disk at any moment of an installation leaves the database as it was, or the work to go on with`()
        throws
    {
        let pool = try prepared()
        try pool.write { db in
            try db.execute(sql: "UPDATE notes SET body = body || hex(randomblob(400))")
        }
        let before = try pool.read(DatabaseDump.of)
        let pages = try pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        var failures = 0
        for room in 0..<40 {
            try pool.write { try $0.execute(sql: "PRAGMA max_page_count = \(pages + room)") }
            do {
                try pool.install(index)
                break
            } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_FULL, "\(error)")
                failures += 1
                let after = try pool.read(DatabaseDump.of)
                #expect(
                    after == before,
                    "room for \(room) pages: \(after.filter { !before.contains($0) }.map { $0.prefix(100) })")
            }
            for (call, error) in HostileNotes.readEverything(pool) {
                #expect(error is SearchIndexError || error is DatabaseError, "\(call) threw \(error)")
            }
        }
        #expect(failures > 5)
        try pool.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try pool.install(index)
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `a full disk while rows change, while an index is rebuilt and repaired`() throws {
        let pool = try prepared()
        try pool.install(index)
        let pages = try pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        for room in [0, 1, 3, 6] {
            try pool.write { try $0.execute(sql: "PRAGMA max_page_count = \(pages + room)") }
            var failures = 0
            for _ in 0..<30 {
                do {
                    try pool.write {
                        try $0.execute(sql: "UPDATE notes SET body = body || hex(randomblob(200)) WHERE id % 3 = 0")
                    }
                } catch {
                    #expect((error as? DatabaseError)?.resultCode == .SQLITE_FULL, "\(error)")
                    failures += 1
                }
            }
            #expect(failures > 0, "room for \(room) pages is enough")
            do { try pool.rebuild(index) } catch {
                #expect((error as? DatabaseError)?.resultCode == .SQLITE_FULL, "\(error)")
            }
            #expect(try pool.search(index.query("common").counting(.exact)).total?.count == 60)
        }
        try pool.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try pool.install(index)
        #expect(try pool.verify(index, thorough: true).isClean)
        #expect(try pool.indexState(of: index) == .ready)
    }

    @Test func `a connection that may only read`() throws {
        let pool = try prepared()
        var readonly = Configuration()
        readonly.readonly = true
        let reader = try DatabaseQueue(path: folder["notes.db"], configuration: readonly)
        #expect(throws: SearchIndexError.readOnly(index: "noteTexts")) { try reader.install(index) }
        #expect(throws: SearchIndexError.notInstalled("noteTexts")) { try reader.search(index, "common") }
        try pool.install(index)
        #expect(HostileNotes.readEverything(reader).isEmpty)
        #expect(try reader.verify(index).isClean)
        do { _ = try reader.repair(index) } catch { #expect(HostileNotes.isTyped(error), "\(error)") }
        do { try reader.rebuild(index) } catch { #expect(HostileNotes.isTyped(error), "\(error)") }
        #expect(try reader.indexState(of: index) == .ready)
        do { try reader.uninstall(index) } catch { #expect(HostileNotes.isTyped(error), "\(error)") }
        do { _ = try reader.verify(index, thorough: true) } catch { #expect(HostileNotes.isTyped(error), "\(error)") }
    }

    @Test func `a database that another connection has locked`() throws {
        var impatient = Configuration()
        impatient.busyTimeout = 0.02
        let pool = try prepared(impatient)
        let other = try Database(path: folder["notes.db"])
        try other.execute(sql: "BEGIN IMMEDIATE")
        func isBusy(_ body: () throws -> Void) -> Bool {
            do { try body() } catch { return (error as? DatabaseError)?.resultCode == .SQLITE_BUSY }
            return false
        }
        #expect(isBusy { try pool.install(index) })
        try other.execute(sql: "COMMIT")
        try pool.install(index)
        try other.execute(sql: "BEGIN IMMEDIATE")
        #expect(isBusy { try pool.rebuild(index) })
        #expect(isBusy { _ = try pool.repair(index) })
        #expect(HostileNotes.readEverything(pool).isEmpty)
        #expect(try pool.verify(index).isClean)
        #expect(try pool.indexState(of: index) == .ready)
        try other.execute(sql: "COMMIT")
        try pool.rebuild(index)
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `live results of a database whose index goes, and comes back`() async throws {
        let pool = try prepared()
        try await pool.install(index)
        var pages = pool.results(of: index.query("common").limit(1)).makeAsyncIterator()
        #expect(try await pages.next()?.hits.count == 1)
        try await pool.uninstall(index)
        do {
            while try await pages.next() != nil {}
            Issue.record("the sequence went on without an index")
        } catch { #expect(error as? SearchIndexError == .notInstalled("noteTexts")) }
        #expect(try await pages.next() == nil)
        try await pool.install(index)
        var again = pool.results(of: index.query("common").limit(1)).makeAsyncIterator()
        #expect(try await again.next()?.hits.count == 1)
    }

    @Test func `a text of eight megabytes, and one beyond the limit of the connection`() throws {
        let queue = try HostileNotes.queue()
        try queue.install(index)
        try queue.write {
            try $0.execute(
                sql: "UPDATE notes SET body = replace(hex(zeroblob(700000)), '00', 'lorem ') || 'needle' WHERE id = 5")
        }
        let page = try queue.search(index, "needle")
        #expect(page.hits.map(\.id) == [5])
        #expect(page.hits.first?.snippet(\.body).text.hasSuffix("needle") == true)
        #expect(page.hits.first?.highlights(\.body).ranges.count == 1)
        #expect(try queue.verify(index).isClean)
    }
}
