import ConcordanceSQLite
import ConcordanceText

/// Reads the texts of the fields of hits; values are not texts.
///
/// The text of a field that is a column of the indexed table is in the row that the record is decoded from, and is
/// shared with it. Only other fields are read from the full-text table: text of related rows, expressions, real numbers,
/// which SQLite converts to text, and texts whose language the row names, which only their marker tells.
struct FieldTexts {
    private let definition: IndexDefinition
    private let sql: SearchSQL
    private let db: Database
    /// The index of each field in a row; nil if it is not there.
    private let columns: [Int?]
    /// The fields that were read last, and the statement for them.
    private var lookup: (fields: [Int], rows: RowLookup)?

    /// - Parameter row: One of the rows that `texts(of:row:)` gets.
    init(_ definition: IndexDefinition, _ sql: SearchSQL, like row: Row?, in db: Database) {
        self.definition = definition
        self.sql = sql
        self.db = db
        columns = definition.fields.map { field in
            guard sql.selectsAllColumns, case .column(let name) = field.source, definition.languages(of: field).isEmpty
            else { return nil }
            return row?.index(ofColumn: name)
        }
    }

    /// The values of the fields of a row; nil if the full-text table lacks the row.
    mutating func texts(of id: Int64, row: Row) throws -> HitTexts? {
        var texts: [DatabaseValue] = []
        var language: TextLanguage?
        texts.reserveCapacity(columns.count)
        var missing: [Int] = []
        for (field, column) in columns.enumerated() {
            texts.append(column.map { row.databaseValues[$0] } ?? .null)
            if definition.fields[field].isValue { continue }
            if column == nil || texts[field].isReal { missing.append(field) }
        }
        if missing.isEmpty { return HitTexts(values: texts, language: nil) }
        if lookup?.fields != missing { lookup = (missing, try RowLookup(sql.texts(missing), in: db)) }
        guard let lookup, try lookup.rows.step(to: id) else { return nil }
        for (index, field) in missing.enumerated() {
            let value = lookup.rows.statement.databaseValue(at: index)
            guard definition.marksTexts(of: definition.fields[field]) else {
                texts[field] = value
                continue
            }
            let text = value.fieldText
            language = language ?? definition.language(of: text, in: definition.fields[field])
            texts[field] = .text(FieldMarker.removed(from: text))
        }
        return HitTexts(values: texts, language: language)
    }
}

/// The values of the fields of a row, and the language that the row names.
struct HitTexts: Hashable, Sendable {
    let values: [DatabaseValue]
    let language: TextLanguage?
}

/// A statement that returns one row by its rowid, the last argument.
struct RowLookup {
    let statement: Statement
    private let parameter: Int

    init(_ sql: SQL, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql.sql)
        try statement.setArguments(sql.arguments)
        parameter = statement.parameterCount
    }

    func step(to id: Int64) throws -> Bool {
        statement.reset()
        try statement.bind(.int64(id), at: parameter)
        return try statement.step()
    }
}

extension DatabaseValue {
    /// The text of a field that has this value.
    var fieldText: String {
        switch self {
        case .null: ""
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    fileprivate var isReal: Bool {
        if case .double = self { true } else { false }
    }
}
