import CConcordanceSQLite

/// A table whose rows come from Swift (https://www.sqlite.org/vtab.html).
///
/// SQLite calls all methods on the thread that runs the statement. The caller of that statement gets the errors that
/// they throw unchanged. The `resultCode` of a `DatabaseError` decides what SQLite does (`SQLITE_CONSTRAINT` is subject
/// to OR IGNORE and the like); any other error counts as `SQLITE_ERROR`. A table that can be written to adopts
/// `WritableVirtualTable`.
@usableFromInline
package protocol VirtualTable: AnyObject, SendableMetatype {
    /// The type that goes through the rows of one scan.
    associatedtype Cursor: VirtualTableCursor
    /// The context that `create(module:_:context:)` passes to the tables of the module: an engine, settings.
    associatedtype Context = Void

    /// How tables of this kind are created. Default: `.created`.
    static var kind: VirtualTableKind { get }

    /// Whether `name` is the suffix, after the name of a table and `_`, of a shadow table, to which SQL cannot write on
    /// a defensive connection. It must be a literal closure, because SQLite takes a C function without a context; nil,
    /// the default, for none.
    ///
    /// ```
    /// let isShadowName: ShadowNameTest? = { virtualTableName($0, isOneOf: "data", "idx") ? 1 : 0 }
    /// ```
    static var isShadowName: ShadowNameTest? { get }

    /// Creates the table's storage, for `CREATE VIRTUAL TABLE`. Default: the same as connecting.
    init(creating request: VirtualTableRequest<Context>) throws
    /// Opens a table that already exists, for instance on another connection, or is eponymous.
    init(connecting request: VirtualTableRequest<Context>) throws

    /// The columns, as a `CREATE TABLE x(…)` statement; read once, after initialization. `HIDDEN` columns are left out
    /// by `*`, and are the arguments of a table-valued function.
    var declaration: String { get }

    /// Answers how a query can be executed.
    func bestIndex(_ index: inout VirtualTableIndex) throws

    /// A cursor for one execution of a plan; several may be open.
    func makeCursor() throws -> Cursor

    /// This table's own version of an SQL function whose first argument is one of its columns; nil, the default, for
    /// none. Asked for each use in a statement being prepared.
    func function(named name: String, argumentCount: Int) -> VirtualTableFunction?

    /// `ALTER TABLE … RENAME TO`: renames the shadow tables. Default: does nothing.
    func rename(to name: String) throws

    /// Removes the table's storage, for `DROP TABLE`. Default: does nothing.
    func destroy() throws

    /// What is wrong with the table's storage, for `PRAGMA integrity_check` and `quick_check` from SQLite 3.44 on; nil, the
    /// default, when nothing is.
    func integrityProblem(isQuick: Bool) throws -> String?

    /// How SQLite reaches the methods. The protocol that the type adopts provides it; do not implement it.
    static var operations: VirtualTableOperations { get }
}

/// The state of one execution of a plan: a position in its rows. A struct costs no reference counting per row.
@usableFromInline
package protocol VirtualTableCursor: SendableMetatype {
    /// Starts the plan, and moves to the first row or to the end. Called again for new values of the arguments.
    ///
    /// - Parameter arguments: The values of the constraints that were taken, in that order.
    mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws
    /// Moves to the next row or to the end.
    mutating func next() throws
    /// Whether there is no row at the position; asked after `filter` and after each `next`.
    var isAtEnd: Bool { get }
    /// Provides the value of a column of the row, from zero.
    mutating func column(_ column: Int, into result: ResultContext) throws
    /// The rowid of the row.
    mutating func rowID() throws -> Int64
    /// Where the cursor stores rows that it has found ahead; read once, when the cursor is created, and valid as long
    /// as the cursor. Default: nil, so every step is a call of `next`.
    var run: UnsafeMutablePointer<VirtualTableRun>? { get }
}

extension VirtualTableCursor {
    @usableFromInline
    package var run: UnsafeMutablePointer<VirtualTableRun>? { nil }
}

