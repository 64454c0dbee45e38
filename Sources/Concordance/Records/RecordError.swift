/// An error of a record or a request.
public enum RecordError: Error, Equatable, Sendable {
    /// `update` or `find` found no row with the key, or `insertAndFetch` inserted none because of a conflict.
    case recordNotFound(table: String, key: [String: DatabaseValue])
    /// The table has no primary key that identifies its rows: it is a view.
    case noPrimaryKey(table: String)
    /// The given key does not have the columns of the primary key, or of a unique index.
    case keyMismatch(table: String, given: [String], primaryKey: [String])
    /// The record does not write the column, which is part of the key.
    case missingKeyColumn(record: String, table: String, column: String)
    /// The record writes only NULL to the columns of its key.
    case nullKey(record: String, table: String, columns: [String])
    /// The column to update is one that the record does not write.
    case noSuchColumn(record: String, table: String, column: String, written: [String])
    /// The record writes no columns.
    case noColumns(record: String, table: String)
    /// SQLite stores "not a number" as NULL, so the value would be lost.
    case notANumber(record: String, column: String)
    /// The record's own `encode(to:)` encodes something that a row cannot hold.
    case unsupportedEncoding(record: String, what: String)
    /// The expressions of a request are nested too deeply for SQLite.
    case expressionTooDeep(limit: Int)
    /// The row from which `Joined` is decoded was not fetched by a joining request.
    case notAJoinedRow(columns: [String])
}

extension RecordError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .recordNotFound(let table, let key):
            let values = key.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
            return "No row of table \"\(table)\" has \(values). Insert it, or use save or upsert."
        case .noPrimaryKey(let table):
            return "\"\(table)\" is a view: its rows have no primary key. Filter by columns, or write to its tables."
        case .keyMismatch(let table, let given, let primaryKey):
            return "The primary key of \"\(table)\" is (\(primaryKey.joined(separator: ", "))), not "
                + "(\(given.joined(separator: ", "))). Pass a dictionary with a value for each of its columns, "
                + "or filter by columns."
        case .missingKeyColumn(let record, let table, let column):
            return
                "\(record) does not write column \"\(column)\", the key of table \"\(table)\". Give it a property of "
                + "that name, or update and delete with a request."
        case .nullKey(let record, let table, let columns):
            return "This \(record) has no value for \(columns.joined(separator: ", ")), the key of table \"\(table)\". "
                + "Insert it first, and store the id in didInsert."
        case .noSuchColumn(let record, let table, let column, let written):
            return "\(record) does not write a column \"\(column)\" of table \"\(table)\"; it writes "
                + "\(written.joined(separator: ", "))."
        case .noColumns(let record, let table):
            return
                "\(record) writes no column of table \"\(table)\". Give it properties, or an encode(to:) that sets some."
        case .notANumber(let record, let column):
            return "Property \(column) of \(record) is not a number (NaN), which SQLite cannot store. Make it optional "
                + "and nil."
        case .unsupportedEncoding(let record, let what):
            return "\(record) encodes \(what), which a row cannot hold. Make it a Codable property."
        case .expressionTooDeep(let limit):
            return "The request nests more than \(limit) expressions. Use in(_:) for long lists of values."
        case .notAJoinedRow(let columns):
            return
                "The columns (\(columns.joined(separator: ", "))) do not come from a joining request. Fetch Joined values "
                + "with join or leftJoin."
        }
    }
}
