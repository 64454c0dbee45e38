import ConcordanceFTS5
import ConcordanceSQLite

/// A value that the installed index stores, with the name that SQL over the indexed table uses for it.
struct StoredField: Sendable {
    /// The name of the field, which is also that of the full-text table's column.
    let name: String
    /// The column it comes from; nil for a joined or computed value, which has its own name.
    let column: String?
    /// How the column converts a value that it is compared with.
    let affinity: Affinity
    /// Whether the installed index stores it; otherwise it will after the next `install`.
    let isKept: Bool

    /// Whether the engine compares with a value as SQLite compares the column: in a column of numbers, a text that is
    /// not a number stays a text, such as a date.
    func takes(_ value: DatabaseValue) -> Bool {
        switch value {
        // Of a value as long as this, the index may have only the beginning.
        case .text(let text) where text.utf8.count >= IndexSchema.wholeValueLimit: return false
        case .blob(let bytes) where bytes.count >= IndexSchema.wholeValueLimit: return false
        default: break
        }
        guard column != nil else { return !value.isNull }
        switch (affinity, value) {
        case (_, .null): return false
        case (.numeric, .int64), (.numeric, .double), (.text, .text), (.blob, _): return true
        case (.numeric, .text(let text)): return !Self.mayBeNumber(text)
        case (.numeric, _), (.text, _): return false
        }
    }

    /// Whether SQLite might read the text as a number: only digits, points, signs, exponents and space.
    private static func mayBeNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "e"),
                UInt8(ascii: "E"), UInt8(ascii: " "), 0x09...0x0D, 0:
                true
            default: false
            }
        } || Double(text) != nil
    }
}

/// The values of an installed index, and the names that SQL may give them.
struct StoredFields: Sendable {
    let table: String
    /// The columns of the indexed table, in lower case.
    let columns: Set<String>
    let fields: [StoredField]

    private init(table: String, columns: Set<String>, fields: [StoredField]) {
        self.table = table
        self.columns = columns
        self.fields = fields
    }

    /// The values of a definition. A value whose column compares texts by a collation counts as not stored, because the
    /// engine compares bytes.
    init(_ definition: IndexDefinition, of table: TableSchema, in db: Database) throws {
        let values = definition.fields.filter(\.isValue)
        var fields: [StoredField] = []
        if !values.isEmpty {
            let kept = try Self.keptNames(definition.name, in: db)
            for field in values {
                var isKept = kept.contains(field.name.lowercasedASCII)
                var column: ColumnInfo?
                switch field.source {
                case .column(let name):
                    column = table.columns.first { $0.name.equalsIgnoringASCIICase(name) }
                    guard let column else { continue }
                    isKept = try isKept && Self.isBinary(column.name, table.name, in: db)
                case .related(let relation):
                    isKept =
                        try isKept
                        && relation.steps.last.map { try Self.isBinary(relation.column, $0.table, in: db) } == true
                case .expression, .invalid: break
                }
                fields.append(
                    StoredField(
                        name: field.name, column: column?.name, affinity: Affinity(declaredType: column?.type ?? ""),
                        isKept: isKept))
            }
        }
        self.init(table: table.name, columns: Set(table.columns.map(\.name.lowercasedASCII)), fields: fields)
    }

    private static func isBinary(_ column: String, _ table: String, in db: Database) throws -> Bool {
        try db.collation(of: column, in: table).equalsIgnoringASCIICase("BINARY")
    }

    /// The VALUE columns of the installed full-text table, in lower case.
    private static func keptNames(_ index: String, in db: Database) throws -> Set<String> {
        guard let sql = try IndexRecord.fullTextTable(index, in: db), let statement = VirtualTableStatement(sql) else {
            return []
        }
        let options = try TableOptions(parsing: statement.arguments, table: index) { _ in }
        return Set(options.columns.filter(\.isValue).map(\.name.lowercasedASCII))
    }

    /// The values that the installed index stores.
    var kept: StoredFields { StoredFields(table: table, columns: columns, fields: fields.filter(\.isKept)) }

    /// The value that a name in SQL stands for; nil for any other.
    func field(_ name: String, of qualifier: String?) -> StoredField? {
        if let qualifier, !qualifier.equalsIgnoringASCIICase(table) { return nil }
        let isColumn = columns.contains(name.lowercasedASCII)
        return fields.first {
            if let column = $0.column {
                isColumn && column.equalsIgnoringASCIICase(name)
            } else {
                !isColumn && $0.name.equalsIgnoringASCIICase(name)
            }
        }
    }
}
