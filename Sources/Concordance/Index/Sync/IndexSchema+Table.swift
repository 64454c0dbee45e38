import ConcordanceText

/// What a table of the database has, as far as an index asks.
struct TableSchema {
    enum Kind: String {
        case table, view, virtual, shadow
    }

    /// The name as the database spells it.
    let name: String
    let kind: Kind
    let columns: [ColumnInfo]
    let foreignKeys: [ForeignKeyInfo]
    /// A name of the rowid that no other column has; nil where there is none.
    let rowID: String?
    /// The columns that rows are told apart by.
    let rowOrder: [String]

    init(_ name: String, for index: String, in db: Database) throws {
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE
                """, arguments: [name])
        guard let found else {
            let known = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM pragma_table_list
                    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                    """)
            throw SearchIndexError.noSuchTable(name, index: index, known: known)
        }
        self.name = found["name"] ?? name
        kind = found["type"].flatMap(Kind.init(rawValue:)) ?? .table
        columns = try db.columns(in: self.name, schema: "main")
        foreignKeys = try db.foreignKeys(on: self.name, schema: "main")
        let names = columns.map(\.name)
        let isWithoutRowID: Bool = found["wr"] ?? false
        if kind == .table, !isWithoutRowID {
            rowID = ["rowid", "_rowid_", "oid"].first { alias in
                !names.contains { $0.equalsIgnoringASCIICase(alias) }
            }
        } else {
            rowID = nil
        }
        let primaryKey = columns.filter { $0.primaryKeyIndex != nil }
            .sorted { ($0.primaryKeyIndex ?? 0) < ($1.primaryKeyIndex ?? 0) }.map(\.name)
        rowOrder = rowID.map { [$0] } ?? primaryKey
    }

    /// The column of that name, as the database spells it.
    func column(_ name: String, for index: String) throws(SearchIndexError) -> String {
        guard let column = columns.first(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
            throw .noSuchColumn(name, table: self.name, index: index, known: columns.map(\.name))
        }
        return column.name
    }
}
