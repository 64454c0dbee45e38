import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// Lets the indexes of a connection follow the changes that triggers have noted in the tables `…_changes`.
///
/// Each connection of this library that can write has a temporary trigger for each such table:
///
///     CREATE TEMP TRIGGER "noteTexts_changes_followed" AFTER INSERT ON main."noteTexts_changes"
///     BEGIN
///       INSERT INTO concordance_changes(name, id) VALUES ('noteTexts', NEW.id);
///     END
///
/// So an index follows each statement of the connection at once, in its transaction, and the note is deleted. Notes
/// that programs without this library leave are followed by the first later change on a connection of this library, by
/// `install`, by `verify`, and by searches.
///
/// An index that cannot follow, because its tables were altered or a function that it needs is missing, does not keep
/// anybody from writing: the note stays. The statement throws errors of the file itself, such as SQLITE_FULL.
///
/// How to follow a note is read from the schema, like the triggers: `…_source` holds the queries.
final class IndexChanges: WritableVirtualTable {
    static let kind = VirtualTableKind.eponymousOnly
    static let moduleName = "concordance_changes"

    let declaration = "CREATE TABLE concordance_changes(name TEXT, id INTEGER, isRequired INTEGER)"
    private let connection: OpaquePointer
    /// The schema version to which `indexes` belong.
    private var schemaVersion: Int64?
    private var indexes: [String: FollowedIndex?] = [:]
    private var version: KeptStatement?

    /// The most older notes that a change follows besides its own.
    private static let olderLimit = 64

    init(connecting request: VirtualTableRequest<Void>) throws {
        connection = try request.database.sqliteConnection
        try request.declare(.innocuous)
    }

    // There is nothing to read.
    func bestIndex(_ index: inout VirtualTableIndex) throws {}
    func makeCursor() throws -> Nothing { Nothing() }

    struct Nothing: VirtualTableCursor {
        let isAtEnd = true
        func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {}
        func next() throws {}
        func column(_ column: Int, into result: ResultContext) throws {}
        func rowID() throws -> Int64 { 0 }
    }

    /// Follows the note `id` of the index `name`. If `isRequired`, an index that cannot follow throws an error.
    func insert(_ row: VirtualTableRow) throws -> Int64 {
        let id = row.values[1].int64
        let isRequired = row.values[2].int64 != 0
        guard let name = row.values[0].string, let index = try index(name) else {
            guard isRequired else { return id }
            throw DatabaseError(
                message: "an index cannot follow its tables, because its source table is gone", advice: "Call install.")
        }
        if isRequired {
            try index.follow(id)
        } else {
            // If there were no notes, ids start at 1.
            if id > 1, !index.isStuck {
                for older in try index.notes(before: id, limit: Self.olderLimit) { try followIfPossible(older, index) }
            }
            try followIfPossible(id, index)
        }
        return id
    }

    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws {}
    func delete(_ key: BorrowedValue) throws {}

    func rollback() throws { schemaVersion = nil }

    private func followIfPossible(_ id: Int64, _ index: FollowedIndex) throws {
        do {
            try index.follow(id)
        } catch let error as DatabaseError where error.isOfIndex {
            index.isStuck = true
        }
    }

    /// The index with that name in the present schema; nil if there is none that can follow.
    private func index(_ name: String) throws -> FollowedIndex? {
        let version = try self.version ?? KeptStatement(connection, "PRAGMA main.schema_version")
        self.version = version
        defer { version.reset() }
        let present = try version.step() ? version.int64(at: 0) : 0
        if present != schemaVersion { indexes = [:] }
        schemaVersion = present
        if let known = indexes[name] { return known }
        let index = try FollowedIndex(name, connection)
        indexes[name] = .some(index)
        return index
    }
}

