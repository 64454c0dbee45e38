import ConcordanceSQLite

/// The value of a term of the order, by which a cursor finds its place again.
enum PlaceValue: Hashable, Sendable {
    case value(DatabaseValue)
    /// A text that is no valid UTF-8. As a `DatabaseValue` it would be another text, with another place.
    case invalidText([UInt8])

    init(_ statement: Statement, at index: Int) {
        let value = statement.databaseValue(at: index)
        self = .value(value)
        // What is not valid reads as U+FFFD.
        guard case .text(let text) = value, text.unicodeScalars.contains("\u{FFFD}") else { return }
        statement.withBytes(at: index) { bytes in
            if !bytes.elementsEqual(text.utf8) { self = .invalidText(Array(bytes)) }
        }
    }

    var isNull: Bool { self == .value(.null) }

    /// The value in SQL, without an affinity (https://www.sqlite.org/datatype3.html#affinity_of_expressions).
    var sql: SQL {
        switch self {
        case .value(let value): "\(value)"
        case .invalidText(let bytes): "+CAST(\(DatabaseValue.blob(bytes)) AS TEXT)"
        }
    }

    func combine(into hash: inout XXHash64) {
        switch self {
        case .value(let value): hash.combine(value)
        case .invalidText(let bytes): hash.combine(.blob(bytes))
        }
    }
}
