import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// What no two rows of a table may have in common: the rowid, a primary key, a unique constraint or index.
struct UniqueKey: Sendable {
    /// A plain column of the key.
    struct Column: Hashable, Sendable {
        let name: String
        /// Whether rows with equal keys count as equal in this column for a join as well.
        let joinsAlike: Bool
    }

    /// Whether it is the rowid; its columns are then names of one and the same value.
    let isRowID: Bool
    /// The plain columns; nil for a key that has expressions, or that only some rows have.
    let columns: [Column]?
    /// SQL that is true of the rows, in a query of the table, that have the key of NEW.
    let matchesNew: String
}

extension UniqueKey {
    /// The keys of a table; the rowid is the first where there is one.
    static func all(of table: TableSchema, in db: Database) throws -> [UniqueKey] {
        let name = table.name.quotedDatabaseIdentifier
        var keys: [UniqueKey] = []
        if let rowID = table.rowID {
            let alias = try db.primaryKey(table.name, schema: "main").rowIDColumn
            let names = [alias, rowID].compactMap(\.self)
            let row = rowID.quotedDatabaseIdentifier
            keys.append(
                UniqueKey(
                    isRowID: true, columns: names.map { Column(name: $0, joinsAlike: true) },
                    matchesNew: "\(name).\(row) = NEW.\(row)"))
        }
        let indexes = try Row.fetchAll(
            db,
            sql: """
                SELECT l.name, s.sql FROM pragma_index_list(?, 'main') AS l
                LEFT JOIN main.sqlite_schema AS s ON s.type = 'index' AND s.name = l.name
                WHERE l."unique" ORDER BY l.name
                """, arguments: [table.name])
        for index in indexes {
            keys.append(try UniqueKey(index: index["name"] ?? "", sql: index["sql"], of: table, in: db))
        }
        return keys
    }

    private init(index: String, sql: String?, of table: TableSchema, in db: Database) throws {
        let text = IndexText(sql ?? "")
        let parts = try Row.fetchAll(
            db, sql: "SELECT seqno, name, coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno",
            arguments: [index])
        var columns: [Column]? = []
        var conditions: [String] = []
        for (position, part) in parts.enumerated() {
            let collation: String = part["coll"] ?? "BINARY"
            if let column: String = part["name"] {
                let own = try db.collation(of: column, in: table.name)
                let quoted = column.quotedDatabaseIdentifier
                let isOwn = collation.equalsIgnoringASCIICase(own)
                let collate = isOwn ? "" : " COLLATE \(collation.quotedDatabaseIdentifier)"
                conditions.append("\(table.name.quotedDatabaseIdentifier).\(quoted)\(collate) = NEW.\(quoted)")
                let isBinary = collation.equalsIgnoringASCIICase("BINARY")
                columns?.append(Column(name: column, joinsAlike: isOwn || isBinary))
            } else {
                guard text.terms.indices.contains(position) else {
                    throw DatabaseError.misuse("the unique index \(index) cannot be read", sql: sql)
                }
                columns = nil
                let term = text.terms[position]
                conditions.append("(\(term)) = (SELECT \(term) FROM (\(Self.newRow(for: term, of: table))))")
            }
        }
        if let predicate = text.predicate {
            columns = nil
            conditions.append("(\(predicate))")
        }
        isRowID = false
        self.columns = columns
        matchesNew = conditions.joined(separator: " AND ")
    }

    /// A row of the columns that an expression names, with the values of NEW.
    private static func newRow(for term: String, of table: TableSchema) -> String {
        var words: [String] = []
        var scanner = SQLScanner(term)
        while let word = scanner.next() { words.append(word) }
        let columns = table.columns.map(\.name).filter { column in
            words.contains { $0.equalsIgnoringASCIICase(column) }
        }
        let values = columns.map { "NEW.\($0.quotedDatabaseIdentifier) AS \($0.quotedDatabaseIdentifier)" }
        return "SELECT " + (values.isEmpty ? "1" : values.joined(separator: ", "))
    }
}

/// What stands in a `CREATE INDEX`.
private struct IndexText {
    /// The indexed columns and expressions, with their collations.
    var terms: [String] = []
    /// What is behind WHERE.
    var predicate: String?

    init(_ sql: String) {
        var scanner = SQLScanner(sql)
        while let word = scanner.next(), word != "(" {}
        terms = scanner.arguments().map(Self.withoutOrder)
        scanner.skip(1)
        if scanner.next()?.equalsIgnoringASCIICase("WHERE") == true { predicate = String(scanner.remainder) }
    }

    /// An indexed term without the ASC or DESC behind it.
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
    func collation(of column: String, in table: String) throws -> String {
        var name: UnsafePointer<CChar>?
        let code = csqlite_table_column_metadata(
            try sqliteConnection, "main", table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name else { return "BINARY" }
        return String(cString: name)
    }
}
