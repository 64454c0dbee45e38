/// A type that is made from a row.
///
/// `Decodable` types need nothing else: each property is read from the column of its coding key. Other types implement
/// `init(row:)`:
///
/// ```swift
/// struct Place: FetchableRecord {
///     var name: String
///     var coordinate: (latitude: Double, longitude: Double)
///
///     init(row: Row) throws {
///         name = try row.decode(at: "name")
///         coordinate = (try row.decode(at: "latitude"), try row.decode(at: "longitude"))
///     }
/// }
/// let places = try Place.fetchAll(db, sql: "SELECT * FROM place WHERE latitude > ?", arguments: [60])
/// ```
///
/// All fetching methods come with the protocol: from SQL, from a statement, from a request, and, for a `TableRecord`,
/// by key.
public protocol FetchableRecord: RecordCoding, StatementDecodable {
    /// The record that the row holds.
    ///
    /// - Throws: `RowDecodingError`, which names column, value and expected type.
    init(row: Row) throws
}

extension FetchableRecord where Self: Decodable {
    public init(row: Row) throws { self = try RowDecoder.decode(Self.self, from: row) }
}

extension FetchableRecord {
    /// The record in the current row of a statement.
    public static func decode(_ statement: Statement) throws -> Self {
        do {
            return try Self(row: Row.decode(statement))
        } catch var error as RowDecodingError {
            error.sql = statement.sql
            throw error
        }
    }
}

// MARK: - From the table, by key

extension FetchableRecord where Self: TableRecord {
    /// All rows of the table.
    public static func fetchAll(_ db: Database) throws -> [Self] { try all().fetchAll(db) }

    /// The first row of the table, in no particular order; nil where there is none.
    public static func fetchOne(_ db: Database) throws -> Self? { try all().fetchOne(db) }

    /// The rows of the table one after the other.
    public static func fetchCursor(_ db: Database) throws -> DatabaseCursor<Self> { try all().fetchCursor(db) }

    /// The set of all rows of the table.
    public static func fetchSet(_ db: Database) throws -> Set<Self> where Self: Hashable { try all().fetchSet(db) }

    /// The record with a primary key; nil where there is none, or for nil.
    ///
    /// `SELECT "book".* FROM "book" WHERE "book"."id" = ?`. A table without a primary key of its own is searched by rowid.
    ///
    /// - Throws: `RecordError.keyMismatch` for a key of several columns, `RecordError.noPrimaryKey` for a view.
    public static func fetchOne(_ db: Database, key: (some DatabaseValueConvertible)?) throws -> Self? {
        guard let key else { return nil }
        return try all().filter(key: key).fetchOne(db)
    }

    /// The record whose key columns, those of the primary key or of a unique index, have these values.
    public static func fetchOne(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Self? {
        try all().filter(condition(db, key: key)).fetchOne(db)
    }

    /// The records with these primary keys, in no particular order; keys without a row are passed over.
    ///
    /// Any number of keys: they are bound to the statement some hundreds at a time.
    public static func fetchAll(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> [Self] {
        var records: [Self] = []
        for batch in KeyBatches(keys) { records += try all().filter(keys: batch).fetchAll(db) }
        return records
    }

    /// The record with a primary key.
    ///
    /// - Throws: `RecordError.recordNotFound` where there is none.
    public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
        if let record = try fetchOne(db, key: key) { return record }
        let column = try db.recordKey(of: databaseTableName).first ?? Column.rowID.name
        throw RecordError.recordNotFound(table: databaseTableName, key: [column: key.databaseValue])
    }
}

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
    /// The record with an id; nil where there is none.
    public static func fetchOne(_ db: Database, id: ID) throws -> Self? { try fetchOne(db, key: id) }

    /// The records with these ids, in no particular order.
    public static func fetchAll(_ db: Database, ids: some Sequence<ID>) throws -> [Self] {
        try fetchAll(db, keys: ids)
    }

    /// The record with an id.
    ///
    /// - Throws: `RecordError.recordNotFound` where there is none.
    public static func find(_ db: Database, id: ID) throws -> Self { try find(db, key: id) }
}
