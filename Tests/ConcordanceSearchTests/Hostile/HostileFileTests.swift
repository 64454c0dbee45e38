import Concordance
import Foundation
import TestSupport
import Testing

/// What somebody does to a database behind the index's back.
struct Vandalism: Sendable, CustomTestStringConvertible {
    enum Outcome { case mended, refused }
    let testDescription: String
    let sql: String
    let outcome: Outcome

    init(_ name: String, _ sql: String, _ outcome: Outcome = .mended) {
        testDescription = name
        self.sql = sql
        self.outcome = outcome
    }
}

@Suite("An index in a database that somebody has tampered with")
struct HostileFileTests {
    static let schemaChanges: [Vandalism] = [
        Vandalism("source gone", "DROP TABLE noteTexts_source"),
        Vandalism(
            "source defined by itself",
            """
            DROP TABLE noteTexts_source;
            CREATE VIRTUAL TABLE noteTexts_source USING concordancesource(
              title, body, labels, (SELECT rowid, title, body, labels FROM main.noteTexts_source))
            """),
        Vandalism(
            "source calls what it must not",
            """
            DROP TABLE noteTexts_source;
            CREATE VIRTUAL TABLE noteTexts_source USING concordancesource(
              title, body, labels, (SELECT id, load_extension('x'), '', '' FROM main.notes))
            """),
        Vandalism(
            "source without a query",
            "DROP TABLE noteTexts_source; CREATE TABLE noteTexts_source(title, body, labels)"),
        Vandalism("changes gone", "DROP TABLE noteTexts_changes"),
        Vandalism(
            "changes replaced", "DROP TABLE noteTexts_changes; CREATE TABLE noteTexts_changes(x TEXT NOT NULL)"),
        Vandalism(
            "changes of places that there are not",
            "INSERT INTO noteTexts_changes(place, key1) VALUES (99, 1), (-1, 'x'), (0, 'no number'), (0, 1e300)"),
        Vandalism("pending table gone", "DROP TABLE noteTexts_pending"),
        Vandalism(
            "pending table replaced", "DROP TABLE noteTexts_pending; CREATE TABLE noteTexts_pending(x TEXT NOT NULL)"),
        Vandalism(
            "source says something else", "DROP TABLE noteTexts_source; CREATE VIEW noteTexts_source AS SELECT 1 AS a"),
        Vandalism(
            "source says other texts",
            """
            DROP TABLE noteTexts_source;
            CREATE VIEW noteTexts_source(rowid, title, body, labels) AS SELECT id, x'ff', 7, 'other' FROM notes
            """),
        Vandalism("full-text table gone", "DROP TABLE noteTexts"),
        Vandalism(
            "an ordinary table in its place",
            "DROP TABLE noteTexts; CREATE TABLE noteTexts(title, body, labels); INSERT INTO noteTexts VALUES ('mine', '', '')",
            .refused),
        Vandalism(
            "a view in its place", "DROP TABLE noteTexts; CREATE VIEW noteTexts AS SELECT * FROM notes", .refused),
        Vandalism(
            "another full-text table in its place",
            "DROP TABLE noteTexts; CREATE VIRTUAL TABLE noteTexts USING \(TestEngine.moduleName)(body, title, labels, other)"
        ),
        Vandalism("column gone", "ALTER TABLE notes RENAME COLUMN body TO texts", .refused),
        Vandalism("source renamed", "ALTER TABLE notes RENAME TO notices", .refused),
        Vandalism("indexed table gone", "DROP TABLE notes", .refused),
        Vandalism("related table gone", "DROP TABLE labels", .refused),
        Vandalism(
            "source rebuilt",
            """
            CREATE TABLE new(id INTEGER PRIMARY KEY, body TEXT, title TEXT, more TEXT);
            INSERT INTO new SELECT id + 5, body, title, 'x' FROM notes;
            PRAGMA legacy_alter_table = 1; DROP TABLE notes; ALTER TABLE new RENAME TO notes;
            PRAGMA legacy_alter_table = 0
            """),
        Vandalism(
            "source rebuilt without rowids",
            "DROP TABLE notes; CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT) WITHOUT ROWID",
            .refused),
        Vandalism(
            "source now a view", "DROP TABLE notes; CREATE VIEW notes AS SELECT 1 AS id, '' AS title, '' AS body",
            .refused),
    ]

