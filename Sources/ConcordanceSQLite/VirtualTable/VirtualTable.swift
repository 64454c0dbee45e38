import CConcordanceSQLite

/// A table whose rows come from Swift (https://www.sqlite.org/vtab.html).
///
/// ```swift
/// final class Digits: VirtualTable {
///     static let kind = VirtualTableKind.eponymousOnly
///     let declaration = "CREATE TABLE digits(value INTEGER)"
///     init(connecting request: VirtualTableRequest<Void>) throws {}
///     func bestIndex(_ index: inout VirtualTableIndex) throws { index.estimatedRows = 10 }
///     func makeCursor() -> Cursor { Cursor() }
///
///     struct Cursor: VirtualTableCursor {
///         var value: Int64 = 0
///         var isAtEnd: Bool { value == 10 }
///         mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) { value = 0 }
///         mutating func next() { value += 1 }
///         func column(_ column: Int, into result: ResultContext) { result.set(value) }
///         func rowID() -> Int64 { value }
///     }
/// }
/// try db.create(module: "digits", Digits.self)
/// // SELECT value FROM digits WHERE value > 3
/// ```
///
/// SQLite calls all methods on the thread that runs the statement. What they throw, the caller of that statement gets as
/// it is; the `resultCode` of a `DatabaseError` decides what SQLite does (`SQLITE_CONSTRAINT` is subject to OR IGNORE and
/// the like), any other error counts as `SQLITE_ERROR`. A table adopts `WritableVirtualTable` to be written to.
public protocol VirtualTable: AnyObject, SendableMetatype {
    /// What goes through the rows of one scan.
    associatedtype Cursor: VirtualTableCursor
    /// What `create(module:_:context:)` was given for the tables of the module: an engine, settings.
    associatedtype Context = Void

    /// How tables of this kind come to be. Default: `.created`.
    static var kind: VirtualTableKind { get }

    /// Whether `name` is, behind the name of a table and `_`, that of a shadow table, which SQL may not write to in a
    /// defensive connection. A literal closure, as SQLite takes a C function without a context; nil for none, the default.
    ///
    /// ```swift
    /// let isShadowName: ShadowNameTest? = { virtualTableName($0, isOneOf: "data", "idx") ? 1 : 0 }
    /// ```
    static var isShadowName: ShadowNameTest? { get }

    /// Makes the table's storage, for `CREATE VIRTUAL TABLE`. Default: the same as connecting.
    init(creating request: VirtualTableRequest<Context>) throws
    /// Opens a table that exists already, for instance in another connection, or is eponymous.
    init(connecting request: VirtualTableRequest<Context>) throws

    /// The columns, as a `CREATE TABLE x(…)` statement; read once, after initialization. `HIDDEN` columns are those that
    /// `*` leaves out, and the arguments of a table-valued function.
    var declaration: String { get }

    /// Answers how a query can be executed.
    func bestIndex(_ index: inout VirtualTableIndex) throws

    /// A cursor for one execution of a plan; several may be open.
    func makeCursor() throws -> Cursor

    /// This table's own version of an SQL function when the first argument is one of its columns; nil for none, the
    /// default. Asked for each use in a statement that is prepared.
    func function(named name: String, argumentCount: Int) -> VirtualTableFunction?

    /// `ALTER TABLE … RENAME TO`: renames the shadow tables. Default: nothing to do.
    func rename(to name: String) throws

    /// Removes the table's storage, for `DROP TABLE`. Default: nothing to do.
    func destroy() throws

    /// What is wrong with the table's storage, for `PRAGMA integrity_check` from SQLite 3.44 on, where the package was
    /// built with such headers; nil, the default, when nothing is.
    func integrityProblem(isQuick: Bool) throws -> String?

    /// How SQLite reaches the methods; comes with the protocol that the type adopts, and is not to be implemented.
    static var operations: VirtualTableOperations { get }
}

/// The state of one execution of a plan: a position in the rows it gives. A struct costs no reference counting per row.
public protocol VirtualTableCursor: SendableMetatype {
    /// Starts the plan, and moves to the first row or to the end. Called again for the next values of the arguments.
    ///
    /// - Parameter arguments: The values of the constraints taken, in the order of taking.
    mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws
    /// Moves to the next row or to the end.
    mutating func next() throws
    /// Whether there is no row at the position; asked for after `filter` and after each `next`.
    var isAtEnd: Bool { get }
    /// Gives the value of a column of the row, from zero.
    mutating func column(_ column: Int, into result: ResultContext) throws
    /// The rowid of the row.
    mutating func rowID() throws -> Int64
    /// Where the cursor says what rows it has found ahead; read once, when the cursor is made, and valid as long as it is.
    /// Default: nil, every step is a call of `next`.
    var run: UnsafeMutablePointer<VirtualTableRun>? { get }
}

extension VirtualTableCursor {
    public var run: UnsafeMutablePointer<VirtualTableRun>? { nil }
}

/// A virtual table that takes INSERT, UPDATE and DELETE.
///
/// `begin` comes before the first change in a transaction; then `sync` and `commit`, or `rollback`. Savepoints are
/// numbered from the outermost; releasing or rolling back to one ends those with greater numbers. Those begun before
/// `begin` are not told of: rolling back to a number that `savepoint` never got means the state at `begin`.
public protocol WritableVirtualTable: VirtualTable {
    /// Adds a row.
    ///
    /// - Returns: Its rowid; any number in a table WITHOUT ROWID.
    func insert(_ row: VirtualTableRow) throws -> Int64
    /// Replaces the row of the given rowid, or primary key in a table WITHOUT ROWID, by `row`, whose key may differ.
    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws
    /// Removes the row of the given rowid, or primary key in a table WITHOUT ROWID.
    func delete(_ key: BorrowedValue) throws