extension DatabaseError {
    /// Whether an index cannot follow a change for a reason of its own: SQL that no longer fits the schema, a missing
    /// function or tokenizer, damaged tables.
    var isOfIndex: Bool {
        extendedResultCode == .SQLITE_CORRUPT_VTAB
            || [.SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(resultCode)
    }

    /// Whether something that an index needs is missing, so that other changes will probably fail as well.
    fileprivate var isOfSchema: Bool { resultCode == .SQLITE_SCHEMA || message?.hasPrefix("no such ") == true }

    /// The error, and the row whose texts could not be read because of it; unchanged if no expression has failed for a row.
    func naming(_ row: Int64, of index: String) -> DatabaseError {
        guard resultCode == .SQLITE_ERROR, !isOfSchema, let message else { return self }
        return DatabaseError(
            resultCode: extendedResultCode, message: "\(message) in row \(row), for index \(index)",
            advice: advice ?? "Write the field's expression so that it fails for no row.")
    }
}

/// An index as its tables in the schema describe it, with the statements that rebuild its entries.
private final class FollowedIndex {
    /// Whether a note could not be followed in this state of the schema.
    var isStuck = false

    private let connection: OpaquePointer
    private let names: IndexNames
    private let source: SourceArguments
    private let keepsTexts: Bool
    private var waysBack: [Int: KeptStatement] = [:]
    private var statements: [String: KeptStatement] = [:]

    /// Nil if the schema has no such index.
    init?(_ name: String, _ connection: OpaquePointer) throws {
        self.connection = connection
        names = IndexNames(table: name)
        func definition(of table: String) throws -> VirtualTableStatement? {
            let statement = try KeptStatement(
                connection, "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE")
            try statement.bind(table, at: 1)
            guard try statement.step() else { return nil }
            return statement.value(at: 0).string.flatMap(VirtualTableStatement.init)
        }
        guard let source = try definition(of: names.source).flatMap({ SourceArguments($0.arguments) }),
            let table = try definition(of: name)
        else { return nil }
        self.source = source
        keepsTexts = !table.arguments.contains("source=1")
    }

    /// Rebuilds the entries of the source rows that a change belongs to, and deletes its note.
    ///
    /// - Throws: `DatabaseError`; the note then stays.
    func follow(_ id: Int64) throws {
        let note = try statement("SELECT * FROM main.\(names.changes.quotedDatabaseIdentifier) WHERE id = ?")
        defer { note.reset() }
        try note.bind(id, at: 1)
        guard try note.step() else { return }
        let place = Int(clamping: note.int64(at: 1))
        if place == 0 {
            try reindex(note.int64(at: 2))
        } else {
            let rows = try wayBack(from: place)
            defer { rows.clear() }
            // A note has room for the values of the place with the most of them.
            for key in 0..<min(rows.parameterCount, note.columnCount - 2) {
                try rows.bind(note.value(at: Int32(key + 2)), at: Int32(key + 1))
            }
            while try rows.step() { try reindex(rows.int64(at: 0)) }
        }
        let delete = try statement("DELETE FROM main.\(names.changes.quotedDatabaseIdentifier) WHERE id = ?")
        try delete.bind(id, at: 1)
        try delete.execute()
    }

    /// The ids of remaining notes, the oldest first.
    func notes(before id: Int64, limit: Int) throws -> [Int64] {
        let older = try statement(
            "SELECT id FROM main.\(names.changes.quotedDatabaseIdentifier) WHERE id < ? ORDER BY id LIMIT \(limit)")
        defer { older.reset() }
        try older.bind(id, at: 1)
        var ids: [Int64] = []
        while try older.step() { ids.append(older.int64(at: 0)) }
        return ids
    }

    /// Rebuilds the entry of a source row if it is not current.
    private func reindex(_ row: Int64) throws {
        do {
            try refresh(row)
        } catch let error as DatabaseError {
            throw error.naming(row, of: names.table)
        }
    }

