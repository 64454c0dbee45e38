import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// What no two rows of a table may share: the rowid, a primary key, a unique constraint or index.
package struct UniqueKey: Sendable {
    /// A plain column of the key.
    package struct Column: Hashable, Sendable {
        package let name: String
        /// Whether rows with equal keys also count as equal in this column for a join.
        package let joinsAlike: Bool
    }

    /// Whether it is the rowid; all its columns are then names of the same value.
    package let isRowID: Bool
    /// The plain columns; nil for a key that has expressions, or that only some rows have.
    package let columns: [Column]?
    /// All columns on which it depends, including those in expressions and conditions.
    package let columnsRead: [String]
    /// SQL that, in a query of the table, is true of the rows that have the key of NEW. It is true of at least those:
    /// for a key with expressions, or one that only some rows have, it may be true of more.
    package let matchesNew: String
}

extension UniqueKey {
    /// The keys of a table; the rowid comes first if there is one.
    ///
    /// - Parameter rowID: A name of the rowid.
    package static func all(
        of table: String, in schema: String, rowID: String?, _ db: Database
    ) throws -> [UniqueKey] {
        var keys: [UniqueKey] = []
        if let rowID {
            let alias = try db.primaryKey(table, schema: schema).rowIDColumn
            let names = [alias, rowID].compactMap(\.self)
            let row = rowID.quotedDatabaseIdentifier
            keys.append(
                UniqueKey(
                    isRowID: true, columns: names.map { Column(name: $0, joinsAlike: true) },
                    columnsRead: ["rowid", "_rowid_", "oid"] + names,
                    matchesNew: "\(table.quotedDatabaseIdentifier).\(row) = NEW.\(row)"))
        }
        let columns = try db.columns(in: table, schema: schema)
        let indexes = try Row.fetchAll(
            db,
            sql: """
                SELECT l.name, s.sql FROM pragma_index_list(?, ?) AS l
                LEFT JOIN \(schema.quotedDatabaseIdentifier).sqlite_schema AS s ON s.type = 'index' AND s.name = l.name
                WHERE l."unique" ORDER BY l.name
                """, arguments: [table, schema])
        for index in indexes {
            let reader = UniqueIndex(
                name: index["name"] ?? "", sql: index["sql"], table: table, schema: schema, tableColumns: columns)
            keys.append(try reader.key(db))
        }
        return keys
    }

    /// The ordinary columns from which generated columns in keys are computed.
    ///
    /// A BEFORE UPDATE trigger that reads a generated column of NEW must name them: SQLite fetches only the columns
    /// that a trigger names, and computes generated columns from what it has fetched.
    package static func sourcesOfGeneratedColumns(
        in keys: [UniqueKey], of table: String, in schema: String, _ db: Database
    ) throws -> [String] {
        let columns = try db.columns(in: table, schema: schema)
        let generated = columns.filter { $0.kind != .ordinary }.map(\.name)
        guard keys.contains(where: { !$0.isRowID && $0.columnsRead.contains(where: generated.contains) }) else {
            return []
        }
        let sql = try String.fetchOne(
            db,
            sql: """
                SELECT sql FROM \(schema.quotedDatabaseIdentifier).sqlite_schema
                WHERE type = 'table' AND name = ? COLLATE NOCASE
                """, arguments: [table])
        var scanner = SQLScanner(sql ?? "")
        while let word = scanner.next(), word != "(" {}
        var words: Set<String> = []
        for definition in scanner.arguments() {
            var definition = SQLScanner(String(definition))
            guard let name = definition.next(), generated.contains(where: { $0.equalsIgnoringASCIICase(name) }) else {
                continue
            }
            while let word = definition.next() { words.insert(word.lowercasedASCII) }
        }
        return columns.filter { $0.kind == .ordinary && words.contains($0.name.lowercasedASCII) }.map(\.name)
    }
}

/// A unique index of a table.
private struct UniqueIndex {
    let name: String
    /// The `CREATE INDEX`; nil for the index of a constraint.
    let sql: String?
    let table: String
    let schema: String
    let tableColumns: [ColumnInfo]

    func key(_ db: Database) throws -> UniqueKey {
        let text = IndexText(sql ?? "")
        let parts = try Row.fetchAll(
            db, sql: "SELECT seqno, name, coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno",
            arguments: [name, schema])
        var columns: [UniqueKey.Column]? = []
        var columnsRead: [String] = []
        var conditions: [String] = []
        if let predicate = text.predicate {
            // First, since expressions may fail for rows that the index does not have. A comment may follow it.
            conditions.append("(\(predicate)\n)")
            columnsRead += columnsNamed(in: predicate).map(\.name)
        }
        for (position, part) in parts.enumerated() {
            let collation: String = part["coll"] ?? "BINARY"
            if let column: String = part["name"] {
                let own = try db.collation(of: column, in: table, schema: schema)
                let quoted = column.quotedDatabaseIdentifier
                let isOwn = collation.equalsIgnoringASCIICase(own)
                let collate = isOwn ? "" : " COLLATE \(collation.quotedDatabaseIdentifier)"
                conditions.append(
                    "\(table.quotedDatabaseIdentifier).\(quoted)\(collate) = \(newValue(of: column))")
                let isBinary = collation.equalsIgnoringASCIICase("BINARY")
                columns?.append(UniqueKey.Column(name: column, joinsAlike: isOwn || isBinary))
                columnsRead.append(column)
            } else {
                guard text.terms.indices.contains(position) else {
                    throw DatabaseError.misuse("the unique index \(name) cannot be read", sql: sql)
                }
                columns = nil
                columnsRead += columnsNamed(in: text.terms[position]).map(\.name)
                conditions.append(equality(of: text.terms[position], where: text.predicate))
            }
        }
        return UniqueKey(
            isRowID: false, columns: text.predicate == nil ? columns : nil, columnsRead: columnsRead,
            matchesNew: conditions.joined(separator: " AND "))
    }