/// A virtual table that accepts INSERT, UPDATE and DELETE.
///
/// `begin` is called before the first change in a transaction; then `sync` and `commit`, or `rollback`. Savepoints are
/// numbered from the outermost; releasing or rolling back to one ends those with greater numbers. Savepoints begun
/// before `begin` are not reported: rolling back to a number that `savepoint` never got means the state at `begin`.
@usableFromInline
package protocol WritableVirtualTable: VirtualTable {
    /// Adds a row.
    ///
    /// - Returns: Its rowid; any number in a table WITHOUT ROWID.
    func insert(_ row: VirtualTableRow) throws -> Int64
    /// Replaces the row with the given rowid, or primary key in a table WITHOUT ROWID, by `row`, whose key may differ.
    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws
    /// Removes the row with the given rowid, or primary key in a table WITHOUT ROWID.
    func delete(_ key: BorrowedValue) throws

    /// A transaction starts to change the table.
    func begin() throws
    /// Writes what is pending; the last moment at which the commit can fail.
    func sync() throws
    /// The transaction is committed; an error no longer has any effect.
    func commit() throws
    /// The transaction is undone: the table is as it was at `begin`.
    func rollback() throws
    /// A savepoint begins.
    func savepoint(_ number: Int) throws
    /// Savepoints from this number on end; their changes stay.
    func release(_ number: Int) throws
    /// The changes since this savepoint are undone; the savepoint itself stays.
    func rollback(to number: Int) throws
}

/// How virtual tables of a module are created.
@usableFromInline
package enum VirtualTableKind: Sendable {
    /// By `CREATE VIRTUAL TABLE name USING module(…)`.
    case created
    /// The same, and the module's name is itself a table.
    case eponymous
    /// The module's name is a table, and no others can be created: a table-valued function.
    case eponymousOnly
}

/// The shadow name test of SQLite's module structure.
@usableFromInline
package typealias ShadowNameTest = @convention(c) (UnsafePointer<CChar>?) -> Int32