    static let records: [Vandalism] = [
        Vandalism("records gone", "DROP TABLE concordance_indexes", .refused),
        Vandalism(
            "records of another kind", "DROP TABLE concordance_indexes; CREATE TABLE concordance_indexes(x)", .refused),
        Vandalism(
            "records are a view", "DROP TABLE concordance_indexes; CREATE VIEW concordance_indexes AS SELECT 1 AS name",
            .refused),
        Vandalism("objects are no JSON", "UPDATE concordance_indexes SET objects = '{{{'"),
        Vandalism("objects are bytes", "UPDATE concordance_indexes SET objects = x'ff00ff'"),
        Vandalism(
            "objects name a table of the app",
            """
            UPDATE concordance_indexes SET fingerprint = '',
              objects = '[{"kind":"table","name":"private","sql":""},{"kind":"table","name":"notes","sql":""}]'
            """),
        Vandalism(
            "objects name a table of the app and the index is right",
            """
            UPDATE concordance_indexes
            SET objects = json_insert(objects, '$[#]', json('{"kind":"table","name":"private","sql":""}'))
            """),
        Vandalism(
            "a next index names a table of the app",
            """
            INSERT INTO concordance_indexes
            VALUES ('noteTexts_next', '', '[{"kind":"table","name":"private","sql":""}]', 'filling', NULL, 0)
            """),
        Vandalism("the state of a table out of use", "UPDATE concordance_indexes SET state = 'retired'"),
        Vandalism("unknown state", "UPDATE concordance_indexes SET state = 'dancing'"),
        Vandalism(
            "state and position of other types", "UPDATE concordance_indexes SET state = x'00', position = 'far'"),
        Vandalism(
            "position at the end", "UPDATE concordance_indexes SET state = 'filling', position = 9223372036854775807"),
        Vandalism(
            "too many rows done", "UPDATE concordance_indexes SET state = 'filling', rowsDone = 9223372036854775807"),
        Vandalism(
            "too many rows checked", "UPDATE concordance_indexes SET state = 'checking', rowsDone = 9223372036854775807"
        ),
        Vandalism("rows done below zero", "UPDATE concordance_indexes SET state = 'checking', rowsDone = -1e300"),
        Vandalism("another spelling of the name", "UPDATE concordance_indexes SET name = 'NOTETEXTS'"),
        Vandalism("no definition", "UPDATE concordance_indexes SET fingerprint = ''"),
    ]

    static let shadowTables: [Vandalism] = [
        Vandalism("no data", "DELETE FROM noteTexts_data"),
        Vandalism("rank of nonsense", "INSERT INTO noteTexts(noteTexts, rank) VALUES ('rank', 'nonsense(1)')"),
        Vandalism("no configuration", "DELETE FROM noteTexts_config"),
        Vandalism("data shortened", "UPDATE noteTexts_data SET block = substr(block, 1, length(block) / 2)"),
        Vandalism("data of zeros", "UPDATE noteTexts_data SET block = zeroblob(length(block))"),
        Vandalism("data is text", "UPDATE noteTexts_data SET block = 'text'"),
        Vandalism("first row gone", "DELETE FROM noteTexts_data WHERE id = 1"),
        Vandalism("first row shortened", "UPDATE noteTexts_data SET block = substr(block, 1, 3) WHERE id = 1"),
        Vandalism("configuration table gone", "DROP TABLE noteTexts_config"),
    ]

    /// For the tables that only FTS5 has.
    static let tablesOfFTS5: [Vandalism] =
        TestEngine.current != .fts5
        ? []
        : [
            Vandalism("no texts", "DELETE FROM noteTexts_content"),
            Vandalism("other texts", "UPDATE noteTexts_content SET c0 = 'other', c1 = x'ff', c2 = 7"),
            Vandalism("no segments", "DELETE FROM noteTexts_idx"),
            Vandalism("no sizes", "DELETE FROM noteTexts_docsize"),
            Vandalism("sizes of nonsense", "UPDATE noteTexts_docsize SET sz = x'ffffffffffffffffffff'"),
        ]

