import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Pages of stored values are of one column each")
struct ValuePagesOfColumnsTests {
    private static let rowCount = 10_000
    private static let pageCount = 3

    /// One segment of three pages of documents.
    private static func table(_ columns: String = "body, n VALUE, path VALUE") throws -> Database {
        let db = try Database.undefended()
        let values = columns.contains("path") ? "i, 'path ' || i" : "i"
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(\(columns));
                INSERT INTO t(t, rank) VALUES ('automerge', 0);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
                INSERT INTO t SELECT iif(i % 2, 'odd', 'even') || ' word' || i, \(values) FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        return db
    }

    private static let valuePages = "id > 1 AND id >> 28 & 15 = \(SegmentStream.values.rawValue)"

    private static func blocks(_ db: Database, _ condition: String = valuePages) throws -> [Int64: [UInt8]] {
        var blocks: [Int64: [UInt8]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT id, block FROM t_data WHERE \(condition)") {
            guard case .int64(let id)? = row[0], case .blob(let bytes)? = row[1] else { continue }
            blocks[id] = bytes
        }
        return blocks
    }

    private static func answers(_ db: Database) throws -> [[Int]] {
        try [
            "n BETWEEN 4090 AND 4100", "path >= 'path 9'", "path = 'new' OR n < 0",
        ].map { try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'even' AND (\($0)) ORDER BY rowid") }
    }

    @Test func `an UPDATE writes those of the columns and documents that change`() throws {
        let db = try Self.table()
        let before = try Self.blocks(db)
        #expect(before.count == 2 * Self.pageCount)
        func changed() throws -> [Int64] {
            try Self.blocks(db).filter { before[$0.key] != $0.value }.keys.map { $0 & 0xFFF_FFFF }.sorted()
        }
        // Pages of the first document page: 0 and 1.
        try db.execute(sql: "UPDATE t SET n = -7 WHERE rowid = 4000")
        #expect(try changed() == [0])
        try db.execute(sql: "UPDATE t SET n = n, path = 'new' WHERE rowid = 6000")
        #expect(try changed() == [0, 3])
        try db.execute(sql: "UPDATE t SET n = -8, path = 'new' WHERE rowid = 9000")
        #expect(try changed() == [0, 3, 4, 5])
        #expect(try Self.answers(db)[2] == [4000, 6000, 9000])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// The table is as it was before columns had pages of their own.
    @Test(arguments: ["body, n VALUE, path VALUE", "body, n VALUE"])
    func `a segment with joined pages is read, updated, and divided by 'optimize'`(columns: String) throws {
        let db = try Self.table(columns)
        let columnCount = columns.contains("path") ? 2 : 1
        #expect(try Self.blocks(db).count == columnCount * Self.pageCount)
        try Self.join(db, columnCount: columnCount)
        let old = try db.copyWithEngine()
        #expect(try Self.blocks(old).count == Self.pageCount)
        let changes = columnCount == 2 ? "n = -7, path = 'new'" : "n = -7"
        let new = try Self.table(columns)
        for table in [old, new] { try table.execute(sql: "UPDATE t SET \(changes) WHERE rowid IN (2, 5000)") }
        #expect(try Self.blocks(old).count == Self.pageCount)
        if columnCount == 2 { #expect(try Self.answers(old) == Self.answers(new)) }
        // The manifest still has the number of bytes of divided pages.
        for table in [old, new] {
            try table.execute(sql: "INSERT INTO t(t) VALUES ('optimize'), ('integrity-check')")
        }
        #expect(try Self.blocks(old).count == columnCount * Self.pageCount)
        #expect(try Set(Self.blocks(old).values.map(\.count)) == Set(Self.blocks(new).values.map(\.count)))
        if columnCount == 2 { #expect(try Self.answers(old) == Self.answers(new)) }
    }

    /// Joins the pages of all columns, and takes the flag and the count in the header back.
    private static func join(_ db: Database, columnCount: Int) throws {
        let pages = try blocks(db).sorted { $0.key < $1.key }
        let first = try #require(pages.first?.key)
        func write(_ id: Int64, _ content: [UInt8]) throws {
            var block = content + Array(repeating: 0, count: BlockSeal.byteCount)
            block.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
            try db.execute(sql: "REPLACE INTO t_data(id, block) VALUES (?, ?)", arguments: [id, block])
        }
        for number in 0..<pageCount {
            let joined = ValueTable.joined(
                pages[number * columnCount..<(number + 1) * columnCount].map { page in
                    let writer = ByteWriter()
                    writer.append(page.value.dropLast(BlockSeal.byteCount).map { $0 })
                    return writer
                })
            try write(first + Int64(number), joined.array)
        }
        try db.execute(
            sql: "DELETE FROM t_data WHERE \(valuePages) AND id >= ?", arguments: [first + Int64(pageCount)])
        let headers = try blocks(db, "id > 1 AND id % (1 << 32) = 0")
        let (id, header) = try #require(headers.first)
        var content = Array(header.dropLast(BlockSeal.byteCount))
        #expect(content[1] & SegmentLayout.dividedValuesFlag != 0)
        content[1] &= ~SegmentLayout.dividedValuesFlag
        let place = try #require(content.lastIndex(of: UInt8(columnCount * pageCount)))
        content[place] = UInt8(pageCount)
        try write(id, content)
    }

    @Test func `a segment of one row has them joined, and divides them when it grows`() throws {
        let db = try Database.undefended()
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, n VALUE, path VALUE);
                INSERT INTO t VALUES ('even', 1, 'a'), ('even', 2, 'b');
                """)
        #expect(try Self.blocks(db).isEmpty)
        try db.execute(sql: "UPDATE t SET n = -3 WHERE rowid = 2")
        #expect(try Self.answers(db)[2] == [2])
        // More than fits in a row, by the values of the first page of documents, or by the texts that come after them.
        for text in ["replace(hex(zeroblob(600)), '00', 'x')", "'x'"] {
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
                    INSERT INTO t SELECT 'even ' || hex(randomblob(20)), i, \(text) || i FROM n;
                    INSERT INTO t(t) VALUES ('integrity-check');
                    """)
        }
        #expect(try Self.blocks(db).count.isMultiple(of: 2))
        #expect(try Self.blocks(db).count >= 4)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize'), ('integrity-check')")
        #expect(try Self.blocks(db).count == 2)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'even' AND n = 900") == 2)
    }
}
