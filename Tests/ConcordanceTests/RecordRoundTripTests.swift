import Concordance
import Foundation
import TestSupport
import Testing

@Suite("What a record writes it reads")
struct RecordRoundTripTests {
    enum Color: String, Codable { case red, green }
    enum Level: Int, Codable, DatabaseValueConvertible { case low = -1, high = 7 }
    struct Point: Codable, Equatable {
        var x: Double
        var name: String?
    }

    /// A property of every kind, and optional ones that are nil or not.
    struct Everything: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "everything"
        var bool: Bool
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var uint: UInt
        var uint64: UInt64
        var double: Double
        var float: Float
        var string: String
        var date: Date
        var uuid: UUID
        var data: Data
        var bytes: [UInt8]
        var url: URL
        var decimal: Decimal
        var color: Color
        var level: Level
        var point: Point
        var list: [Point]
        var dictionary: [String: Int]
        var set: Set<Int>
        var optionalInt: Int?
        var optionalString: String?
        var optionalDate: Date?
        var optionalColor: Color?
        var optionalLevel: Level?
        var optionalPoint: Point?
        var optionalList: [String]?
        var optionalData: Data?
    }

    static let columns: [String] = {
        var generator = Generator(seed: 0)
        return Mirror(reflecting: generator.everything()).children.compactMap(\.label)
    }()

    @Test(arguments: [0, 1, 2, 3])
    func everyKindOfProperty(seed: UInt64) throws {
        let db = try Database(path: ":memory:")
        // Columns without a type keep values unchanged.
        try db.execute(
            sql: "CREATE TABLE everything (\(Self.columns.map(\.quotedDatabaseIdentifier).joined(separator: ",")))")
        var generator = Generator(seed: seed)
        for _ in 0..<100 {
            let record = generator.everything()
            try record.insert(db)
            let read = try #require(try Everything.order(Column.rowID.desc).fetchOne(db))
            #expect(read == record)
        }
    }

    struct Generator {
        var random: SeededGenerator

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func everything() -> Everything {
            Everything(
                bool: .random(using: &random), int: integer(), int8: integer(), int16: integer(), int32: integer(),
                uint: UInt(truncatingIfNeeded: integer() as Int) >> 1,
                uint64: UInt64.random(in: 0...(.max >> 1), using: &random),
                double: double(), float: Float(double()), string: string(), date: date(), uuid: uuid(),
                data: Data(bytes()), bytes: bytes(), url: url(), decimal: decimal(), color: color(), level: level(),
                point: point(), list: (0..<Int.random(in: 0...3, using: &random)).map { _ in point() },
                dictionary: [string(): integer()], set: [integer(), integer()], optionalInt: maybe { $0.integer() },
                optionalString: maybe { $0.string() }, optionalDate: maybe { $0.date() },
                optionalColor: maybe { $0.color() }, optionalLevel: maybe { $0.level() },
                optionalPoint: maybe { $0.point() }, optionalList: maybe { [$0.string(), $0.string()] },
                optionalData: maybe { Data($0.bytes()) })
        }

        mutating func maybe<T>(_ value: (inout Self) -> T) -> T? { Bool.random(using: &random) ? value(&self) : nil }

        mutating func integer<T: FixedWidthInteger>() -> T {
            [T.min, T.max, 0, 1, T(truncatingIfNeeded: random.next())].randomElement(using: &random) ?? 0
        }

        mutating func double() -> Double {
            let special: [Double] = [
                0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 1e15, -1e300,
            ]
            if Bool.random(using: &random) { return special.randomElement(using: &random) ?? 0 }
            let value = Double(bitPattern: random.next())
            return value.isNaN ? 0.5 : value
        }

        mutating func string() -> String {
            let pieces = ["", "a", "\0", "é", "e\u{301}", "漢字", "👩‍👩‍👧", "'", "\"", "\n", ":join:", "%_", "\u{FEFF}"]
            return (0..<Int.random(in: 0...6, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }

        mutating func bytes() -> [UInt8] {
            (0..<Int.random(in: 0...20, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        }

        /// Whole milliseconds, which the text form keeps; very distant ones too.
        mutating func date() -> Date {
            let special: [Date] = [
                .distantPast, .distantFuture, Date(timeIntervalSince1970: 1e14), Date(timeIntervalSince1970: 0),
            ]
            if Int.random(in: 0..<4, using: &random) == 0 {
                return special.randomElement(using: &random) ?? .distantPast
            }
            return Date(
                timeIntervalSince1970: Double(Int.random(in: -4_000_000_000_000...4_000_000_000_000, using: &random))
                    / 1000)
        }

        mutating func uuid() -> UUID {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }

        mutating func url() -> URL {
            let texts = ["https://example.org/a%20b?q=1#f", "file:///tmp/x", "mailto:a@b.c"]
            return URL(string: texts.randomElement(using: &random) ?? "") ?? URL(fileURLWithPath: "/")
        }

        mutating func decimal() -> Decimal {
            let texts = [
                "0", "0.1", "-12345678901234567890.123456789", "1e100", "99999999999999999999999999999999999999",
            ]
            return Decimal(string: texts.randomElement(using: &random) ?? "") ?? 0
        }

        mutating func color() -> Color { Bool.random(using: &random) ? .red : .green }
        mutating func level() -> Level { Bool.random(using: &random) ? .low : .high }

        mutating func point() -> Point {
            // JSON has no infinity.
            let x = double()
            return Point(x: x.isFinite ? x : 0, name: maybe { $0.string() })
        }
    }

    @Test func strategiesOfDatesAndUUIDs() throws {
        struct Event: Codable, Equatable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "event"
            static let databaseColumnNaming = DatabaseColumnNaming.snakeCase
            var textDate: Date
            var isoDate: Date
            var interval: Date
            var sinceReference: Date
            var seconds: Date
            var milliseconds: Date
            var dayNumber: Date
            var blobUUID: UUID
            var upperUUID: UUID
            var lowerUUID: UUID

            static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy {
                switch column {
                case "iso_date": .iso8601
                case "interval": .timeIntervalSince1970
                case "since_reference": .timeIntervalSinceReferenceDate
                case "seconds": .secondsSince1970
                case "milliseconds": .millisecondsSince1970
                case "day_number":
                    .custom(
                        encode: { .int64(Int64($0.timeIntervalSince1970 / 86_400)) },
                        decode: { Int.fromDatabaseValue($0).map { Date(timeIntervalSince1970: Double($0) * 86_400) } })
                default: .text
                }
            }

            static func databaseUUIDStrategy(for column: String) -> DatabaseUUIDStrategy {
                switch column {
                case "upper_uuid": .uppercaseString
                case "lower_uuid": .lowercaseString
                default: .blob
                }
            }
        }
        let date = Date(timeIntervalSince1970: 1_700_006_400)
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let event = Event(
            textDate: date, isoDate: date, interval: date, sinceReference: date, seconds: date, milliseconds: date,
            dayNumber: Date(timeIntervalSince1970: 86_400 * 5), blobUUID: uuid, upperUUID: uuid, lowerUUID: uuid)
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE event (text_date, iso_date, interval, since_reference, seconds, milliseconds, day_number,
                blob_uuid, upper_uuid, lower_uuid)
                """)
        try event.insert(db)
        #expect(try Event.fetchAll(db) == [event])
        let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM event"))
        let expected: [DatabaseValue] = [
            .text("2023-11-15 00:00:00.000"), .text("2023-11-15T00:00:00Z"), .double(1_700_006_400),
            .double(721_699_200), .int64(1_700_006_400), .int64(1_700_006_400_000), .int64(5),
            uuid.databaseValue, .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            .text("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
        ]
        #expect(row.databaseValues == expected)
        // Requests compare dates and UUIDs in the form in which they are stored.
        #expect(try Event.filter { $0.blobUUID == uuid && $0.upperUUID == uuid }.fetchCount(db) == 1)
        #expect(try Event.filter { $0.lowerUUID.in([uuid]) }.fetchCount(db) == 1)
        #expect(try Event.filter { $0.isoDate == date && $0.milliseconds <= date }.fetchCount(db) == 1)
        #expect(try Event.filter { $0.seconds.between(date, date) && $0.textDate >= date }.fetchCount(db) == 1)
        #expect(try Event.all().updateAll(db) { [$0.seconds.set(to: date + 5), $0.lowerUUID.set(to: uuid)] } == 1)
        #expect(try Event.fetchOne(db)?.seconds == date + 5)
    }

    /// `decode(Date?.self)`, as of a generic property; `decodeIfPresent` decodes a `Date`.
    @Test func datesOfOptionalType() throws {
        struct Event: Decodable, FetchableRecord {
            let time: Date?
            enum Key: CodingKey { case time }
            init(from decoder: any Decoder) throws {
                time = try decoder.container(keyedBy: Key.self).decode(Date?.self, forKey: .time)
            }
            static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy { .millisecondsSince1970 }
        }
        let db = try Database(path: ":memory:")
        let times = try Event.fetchAll(db, sql: "SELECT 1700006400000 AS time UNION ALL SELECT NULL").map(\.time)
        #expect(times == [Date(timeIntervalSince1970: 1_700_006_400), nil])
    }

    @Test(arguments: [
        ("title", "title"), ("imageURL", "image_url"), ("htmlToText", "html_to_text"), ("HTMLText", "html_text"),
    ])
    func snakeCase(_ key: String, _ column: String) throws {
        struct Record: Codable, PersistableRecord {
            static let databaseColumnNaming = DatabaseColumnNaming.snakeCase
            var key: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey(stringValue: key))
            }
        }
        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var container = PersistenceContainer()
        try Record(key: key).encode(to: &container)
        #expect(container.columns == [column])
    }

    @Test func keysAreLookedUpInTheFormInWhichTheyAreStored() throws {
        struct Item: Codable, Equatable, Identifiable, FetchableRecord, PersistableRecord {
            static func databaseUUIDStrategy(for column: String) -> DatabaseUUIDStrategy { .uppercaseString }
            var id = UUID()
            var name: String
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE item (id TEXT PRIMARY KEY, name TEXT)")
        let items = [Item(name: "a"), Item(name: "b")]
        for item in items { try item.insert(db) }
        #expect(try Item.fetchOne(db, id: items[0].id) == items[0])
        #expect(try Item.fetchOne(db, key: ["id": items[1].id]) == items[1])
        #expect(try Item.fetchAll(db, ids: items.map(\.id)).count == 2)
        #expect(try Item.deleteOne(db, key: items[0].id))
        #expect(try items.map { try $0.exists(db) } == [false, true])
    }

    @Test func classesDecodeTheirSuperclassFromTheSameRow() throws {
        class Animal: Codable { var name = "" }
        final class Dog: Animal, FetchableRecord, PersistableRecord {
            static let databaseTableName = "dog"
            var tricks: [String]
            enum CodingKeys: CodingKey { case tricks }

            init(name: String, tricks: [String]) {
                self.tricks = tricks
                super.init()
                self.name = name
            }

            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                tricks = try container.decode([String].self, forKey: .tricks)
                try super.init(from: container.superDecoder())
            }

            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(tricks, forKey: .tricks)
                try super.encode(to: container.superEncoder())
            }
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE dog (name TEXT, tricks TEXT)")
        try Dog(name: "Rex", tricks: ["sit"]).insert(db)
        let dog = try #require(try Dog.fetchOne(db))
        #expect((dog.name, dog.tricks) == ("Rex", ["sit"]))
    }

    @Test func ofColumnsWithOneNameTheFirstCounts() throws {
        struct TitleFirst: Decodable, FetchableRecord {
            var title: String
            var id: Int
        }
        struct IDFirst: Decodable, FetchableRecord {
            var id: Int
            var title: String
        }
        let db = try Database(path: ":memory:")
        let sql = "SELECT 1 AS id, 'x' AS title, 2 AS id"
        #expect(try TitleFirst.fetchOne(db, sql: sql)?.id == 1)
        #expect(try IDFirst.fetchOne(db, sql: sql)?.id == 1)
        #expect(try Row.fetchOne(db, sql: sql)?["id"] == 1)
    }

    @Test func recordsThatReadRowsThemselves() throws {
        struct Place: FetchableRecord {
            var position: (Double, Double)
            init(row: Row) throws { position = (try row.decode(at: "latitude"), try row.decode(at: "longitude")) }
        }
        let db = try Database(path: ":memory:")
        let place = try #require(try Place.fetchOne(db, sql: "SELECT 1.5 AS latitude, 2 AS longitude"))
        #expect(place.position == (1.5, 2))
    }
}
