/// A type that can be written to columns.
public protocol EncodableRecord: RecordCoding {
    /// Sets the columns of the record. `Encodable` types need not implement it: each property is written to the column
    /// of its coding key, nil as NULL.
    func encode(to container: inout PersistenceContainer) throws
}

extension EncodableRecord where Self: Encodable {
    public func encode(to container: inout PersistenceContainer) throws {
        try RecordEncoder.encode(self, into: &container)
    }
}

/// A record that can be inserted, updated and deleted, and that receives its id when it is inserted.
///
/// ```swift
/// struct Book: Codable, FetchableRecord, MutablePersistableRecord {
///     var id: Int64?
///     var title: String
///
///     mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
/// }
/// var book = Book(id: nil, title: "Concordance")
/// try book.insert(db)         // book.id is set
/// book.title = "Index"
/// try book.update(db)
/// try book.delete(db)
/// ```
///
/// A record without such an id is a `PersistableRecord`.
public protocol MutablePersistableRecord: TableRecord, EncodableRecord {
    /// What happens when a row that is written violates a constraint. By default the statement fails.
    static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

    /// Called before an insertion, for example to set a date or an id.
    mutating func willInsert(_ db: Database) throws

    /// Called after an insertion, with the rowid of the new row.
    mutating func didInsert(_ inserted: InsertionSuccess)

    /// Called before an update.
    func willUpdate(_ db: Database) throws

    /// Called after an update.
    func didUpdate(_ db: Database) throws

    /// Called before a deletion.
    func willDelete(_ db: Database) throws

    /// Called after a deletion; `deleted` is false if there was no row.
    func didDelete(_ db: Database, deleted: Bool) throws
}

extension MutablePersistableRecord {
    public static var persistenceConflictPolicy: PersistenceConflictPolicy { PersistenceConflictPolicy() }
    public mutating func willInsert(_ db: Database) throws {}
    public mutating func didInsert(_ inserted: InsertionSuccess) {}
    public func willUpdate(_ db: Database) throws {}
    public func didUpdate(_ db: Database) throws {}
    public func willDelete(_ db: Database) throws {}
    public func didDelete(_ db: Database, deleted: Bool) throws {}
}

/// A record that can be inserted, updated and deleted without being changed: a class, or a structure that knows its
/// key.
///
/// ```swift
/// struct Document: Codable, FetchableRecord, PersistableRecord {
///     static let databaseTableName = "documents"
///     var content: String
/// }
/// try Document(content: "...").insert(db)
/// ```
public protocol PersistableRecord: MutablePersistableRecord {
    /// Called before an insertion.
    func willInsert(_ db: Database) throws

    /// Called after an insertion, with the rowid of the new row.
    func didInsert(_ inserted: InsertionSuccess)
}

extension PersistableRecord {
    public func willInsert(_ db: Database) throws {}
    public func didInsert(_ inserted: InsertionSuccess) {}
}

/// What is known about an inserted row.
public struct InsertionSuccess: Sendable, Hashable {
    /// The rowid of the row, which is also the value of its integer primary key, if the table has one. In a table
    /// `WITHOUT ROWID` it has no meaning.
    public let rowID: Int64
}

/// What SQLite does when a row that is written violates a constraint: `INSERT OR …`, `UPDATE OR …`.
public enum ConflictResolution: String, Sendable {
    /// The statement fails; the transaction continues. SQLite's default.
    case abort = "ABORT"
    /// The statement fails, and what it has done so far stays.
    case fail = "FAIL"
    /// The row is not written; the statement goes on.
    case ignore = "IGNORE"
    /// The rows with which the new row conflicts are deleted.
    case replace = "REPLACE"
    /// The statement fails, and the transaction is rolled back.
    case rollback = "ROLLBACK"
}

/// What happens when a record's row violates a constraint.
public struct PersistenceConflictPolicy: Sendable, Hashable {
    /// For insertions.
    public var insert: ConflictResolution
    /// For updates.
    public var update: ConflictResolution

    /// Creates a policy; by default, the statement fails in both cases.
    public init(insert: ConflictResolution = .abort, update: ConflictResolution = .abort) {
        self.insert = insert
        self.update = update
    }
}
