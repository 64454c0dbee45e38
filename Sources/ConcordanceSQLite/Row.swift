/// The names of a statement's columns, shared by its rows.
final class ColumnNames: Sendable {
    let names: [String]
    /// Whether two columns have the same name.
    let areRepeated: Bool

    init(_ names: [String]) {
        self.names = names
        areRepeated = Set(names).count < names.count
    }

    /// Some of the names of a row, for each row of a join.
    init(_ other: ColumnNames, in range: Range<Int>) {
        names = Array(other.names[range])
        areRepeated = other.areRepeated && Set(names).count < names.count
    }

    /// The first column with that name, ignoring ASCII case as in SQL.
    func index(of name: String) -> Int? {
        // Byte by byte, as SQLite does: strings that are equal in Swift can be two names in SQL.
        if let index = names.firstIndex(where: { $0 == name && $0.utf8.elementsEqual(name.utf8) }) { return index }
        return names.firstIndex { candidate in
            candidate.utf8.count == name.utf8.count
                && zip(candidate.utf8, name.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

/// A row of a result, with its values copied.
///
/// ```swift
/// if let row = try Row.fetchOne(db, sql: "SELECT id, name FROM player") {
///     let id = try row.decode(Int64.self, at: "id")  // or throws
///     let name: String? = row["name"]                // or nil
/// }
/// ```
public struct Row: Sendable {
    let columns: ColumnNames

    /// The values, from left to right.
    public let databaseValues: [DatabaseValue]

    /// The names of the columns, from left to right; some may be equal.
    public var columnNames: [String] { columns.names }

    /// Whether two columns have the same name.
    package var hasRepeatedNames: Bool { columns.areRepeated }

    /// The number of columns.
    public var count: Int { databaseValues.count }

    /// The current row of `statement`.
    init(_ statement: Statement) {
        columns = statement.columns
        databaseValues = columns.names.indices.map { statement.databaseValue(at: $0) }
    }

    /// Creates a row with the given names and values.
    public init(_ columns: [(String, (any DatabaseValueConvertible)?)]) {
        self.columns = ColumnNames(columns.map(\.0))
        databaseValues = columns.map { $0.1?.databaseValue ?? .null }
    }

    /// Returns the index of the first column with that name, ignoring case; nil if none has it.
    public func index(ofColumn name: String) -> Int? { columns.index(of: name) }

    /// Returns whether a column has that name.
    public func hasColumn(_ name: String) -> Bool { index(ofColumn: name) != nil }

    /// The value at `index`; nil if there is no such column.
    public subscript(index: Int) -> DatabaseValue? {
        databaseValues.indices.contains(index) ? databaseValues[index] : nil
    }

    /// The value of a column; nil if there is no such column.
    public subscript(name: String) -> DatabaseValue? { index(ofColumn: name).map { databaseValues[$0] } }

    /// The value at `index`; nil for NULL, for a value that is not a `Value`, and if there is no such column.
    public subscript<Value: DatabaseValueConvertible>(index: Int) -> Value? {
        self[index].flatMap(Value.fromDatabaseValue)
    }

    /// The value of a column; nil for NULL, for a value that is not a `Value`, and if there is no such column.
    public subscript<Value: DatabaseValueConvertible>(name: String) -> Value? {
        self[name].flatMap(Value.fromDatabaseValue)
    }

    /// Returns the value at `index`.
    /// - Throws: SQLITE_MISMATCH if it is not a `Value`, SQLITE_RANGE if there is no such column.
    public func decode<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self, at index: Int) throws -> Value
    {
        guard let value: DatabaseValue = self[index] else {
            throw DatabaseError(resultCode: .SQLITE_RANGE, message: "no column \(index): the row has \(count)")
        }
        if let result = Value.fromDatabaseValue(value) { return result }
        throw DatabaseError.decoding(value, as: type, column: columnNames[index])
    }

    /// Returns the value of a column.
    /// - Throws: SQLITE_MISMATCH if it is not a `Value`, SQLITE_RANGE if there is no such column.
    public func decode<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self, at name: String) throws
        -> Value
    {
        guard let index = index(ofColumn: name) else {
            throw DatabaseError(
                resultCode: .SQLITE_RANGE,
                message:
                    "no column \(name.quotedDatabaseIdentifier): the row has \(columnNames.joined(separator: ", "))")
        }
        return try decode(type, at: index)
    }
}

extension Row: Hashable {
    /// Whether names and values are the same, in the same order.
    public static func == (left: Row, right: Row) -> Bool {
        left.columnNames == right.columnNames && left.databaseValues == right.databaseValues
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columnNames)
        hasher.combine(databaseValues)
    }
}

extension Row: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) { self.init(elements) }
}

extension Row: CustomStringConvertible {
    /// `[id: 1, name: 'Arthur']`
    public var description: String {
        "[" + zip(columnNames, databaseValues).map { "\($0): \($1)" }.joined(separator: ", ") + "]"
    }
}

extension Row: StatementDecodable {
    public static func decode(_ statement: Statement) throws -> Row { Row(statement) }
}
