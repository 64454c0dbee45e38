import Concordance
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

/// A database file with many notes, and indexes over them.
struct ManyNotes {
    let folder: TemporaryFolder
    let path: String

    init(count: Int) throws {
        folder = try TemporaryFolder()
        path = folder["notes.sqlite"]
        try pool().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT, isRead INTEGER);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO notes SELECT i, 'note ' || i, 'words of note ' || i || ' ' || hex(i * 7919 % 10007), 0
                    FROM n;
                    """)
        }
    }

    func pool() throws -> DatabasePool { try DatabasePool(path: path) }

    static let index = SearchIndex("noteTexts", in: "notes") {
        Field("title", weight: 2)
        Field("body")
        Analysis(.unicode61)
    }

    static let heavierIndex = SearchIndex("noteTexts", in: "notes") {
        Field("title", weight: 5)
        Field("body")
        Analysis(.unicode61)
    }

    static let otherIndex = SearchIndex("noteTexts", in: "notes") {
        Field("body")
        Field("titleAndBody").computed("title || ': ' || body")
        Analysis(.unicode61, prefixes: [2])
    }

    static let heavierOtherIndex = SearchIndex("noteTexts", in: "notes") {
        Field("body", weight: 7)
        Field("titleAndBody").computed("title || ': ' || body")
        Analysis(.unicode61, prefixes: [2])
    }

    /// Everything in the schema.
    static func schema(_ reader: some DatabaseReader) throws -> [String?] {
        try reader.read { try String?.fetchAll($0, sql: "SELECT sql FROM sqlite_schema ORDER BY name, type") }
    }

    struct Stop: Error {}
}

@Suite("Installing, changing and removing an index")
struct InstallationTests {
    @Test func `a second time writes nothing`() throws {
        let notes = try ManyNotes(count: 100)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        let probe = try DatabaseQueue(path: notes.path)
        let version = try probe.read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        try pool.install(ManyNotes.index)
        try pool.write { db in
            let changes = db.totalChangesCount
            try db.install(ManyNotes.index)
            #expect(db.totalChangesCount == changes)
        }
        #expect(try probe.read { try Int.fetchOne($0, sql: "PRAGMA data_version") } == version)
        #expect(try pool.indexState(of: ManyNotes.index) == .ready)
    }

    @Test func `goes on where it was stopped, and writes meanwhile are in`() throws {
        let notes = try ManyNotes(count: 60_000)
        let pool = try notes.pool()
        var calls = 0
        #expect(throws: ManyNotes.Stop.self) {
            try pool.install(ManyNotes.index) { progress in
                #expect(progress.rowsDone <= progress.rowsTotal && progress.rowsTotal == 60_000)
                calls += 1
                if progress.rowsDone > 500 { throw ManyNotes.Stop() }
            }
        }
        guard case .incomplete(let done) = try pool.indexState(of: ManyNotes.index) else {
            Issue.record("\(try pool.indexState(of: ManyNotes.index))")
            return
        }
        #expect(done > 500 && done < 60_000 && calls > 1)
        try pool.write { db in
            try db.execute(
                sql: """
                    UPDATE notes SET title = 'changed' WHERE id % 7 = 0;
                    DELETE FROM notes WHERE id % 11 = 0;
                    INSERT INTO notes(id, title) VALUES (-5, 'before'), (9223372036854775807, 'last');
                    """)
        }
        var first: Int?
        try pool.install(ManyNotes.index) { progress in
            if first == nil { first = progress.rowsDone }
        }
        #expect(first ?? 0 >= done)
        let report = try pool.verify(ManyNotes.index, thorough: true)
        #expect(report.isClean && report.structure == .sound, "\(report)")
        #expect(report.rowsCompared == 60_000 - 60_000 / 11 + 2)
    }

    @Test func `stops with its task, and goes on later`() async throws {
        let notes = try ManyNotes(count: 3_000)
        let pool = try notes.pool()
        let task = Task {
            try await pool.install(ManyNotes.index) { progress in
                if progress.rowsDone > 100 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await pool.indexState(of: ManyNotes.index) != .ready)
        try await pool.install(ManyNotes.index)
        #expect(try await pool.verify(ManyNotes.index).isClean)
    }

    @Test func `changed weights change a setting, and no row`() throws {
        let notes = try ManyNotes(count: 100)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        try pool.install(ManyNotes.heavierIndex)
        #expect(try pool.indexState(of: ManyNotes.index) == .otherDefinition)
        #expect(try pool.indexState(of: ManyNotes.heavierIndex) == .ready)
        let rank = try pool.read { try String.fetchOne($0, sql: "SELECT v FROM noteTexts_config WHERE k = 'rank'") }
        #expect(rank?.contains("5.0") == true, "\(rank ?? "")")
    }

    @Test func `with another definition builds beside the old index, which serves until the swap`() throws {
        let notes = try ManyNotes(count: 2_000)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        var served = 0
        try pool.install(ManyNotes.otherIndex) { _ in
            // After the swap only the old index remains to be dropped.
            if try pool.indexState(of: ManyNotes.otherIndex) == .ready { return }
            // Both follow the table in the meantime.
            try pool.write { try $0.execute(sql: "UPDATE notes SET title = 'now' || id WHERE id = \(2_000 - served)") }
            let count = try pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM noteTexts('title : now\(2_000 - served)')")
            }
            #expect(count == 1)
            served += 1
        }
        #expect(served > 1)
        #expect(try pool.verify(ManyNotes.otherIndex, thorough: true).isClean)
        let left = try ManyNotes.schema(pool).filter {
            $0?.contains("_next") == true || $0?.contains("_old") == true
        }
        #expect(left.isEmpty)
        #expect(throws: SearchIndexError.superseded("noteTexts")) { try pool.verify(ManyNotes.index) }
    }

    @Test func `with other weights in the middle goes on, and ranks by the last ones`() throws {
        let notes = try ManyNotes(count: 2_000)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        #expect(throws: ManyNotes.Stop.self) {
            try pool.install(ManyNotes.otherIndex) { _ in throw ManyNotes.Stop() }
        }
        try pool.install(ManyNotes.heavierOtherIndex)
        #expect(try pool.indexState(of: ManyNotes.heavierOtherIndex) == .ready)
        let rank = try pool.read { try String.fetchOne($0, sql: "SELECT v FROM noteTexts_config WHERE k = 'rank'") }
        #expect(rank?.contains("7.0") == true, "\(rank ?? "")")
    }

    @Test func `with a third definition in the middle drops the second, and the first serves on`() throws {
        let notes = try ManyNotes(count: 2_000)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        let schema = try ManyNotes.schema(pool)
        #expect(throws: ManyNotes.Stop.self) {
            try pool.install(ManyNotes.otherIndex) { _ in throw ManyNotes.Stop() }
        }
        #expect(try pool.verify(ManyNotes.index).isClean)
        #expect(throws: SearchIndexError.superseded("noteTexts")) {
            try pool.install(ManyNotes.otherIndex) { _ in try pool.install(ManyNotes.index) }
        }
        #expect(try ManyNotes.schema(pool) == schema)
        #expect(try pool.verify(ManyNotes.index, thorough: true).isClean)
    }

    @Test func `uninstall leaves the database as it was`() throws {
        let notes = try ManyNotes(count: 50)
        let pool = try notes.pool()
        let schema = try ManyNotes.schema(pool)
        try pool.install(ManyNotes.index)
        #expect(throws: ManyNotes.Stop.self) {
            try pool.install(ManyNotes.otherIndex) { _ in throw ManyNotes.Stop() }
        }
        try pool.uninstall(ManyNotes.index)
        #expect(try ManyNotes.schema(pool) == schema)
        #expect(try pool.indexState(of: ManyNotes.index) == .notInstalled)
        try pool.uninstall(ManyNotes.index)
        #expect(throws: SearchIndexError.notInstalled("noteTexts")) { try pool.verify(ManyNotes.index) }
    }
}

@Suite("An index in trouble")
struct InstallationTroubleTests {

    @Test func `a rebuilt table has its triggers back and stale entries mended`() throws {
        let notes = try ManyNotes(count: 200)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        // The way of https://www.sqlite.org/lang_altertable.html, which loses triggers.
        let rebuild = """
            CREATE TABLE new_notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT, isRead INTEGER, more);
            INSERT INTO new_notes SELECT *, 0 FROM notes;
            DROP TABLE notes;
            """
        try pool.write { db in
            try db.execute(
                sql: rebuild + """
                    ALTER TABLE new_notes RENAME TO notes;
                    UPDATE notes SET title = 'after' WHERE id < 10;
                    DELETE FROM notes WHERE id = 20;
                    INSERT INTO notes(title) VALUES ('unseen');
                    """)
        }
        let report = try pool.verify(ManyNotes.index)
        #expect(report.stale.ids == Array(1...9) && report.surplus.ids == [20] && report.missing.ids == [201])
        #expect(report.alteredObjects.count == 3)
        #expect(try pool.indexState(of: ManyNotes.index) == .altered(report.alteredObjects))
        try pool.install(ManyNotes.index)
        #expect(try pool.verify(ManyNotes.index, thorough: true).isClean)
    }

    @Test func `a renamed column can be written to, and the index defined with the new name`() throws {
        let notes = try ManyNotes(count: 100)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        try pool.write { try $0.execute(sql: "ALTER TABLE notes RENAME COLUMN body TO text") }
        try pool.write { try $0.execute(sql: "UPDATE notes SET text = 'renamed' WHERE id = 3") }
        let index = SearchIndex("noteTexts", in: "notes") {
            Field("title", weight: 2)
            Field("text").named("body")
            Analysis(.unicode61)
        }
        try pool.install(index)
        #expect(try pool.search(index, "renamed").hits.map(\.id) == [3])
        #expect(try pool.verify(index, thorough: true).isClean)
        try pool.write { try $0.execute(sql: "UPDATE notes SET text = 'again' WHERE id = 3") }
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `a trigger that is gone is drift, which verify finds and repair mends`() throws {
        let notes = try ManyNotes(count: 50)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        try pool.write { db in
            try db.execute(
                sql: """
                    DROP TRIGGER noteTexts_notes_update;
                    UPDATE notes SET body = 'unnoticed' WHERE id IN (7, 8);
                    """)
        }
        let found = try pool.verify(ManyNotes.index)
        #expect(found.stale.ids == [7, 8] && found.alteredObjects == ["noteTexts_notes_update"], "\(found)")
        try pool.repair(ManyNotes.index)
        #expect(try pool.verify(ManyNotes.index, thorough: true).isClean)
        #expect(try pool.repair(ManyNotes.index).isClean)
    }

    @Test func `entries that somebody wrote by hand are found and mended`() async throws {
        let notes = try ManyNotes(count: 1_000)
        let pool = try notes.pool()
        try await pool.install(ManyNotes.index)
        try await pool.write { db in
            try db.execute(
                sql: """
                    DELETE FROM noteTexts WHERE rowid % 3 = 0;
                    UPDATE noteTexts SET title = 'x' WHERE rowid % 5 = 0;
                    INSERT INTO noteTexts(rowid, title) VALUES (-1, 'ghost'), (5000, 'ghost');
                    """)
        }
        let report = try await pool.repair(ManyNotes.index)
        #expect(report.missing.count == 333 && report.missing.ids.count == 100)
        #expect(report.stale.count == 200 - 66 && report.surplus.ids == [-1, 5_000])
        #expect(try await pool.verify(ManyNotes.index, thorough: true).isClean)
    }

    @Test func `damage inside the full-text table is found, and rebuilding cures it`() throws {
        let notes = try ManyNotes(count: 300)
        var configuration = Configuration()
        configuration.defensive = false
        let queue = try DatabaseQueue(path: notes.path, configuration: configuration)
        try queue.install(ManyNotes.index)
        try queue.write {
            try $0.execute(sql: "UPDATE noteTexts_data SET block = zeroblob(40) WHERE id > 10")
        }
        let report = try queue.verify(ManyNotes.index, thorough: true)
        guard case .damaged = report.structure else {
            Issue.record("\(report)")
            return
        }
        try queue.rebuild(ManyNotes.index)
        #expect(try queue.verify(ManyNotes.index, thorough: true).isClean)
    }

    /// The index of `ManyNotes` by another engine.
    private static func index(_ engine: SearchEngine) -> SearchIndex<Row> {
        SearchIndex("noteTexts", in: "notes", engine: engine) {
            Field("title", weight: 3)
            Field("body")
            Analysis(.unicode61, prefixes: [2])
        }
    }

    @Test(arguments: [true, false])
    func `with another engine converts it in place, and the old one serves until then`(toConcordance: Bool) throws {
        let notes = try ManyNotes(count: 1_000)
        let pool = try notes.pool()
        let engines: [SearchEngine] = toConcordance ? [.fts5, .concordance] : [.concordance, .fts5]
        let (old, new) = (Self.index(engines[0]), Self.index(engines[1]))
        try pool.install(old)
        let request = old.query("7 OR words").limit(20)
        let before = try pool.search(request).hits.map { [$0.id: $0.score] }
        #expect(before.count == 20)
        #expect(try pool.indexState(of: new) == .otherDefinition)
        #expect(throws: ManyNotes.Stop.self) { try pool.install(new) { _ in throw ManyNotes.Stop() } }
        for definition in [old, new] {
            let request = definition.query("7 OR words").limit(20)
            #expect(try pool.search(request).hits.map { [$0.id: $0.score] } == before)
        }
        try pool.write { try $0.execute(sql: "UPDATE notes SET title = 'changed meanwhile' WHERE id = 3") }
        try pool.install(new)
        #expect(try pool.indexState(of: new) == .ready)
        #expect(try pool.verify(new, thorough: true).isClean)
        #expect(try pool.search(new, "meanwhile").hits.map(\.id) == [3])
        let sql = try pool.read {
            try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = 'noteTexts'")
        }
        #expect(sql?.contains(toConcordance ? "USING concordance(" : "USING fts5(") == true, "\(sql ?? "")")
        let tables = try pool.read {
            try String.fetchAll(
                $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'noteTexts%'")
        }
        let suffixes = toConcordance ? ["config", "data"] : ["config", "content", "data", "docsize", "idx"]
        let all = (suffixes + ["changes", "pending", "source"]).map { "noteTexts_" + $0 }
        #expect(tables.sorted() == ["noteTexts"] + all.sorted())
    }

    @Test func `two indexes of one name over different tables are told apart, as long as there are two tables`() throws
    {
        let notes = try ManyNotes(count: 10)
        let pool = try notes.pool()
        try pool.write { try $0.execute(sql: "CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT)") }
        try pool.install(ManyNotes.index)
        let other = SearchIndex("noteTexts", in: "lists") { Field("title") }
        #expect(throws: SearchIndexError.otherIndex("noteTexts", table: "notes")) { try pool.install(other) }
        #expect(try pool.indexState(of: ManyNotes.index) == .ready)
        try pool.write { try $0.execute(sql: "DROP TABLE notes") }
        try pool.install(other)
        #expect(try pool.indexState(of: other) == .ready)
        let twice = SearchIndex("twice", in: "lists") {
            Field("title")
            Analysis(.unicode61)
            Analysis(.trigram)
        }
        #expect(throws: SearchIndexError.self) { try pool.install(twice) }
    }

    @Test func `a read-only database is left alone`() throws {
        let notes = try ManyNotes(count: 10)
        try notes.pool().close()
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: notes.path, configuration: configuration)
        #expect(throws: SearchIndexError.readOnly(index: "noteTexts")) { try queue.install(ManyNotes.index) }
        #expect(try queue.indexState(of: ManyNotes.index) == .notInstalled)
    }

    /// Fractions of the pages that the installation needs: it fails at its first page, and later.
    @Test(arguments: [0, 0.1, 0.2, 0.4])
    func `a full disk leaves the database as before`(part: Double) throws {
        func pageCount(_ queue: DatabaseQueue) throws -> Int {
            try queue.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        }
        let others = try ManyNotes(count: 2_000)
        let roomy = try DatabaseQueue(path: others.path)
        let pagesBefore = try pageCount(roomy)
        try roomy.install(ManyNotes.index)
        let growth = try pageCount(roomy) - pagesBefore
        try #require(growth > 10)
        let notes = try ManyNotes(count: 2_000)
        let queue = try DatabaseQueue(path: notes.path)
        let schema = try ManyNotes.schema(queue)
        let limit = try pageCount(queue) + Int(Double(growth) * part)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(limit)") }
        #expect {
            try queue.install(ManyNotes.index)
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_FULL }
        #expect(try ManyNotes.schema(queue) == schema)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try queue.install(ManyNotes.index)
        #expect(try queue.verify(ManyNotes.index, thorough: true).isClean)
    }

    @Test func `a text of many megabytes is indexed, and one that SQLite does not take is an error`() throws {
        let notes = try ManyNotes(count: 10)
        let queue = try DatabaseQueue(path: notes.path)
        try queue.write {
            try $0.execute(
                sql: "UPDATE notes SET body = replace(hex(zeroblob(1000000)), '00', 'long text ') || 'end' WHERE id < 3"
            )
        }
        try queue.install(ManyNotes.index)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM noteTexts('long AND end')") } == 2)
        let joined = SearchIndex("joined", in: "notes") {
            Field("all").computed("zeroblob(length(body) * 200)")
        }
        let schema = try ManyNotes.schema(queue)
        #expect {
            try queue.install(joined)
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_TOOBIG }
        #expect(try ManyNotes.schema(queue) == schema)
    }

    @Test func `views of the app read the index as before when it is rebuilt, and broken ones do not matter`() throws {
        let notes = try ManyNotes(count: 300)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE VIEW bodies AS SELECT rowid, body FROM noteTexts;
                    CREATE TABLE log(n);
                    CREATE TRIGGER counted AFTER INSERT ON log BEGIN
                      UPDATE log SET n = (SELECT count(*) FROM noteTexts) WHERE rowid = NEW.rowid;
                    END;
                    CREATE VIEW broken AS SELECT * FROM absent;
                    """)
        }
        try pool.install(ManyNotes.otherIndex)
        try pool.write { try $0.execute(sql: "INSERT INTO log VALUES (0)") }
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bodies") } == 300)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT n FROM log") } == 300)
        #expect(try pool.write { try Int.fetchOne($0, sql: "PRAGMA legacy_alter_table") } == 0)
        #expect(try pool.verify(ManyNotes.otherIndex, thorough: true).isClean)
    }

    @Test func `an index is not ready before its entries have been compared`() throws {
        let notes = try ManyNotes(count: 300)
        let pool = try notes.pool()
        try pool.install(ManyNotes.index)
        try pool.write { try $0.execute(sql: "DROP TRIGGER noteTexts_notes_update; UPDATE notes SET title = 'unseen'") }
        #expect(throws: ManyNotes.Stop.self) { try pool.install(ManyNotes.index) { _ in throw ManyNotes.Stop() } }
        #expect(try pool.indexState(of: ManyNotes.index) == .incomplete(rowsDone: 0))
        try pool.install(ManyNotes.index)
        #expect(try pool.indexState(of: ManyNotes.index) == .ready)
        #expect(try pool.verify(ManyNotes.index).isClean)
    }

    @Test func `in the caller's transaction all is undone with it`() throws {
        let notes = try ManyNotes(count: 100)
        let queue = try DatabaseQueue(path: notes.path)
        let schema = try ManyNotes.schema(queue)
        try queue.inTransaction { db in
            try db.install(ManyNotes.index)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM noteTexts('words')") == 100)
            return .rollback
        }
        #expect(try ManyNotes.schema(queue) == schema)
    }
}
