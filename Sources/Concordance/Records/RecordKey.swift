import ConcordanceSQLite
import ConcordanceText

/// What a connection knows about the keys of its tables, until the schema changes.
private final class RecordKeys {
    var schemaVersions: (main: Int64, temp: Int64) = (-1, -1)
    var primary: [String: PrimaryKeyInfo] = [:]
    var unique: [String: [[String]]] = [:]
}

extension Database {
    /// The columns that identify the rows of a table: its primary key, or `rowid` if it declares none.
    ///
    /// - Throws: `RecordError.noPrimaryKey` for a view.
    func recordKey(of table: String) throws -> [String] {
        let key = try recordKeyInfo(of: table)
        if !key.columns.isEmpty { return key.columns }
        guard key.hasRowID else { throw RecordError.noPrimaryKey(table: table) }
        return [Column.rowID.name]
    }

    /// The primary key of a table, looked up once for each state of the schema.
    func recordKeyInfo(of table: String) throws -> PrimaryKeyInfo {
        let keys = try currentRecordKeys()
        if let key = keys.primary[table] { return key }
        let key = try primaryKey(table)
        keys.primary[table] = key
        return key
    }

    /// The sets of columns in which no two rows are equal: primary key, rowid, unique indexes.
    func uniqueKeys(of table: String) throws -> [[String]] {
        let keys = try currentRecordKeys()
        if let unique = keys.unique[table] { return unique }
        var unique = [try recordKey(of: table), [Column.rowID.name]]
        for index in try indexes(on: table) where index.isUnique && !index.isPartial {
            let columns = index.columns.compactMap(\.self)
            if columns.count == index.columns.count { unique.append(columns) }
        }
        keys.unique[table] = unique
        return unique
    }

    /// The keys under the present schema, which any connection may have changed since they were looked up.
    private func currentRecordKeys() throws -> RecordKeys {
        let keys = storage(of: RecordKeys.self) { RecordKeys() }
        let main = try Int64.fetchOne(self, sql: "PRAGMA main.schema_version") ?? 0
        let temp = try Int64.fetchOne(self, sql: "PRAGMA temp.schema_version") ?? 0
        if keys.schemaVersions != (main, temp) {
            keys.schemaVersions = (main, temp)
            keys.primary = [:]
            keys.unique = [:]
        }
        return keys
    }
}

/// Keys for `IN` lists, some hundreds at a time: SQLite accepts at most 32,766, and lists of the same length share a
/// prepared statement.
struct KeyBatches<Key>: Sequence {
    private let keys: [Key]
    private let length = 500

    init(_ keys: some Sequence<Key>) { self.keys = Array(keys) }

    func makeIterator() -> AnyIterator<ArraySlice<Key>> {
        var rest = keys[...]
        return AnyIterator {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
    }
}

extension TableRecord {
    /// The condition for the one row with these values in its key columns, which are those of the primary key or of a
    /// unique index. Any number of rows may have NULL there, so with NULL it is for none.
    static func condition(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> SQLExpression {
        let names = key.keys.sorted()
        let isUnique = try db.uniqueKeys(of: databaseTableName).contains { unique in
            unique.count == names.count
                && unique.allSatisfy { column in names.contains { $0.equalsIgnoringASCIICase(column) } }
        }
        guard isUnique else {
            throw RecordError.keyMismatch(
                table: databaseTableName, given: names, primaryKey: try db.recordKey(of: databaseTableName))
        }
        let conditions = try names.map { name -> SQLExpression in
            let value = try (key[name] ?? nil).map { try StoredValue($0).databaseValue(in: name, Self.self) }
            guard let value, !value.isNull else { return SQLExpression(.literal("FALSE")) }
            return Column(name) == value
        }
        return conditions.dropFirst().reduce(conditions.first ?? SQLExpression(.literal("FALSE"))) { $0 && $1 }
    }
}
