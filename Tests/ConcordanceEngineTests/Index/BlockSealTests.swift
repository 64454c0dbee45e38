import CConcordanceSQLiteLink
import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The checksum of a block")
struct BlockSealTests {
    private func sealed(_ bytes: [UInt8], id: Int64) -> [UInt8] {
        var row = bytes + [UInt8](repeating: 0, count: BlockSeal.byteCount)
        row.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
        return row
    }

    private func opens(_ row: [UInt8], id: Int64) -> Bool {
        row.withUnsafeBytes { row in (try? BlockSeal.opened(row, id: id)) != nil }
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8, 31, 32, 33, 100, 4096])
    func `notices every flipped bit, every cut, and another row's id`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let row = sealed(bytes, id: 7)
        let opened = try row.withUnsafeBytes { try Array(BlockSeal.opened($0, id: 7)) }
        #expect(opened == bytes)
        #expect(!opens(row, id: 8))
        for bit in 0..<row.count * 8 where count < 200 || bit % 61 == 0 {
            var other = row
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!opens(other, id: 7), "bit \(bit)")
        }
        for end in 0..<row.count where count < 200 || end % 61 == 0 {
            #expect(!opens(Array(row[..<end]), id: 7), "\(end) bytes left")
        }
        #expect(!opens(row + [0], id: 7))
        #expect(!opens([UInt8](repeating: 0, count: row.count), id: 7))
    }

    @Test func `does not depend on where the bytes stand in memory`() {
        let bytes = (0..<77).map { UInt8($0) }
        let row = sealed(bytes, id: 1 << 40)
        for shift in 0..<9 {
            let moved = [UInt8](repeating: 1, count: shift) + row
            #expect(opens(Array(moved[shift...]), id: 1 << 40))
            moved.withUnsafeBytes { moved in
                let row = UnsafeRawBufferPointer(rebasing: moved[shift...])
                #expect((try? BlockSeal.opened(row, id: 1 << 40))?.count == 77)
            }
        }
    }

    @Test func `a page that is changed by SQL is corrupt, not decoded`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t_data(id INTEGER PRIMARY KEY, block BLOB)")
        let store = try BlockStore(database: db, schema: "main", table: "t")
        try [UInt8](1...9).withUnsafeBytes { try store.write(5, $0) }
        #expect(try store.block(5).bytes.elementsEqual(1...9))
        for sql in ["zeroblob(13)", "x''", "substr(block, 2)", "CAST(block AS TEXT)", "NULL", "4"] {
            try db.execute(sql: "SAVEPOINT s; UPDATE t_data SET block = \(sql)")
            #expect(throws: DatabaseError.self, "\(sql)") { try store.uncachedBlock(5) }
            try db.execute(sql: "ROLLBACK TO s; RELEASE s")
        }
        #expect(try store.uncachedBlock(5) != nil)
    }
}
