import ConcordanceSQLite

/// The table of an `ObjectIndex` that holds what is indexed, and all SQL that uses it.
///
/// ```sql
/// CREATE TABLE objects(object_number INTEGER PRIMARY KEY, object_id TEXT NOT NULL UNIQUE,
///   object_version INTEGER NOT NULL, "title" TEXT NOT NULL DEFAULT '', …)
/// ```
///
/// The texts are stored here and, as the content that highlights and index maintenance need, in the full-text table. A
/// changed definition is indexed again from here, without asking the store for all its objects.
struct ObjectTable: Sendable {
    static let name = "objects"
    static let indexName = "objectTexts"
    static let numberColumn = "object_number"
    static let idColumn = "object_id"
    static let versionColumn = "object_version"
    static let reservedColumns = [numberColumn, idColumn, versionColumn]

    static func isReserved(_ column: String) -> Bool {
        reservedColumns.contains { $0.equalsIgnoringASCIICase(column) }
    }

    /// The fields that objects provide texts for; the columns have the same names.
    let fields: [String]
    private let places: [String: Int]
    private let findSQL: String
    private let insertSQL: String
    private let updateSQL: String

    init(fields: [String]) {
        self.fields = fields
        places = Dictionary(fields.enumerated().map { ($1, $0) }) { first, _ in first }
        let columns = fields.map(\.quotedDatabaseIdentifier)
        let equalities = (["object_version"] + columns).enumerated().map { "\($1) = ?\($0 + 2)" }
        findSQL = """
            SELECT object_number, \(equalities.joined(separator: " AND ")) FROM objects WHERE object_id = ?1
            """
        insertSQL = """
            INSERT INTO objects(\((["object_id", "object_version"] + columns).joined(separator: ", "))) \
            VALUES (\(Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")))
            """
        updateSQL = "UPDATE objects SET \(equalities.joined(separator: ", ")) WHERE object_number = ?1"
    }

    // MARK: - The table

    /// Creates the table, or adds its missing columns.
    func create(in db: Database) throws {
        let columns = fields.map { ", \($0.quotedDatabaseIdentifier) TEXT NOT NULL DEFAULT ''" }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS objects(object_number INTEGER PRIMARY KEY,
                  object_id TEXT NOT NULL UNIQUE, object_version INTEGER NOT NULL\(columns.joined()))
                """)
        let known = try storedFields(in: db)
        for (field, column) in zip(fields, columns) where !known.contains(where: field.equalsIgnoringASCIICase) {
            try db.execute(sql: "ALTER TABLE objects ADD COLUMN \(column.dropFirst(2))")
        }
    }

    /// Drops the columns of fields that the definition no longer has; the index must no longer read them.
    @Sendable func dropOtherColumns(_ db: Database) throws {
        for column in try storedFields(in: db) where !fields.contains(where: column.equalsIgnoringASCIICase) {
            try db.execute(sql: "ALTER TABLE objects DROP COLUMN \(column.quotedDatabaseIdentifier)")
        }
    }

    /// Whether the table has the columns of the fields, and no others.
    func isCurrent(in db: Database) throws -> Bool {
        guard try db.tableExists(Self.name, in: "main") else { return false }
        let stored = try storedFields(in: db)
        return stored.count == fields.count
            && fields.allSatisfy { field in stored.contains(where: field.equalsIgnoringASCIICase) }
    }

    private func storedFields(in db: Database) throws -> [String] {
        try db.columns(in: Self.name, schema: "main").map(\.name).filter { !Self.isReserved($0) }
    }

    // MARK: - Objects

    /// Stores `object`; writes nothing if it is already stored as it is.
    ///
    /// Looks first: for an object that is already there, an upsert would fire the insert triggers, and so write.
    func upsert(_ object: SearchObject, into changes: inout ObjectChanges, in db: Database) throws {
        let values = try storedValues(of: object)
        let find = try db.cachedStatement(sql: findSQL)
        let row = try Row.fetchOne(find, arguments: StatementArguments([object.id] + values))
        guard let row else {
            try db.cachedStatement(sql: insertSQL).execute(arguments: StatementArguments([object.id] + values))
            changes.inserted += 1
            return
        }
        let isSame: Bool = row[1] ?? false
        if isSame {
            changes.unchanged += 1
            return
        }
        let number: Int64 = try row.decode(at: 0)
        try db.cachedStatement(sql: updateSQL).execute(arguments: StatementArguments([number] + values))
        changes.updated += 1
    }

    /// Deletes the object with that id, if there is one.
    func delete(_ id: String, into changes: inout ObjectChanges, in db: Database) throws {
        let sql = "DELETE FROM objects WHERE object_id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [id])
        changes.deleted += db.changesCount
    }

    /// Deletes all objects whose ids are not in `kept`.
    func deleteOthers(than kept: IDSet, into changes: inout ObjectChanges) throws {
        try kept.db.execute(sql: "DELETE FROM objects WHERE object_id NOT IN (SELECT id FROM \(IDSet.table))")
        changes.deleted += kept.db.changesCount
    }

    /// The version, then the texts in the order of the fields.
    private func storedValues(of object: SearchObject) throws -> [(any DatabaseValueConvertible)?] {
        var values: [(any DatabaseValueConvertible)?] = Array(repeating: "", count: fields.count + 1)
        values[0] = object.version.rawValue
        for (name, text) in object.texts {
            guard let place = places[name] else {
                throw SearchIndexError.noSuchField(name, index: Self.indexName, known: fields)
            }
            values[place + 1] = text
        }
        return values
    }
}

/// A set of ids in a temporary table, which holds any number of them and compares them byte by byte, as the index does,
/// and not by canonical equivalence, as Swift does.
struct IDSet {
    static let table = "temp.concordance_ids"
    let db: Database

    /// Creates an empty set that lives until `body` returns.
    static func with<Value>(in db: Database, _ body: (IDSet) throws -> Value) throws -> Value {
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS concordance_ids(id TEXT PRIMARY KEY, version INTEGER) WITHOUT ROWID;
                DELETE FROM temp.concordance_ids;
                """)
        let value = try body(IDSet(db: db))
        try db.execute(sql: "DELETE FROM temp.concordance_ids")
        return value
    }

    func insert(_ id: String, version: ObjectVersion? = nil) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO temp.concordance_ids VALUES (?, ?)")
            .execute(arguments: [id, version?.rawValue])
    }
}
