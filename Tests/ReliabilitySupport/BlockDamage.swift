import ConcordanceEngine
import ConcordanceSQLite
import TestSupport

/// One change by hand to the rows of an index.
enum BlockDamage {
    /// Damages a row of a random kind; returns the kind, which is the stream of a segment or -1 for the manifest, and
    /// what was done.
    static func random(
        _ db: Database, isForged: Bool, _ random: inout SeededGenerator
    ) throws -> (kind: Int64, damage: String) {
        let ids = try Int64.fetchAll(db, sql: "SELECT id FROM t_data ORDER BY id")
        // Kinds have many rows or one.
        let kinds = Dictionary(grouping: ids) { $0 < 1 << 28 ? -1 : $0 >> 28 & 0xF }
        guard let kind = kinds.keys.sorted().randomElement(using: &random),
            let id = kinds[kind]?.randomElement(using: &random), let other = ids.randomElement(using: &random)
        else { return (-1, "nothing") }
        return (kind, try change(id, other, db, isForged: isForged, &random))
    }

    private static func change(
        _ id: Int64, _ other: Int64, _ db: Database, isForged: Bool, _ random: inout SeededGenerator
    ) throws -> String {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try db.execute(sql: "DELETE FROM t_data WHERE id = ?", arguments: [id])
        case 1:
            let value = ["NULL", "'text'", "7", "x''", "1e9", "zeroblob(20000)"].randomElement(using: &random) ?? "7"
            try db.execute(sql: "UPDATE t_data SET block = \(value) WHERE id = ?", arguments: [id])
            return "row \(id) is \(value)"
        case 2:
            try db.execute(
                sql: "UPDATE t_data SET block = (SELECT block FROM t_data WHERE id = ?) WHERE id = ?",
                arguments: [other, id])
            return "row \(id) is row \(other)"
        default:
            let row = try Row.fetchOne(db, sql: "SELECT block FROM t_data WHERE id = ?", arguments: [id])
            // Damaged before, it may not be a blob.
            let old: [UInt8] = row?[0] ?? []
            var bytes = isForged ? Array(old.dropLast(BlockSeal.byteCount)) : old
            let change = changed(&bytes, &random)
            if isForged {
                bytes += [UInt8](repeating: 0, count: BlockSeal.byteCount)
                bytes.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
            }
            try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [bytes, id])
            return "row \(id), \(old.count) bytes: \(change)"
        }
        return "row \(id) is gone"
    }

    private static func changed(_ bytes: inout [UInt8], _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            return "cut to \(bytes.count)"
        case 1:
            bytes += (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            return "extended to \(bytes.count)"
        case 2 where !bytes.isEmpty:
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 2...9, using: &random))
            let byte: UInt8 = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            for i in start..<end { bytes[i] = byte }
            return "\(start)..<\(end) is \(byte)"
        case 3 where bytes.count > 1:
            let first = Int.random(in: 0..<bytes.count, using: &random)
            let second = Int.random(in: 0..<bytes.count, using: &random)
            bytes.swapAt(first, second)
            return "\(first) and \(second) swapped"
        case 5, 6:
            guard !bytes.isEmpty else { return "empty" }
            // Counts and sizes are stored like this: a number as large as possible, in place of a byte.
            let limit = Bool.random(using: &random) ? min(bytes.count, 40) : bytes.count
            let index = Int.random(in: 0..<limit, using: &random)
            let bits = Int.random(in: 7...64, using: &random)
            bytes.replaceSubrange(index...index, with: greatestVarint(bits))
            return "\(index) is a varint of \(bits) bits"
        case 4 where !bytes.isEmpty:
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes.remove(at: index)
            return "\(index) removed"
        default:
            guard !bytes.isEmpty else { return "empty" }
            // Most of what matters is near the beginning.
            let limit = Bool.random(using: &random) ? min(bytes.count, 24) : bytes.count
            let index = Int.random(in: 0..<limit, using: &random)
            bytes[index] =
                Bool.random(using: &random)
                ? bytes[index] ^ 1 << UInt8.random(in: 0..<8, using: &random)
                : UInt8.random(in: 0...255, using: &random)
            return "\(index) is \(bytes[index])"
        }
    }

    /// The greatest number of this many bits, in LEB128.
    private static func greatestVarint(_ bits: Int) -> [UInt8] {
        var value = UInt64.max >> UInt64(64 - bits)
        var bytes: [UInt8] = []
        while value >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 128)
            value >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: value)]
    }
}