    /// A transaction begins to change the table.
    func begin() throws
    /// Writes what is pending; the last moment at which the commit can fail.
    func sync() throws
    /// The transaction is committed; an error has no effect any more.
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

/// How virtual tables of a module come to be.
public enum VirtualTableKind: Sendable {
    /// By `CREATE VIRTUAL TABLE name USING module(…)`.
    case created
    /// So, and the module's name is itself a table.
    case eponymous
    /// The module's name is a table, and no others can be created: a table-valued function.
    case eponymousOnly
}

/// The shadow name test of SQLite's module structure.
public typealias ShadowNameTest = @convention(c) (UnsafePointer<CChar>?) -> Int32

/// Whether a C string is one of `names`; compares as SQLite does, without regard to ASCII case.
public func virtualTableName(_ name: UnsafePointer<CChar>?, isOneOf names: StaticString...) -> Bool {
    guard let name else { return false }
    return names.contains { candidate in
        candidate.withUTF8Buffer { utf8 in
            for (index, byte) in utf8.enumerated() {
                let other = UInt8(bitPattern: name[index])
                // A NUL is no candidate's byte, so the loop ends there.
                guard asciiLowercased(other) == asciiLowercased(byte) else { return false }
            }
            return name[utf8.count] == 0
        }
    }
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

/// What `CREATE VIRTUAL TABLE`, or the schema, says of a table.
public struct VirtualTableRequest<Context> {
    /// The connection.
    public let database: Database
    /// What the module was created with.
    public let context: Context
    /// The name of the module.
    public let moduleName: String
    /// The name of the attached database: `main`, `temp`.
    public let databaseName: String
    /// The name of the table.
    public let tableName: String
    /// The arguments, each as written between the commas.
    public let arguments: [String]

    @usableFromInline
    init(_ request: VirtualTableRequest<Void>, context: Context) {
        database = request.database
        self.context = context
        moduleName = request.moduleName
        databaseName = request.databaseName
        tableName = request.tableName
        arguments = request.arguments
    }

    /// Tells SQLite what the table may be used for; in `init(creating:)` or `init(connecting:)` only.
    public func declare(_ risk: VirtualTableRisk) throws {
        try database.check(csqlite_vtab_config(database.sqliteConnection, risk.rawValue, 0))
    }

    /// Tells SQLite that the table's changes follow the conflict mode themselves, and that one which throws
    /// `SQLITE_CONSTRAINT` has changed nothing; in `init(creating:)` or `init(connecting:)` only.
    public func declareConflictSupport() throws {
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
public enum VirtualTableRisk: Int32, Sendable {
    /// Everywhere, in triggers and views of untrusted schemas too: it can do no harm.
    case innocuous = 2
    /// In statements only, never in triggers and views.
    case directOnly = 3
}

/// What happens to a row that violates a constraint; the values are SQLite's.
public enum VirtualTableConflict: Int32, Sendable {
    /// The statement fails, and its transaction is rolled back.
    case rollback = 1
    /// The row is left out; the statement goes on.
    case ignore = 2
    /// The statement fails; what it changed before stays.
    case fail = 3
    /// The statement fails, and what it changed is undone: SQLite's default.
    case abort = 4
    /// Rows that stand in the way are deleted first.
    case replace = 5
}

/// A row to write; valid during the call.
public struct VirtualTableRow {
    /// The rowid; NULL when the table is to choose one.
    public let rowID: BorrowedValue
    /// The values of all columns, in the order of the declaration, hidden ones included.
    public let values: BorrowedValues
    /// What the statement says of conflicts (`INSERT OR REPLACE`); `.abort` unless it says anything.
    public let conflict: VirtualTableConflict
}

/// An SQL function as one virtual table has it.
public struct VirtualTableFunction {
    let comparison: VirtualTableIndex.Comparison?
    let body: (BorrowedValues, ResultContext) throws -> Void

    /// - Parameters:
    ///   - comparison: From `.function` on: what a WHERE term that is a call of this function appears as in `bestIndex`.
    ///   - body: Computes the result.
    public init(
        comparison: VirtualTableIndex.Comparison? = nil,
        _ body: @escaping (BorrowedValues, ResultContext) throws -> Void
    ) {
        self.comparison = comparison
        self.body = body
    }
}

extension VirtualTable {
    public static var kind: VirtualTableKind { .created }
    public static var isShadowName: ShadowNameTest? { nil }
    public init(creating request: VirtualTableRequest<Context>) throws { try self.init(connecting: request) }
    public func function(named name: String, argumentCount: Int) -> VirtualTableFunction? { nil }
    public func rename(to name: String) throws {}
    public func destroy() throws {}
    public func integrityProblem(isQuick: Bool) throws -> String? { nil }
    @inlinable public static var operations: VirtualTableOperations { VirtualTableOperations(reading: Self.self) }
}

extension WritableVirtualTable {
    public func begin() throws {}
    public func sync() throws {}
    public func commit() throws {}
    public func rollback() throws {}
    public func savepoint(_ number: Int) throws {}
    public func release(_ number: Int) throws {}
    public func rollback(to number: Int) throws {}
    @inlinable public static var operations: VirtualTableOperations { VirtualTableOperations(writing: Self.self) }
}
