import Foundation

/// Dates are stored as text, `yyyy-MM-dd HH:mm:ss.SSS` in UTC, which SQLite's date functions read and which sorts by
/// time. All of SQLite's forms of a date can be read, with or without time and zone, and numbers as seconds since 1970.
///
/// The text holds milliseconds. Dates outside the years 0000 to 9999, which it cannot hold, are stored as a number of
/// seconds since 1970.
extension Date: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue {
        guard let milliseconds = millisecondsSince1970(rounded: .toNearestOrAwayFromZero),
            let text = DateText.format(millisecondsSince1970: milliseconds)
        else { return .double(timeIntervalSince1970) }
        return .text(text)
    }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Date? {
        switch value {
        case .text(let text): DateText.parse(text).map(Date.init(timeIntervalSince1970:))
        case .int64(let seconds): Date(timeIntervalSince1970: Double(seconds))
        case .double(let seconds): Date(timeIntervalSince1970: seconds)
        case .null, .blob: nil
        }
    }

    /// Nil for dates so distant that milliseconds exceed 64 bits, and for NaN.
    func millisecondsSince1970(rounded rule: FloatingPointRoundingRule) -> Int64? {
        Int64(exactly: (timeIntervalSince1970 * 1000).rounded(rule))
    }
}

/// UUIDs are stored as blobs of 16 bytes; blobs and texts such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F` can be read.
extension UUID: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .blob(withUnsafeBytes(of: uuid) { Array($0) }) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
        switch value {
        case .blob(let bytes) where bytes.count == 16:
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case .text(let text): UUID(uuidString: text)
        default: nil
        }
    }
}

/// Data is stored as a blob; a text is read as its UTF-8 bytes.
extension Data: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .blob(Array(self)) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
        switch value {
        case .blob(let bytes): Data(bytes)
        case .text(let text): Data(text.utf8)
        default: nil
        }
    }
}

/// URLs are stored as text.
extension URL: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(absoluteString) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
        if case .text(let text) = value { URL(string: text) } else { nil }
    }
}

/// Decimals are stored as text, with every digit; texts and numbers can be read.
///
/// Declare the column with type TEXT: a column of a numeric type would turn the text into a floating-point number.
extension Decimal: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(NSDecimalNumber(decimal: self).description(withLocale: posix)) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Decimal? {
        switch value {
        case .text(let text): Decimal(exactly: text)
        case .int64(let integer): Decimal(integer)
        case .double(let double): double.isFinite ? Decimal(double) : nil
        case .null, .blob: nil
        }
    }

    /// The number, if the whole text is one: sign, digits, a point, an exponent. Foundation's own parser stops silently
    /// at the first byte that it does not know.
    private init?(exactly text: String) {
        guard Self.isNumber(text.utf8[...]) || text == "NaN", let decimal = Decimal(string: text, locale: posix) else {
            return nil
        }
        self = decimal
    }

    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        func skip(_ bytes: StaticString) -> Bool {
            guard let first = rest.first, bytes.withUTF8Buffer({ $0.contains(first) }) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func skipDigits() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        _ = skip("+-")
        var digits = skipDigits()
        if skip(".") { digits += skipDigits() }
        guard digits > 0 else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

private let posix = Locale(identifier: "en_US_POSIX")
