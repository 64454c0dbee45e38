import ConcordanceSearch
import Foundation

/// How the properties of a record are stored in columns: one set of rules for reading and writing, so that a record can
/// read what it writes.
///
/// Every record type has these rules through `FetchableRecord` and `EncodableRecord`; override a default to change it:
///
/// ```swift
/// struct Event: Codable, FetchableRecord, PersistableRecord {
///     var startDate: Date
///     static let databaseColumnNaming = DatabaseColumnNaming.snakeCase
///     static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy { .millisecondsSince1970 }
/// }
/// ```
public protocol RecordCoding: ColumnNaming {
    /// How dates are stored in a column. By default, as text: `yyyy-MM-dd HH:mm:ss.SSS` in UTC.
    static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy

    /// How UUIDs are stored in a column. By default, as blobs of 16 bytes.
    static func databaseUUIDStrategy(for column: String) -> DatabaseUUIDStrategy

    /// How column names are derived from coding keys. By default, they are the same.
    static var databaseColumnNaming: DatabaseColumnNaming { get }

    /// The encoder that writes a property with several values (an array, dictionary or structure) as JSON. By default:
    /// sorted keys, dates in milliseconds since 1970, data in base64.
    static func databaseJSONEncoder(for column: String) -> JSONEncoder

    /// The decoder that reads the JSON of a property. By default, it reads what the default encoder writes.
    static func databaseJSONDecoder(for column: String) -> JSONDecoder
}

extension RecordCoding {
    public static func databaseColumnName(forCodingKey key: String) -> String { databaseColumnNaming.column(for: key) }

    public static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy { .text }

    public static func databaseUUIDStrategy(for column: String) -> DatabaseUUIDStrategy { .blob }

    public static var databaseColumnNaming: DatabaseColumnNaming { .codingKeys }

    public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.dataEncodingStrategy = .base64
        return encoder
    }

    public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.dataDecodingStrategy = .base64
        return decoder
    }
}

/// How a date is stored in a column.
///
/// With every strategy, text that holds a date is read as a date; the strategy says what a number means.
public enum DatabaseDateStrategy: Sendable {
    /// `yyyy-MM-dd HH:mm:ss.SSS` in UTC, which SQLite's date functions read and which sorts by time. Dates outside the
    /// years 0000 to 9999 are stored as seconds since 1970, a number.
    case text
    /// `yyyy-MM-ddTHH:mm:ssZ`, in whole seconds; dates outside the years 0000 to 9999 as for `text`.
    case iso8601
    /// A floating-point number of seconds since 1970: no precision is lost.
    case timeIntervalSince1970
    /// A floating-point number of seconds since 2001, as Foundation and Core Data count: no precision is lost.
    case timeIntervalSinceReferenceDate
    /// A whole number of seconds since 1970.
    case secondsSince1970
    /// A whole number of milliseconds since 1970.
    case millisecondsSince1970
    /// A conversion of your own.
    case custom(encode: @Sendable (Date) -> DatabaseValue, decode: @Sendable (DatabaseValue) -> Date?)

    func databaseValue(of date: Date) -> DatabaseValue {
        switch self {
        case .text: return date.databaseValue
        case .iso8601:
            guard let milliseconds = date.millisecondsSince1970(rounded: .down),
                let text = DateText.format(millisecondsSince1970: milliseconds)
            else { return .double(date.timeIntervalSince1970) }
            return .text("\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z")
        case .timeIntervalSince1970: return .double(date.timeIntervalSince1970)
        case .timeIntervalSinceReferenceDate: return .double(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970:
            guard let milliseconds = date.millisecondsSince1970(rounded: .down) else {
                return .double(date.timeIntervalSince1970)
            }
            let remainder = milliseconds % 1000
            return .int64((milliseconds - remainder) / 1000 - (remainder < 0 ? 1 : 0))
        case .millisecondsSince1970:
            return date.millisecondsSince1970(rounded: .toNearestOrAwayFromZero).map(DatabaseValue.int64)
                ?? .double(date.timeIntervalSince1970 * 1000)
        case .custom(let encode, _): return encode(date)
        }
    }

    func date(from value: DatabaseValue) -> Date? {
        if case .custom(_, let decode) = self { return decode(value) }
        let number: Double
        switch value {
        case .int64(let integer): number = Double(integer)
        case .double(let double): number = double
        default: return Date.fromDatabaseValue(value)
        }
        switch self {
        case .timeIntervalSinceReferenceDate: return Date(timeIntervalSinceReferenceDate: number)
        case .millisecondsSince1970: return Date(timeIntervalSince1970: number / 1000)
        default: return Date(timeIntervalSince1970: number)
        }
    }
}

/// How a UUID is stored in a column; every form can be read, whichever is written.
public enum DatabaseUUIDStrategy: Sendable {
    /// 16 bytes.
    case blob
    /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`
    case uppercaseString
    /// `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`
    case lowercaseString

    func databaseValue(of uuid: UUID) -> DatabaseValue {
        switch self {
        case .blob: uuid.databaseValue
        case .uppercaseString: .text(uuid.uuidString)
        case .lowercaseString: .text(uuid.uuidString.lowercased())
        }
    }
}

/// How the name of a column is derived from a coding key.
public enum DatabaseColumnNaming: Sendable {
    /// The name is the coding key.
    case codingKeys
    /// `publicationYear` is stored in `publication_year`, `imageURL` in `image_url`.
    case snakeCase
    /// A conversion of your own.
    case custom(@Sendable (String) -> String)

    func column(for key: String) -> String {
        switch self {
        case .codingKeys: key
        case .snakeCase: Self.snakeCase(key)
        case .custom(let name): name(key)
        }
    }

    /// A new word begins at an upper-case letter after a lower-case one or a digit, and at the last of several
    /// upper-case letters when a lower-case one follows.
    private static func snakeCase(_ key: String) -> String {
        let characters = Array(key)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let followsWord = !characters[index - 1].isUppercase
                let beginsWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsWord || beginsWord { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }
}