    private func refresh(_ row: Int64) throws {
        let table = names.table.quotedDatabaseIdentifier
        guard keepsTexts else {
            let refresh = try statement("INSERT INTO main.\(table)(\(table), rowid) VALUES ('refresh', ?)")
            try refresh.bind(row, at: 1)
            return try refresh.execute()
        }
        let entry = try statement(currencySQL)
        defer { entry.reset() }
        try entry.bind(row, at: 1)
        if try entry.step() {
            if entry.int64(at: 0) == 1 { return }
            entry.reset()
            let delete = try statement("DELETE FROM main.\(table) WHERE rowid = ?")
            try delete.bind(row, at: 1)
            try delete.execute()
        }
        let columns = ([IndexSchema.rowIDColumn] + quotedColumns).joined(separator: ", ")
        let insert = try statement(
            """
            INSERT INTO main.\(table)(\(columns)) SELECT \(columns) FROM main.\(names.source.quotedDatabaseIdentifier)
            WHERE rowid = ?
            """)
        try insert.bind(row, at: 1)
        try insert.execute()
    }

    /// A query that tells, for a row with an entry, whether the entry is current.
    private var currencySQL: String {
        let table = names.table.quotedDatabaseIdentifier
        let isSame = quotedColumns.map { "t.\($0) IS s.\($0) AND typeof(t.\($0)) = typeof(s.\($0))" }
        return """
            SELECT s.rowid IS NOT NULL AND \(isSame.joined(separator: " AND ")) FROM main.\(table) AS t
            LEFT JOIN main.\(names.source.quotedDatabaseIdentifier) AS s ON s.rowid = t.rowid WHERE t.rowid = ?
            """
    }

    private var quotedColumns: [String] { source.columns.map(\.quotedDatabaseIdentifier) }

    private func statement(_ sql: String) throws -> KeptStatement {
        if let known = statements[sql] { return known }
        let statement = try KeptStatement(connection, sql, access: .anything)
        statements[sql] = statement
        return statement
    }

