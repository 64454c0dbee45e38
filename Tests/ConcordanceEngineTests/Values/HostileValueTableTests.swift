import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Rows of the index in which somebody has changed bytes and checksum: calls fail with an error or give wrong answers,
/// but never crash.
@Suite("Stored values of a forged table")
struct HostileValueTableTests {
    private static func fill(_ db: Database, rows: Int) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, folder VALUE, day VALUE, tags VALUE);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                INSERT INTO t(rowid, body, folder, day, tags)
                SELECT i, 'one ' || iif(i % 3, 'two', 'three'), 'folder ' || (i % 7), iif(i % 11, i * 37 % 1000, NULL),
                    iif(i % 2, '["red","green"]', '["blue"]') FROM n;
                INSERT INTO t(rowid, body, folder) VALUES (100001, 'one', 'last'), (100002, 'two', 'last');
                """)
    }

    private static func open(_ path: String) throws -> Database {
        let db = try Database(path: path)
        try ConcordanceModule.register(on: db)
        return db
    }

    private static let statements = [
        "SELECT count(*) FROM t WHERE t MATCH 'one' AND folder = 'folder 3' AND day > 10",
        "SELECT rowid FROM t WHERE t MATCH 'two' AND tags IN ('red', 'blue') ORDER BY rank LIMIT 5",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY day DESC LIMIT 30",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY tags, rank LIMIT 30",
        "SELECT count(*) FROM concordance_facets('t', 'one', 'tags')",
        "SELECT sum(count) FROM concordance_facets('t', NULL, 'day', '[0, 100, 500]')",
        "UPDATE t SET day = 5 WHERE rowid IN (1, 4000, 100001)",
        "INSERT INTO t(t, rank) VALUES ('merge', 1000)", "INSERT INTO t(t) VALUES ('integrity-check')",
    ]

    /// Executes everything, on a connection that knows nothing of the table yet; false if something was an error.
    private static func use(_ path: String) throws -> Bool {
        let db = try open(path)
        var isFine = true
        for sql in statements {
            do {
                try db.execute(sql: "SAVEPOINT s")
                _ = try Row.fetchAll(db, sql: sql)
            } catch {
                isFine = false
            }
            try? db.execute(sql: "ROLLBACK TO s; RELEASE s")
        }
        return isFine
    }

    @Test(arguments: [20, 5000], UInt64(0)..<4)
    func `gives errors or wrong answers, and no crash`(rows: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder["values.db"]
        try Self.fill(Self.open(path), rows: rows)
        #expect(try Self.use(path))
        // Without the module, the rows are those of an ordinary table.
        var configuration = Configuration()
        configuration.defensive = false
        let db = try Database(path: path, configuration: configuration)
        // The manifest, headers of segments, and pages of values.
        let ids = try Int64.fetchAll(db, sql: "SELECT id FROM t_data WHERE id = 1 OR (id >> 28) & 15 IN (0, 10)")
        #expect(ids.count > 2)
        var failures = 0
        for _ in 0..<40 {
            let id = ids[Int.random(in: 0..<ids.count, using: &random)]
            let block = try #require(
                try DatabaseValue.fetchOne(db, sql: "SELECT block FROM t_data WHERE id = ?", arguments: [id]))
            guard case .blob(let original) = block else { continue }
            var bytes = original
            let content = bytes.count - BlockSeal.byteCount
            for _ in 0..<Int.random(in: 1...3, using: &random) where content > 0 {
                let place = Int.random(in: 0..<min(content, Bool.random(using: &random) ? 48 : content), using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            if Int.random(in: 0..<5, using: &random) == 0 {
                bytes.removeSubrange(Int.random(in: 0..<max(content, 1), using: &random)..<max(content, 1))
            }
            bytes.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
            try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [bytes, id])
            if try !Self.use(path) { failures += 1 }
            try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [original, id])
        }
        #expect(failures > 0)
        #expect(try Self.use(path))
    }
}
