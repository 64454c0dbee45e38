import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// Where a table's texts are: in `<t>_content(id INTEGER PRIMARY KEY, c0, c1, ...)`, in a table or view of the user's
/// (`content=`, or `<t>_source` with `source=1`), or nowhere.
final class ContentStore {
    private let connection: OpaquePointer
    private let names: ShadowNames
    private let options: TableOptions
    private var idle: [Access: KeptStatement] = [:]
    private var inserting: KeptStatement?
    private var replacing: KeptStatement?
    private var deleting: KeptStatement?
    private var lockDepth = 0

    /// How rows are read.
    enum Access: Hashable {
        /// The row of parameter 1.
        case lookup
        /// The rows from parameter 1 to parameter 2, by rowid.
        case ascending
        /// The rows from parameter 1 down to parameter 2, by rowid.
        case descending
        /// All rows, in any order.
        case all
    }

    init(_ connection: OpaquePointer, names: ShadowNames, options: TableOptions) {
        self.connection = connection
        self.names = names
        self.options = options
    }

    /// Whether a statement over the content is being compiled or executed: if it then asks the very table, the content
    /// is defined by itself.
    var isLocked: Bool { lockDepth > 0 }

    /// Whether the rows of the table are those of the content, rather than those of the index.
    var hasRows: Bool { options.content != .none }

    /// Whether there are texts at all.
    var hasTexts: Bool { options.hasTexts }

    // MARK: - Reading

    /// A statement whose rows are a rowid, then the columns; to be given back.
    ///
    ///     SELECT T.id, T.c0, T.c1 FROM main.t_content AS T WHERE T.id = ?
    func take(_ access: Access) throws -> KeptStatement {
        if let statement = idle.removeValue(forKey: access) { return statement }
        lockDepth += 1
        defer { lockDepth -= 1 }
        return try KeptStatement(connection, sql(access), access: .anything)
    }

    /// Ends a statement's execution, and keeps it for the next that takes one.
    func giveBack(_ statement: KeptStatement, _ access: Access) {
        statement.clear()
        idle[access] = statement
    }

    /// Goes to the next row of a statement over the content.
    func step(_ statement: KeptStatement) throws -> Bool {
        lockDepth += 1
        defer { lockDepth -= 1 }
        return try statement.step()
    }

    /// Notes a row that is in the index, but not among the texts. For FTS5 the content is then damaged; a source may be
    /// ahead of the index, whose rows have no texts there.
    func missRow() throws {
        guard !options.readsSource else { return }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT_VTAB, message: "database disk image is malformed")
    }

    /// Calls `body` with a statement at the row with this id; returns nil if there is none.
    func withRow<Result>(_ rowID: Int64, _ body: (KeptStatement) throws -> Result) throws -> Result? {
        let statement = try take(.lookup)
        defer { giveBack(statement, .lookup) }
        try statement.bind(rowID, at: 1)
        return try step(statement) ? try body(statement) : nil
    }

    /// Calls `body` with a statement at each row.
    func forEachRow(_ body: (_ rowID: Int64, KeptStatement) throws -> Void) throws {
        let statement = try take(.all)
        defer { giveBack(statement, .all) }
        while try step(statement) { try body(statement.int64(at: 0), statement) }
    }

    private func sql(_ access: Access) -> String {
        let source: String
        let key: String
        let columns: [String]
        switch options.content {
        case .external(let table, let rowID):
            source = "\(names.schema.quotedDatabaseIdentifier).\(table.quotedDatabaseIdentifier)"
            key = "T.\(rowID.quotedDatabaseIdentifier)"
            columns = options.columns.map { "T.\($0.name.quotedDatabaseIdentifier)" }
        case .none where options.readsSource:
            source = names.quoted("source")
            key = "T.rowid"
            columns = options.columns.map { "T.\($0.name.quotedDatabaseIdentifier)" }
        case .stored, .none:
            source = names.quoted("content")
            key = "T.id"
            columns = options.columns.indices.map { "T.c\($0)" }
        }
        let selection = "SELECT \(([key] + columns).joined(separator: ", ")) FROM \(source) AS T"
        return switch access {
        case .lookup: "\(selection) WHERE \(key) = ?"
        case .ascending: "\(selection) WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key) ASC"
        case .descending: "\(selection) WHERE \(key) <= ? AND \(key) >= ? ORDER BY \(key) DESC"
        case .all: selection
        }
    }

    // MARK: - Writing `<t>_content`

    /// Adds a row; the conflict with one of the same rowid is SQLITE_CONSTRAINT.
    ///
    ///     INSERT INTO t_content VALUES (?, ?, ...)
    ///
    /// - Returns: The rowid, which SQLite chooses if it is NULL.
    func insert(_ rowID: BorrowedValue, _ values: BorrowedValues) throws -> Int64 {
        try prepareInsertion(rowID, values, replacing: false)()
    }

    /// Copies the values of a row as they are now: a blob whose text is asked for is a text from then on.
    ///
    ///     INSERT INTO t_content VALUES (?, ?, ...) ON CONFLICT(id) DO UPDATE SET c0 = excluded.c0, ...
    ///
    /// - Parameter replacing: Whether the row takes the place of one of the same rowid, instead of being in conflict with it. It
    ///   takes no other place: a conflict in an index that somebody has created on the table is SQLITE_CONSTRAINT.
    /// - Returns: What adds the row, before the next one is prepared.
    func prepareInsertion(
        _ rowID: BorrowedValue, _ values: BorrowedValues, replacing: Bool
    ) throws -> () throws -> Int64 {
        let count = options.columns.count
        let statement: KeptStatement
        if let kept = replacing ? self.replacing : inserting {
            statement = kept
        } else {
            let parameters = Array(repeating: "?", count: count + 1).joined(separator: ", ")
            let update = (0..<count).map { "c\($0) = excluded.c\($0)" }.joined(separator: ", ")
            statement = try KeptStatement(
                connection,
                "INSERT INTO \(names.quoted("content")) VALUES (\(parameters))"
                    + (replacing ? " ON CONFLICT(id) DO UPDATE SET \(update)" : ""))
            if replacing { self.replacing = statement } else { inserting = statement }
        }
        try statement.bind(rowID, at: 1)
        for column in 0..<count { try statement.bind(values[column], at: Int32(clamping: column + 2)) }
        return { [connection] in try Self.execute(statement, on: connection) }
    }

    private static func execute(_ statement: KeptStatement, on connection: OpaquePointer) throws -> Int64 {
        do {
            try statement.execute()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // The shadow table's name, which the message of SQLite has, says nothing to the user.
            throw DatabaseError(resultCode: error.extendedResultCode, message: "constraint failed")
        }
        return csqlite_last_insert_rowid(connection)
    }

    /// Removes a row.
    ///
    ///     DELETE FROM t_content WHERE id = ?
    func delete(_ rowID: Int64) throws {
        let statement =
            try deleting ?? KeptStatement(connection, "DELETE FROM \(names.quoted("content")) WHERE id = ?")
        deleting = statement
        try statement.bind(rowID, at: 1)
        try statement.execute()
    }

    /// How many rows `<t>_content` has.
    func count() throws -> Int64 {
        let statement = try KeptStatement(connection, "SELECT count(*) FROM \(names.quoted("content"))")
        return try statement.step() ? statement.int64(at: 0) : 0
    }

    // MARK: - The table itself

    /// The columns of `<t>_content`, as its CREATE TABLE has them.
    var definition: String {
        (["id INTEGER PRIMARY KEY"] + options.columns.indices.map { "c\($0)" }).joined(separator: ", ")
    }
}
