import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Values go in and come out unchanged")
struct ValueTests {
    static func randomValue(_ random: inout SeededGenerator) -> DatabaseValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .null
        case 1: return .int64(Int64.random(in: .min ... .max, using: &random))
        case 2: return .int64([Int64.min, -1, 0, 1, Int64.max].randomElement(using: &random) ?? 0)
        case 3:
            let value = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            return value.isNaN ? .double(.infinity) : .double(value)
        case 4:
            return .double(
                [0.0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 5, 6:
            let scalars = (0..<Int.random(in: 0..<20, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
            }
            return .text(String(String.UnicodeScalarView(scalars)))
        default:
            return .blob((0..<Int.random(in: 0..<20, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomValuesRoundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
        let rows = (0..<50).map { _ in (0..<3).map { _ in Self.randomValue(&random) } }
        for row in rows { try db.execute(sql: "INSERT INTO t (a, b, c) VALUES (?, ?, ?)", arguments: .init(row)) }
        let read = try Row.fetchAll(db, sql: "SELECT a, b, c FROM t ORDER BY id").map(\.databaseValues)
        #expect(read == rows)
        // The same by the accessors that copy nothing.
        var index = 0
        try db.makeStatement(sql: "SELECT a, b, c FROM t ORDER BY id").forEachRow { row in
            for column in 0..<3 {
                let expected = rows[index][column]
                switch row.storageClass(at: column) {
                case .null: #expect(expected == .null)
                case .integer: #expect(expected == .int64(row.int64(at: column)))
                case .real: #expect(expected == .double(row.double(at: column)))
                case .text: #expect(expected == .text(row.string(at: column) ?? ""))
                case .blob: #expect(expected == .blob(row.withBytes(at: column) { Array($0) }))
                }
            }
            index += 1
        }
        #expect(index == rows.count)
    }

    @Test func emptyTextAndBlobAreNotNull() throws {
        let db = try Database(path: ":memory:")
        let row = try Row.fetchOne(
            db, sql: "SELECT typeof(?1), ?1, typeof(?2), ?2, typeof(?3)", arguments: ["", [] as [UInt8], nil])
        #expect(row?.databaseValues == [.text("text"), .text(""), .text("blob"), .blob([]), .text("null")])
    }

    @Test func nulCharactersStayInTexts() throws {
        let db = try Database(path: ":memory:")
        let row = try #require(try Row.fetchOne(db, sql: "SELECT ?1, length(CAST(?1 AS BLOB))", arguments: ["a\0b\0"]))
        #expect(row[0] == "a\0b\0")
        #expect(row[1] == 4)
    }

    @Test func notANumberIsNull() throws {
        let db = try Database(path: ":memory:")
        #expect(
            try Row.fetchOne(db, sql: "SELECT ?, ?", arguments: [Double.nan, Float.nan])?.databaseValues == [
                .null, .null,
            ])
        try db.execute(sql: "SELECT ?", arguments: [DatabaseValue.double(.nan)])
    }

    @Test func invalidUTF8IsRepairedAndItsBytesAreThere() throws {
        let db = try Database(path: ":memory:")
        let sql = "SELECT CAST(x'61FF62' AS TEXT) AS t"
        #expect(try String.fetchOne(db, sql: sql) == "a\u{FFFD}b")
        #expect(try [UInt8].fetchOne(db, sql: sql) == [0x61, 0xFF, 0x62])
        #expect(try Row.fetchOne(db, sql: sql) == ["t": "a\u{FFFD}b"])
        #expect(throws: DatabaseError.self) { try String.fetchOne(db, sql: "SELECT x'61FF62'") }
        #expect(try String.fetchOne(db, sql: "SELECT x'C3A9'") == "é")
    }

    @Test func integersConvertExactlyOrNotAtAll() throws {
        #expect(Int64.max.databaseValue == .int64(.max))
        #expect(UInt8.fromDatabaseValue(.int64(255)) == 255)
        #expect(UInt8.fromDatabaseValue(.int64(256)) == nil)
        #expect(UInt8.fromDatabaseValue(.int64(-1)) == nil)
        #expect(UInt64.fromDatabaseValue(.int64(-1)) == nil)
        #expect(Int.fromDatabaseValue(.double(3)) == 3)
        #expect(Int.fromDatabaseValue(.double(3.5)) == nil)
        #expect(Int.fromDatabaseValue(.double(1e300)) == nil)
        #expect(Int.fromDatabaseValue(.double(.nan)) == nil)
        #expect(Int.fromDatabaseValue(.text("3")) == nil)
        #expect(Bool.fromDatabaseValue(.int64(2)) == true)
        #expect(Bool.fromDatabaseValue(.text("true")) == nil)
        #expect(Double.fromDatabaseValue(.int64(3)) == 3)
        #expect(String.fromDatabaseValue(.int64(3)) == nil)
        #expect(Int?.fromDatabaseValue(.null) == .some(nil))
        #expect(Int?.fromDatabaseValue(.text("x")) == nil)
    }

    @Test func tooLargeIntegersAreRefusedWhereTheyAreBound() throws {
        let db = try Database(path: ":memory:")
        #expect(try Int64.fetchOne(db, sql: "SELECT ?", arguments: [UInt64(Int64.max)]) == .max)
        for value in [UInt64(Int64.max) + 1, .max] {
            let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT ?", arguments: [value]) }
            #expect(error?.resultCode == .SQLITE_TOOBIG)
            #expect(throws: DatabaseError.self) { try db.execute("SELECT \(value)") }
        }
    }

    enum Suit: String, DatabaseValueConvertible { case hearts, spades }

    @Test func rawValuesConvert() throws {
        let db = try Database(path: ":memory:")
        #expect(try Suit.fetchAll(db, sql: "VALUES (?), ('hearts')", arguments: [Suit.spades]) == [.spades, .hearts])
        let error = #expect(throws: DatabaseError.self) { try Suit.fetchAll(db, sql: "VALUES ('clubs')") }
        #expect(error?.resultCode == .SQLITE_MISMATCH)
    }

    @Test func absentColumnsAreNilOrErrors() throws {
        let db = try Database(path: ":memory:")
        let row = try #require(try Row.fetchOne(db, sql: "SELECT 1 AS a, NULL AS b, 2 AS A"))
        let absent: [Int?] = [row[3], row[-1], row[.max], row["c"], row["b"]]
        #expect(absent == [nil, nil, nil, nil, nil])
        #expect(row["A"] == 2)
        #expect(row["a"] == 1)
        for attempt in [
            { try row.decode(Int.self, at: 3) }, { try row.decode(Int.self, at: -1) }, { try row.decode(at: "c") },
            { try row.decode(at: "b") },
        ] {
            #expect(throws: DatabaseError.self) { try attempt() }
        }
        let statement = try db.makeStatement(sql: "SELECT 1")
        for index in [-1, 0, 1, Int.min, Int.max] {  // without a row, every column is NULL
            #expect(statement.int64(at: index) == 0)
            #expect(statement.string(at: index) == nil)
            #expect(statement.isNull(at: index))
            #expect(statement.withBytes(at: index) { $0.count } == 0)
        }
        #expect(throws: DatabaseError.self) { try statement.decode(Int.self, at: 1) }
    }

    @Test func oneValueMayBeAbsentOrNull() throws {
        let db = try Database(path: ":memory:")
        #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
        #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
        #expect(try Int?.fetchOne(db, sql: "SELECT NULL") == .some(nil))
        #expect(try Int?.fetchAll(db, sql: "VALUES (1), (NULL)") == [1, nil])
        #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: "VALUES (1), (NULL)") }
        #expect(try Int.fetchSet(db, sql: "VALUES (1), (2), (1)") == [1, 2])
        #expect(try Int.fetchAll(db, sql: "CREATE TABLE t (a)") == [])
    }
}