    private func wayBack(from place: Int) throws -> KeptStatement {
        if let known = waysBack[place] { return known }
        guard source.furtherQueries.indices.contains(place) else {
            throw DatabaseError(message: "\(names.changes) has a note for place \(place), which the index lacks")
        }
        try SchemaQuery.check(source.furtherQueries[place], on: connection)
        let statement = try KeptStatement(
            connection, "SELECT * FROM (\(source.furtherQueries[place])\n)", access: .anything)
        waysBack[place] = statement
        return statement
    }
}

extension IndexChanges {
    /// Lets indexes follow the changes of a connection's own statements; does nothing if it cannot write.
    static func follow(_ table: String, in db: Database) throws {
        if db.isReadOnly { return }
        let changes = IndexNames(table: table).changes
        func triggers() throws -> [String] {
            try String.fetchAll(
                db,
                sql: "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
                arguments: [changes])
        }
        for trigger in try triggers() {
            try db.execute(sql: "DROP TRIGGER IF EXISTS temp.\(trigger.quotedDatabaseIdentifier)")
        }
        // If another connection has dropped the table meanwhile, SQLite knows nothing of the trigger, but keeps its name
        // until it reads the schema again. To follow a change twice does no harm.
        let orphans = try triggers()
        var trigger = changes + "_followed"
        while orphans.contains(trigger) { trigger += "_" }
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER \(trigger.quotedDatabaseIdentifier)
                AFTER INSERT ON main.\(changes.quotedDatabaseIdentifier)
                BEGIN
                  INSERT INTO \(moduleName)(name, id) VALUES (\(table.quotedDatabaseString), NEW.id);
                END
                """)
    }

    /// Lets all indexes of the database follow the changes of a connection.
    static func followAll(in db: Database) throws {
        guard !db.isReadOnly, try db.tableExists("concordance_indexes", in: "main") else { return }
        let tables = try String.fetchAll(db, sql: "SELECT name FROM main.concordance_indexes")
        for table in tables where try db.tableExists(IndexNames(table: table).changes, in: "main") {
            try follow(table, in: db)
        }
    }

    /// Whether changes are noted that an index has yet to follow.
    static func arePending(_ table: String, _ tables: SearchedTables? = nil, in db: Database) throws -> Bool {
        let changes = IndexNames(table: table).changes
        let exists = try tables?.exists(changes, in: db) ?? db.tableExists(changes, in: "main")
        guard exists else { return false }
        let note = try db.cachedStatement(sql: "SELECT 1 FROM main.\(changes.quotedDatabaseIdentifier) LIMIT 1")
        defer { note.reset() }
        return try note.step()
    }

    /// What `takeIn` has done.
    struct Progress {
        /// How many changes were followed.
        var count = 0
        /// Whether none are left.
        var isCaughtUp = true
        /// The first note that was not tried; nil if all were.
        var next: Int64?
    }

    /// Follows the noted changes until the deadline, but at least some, so that it gets done even if others note
    /// changes between two calls.
    ///
    /// - Parameters:
    ///   - first: The first note to follow; nil for all.
    ///   - skipsFailing: Whether a change that the index cannot follow stays noted while the later ones are followed.
    /// - Throws: `DatabaseError` if the index cannot follow a change, unless that is skipped.
    static func takeIn(
        _ table: String, in db: Database, from first: Int64? = nil, until deadline: ContinuousClock.Instant?,
        skipsFailing: Bool = false
    ) throws -> Progress {
        var progress = Progress()
        let changes = IndexNames(table: table).changes
        guard try db.tableExists(changes, in: "main") else { return progress }
        let name = changes.quotedDatabaseIdentifier
        let keys = try db.columns(in: changes, schema: "main").dropFirst().map(\.name.quotedDatabaseIdentifier)
        let follow = try db.cachedStatement(
            sql: "INSERT INTO \(moduleName)(name, id, isRequired) VALUES (?, ?, 1)")
        // No more than there can be now: triggers of others could note changes as fast as these are followed.
        let most = try Int.fetchOne(db, sql: "SELECT min(max(id) - min(id), 1000000000) + 1 FROM main.\(name)") ?? 0
        var tried = 0
        var first = first ?? .min
        while tried < most, let last = try lastOfBatch(name, from: first, in: db) {
            // Of equal notes, one is enough.
            try db.execute(
                sql: """
                    DELETE FROM main.\(name) WHERE id BETWEEN ?1 AND ?2 AND id NOT IN (
                      SELECT max(id) FROM main.\(name) WHERE id BETWEEN ?1 AND ?2 GROUP BY \(keys.joined(separator: ", ")))
                    """, arguments: [first, last])
            let ids = try Int64.fetchAll(
                db, sql: "SELECT id FROM main.\(name) WHERE id BETWEEN ? AND ? ORDER BY id", arguments: [first, last])
            for id in ids {
                tried += 1
                var isOver = deadline.map { tried >= leastCount && ContinuousClock.now >= $0 } ?? false
                do {
                    try follow.execute(arguments: [table, id])
                    progress.count += 1
                } catch let error as DatabaseError where skipsFailing && error.isOfIndex {
                    if error.isOfSchema { isOver = true }
                }
                guard isOver else { continue }
                progress.next = id == .max ? nil : id + 1
                progress.isCaughtUp = try !arePending(table, in: db)
                return progress
            }
            // Those that were skipped are not tried again.
            if last == .max { break }
            first = last + 1
        }
        progress.isCaughtUp = try !arePending(table, in: db)
        return progress
    }

    /// The fewest notes that a call follows, or tries to.
    private static let leastCount = 32

    /// The id of the last of the first thousand notes from an id on; nil if there are none.
    private static func lastOfBatch(_ name: String, from first: Int64, in db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT max(id) FROM (SELECT id FROM main.\(name) WHERE id >= ? ORDER BY id LIMIT 1000)",
            arguments: [first])
    }
}