    @Test(arguments: schemaChanges + records + shadowTables + tablesOfFTS5)
    func `every call answers or throws, and install, repair or rebuild mends what can be mended`(
        _ vandalism: Vandalism
    ) throws {
        let queue = try HostileNotes.queue(HostileNotes.unguarded)
        let index = HostileNotes.index
        try queue.install(index)
        _ = HostileNotes.readEverything(queue)
        try queue.inDatabase { try $0.execute(sql: vandalism.sql) }
        for (call, error) in HostileNotes.readEverything(queue) {
            #expect(HostileNotes.isTyped(error), "\(call) threw \(error)")
        }
        do { _ = try queue.verify(index, thorough: true) } catch {
            #expect(HostileNotes.isTyped(error), "verify threw \(error)")
        }
        let refusal = refusal { try mend(queue) }
        #expect(try queue.read { try String.fetchAll($0, sql: "SELECT * FROM private") } == ["kept"])
        guard vandalism.outcome == .mended else {
            #expect(refusal is SearchIndexError, "instead: \(String(describing: refusal))")
            _ = HostileNotes.readEverything(queue)
            return
        }
        if let refusal {
            Issue.record("not mended: \(refusal)")
            return
        }
        #expect(try queue.verify(index, thorough: true).isClean)
        #expect(try queue.indexState(of: index) == .ready)
        #expect(try queue.search(index.query("common").counting(.exact).limit(3)).total?.count == 60)
        for (call, error) in HostileNotes.readEverything(queue) { Issue.record("\(call) threw \(error)") }
        try queue.write {
            try $0.execute(sql: "UPDATE notes SET title = 'changed' WHERE id = 10; DELETE FROM notes WHERE id = 11")
        }
        #expect(try queue.verify(index, thorough: true).isClean)
        #expect(try queue.search(index, "changed").hits.map(\.id) == [10])
    }

    /// FTS5 takes an empty block as an index without rows.
    static let damages =
        ["DROP TABLE noteTexts_data", "DROP TABLE noteTexts_config"]
        + (TestEngine.current == .fts5 ? [] : ["UPDATE noteTexts_data SET block = x'00'"])

    @Test(arguments: damages)
    func `a search of a damaged table says so, and what to do`(sql: String) throws {
        let folder = try TemporaryFolder()
        let path = folder["notes.sqlite"]
        do {
            let queue = try HostileNotes.queue(HostileNotes.unguarded, path: path)
            try queue.install(HostileNotes.index)
            try queue.inDatabase { try $0.execute(sql: sql) }
        }
        let queue = try DatabaseQueue(path: path)
        let error = #expect(throws: SearchIndexError.self) { try queue.search(HostileNotes.index, "common") }
        guard case .damaged("noteTexts", _) = error else {
            Issue.record("instead: \(String(describing: error))")
            return
        }
        #expect(error?.description.contains("call rebuild") == true)
        try queue.rebuild(HostileNotes.index)
        #expect(try !queue.search(HostileNotes.index, "common").isEmpty)
    }

    private func refusal(_ body: () throws -> Void) -> (any Error)? {
        do { try body() } catch { return error }
        return nil
    }

    /// What an app would do: install at every start, repair, and rebuild if that does not help.
    private func mend(_ queue: DatabaseQueue) throws {
        let index = HostileNotes.index
        do {
            try queue.install(index)
            _ = try queue.repair(index, thorough: true)
            if try queue.verify(index, thorough: true).isClean { return }
        } catch let error as DatabaseError {
            print("install or repair: \(error.message ?? "")")
        }
        try queue.rebuild(index)
    }

    @Test(arguments: 0..<60)
    func `bytes flipped in the full-text tables never crash a call, and rebuild mends them`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let queue = try HostileNotes.queue(HostileNotes.unguarded)
        let index = HostileNotes.index
        try queue.install(index)
        try queue.inDatabase { db in
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                var places = [("data", "block"), ("data", "block")]
                if TestEngine.current == .fts5 { places += [("content", "c0"), ("docsize", "sz"), ("idx", "term")] }
                let (table, column) = places.randomElement(using: &random) ?? ("data", "block")
                let row = try Row.fetchAll(
                    db,
                    sql: "SELECT rowid, \(column) FROM noteTexts_\(table)".replacingOccurrences(
                        of: "rowid", with: table == "idx" ? "segid" : "rowid")
                ).randomElement(using: &random)
                guard let row, var bytes = (row[1] as [UInt8]?) ?? (row[1] as String?).map({ Array($0.utf8) }),
                    !bytes.isEmpty
                else { continue }
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                let key = table == "idx" ? "segid" : "rowid"
                try db.execute(
                    sql: "UPDATE noteTexts_\(table) SET \(column) = ? WHERE \(key) = ?",
                    arguments: [bytes, (row[0] as Int64?) ?? 0])
            }
        }
        for (call, error) in HostileNotes.readEverything(queue) where !HostileNotes.isTyped(error) {
            Issue.record("\(call) threw \(error)")
        }
        do {
            try queue.write {
                try $0.execute(sql: "UPDATE notes SET title = 'changed' WHERE id < 30; DELETE FROM notes WHERE id > 50")
            }
        } catch { #expect(error is DatabaseError) }
        do { _ = try queue.repair(index, thorough: true) } catch { #expect(HostileNotes.isTyped(error)) }
        try queue.rebuild(index)
        #expect(try queue.verify(index, thorough: true).isClean)
    }
}
