// How the standard library's types convert. Reading is exact or nil: a REAL is read as an integer only if it is one, an
// integer as a narrower type only if it fits, and a text never as a number.

/// Integers that may or may not fit into SQLite's 64 bits.
extension DatabaseValueConvertible where Self: FixedWidthInteger {
    /// The integer; its decimal text if it is greater than `Int64.max`, which `databaseValueToBind` rejects.
    public var databaseValue: DatabaseValue {
        if let value = Int64(exactly: self) { return .int64(value) }
        return .text(String(self))
    }

    public func databaseValueToBind() throws -> DatabaseValue {
        guard let value = Int64(exactly: self) else {
            throw DatabaseError(
                resultCode: .SQLITE_TOOBIG, message: "\(self) is greater than SQLite's largest integer, \(Int64.max)",
                advice: "Store it as text or as a blob, or its bit pattern as an Int64.")
        }
        return .int64(value)
    }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        switch value {
        case .int64(let integer): Self(exactly: integer)
        case .double(let real): Self(exactly: real)
        default: nil
        }
    }

    @inlinable
    public static func fromStatement(_ statement: Statement, at index: Int) -> Self? {
        switch statement.storageClass(at: index) {
        case .integer: Self(exactly: statement.int64(at: index))
        case .real: Self(exactly: statement.double(at: index))
        default: nil
        }
    }
}

extension Int: DatabaseValueConvertible {}
extension Int8: DatabaseValueConvertible {}
extension Int16: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}
extension UInt: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}

extension Bool: DatabaseValueConvertible {
    /// 0 or 1.
    public var databaseValue: DatabaseValue { .int64(self ? 1 : 0) }

    /// False for the number 0, true for any other, as in SQL.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
        switch value {
        case .int64(let integer): integer != 0
        case .double(let real): real != 0
        default: nil
        }
    }
}

extension Double: DatabaseValueConvertible {
    /// The number; NULL for NaN, which SQLite does not store.
    public var databaseValue: DatabaseValue { isNaN ? .null : .double(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
        switch value {
        case .int64(let integer): Double(integer)
        case .double(let real): real
        default: nil
        }
    }

    @inlinable
    public static func fromStatement(_ statement: Statement, at index: Int) -> Double? {
        switch statement.storageClass(at: index) {
        case .integer, .real: statement.double(at: index)
        default: nil
        }
    }
}

extension Float: DatabaseValueConvertible {
    /// The number; NULL for NaN, which SQLite does not store.
    public var databaseValue: DatabaseValue { Double(self).databaseValue }

    /// The nearest `Float`.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Float? {
        Double.fromDatabaseValue(value).map { Float($0) }
    }
}

extension String: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(self) }

    /// A text, or a blob that is valid UTF-8.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
        switch value {
        case .text(let text): text
        case .blob(let bytes): valid(bytes)
        default: nil
        }
    }

    public static func fromStatement(_ statement: Statement, at index: Int) -> String? {
        switch statement.storageClass(at: index) {
        case .text: statement.string(at: index)
        case .blob: statement.withBytes(at: index) { valid($0) }
        default: nil
        }
    }

    /// The bytes as a string if they are valid.
    private static func valid(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

extension Substring: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(String(self)) }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Substring? {
        String.fromDatabaseValue(value).map { $0[...] }
    }
}

extension Array: StatementDecodable, DatabaseValueConvertible where Element == UInt8 {
    /// A blob.
    public var databaseValue: DatabaseValue { .blob(self) }

    /// A blob, or the UTF-8 of a text.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> [UInt8]? {
        switch value {
        case .blob(let bytes): bytes
        case .text(let text): Array(text.utf8)
        default: nil
        }
    }

    /// A blob, or the bytes of a text as they are in the file, valid UTF-8 or not.
    public static func fromStatement(_ statement: Statement, at index: Int) -> [UInt8]? {
        switch statement.storageClass(at: index) {
        case .text, .blob: statement.withBytes(at: index) { Array($0) }
        default: nil
        }
    }
}

extension Optional: StatementDecodable, DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    /// NULL for nil.
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
    public func databaseValueToBind() throws -> DatabaseValue { try self?.databaseValueToBind() ?? .null }

    /// nil, as a value, for NULL; no value for a value other than NULL that cannot be converted.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Wrapped?? {
        if let wrapped = Wrapped.fromDatabaseValue(value) { return .some(wrapped) }
        return value.isNull ? .some(nil) : nil
    }

    public static func fromStatement(_ statement: Statement, at index: Int) -> Wrapped?? {
        if let wrapped = Wrapped.fromStatement(statement, at: index) { return .some(wrapped) }
        return statement.isNull(at: index) ? .some(nil) : nil
    }
}