    /// The columns that an expression may name.
    private func columnsNamed(in expression: String) -> [ColumnInfo] {
        var words: [String] = []
        var scanner = SQLScanner(expression)
        while let word = scanner.next() { words.append(word) }
        return tableColumns.filter { column in words.contains { $0.equalsIgnoringASCIICase(column.name) } }
    }

    /// Whether an expression has the same value for a row as for NEW. For a NEW that the index leaves out, it is not evaluated.
    ///
    /// NEW's columns have no affinity, which an expression like `priority = '1'` depends on. So it is also computed
    /// from cast values; those alone could miss a text in a numeric column, or a blob.
    private func equality(of term: String, where predicate: String?) -> String {
        let columns = columnsNamed(in: term + "\n" + (predicate ?? ""))
        let valueOfNew = predicate.map { "CASE WHEN (\($0)\n) THEN \(term) END" } ?? term
        func row(_ value: (ColumnInfo) -> String) -> String {
            let values = columns.map { "\(value($0)) AS \($0.name.quotedDatabaseIdentifier)" }
            return values.isEmpty ? "1" : values.joined(separator: ", ")
        }
        let plain = row { newValue(of: $0.name) }
        let cast = row { column in
            let value = newValue(of: column.name)
            return switch Affinity(declaredType: column.type) {
            case .numeric: "CAST(\(value) AS NUMERIC)"
            case .text: "CAST(\(value) AS TEXT)"
            case .blob: value
            }
        }
        let equalities = (cast == plain ? [plain] : [plain, cast]).map {
            "(\(term)) = (SELECT \(valueOfNew) FROM (SELECT \($0)))"
        }
        return "(\(equalities.joined(separator: " OR ")))"
    }

    /// The value that a column of NEW will have: if it may not be NULL, REPLACE replaces NULL by the default.
    private func newValue(of column: String) -> String {
        let value = "NEW.\(column.quotedDatabaseIdentifier)"
        guard let info = tableColumns.first(where: { $0.name == column }), info.isNotNull, let sql = info.defaultSQL
        else {
            return value
        }
        return "ifnull(\(value), \(Self.expression(default: sql)))"
    }

    /// The expression after DEFAULT, as it would be written elsewhere: there, a name is a text.
    private static func expression(default sql: String) -> String {
        var scanner = SQLScanner(sql)
        let keywords = ["null", "true", "false", "current_time", "current_date", "current_timestamp"]
        guard let word = scanner.next(), scanner.next() == nil, let first = sql.unicodeScalars.first,
            first != "'", !("0"..."9").contains(first), !keywords.contains(word.lowercasedASCII)
        else { return "(\(sql))" }
        return word.quotedDatabaseString
    }
}

/// The content of a `CREATE INDEX`.
private struct IndexText {
    /// The indexed columns and expressions, with their collations.
    var terms: [String] = []
    /// The condition after WHERE.
    var predicate: String?

    init(_ sql: String) {
        var scanner = SQLScanner(sql)
        while let word = scanner.next(), word != "(" {}
        terms = scanner.arguments().map(Self.withoutOrder)
        scanner.skip(1)
        if scanner.next()?.equalsIgnoringASCIICase("WHERE") == true { predicate = String(scanner.remainder) }
    }

    /// An indexed term without a trailing ASC or DESC.
    private static func withoutOrder(_ term: Substring) -> String {
        var scanner = SQLScanner(String(term))
        var rest = scanner.remainder
        var last: (text: String, start: String.Index)?
        while let word = scanner.next() {
            last = (word, rest.startIndex)
            rest = scanner.remainder
        }
        guard let last, ["ASC", "DESC"].contains(where: { last.text.equalsIgnoringASCIICase($0) }) else {
            return String(term)
        }
        return String(rest.base[..<last.start])
    }
}

extension Database {
    /// The collation that a column was declared with; BINARY for a rowid.
    package func collation(of column: String, in table: String, schema: String = "main") throws -> String {
        var name: UnsafePointer<CChar>?
        let code = csqlite_table_column_metadata(
            try sqliteConnection, schema, table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name else { return "BINARY" }
        return String(cString: name)
    }
}
