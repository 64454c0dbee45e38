import Concordance

/// Rows of other tables that foreign keys join with a row: those it refers to, and those that refer to it.
struct Neighbours {
    private let content: DatabaseTable.Content
    private let database: Database

    /// Tables, rows of one, columns of a row, and bytes of a text that are shown.
    private static let tableLimit = 12
    private static let rowLimit = 8
    private static let columnLimit = 8
    private static let textBytes = 200
    /// Tables of the schema that are looked at.
    private static let schemaLimit = 500

    init(_ content: DatabaseTable.Content, in database: Database) {
        self.content = content
        self.database = database
    }

    func related(to id: Int64) throws -> [DocumentPart.Related] {
        // A view or virtual table has no foreign keys, and a table that is gone no rows.
        guard try database.tableExists(content.table, in: "main"),
            let row = try Row.fetchOne(
                database,
                literal: """
                    SELECT * FROM main.\(identifier: content.table)
                    WHERE \(identifier: content.rowID) = \(id)
                    """)
        else { return [] }
        var related: [DocumentPart.Related] = []
        for key in try database.foreignKeys(on: content.table, schema: "main") where related.count < Self.tableLimit {
            let rows = try self.rows(
                of: key.destinationTable, key.destinationColumns, equal: key.originColumns, of: row)
            if !rows.isEmpty {
                related.append(
                    .init(label: Self.label(key.originColumns), table: key.destinationTable, rows: rows.map(shown)))
            }
        }
        for table in try referringTables() where related.count < Self.tableLimit {
            related += try referring(table, to: row)
        }
        return related
    }

    private func referringTables() throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT tables.name FROM (SELECT name FROM main.sqlite_schema WHERE type = 'table' LIMIT ?) AS tables
                JOIN pragma_foreign_key_list(tables.name, 'main') AS keys
                WHERE keys."table" = ? COLLATE NOCASE ORDER BY tables.name
                """, arguments: [Self.schemaLimit, content.table])
    }

    /// The rows of a table that refer to a row; of a table that only joins two others, the rows on its other side.
    private func referring(_ table: String, to row: Row) throws -> [DocumentPart.Related] {
        let keys = try database.foreignKeys(on: table, schema: "main")
        let indexes = try database.indexes(on: table, schema: "main")
        let primaryKey = try database.primaryKey(table, schema: "main").columns
        var related: [DocumentPart.Related] = []
        for key in keys where key.destinationTable.lowercased() == content.table.lowercased() {
            // Without an index the whole table would be read.
            let isIndexed =
                indexes.contains { $0.columns.first == key.originColumns.first }
                || primaryKey.first == key.originColumns.first
            guard isIndexed else { continue }
            let rows = try self.rows(of: table, key.originColumns, equal: key.destinationColumns, of: row)
            if rows.isEmpty { continue }
            let others = keys.filter { $0.originColumns != key.originColumns }
            if let other = others.first, others.count == 1, rows[0].count <= 4 {
                let far = try rows.flatMap {
                    try self.rows(
                        of: other.destinationTable, other.destinationColumns, equal: other.originColumns, of: $0)
                }
                if !far.isEmpty {
                    related.append(
                        .init(label: other.destinationTable, table: other.destinationTable, rows: far.map(shown)))
                    continue
                }
            }
            related.append(.init(label: table, table: table, rows: rows.map(shown)))
        }
        return related
    }

    /// The rows whose columns equal some columns of a row.
    private func rows(of table: String, _ columns: [String], equal names: [String], of row: Row) throws -> [Row] {
        guard !columns.isEmpty, columns.count == names.count else { return [] }
        var conditions: [SQL] = []
        for (column, name) in zip(columns, names) {
            guard let value = row[name], !value.isNull else { return [] }
            conditions.append("\(identifier: column) = \(value)")
        }
        return try Row.fetchAll(
            database,
            literal: """
                SELECT * FROM main.\(identifier: table) WHERE \(conditions.joined(separator: " AND "))
                LIMIT \(Self.rowLimit)
                """)
    }

    private func shown(_ row: Row) -> [(name: String, text: String)] {
        var columns: [(String, String)] = []
        for (name, value) in zip(row.columnNames, row.databaseValues) where columns.count < Self.columnLimit {
            if value.isNull { continue }
            let text = ServedText.text(value)
            let beginning = text.utf8.prefix(Self.textBytes)
            columns.append(
                (name, beginning.count < text.utf8.count ? String(decoding: beginning, as: UTF8.self) + "…" : text))
        }
        return columns
    }

    /// `author` for `author_id` and `authorID`.
    private static func label(_ columns: [String]) -> String {
        let name = columns.joined(separator: ", ")
        for suffix in ["_id", "ID", "Id"] where name.hasSuffix(suffix) && name.count > suffix.count {
            return String(name.dropLast(suffix.count))
        }
        return name
    }
}
