import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Groups of skip entries")
struct SkipGroupTests {
    private static let rowsPerCommit = 6_000
    private static let commitCount = 3

    /// A table whose segments a merge has made one, in many steps.
    private static func mergedTable(columns: String) throws -> Database {
        let db = try Database.undefended()
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(\(columns), prefix='1', content='');
                INSERT INTO t(t, rank) VALUES ('automerge', 0);
                """)
        let insert = try db.makeStatement(
            sql: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowsPerCommit))
                INSERT INTO t(rowid, a) SELECT i + ?1, 'common' || substr(' common common', 1, i % 3 * 7) || ' w' || (i % 2) FROM n
                """)
        for commit in 0..<commitCount { try insert.execute(arguments: [commit * rowsPerCommit]) }
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('merge', -1)")
        var steps = 0
        while try Int.fetchOne(db, sql: "SELECT count(DISTINCT id >> 32) FROM t_data WHERE id > 1") != 1, steps < 10_000
        {
            try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('merge', 1)")
            steps += 1
        }
        #expect((20..<10_000).contains(steps))
        return db
    }

    /// The pages of groups or of other entries, in order.
    private static func pages(
        _ db: Database, of stream: SegmentStream = .skipGroups
    ) throws -> [(id: Int64, bytes: [UInt8])] {
        var pages: [(Int64, [UInt8])] = []
        let sql = "SELECT id, block FROM t_data WHERE id > 1 AND id >> 28 & 15 = \(stream.rawValue)"
        for row in try Row.fetchAll(db, sql: sql) {
            guard case .int64(let id)? = row[0], case .blob(let bytes)? = row[1] else { throw corrupt("no page") }
            pages.append((id, bytes))
        }
        return pages
    }

    private static func problem(_ db: Database) throws -> String? {
        do {
            try db.copyWithEngine().execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
            return nil
        } catch let error as DatabaseError {
            return error.message
        }
    }

    @Test(arguments: ["a", "a, b"])
    func `come out of a merge in steps as the check wants them`(columns: String) throws {
        let db = try Self.mergedTable(columns: columns)
        let pages = try Self.pages(db)
        let size = SegmentLayout.skipSize(version: SegmentLayout.version, columnCount: columns == "a" ? 1 : 2)
        let skips = try Int.fetchOne(
            db, sql: "SELECT sum(length(block) - 4) / \(size) FROM t_data WHERE id > 1 AND id >> 28 & 15 = 4")
        #expect(
            pages.map { $0.bytes.count - BlockSeal.byteCount } == [(skips ?? 0) / SegmentLayout.skipsPerGroup * size])
        #expect(try Self.problem(db) == nil)
    }

    /// The table is as it was before there were groups: without their pages, and without the flag and the count in the header.
    @Test func `are added by 'optimize'`() throws {
        let db = try Self.mergedTable(columns: "a, b")
        let groups = try Self.pages(db).map(\.bytes.count)
        let sql = "SELECT id, block FROM t_data WHERE id > 1 AND id % (1 << 32) = 0"
        let row = try #require(try Row.fetchAll(db, sql: sql).first)
        guard case .int64(let id)? = row[0], case .blob(var header)? = row[1] else { throw corrupt("no header") }
        #expect(header[1] == SegmentLayout.groupsFlag)
        header[1] = 0
        #expect(header.remove(at: header.count - BlockSeal.byteCount - 1) == 1)
        header.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
        try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [header, id])
        try db.execute(sql: "DELETE FROM t_data WHERE id >> 28 & 15 = \(SegmentStream.skipGroups.rawValue) AND id > 1")
        let old = try db.copyWithEngine()
        #expect(try Self.pages(old).isEmpty)
        let answers = try Self.answers(old)
        #expect(answers.count == 60)
        try old.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        #expect(try Self.pages(old).map(\.bytes.count) == groups)
        #expect(try Self.answers(old) == answers)
        #expect(try Self.problem(old) == nil)
    }

    private static func answers(_ db: Database) throws -> [String] {
        try ["common", "common w1", "w0 OR w1"].flatMap { query in
            let sql = "SELECT rowid || ' ' || rank FROM t(?) ORDER BY rank, rowid LIMIT 20"
            return try String.fetchAll(db, sql: sql, arguments: [query])
        }
    }

    enum Damage: CaseIterable {
        case bounds, lastDocument, columns, shortestLength, home
    }

    @Test(arguments: Damage.allCases)
    func `are checked against the blocks`(damage: Damage) throws {
        let db = try Self.mergedTable(columns: "a, b")
        // An early document, quotients beyond any, no columns, a length beyond any, a home without hits.
        let (offset, change): (Int, [UInt8]) =
            switch damage {
            case .bounds: (8, Array(repeating: 0x7E, count: 8))
            case .lastDocument: (0, [1, 0, 0, 0])
            case .columns: (16, [0, 0])
            case .shortestLength: (18, [0, 0x90])
            case .home: (20, [1, 0])
            }
        try Self.replace(change, at: offset, of: .skipGroups, in: db)
        let problem = try Self.problem(db)
        #expect(problem?.contains("has a block beyond its bounds") == true, "\(problem ?? "nothing")")
    }

    /// Quotients beyond any, no columns, a length beyond any, no hits outside the home column. What groups say still holds.
    @Test(arguments: [
        (8, Array(repeating: UInt8(0xFE), count: 8)), (16, [0, 0]), (18, [0, 0x90]),
        (22, Array(repeating: UInt8(0), count: 8)),
    ])
    func `of blocks are checked against their documents`(offset: Int, change: [UInt8]) throws {
        let db = try Database.undefended()
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, b, content='');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
                INSERT INTO t(rowid, a, b) SELECT i, 'common w' || i, substr('common', 1, i % 5 * 6) FROM n
                """)
        #expect(try Self.problem(db) == nil)
        try Self.replace(change, at: offset, of: .skips, in: db)
        let problem = try Self.problem(db)
        #expect(problem?.contains("has a document beyond its bounds") == true, "\(problem ?? "nothing")")
    }

    /// Changes all entries of the first page of two columns' entries.
    private static func replace(
        _ change: [UInt8], at offset: Int, of stream: SegmentStream, in db: Database
    ) throws {
        var (id, bytes) = try #require(try pages(db, of: stream).first)
        let size = SegmentLayout.skipSize(version: SegmentLayout.version, columnCount: 2)
        for entry in stride(from: 0, to: bytes.count - BlockSeal.byteCount, by: size) {
            bytes.replaceSubrange(entry + offset..<entry + offset + change.count, with: change)
        }
        bytes.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
        try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [bytes, id])
    }
}
