import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Stored values` {
    @Test
    func `have one order, in which a value is equal to itself only`() {
        let values = ValueGenerator.edges
        for left in values {
            for right in values {
                let order = left.compared(to: right).signum()
                #expect(order == -right.compared(to: left).signum(), "\(left) and \(right)")
                #expect([left < right, right < left, left == right].count { $0 } == 1)
                #expect(order >= 0 || left < right, "\(left) and \(right)")
                #expect(left != right || left.hashValue == right.hashValue)
                for third in values where left < right && right < third {
                    #expect(left < third, "\(left), \(right) and \(third)")
                }
            }
        }
    }

    @Test
    func `compare numbers without rounding`() {
        #expect(StoredValue.integer(1).comparesEqual(.real(1)))
        #expect(StoredValue.integer(1) < .real(1))
        #expect(StoredValue.integer(1 << 53 + 1).compared(to: .real(0x1p53)) > 0)
        #expect(StoredValue.integer(.max).compared(to: .real(0x1p63)) < 0)
        #expect(StoredValue.integer(.min).comparesEqual(.real(-0x1p63)))
        #expect(StoredValue.real(.nan) == .null)
        #expect(StoredValue.real(-0.0) == .real(0))
    }

    @Test
    func `are in SQLite's order`() throws {
        let db = try Database(path: ":memory:")
        var generator = ValueGenerator(seed: 600)
        let values = ValueGenerator.edges + (0..<60).map { _ in generator.any() }
        try db.execute(sql: "CREATE TABLE v(id INTEGER PRIMARY KEY, value)")
        for value in values {
            // A text may be invalid UTF-8.
            var argument = DatabaseValue.null
            var sql = "INSERT INTO v(value) VALUES (?)"
            switch value {
            case .null: break
            case .integer(let integer): argument = .int64(integer)
            case .real(let real): argument = .double(real)
            case .text(let bytes):
                argument = .blob(bytes)
                sql = "INSERT INTO v(value) VALUES (CAST(? AS TEXT))"
            case .blob(let bytes): argument = .blob(bytes)
            }
            try db.execute(sql: sql, arguments: [argument])
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT a.id, b.id, a.value < b.value, a.value = b.value, a.value IS b.value
                FROM v AS a, v AS b
                """)
        #expect(rows.count == values.count * values.count)
        for row in rows.map(\.databaseValues) {
            guard case .int64(let first) = row[0], case .int64(let second) = row[1] else { continue }
            let (left, right) = (values[Int(first) - 1], values[Int(second) - 1])
            let order = left.compared(to: right)
            if left != .null, right != .null {
                #expect(row[2] == .int64(order < 0 ? 1 : 0), "\(left) < \(right)")
                #expect(row[3] == .int64(order == 0 ? 1 : 0), "\(left) = \(right)")
            }
            #expect(row[4] == .int64(order == 0 ? 1 : 0), "\(left) IS \(right)")
        }
        let sorted = try Row.fetchAll(db, sql: "SELECT id FROM v ORDER BY value").map(\.databaseValues)
        let ordered = sorted.compactMap { row -> StoredValue? in
            guard case .int64(let id) = row[0] else { return nil }
            return values[Int(id) - 1]
        }
        let isAscending = zip(ordered, ordered.dropFirst()).allSatisfy { $0.compared(to: $1) <= 0 }
        #expect(isAscending && ordered.count == values.count)
    }
}
