import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("The parts of an installation")
struct InstallationPartTests {
    /// On a busy machine, the time of a part may be over before its work begins: what it does nevertheless decides
    /// whether the installation ever ends, and how long others wait for it.
    @Test func `each do something, but not much if there is no time, and let others write in between`() throws {
        let count = 300
        let notes = try ManyNotes(count: count)
        let queue = try DatabaseQueue(path: notes.path)
        var impatient = Configuration()
        impatient.busyTimeout = 0
        let other = try DatabaseQueue(path: notes.path, configuration: impatient)
        for reader in [queue, other] { SearchSupport.enable(on: reader) }
        var id = 0
        // A new index; twice another definition in its place; a rebuilt one; one whose triggers were away.
        let changes: [(index: SearchIndex<Row>, sql: String)] = [
            (ManyNotes.index, ""), (ManyNotes.otherIndex, ""), (ManyNotes.index, ""),
            (ManyNotes.index, "UPDATE concordance_indexes SET fingerprint = ''"),
            (ManyNotes.index, "DROP TRIGGER noteTexts_notes_update; UPDATE notes SET title = 'unseen' WHERE id > 250"),
        ]
        for (index, sql) in changes {
            try queue.write { try $0.execute(sql: sql) }
            var installer = IndexInstaller(index.definition)
            var parts = 0
            var done = 0
            while let step = try queue.write({ try installer.advance(in: $0, until: .now - .seconds(1)) }) {
                parts += 1
                try #require(parts <= 2 * count, "\(step)")
                #expect(step.rowsDone - done <= 250, "\(step) after \(done)")
                done = step.rowsDone
                id = id % count + 1
                try other.write { try $0.execute(sql: "UPDATE notes SET title = 'now' WHERE id = \(id)") }
            }
            #expect(try queue.indexState(of: index) == .ready)
            #expect(try queue.verify(index, thorough: true).isClean)
        }
    }

    /// Rows that are added at the end, faster than parts without time insert rows, must not keep an installation from
    /// ending.
    @Test func `come to an end while others add rows faster than they do`() throws {
        let count = 300
        let notes = try ManyNotes(count: count)
        let queue = try DatabaseQueue(path: notes.path)
        var impatient = Configuration()
        impatient.busyTimeout = 0
        let other = try DatabaseQueue(path: notes.path, configuration: impatient)
        for reader in [queue, other] { SearchSupport.enable(on: reader) }
        for (index, rowCount) in [(ManyNotes.index, count), (ManyNotes.otherIndex, 4 * count)] {
            var installer = IndexInstaller(index.definition)
            var parts = 0
            while let step = try queue.write({ try installer.advance(in: $0, until: .now - .seconds(1)) }) {
                parts += 1
                try #require(parts <= 2 * rowCount, "\(step)")
                try other.write { db in
                    for _ in 0..<3 {
                        try db.execute(sql: "INSERT INTO notes(title, body) VALUES ('added', 'words added meanwhile')")
                    }
                    try db.execute(
                        sql: "UPDATE notes SET body = 'changed' WHERE id = \(rowCount - parts % rowCount)")
                    try db.execute(sql: "DELETE FROM notes WHERE id = (SELECT max(id) FROM notes) - 1")
                }
            }
            #expect(try queue.indexState(of: index) == .ready)
            #expect(try queue.verify(index, thorough: true).isClean)
            try queue.write { try $0.execute(sql: "DELETE FROM notes WHERE id > \(4 * count)") }
        }
    }

    @Test func `come to an end while a writer of the same pool commits without pause`() async throws {
        let notes = try ManyNotes(count: 5_000)
        let pool = try notes.pool()
        for index in [ManyNotes.index, ManyNotes.otherIndex] {
            let (commits, commit) = AsyncStream.makeStream(of: Void.self)
            let writing = Task {
                defer { commit.finish() }
                var id = 0
                while !Task.isCancelled {
                    id = id % 5_000 + 1
                    let sql = """
                        INSERT INTO notes(title, body) VALUES ('added', 'words added meanwhile');
                        UPDATE notes SET body = 'changed' WHERE id = \(id);
                        """
                    do {
                        try await pool.write { try $0.execute(sql: sql) }
                    } catch is CancellationError {
                        return
                    }
                    commit.yield()
                }
            }
            for await _ in commits { break }
            try await pool.install(index)
            writing.cancel()
            try await writing.value
            #expect(try await pool.indexState(of: index) == .ready)
            let report = try await pool.verify(index, thorough: true)
            #expect(report.isClean, "\(report)")
        }
    }
}
