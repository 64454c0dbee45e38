import ConcordanceSQLite

/// A type that can be created from a row.
///
/// `Decodable` types need no code: each property is read from the column of its coding key. Other types implement
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
/// The protocol provides all fetching methods: from SQL, from a statement, from a request, and, for a `TableRecord`, by
/// key.
public protocol FetchableRecord: RecordCoding, StatementDecodable {
    /// Creates the record from a row.
    ///
    /// - Throws: `RowDecodingError`, which names the column, its value and the expected type.
    init(row: Row) throws
}

extension FetchableRecord where Self: Decodable {
    public init(row: Row) throws { self = try RowDecoder.decode(Self.self, from: row) }
}

extension FetchableRecord {
    /// Decodes the record in the current row of a statement.
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
    /// Fetches all rows of the table.
    public static func fetchAll(_ db: Database) throws -> [Self] { try all().fetchAll(db) }

    /// Fetches the first row of the table, in no particular order; nil if there is none.
    public static func fetchOne(_ db: Database) throws -> Self? { try all().fetchOne(db) }

    /// Returns a cursor over the rows of the table.
    public static func fetchCursor(_ db: Database) throws -> DatabaseCursor<Self> { try all().fetchCursor(db) }

    /// Fetches the set of all rows of the table.
    public static func fetchSet(_ db: Database) throws -> Set<Self> where Self: Hashable { try all().fetchSet(db) }

    /// Fetches the record with a primary key; nil if there is none, or if the key is nil.
    ///
    /// `SELECT "book".* FROM "book" WHERE "book"."id" = ?`. In a table without a declared primary key, the key is the
    /// rowid.
    ///
    /// - Throws: `RecordError.keyMismatch` for a key of several columns, `RecordError.noPrimaryKey` for a view.
    public static func fetchOne(_ db: Database, key: (some DatabaseValueConvertible)?) throws -> Self? {
        guard let key else { return nil }
        return try all().filter(key: key).fetchOne(db)
    }

    /// Fetches the record with these values in its key columns, which are those of the primary key or of a unique
    /// index; nil if there is none.
    ///
    /// - Throws: `RecordError.keyMismatch` for other columns.
    public static func fetchOne(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Self? {
        try all().filter(condition(db, key: key)).fetchOne(db)
    }

    /// Fetches the records with these primary keys, in no particular order; keys without a row are ignored.
    ///
    /// There can be any number of keys: they are bound to the statement some hundreds at a time.
    public static func fetchAll(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> [Self] {
        var records: [Self] = []
        for batch in KeyBatches(keys) { records += try all().filter(keys: batch).fetchAll(db) }
        return records
    }

    /// Fetches the record with a primary key.
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none.
    public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
        if let record = try fetchOne(db, key: key) { return record }
        let column = try db.recordKey(of: databaseTableName).first ?? Column.rowID.name
        throw RecordError.recordNotFound(table: databaseTableName, key: [column: key.databaseValue])
    }
}

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
    /// Fetches the record with an id; nil if there is none.
    public static func fetchOne(_ db: Database, id: ID) throws -> Self? { try fetchOne(db, key: id) }

    /// Fetches the records with these ids, in no particular order.
    public static func fetchAll(_ db: Database, ids: some Sequence<ID>) throws -> [Self] {
        try fetchAll(db, keys: ids)
    }

    /// Fetches the record with an id.
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none.
    public static func find(_ db: Database, id: ID) throws -> Self { try find(db, key: id) }
}