/// Whether a C string is one of `names`; like SQLite, ignores ASCII case.
@usableFromInline
package func virtualTableName(_ name: UnsafePointer<CChar>?, isOneOf names: StaticString...) -> Bool {
    guard let name else { return false }
    return names.contains { candidate in
        candidate.withUTF8Buffer { utf8 in
            for (index, byte) in utf8.enumerated() {
                let other = UInt8(bitPattern: name[index])
                // A NUL is not a byte of any candidate, so the loop ends there.
                guard asciiLowercased(other) == asciiLowercased(byte) else { return false }
            }
            return name[utf8.count] == 0
        }
    }
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

/// What `CREATE VIRTUAL TABLE`, or the schema, says about a table.
@usableFromInline
package struct VirtualTableRequest<Context> {
    /// The connection.
    @usableFromInline
    package let database: Database
    /// What the module was created with.
    @usableFromInline
    package let context: Context
    /// The name of the module.
    @usableFromInline
    package let moduleName: String
    /// The name of the attached database: `main`, `temp`.
    @usableFromInline
    package let databaseName: String
    /// The name of the table.
    @usableFromInline
    package let tableName: String
    /// The arguments, each as written between the commas.
    @usableFromInline
    package let arguments: [String]

    @usableFromInline
    init(_ request: VirtualTableRequest<Void>, context: Context) {
        database = request.database
        self.context = context
        moduleName = request.moduleName
        databaseName = request.databaseName
        tableName = request.tableName
        arguments = request.arguments
    }

    /// Tells SQLite where the table may be used; only in `init(creating:)` or `init(connecting:)`.
    @usableFromInline
    package func declare(_ risk: VirtualTableRisk) throws {
        try database.check(csqlite_vtab_config(database.sqliteConnection, risk.rawValue, 0))
    }

    /// Tells SQLite that the table's changes follow the conflict mode themselves, and that a change that throws
    /// `SQLITE_CONSTRAINT` has changed nothing; only in `init(creating:)` or `init(connecting:)`.
    @usableFromInline
    package func declareConflictSupport() throws {
        try database.check(csqlite_vtab_config(database.sqliteConnection, SQLITE_VTAB_CONSTRAINT_SUPPORT, 1))
    }
}

extension VirtualTableRequest where Context == Void {
    init(database: Database, arguments all: [String]) {
        self.database = database
        context = ()
        moduleName = all.first ?? ""
        databaseName = all.dropFirst().first ?? "main"
        tableName = all.dropFirst(2).first ?? ""
        arguments = Array(all.dropFirst(3))
    }
}

/// Where a virtual table may be used, which matters in files that come from elsewhere; the values are SQLite's.
@usableFromInline
package enum VirtualTableRisk: Int32, Sendable {
    /// Everywhere, including in triggers and views of untrusted schemas: it can do no harm.
    case innocuous = 2
    /// Only in statements, never in triggers and views.
    case directOnly = 3
}

/// What happens to a row that violates a constraint; the values are SQLite's.
@usableFromInline
package enum VirtualTableConflict: Int32, Sendable {
    /// The statement fails, and its transaction is rolled back.
    case rollback = 1
    /// The row is left out; the statement goes on.
    case ignore = 2
    /// The statement fails; what it changed before stays.
    case fail = 3
    /// The statement fails, and what it changed is undone: SQLite's default.
    case abort = 4
    /// Conflicting rows are deleted first.
    case replace = 5
}

/// A row to write; valid during the call.
@usableFromInline
package struct VirtualTableRow {
    /// The rowid; NULL if the table is to choose one.
    @usableFromInline
    package let rowID: BorrowedValue
    /// The values of all columns, in the order of the declaration, including hidden ones.
    @usableFromInline
    package let values: BorrowedValues
    /// What the statement says about conflicts (`INSERT OR REPLACE`); `.abort` by default.
    @usableFromInline
    package let conflict: VirtualTableConflict

    /// The same with other values.
    @usableFromInline
    package func replacing(_ values: BorrowedValues) -> VirtualTableRow {
        VirtualTableRow(rowID: rowID, values: values, conflict: conflict)
    }
}

/// A virtual table's own version of an SQL function.
@usableFromInline
package struct VirtualTableFunction {
    let comparison: VirtualTableIndex.Comparison?
    let body: (BorrowedValues, ResultContext) throws -> Void

    /// - Parameters:
    ///   - comparison: `.function` or greater: how a WHERE term that calls this function appears in `bestIndex`.
    ///   - body: Computes the result.
    @usableFromInline
    package init(
        comparison: VirtualTableIndex.Comparison? = nil,
        _ body: @escaping (BorrowedValues, ResultContext) throws -> Void
    ) {
        self.comparison = comparison
        self.body = body
    }
}

extension VirtualTable {
    @usableFromInline
    package static var kind: VirtualTableKind { .created }
    @usableFromInline
    package static var isShadowName: ShadowNameTest? { nil }
    @usableFromInline
    package init(creating request: VirtualTableRequest<Context>) throws { try self.init(connecting: request) }
    @usableFromInline
    package func function(named name: String, argumentCount: Int) -> VirtualTableFunction? { nil }
    @usableFromInline
    package func rename(to name: String) throws {}
    @usableFromInline
    package func destroy() throws {}
    @usableFromInline
    package func integrityProblem(isQuick: Bool) throws -> String? { nil }
    @inlinable package static var operations: VirtualTableOperations { VirtualTableOperations(reading: Self.self) }
}

extension WritableVirtualTable {
    @usableFromInline
    package func begin() throws {}
    @usableFromInline
    package func sync() throws {}
    @usableFromInline
    package func commit() throws {}
    @usableFromInline
    package func rollback() throws {}
    @usableFromInline
    package func savepoint(_ number: Int) throws {}
    @usableFromInline
    package func release(_ number: Int) throws {}
    @usableFromInline
    package func rollback(to number: Int) throws {}
    @inlinable package static var operations: VirtualTableOperations { VirtualTableOperations(writing: Self.self) }
}
