import CConcordanceSQLite

/// A compiled statement, which can be executed any number of times.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "SELECT id, name FROM player WHERE score > ?")
/// try statement.forEachRow(arguments: [1000]) { row in
///     print(row.int64(at: 0), row.string(at: 1) ?? "")
/// }
/// ```
/// A statement keeps its `Database` alive, and must be used on the same thread.
public final class Statement {
    /// The connection it was compiled for.
    package let database: Database

    /// The arguments of the last `setArguments`.
    public private(set) var arguments = StatementArguments()

    /// SQLite's statement.
    @usableFromInline package let handle: OpaquePointer

    /// Changes with each execution and reset, so that a loop over the rows of one execution notices another one.
    private(set) var execution = 0

    let prepared: PreparedStatement
    private let isCached: Bool
    var hasArguments: Bool

    /// The connection's `statementEpoch` when the execution started; `Self.idle` between executions. If the two differ,
    /// the connection has reset the statement since.
    @exclusivity(unchecked) private var runningEpoch = idle
    @exclusivity(unchecked) private var isStepping = false
    private static let idle = -1

    /// Whether an execution is under way.
    var isRunning: Bool { runningEpoch == database.statementEpoch }

    init(_ prepared: PreparedStatement, of database: Database, isCached: Bool) {
        self.database = database
        self.prepared = prepared
        self.isCached = isCached
        handle = prepared.handle
        hasArguments = csqlite_bind_parameter_count(prepared.handle) == 0
    }

    deinit {
        guard database.isHeld else {
            database.escapedStatements?.keep(prepared)
            return
        }
        if isRunning { database.runningStatementCount &-= 1 }
        database.reset(handle)
        guard isCached && database.handle != nil else { return }
        csqlite_clear_bindings(handle)
        database.cache(prepared)
    }

    /// Its text.
    public var sql: String { prepared.sql }

    /// Whether it leaves the database file as it is.
    public var isReadonly: Bool { csqlite_stmt_readonly(handle) != 0 }

    // MARK: Arguments

    /// The number of parameters.
    public var parameterCount: Int { Int(csqlite_bind_parameter_count(handle)) }

    /// The names of its named parameters, without `:`, `@` or `$`.
    public var parameterNames: [String] { (0..<parameterCount).compactMap { parameterName(at: $0 + 1) } }

    /// The name of the parameter at `index`, from 1; nil if it has none or is numbered (`?3`).
    func parameterName(at index: Int) -> String? {
        guard let name = csqlite_bind_parameter_name(handle, Int32(clamping: index)) else { return nil }
        return name.pointee == CChar(bitPattern: UInt8(ascii: "?")) ? nil : String(cString: name + 1)
    }

    /// Binds all parameters.
    /// - Throws: SQLITE_MISUSE, with a message that says what is missing or superfluous.
    public func setArguments(_ arguments: StatementArguments) throws {
        reset()
        csqlite_clear_bindings(handle)
        var binder = ArgumentBinder(arguments)
        do {
            try binder.bind(to: self)
            try binder.finish(self)
        } catch {
            hasArguments = parameterCount == 0
            throw error
        }
        self.arguments = arguments
    }

    /// Binds one parameter by its number, from 1. Parameters that are never bound are NULL.
    public func bind(_ value: DatabaseValue, at index: Int) throws {
        try setParameter(index, to: value)
        hasArguments = true
    }

    /// Binds a copy of UTF-8 bytes as a text.
    package func bind(text: UnsafeRawBufferPointer, at index: Int) throws {
        try setParameter(index, toText: text)
        hasArguments = true
    }

    /// Binds a copy of bytes as a blob.
    package func bind(blob: UnsafeRawBufferPointer, at index: Int) throws {
        try setParameter(index, toBlob: blob)
        hasArguments = true
    }

    /// Binds a copy of a value in the current row of another statement, with exactly its type and bytes.
    package func bind(column: Int, of other: Statement, at index: Int) throws {
        let value = csqlite_column_value(other.handle, Int32(clamping: column))
        try checkBinding(csqlite_bind_value(handle, Int32(clamping: index), value))
        hasArguments = true
    }

    func setParameter(_ index: Int, to value: DatabaseValue) throws {
        let position = Int32(clamping: index)
        switch value {
        case .null: try checkBinding(csqlite_bind_null(handle, position))
        case .int64(let value): try checkBinding(csqlite_bind_int64(handle, position, value))
        case .double(let value): try checkBinding(csqlite_bind_double(handle, position, value))
        case .text(var value): try value.withUTF8 { try setParameter(index, toText: UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): try bytes.withUnsafeBytes { try setParameter(index, toBlob: $0) }
        }
    }

    func setParameter(_ index: Int, to pointer: PointerArgument) throws {
        try checkBinding(pointer.bind(to: handle, at: Int32(clamping: index)))
    }

    private func setParameter(_ index: Int, toText bytes: UnsafeRawBufferPointer) throws {
        let text = bytes.isEmpty ? emptyCString : bytes.assumingMemoryBound(to: CChar.self).baseAddress
        try checkBinding(csqlite_bind_text_copy(handle, Int32(clamping: index), text, UInt64(bytes.count)))
    }

    private func setParameter(_ index: Int, toBlob bytes: UnsafeRawBufferPointer) throws {
        try checkBinding(
            bytes.isEmpty
                ? csqlite_bind_zeroblob64(handle, Int32(clamping: index), 0)
                : csqlite_bind_blob_copy(handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count)))
    }

    private func checkBinding(_ code: Int32) throws {
        if code == SQLITE_OK { return }
        if code == SQLITE_MISUSE {
            throw DatabaseError.misuse(
                "arguments cannot be set while the statement runs", sql: sql, advice: "Reset it.")
        }
        throw database.error(code, sql: sql)
    }

    // MARK: Execution

    /// Runs the statement to its end and discards its rows; `arguments`, if any, replace those set before.
    public func execute(arguments: StatementArguments? = nil) throws {
        if let arguments { try setArguments(arguments) }
        reset()
        try run()
    }

    /// Calls `body` with this statement for each row, to be read with `int64(at:)`, `string(at:)`… Rows cost no
    /// allocations. `body` must not execute the statement again.
    public func forEachRow(arguments: StatementArguments? = nil, _ body: (Statement) throws -> Void) throws {
        if let arguments { try setArguments(arguments) }
        reset()
        defer { reset() }
        guard try step() else { return }
        let own = execution
        repeat {
            try body(self)
            guard execution == own else { throw reusedError() }
        } while try step()
    }

    /// Moves to the first or next row; returns false if there is none, after which the next call starts again.
    public func step() throws -> Bool {
        guard !isStepping else {
            throw DatabaseError.misuse(
                "the statement was executed by a function that it calls", sql: sql,
                advice: "Let the function create a statement of its own.")
        }
        let isFirst = !isRunning
        if isFirst { try begin() }
        isStepping = true
        database.stepDepth &+= 1
        let code = csqlite_step(handle)
        database.stepDepth &-= 1
        isStepping = false
        return code == SQLITE_ROW ? true : try end(code, isFirst)
    }

    /// Ends the execution, if one is running. Arguments stay.
    public func reset() {
        guard isRunning, !isStepping else { return }
        stop()
        execution &+= 1
        database.reset(handle)
    }

    private func stop() {
        guard isRunning else { return }
        runningEpoch = Self.idle
        database.runningStatementCount &-= 1
    }

    func run() throws {
        while try step() {}
    }

    private func begin() throws {
        try database.checkAccess()
        _ = try database.sqliteConnection
        try database.checkTransactionBlock(sql)
        if database.refusesWrites && !isReadonly { throw writingInReadError() }
        guard hasArguments else { throw missingArguments() }
        database.state.pendingError = nil
        execution &+= 1
        runningEpoch = database.statementEpoch
        database.runningStatementCount &+= 1
    }

    private func end(_ code: Int32, _ isFirst: Bool) throws -> Bool {
        stop()
        let failure = code == SQLITE_DONE ? nil : database.error(code, sql: sql)
        database.reset(handle)
        database.notifyOfTransactionEnd()
        guard let failure else { return false }
        // SQLite compiles a statement again if the schema has changed, and ALTER TABLE compiles its triggers.
        if isFirst, try database.trustsSchema(after: failure) { return try step() }
        throw failure
    }

    private func writingInReadError() -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_READONLY, message: "the statement would write in a read access", sql: sql,
            advice: "Write in write { } or writeWithoutTransaction { }.")
    }

    private func missingArguments() -> any Error {
        var binder = ArgumentBinder(StatementArguments())
        do { try binder.bind(to: self) } catch { return error }
        return DatabaseError.misuse("the statement's arguments are not set", sql: sql)
    }

    func reusedError() -> DatabaseError {
        .misuse("the statement was executed again while its rows were read", sql: sql, advice: "Use two statements.")
    }

    // MARK: Columns

    /// The number of columns of its rows; 0 if it has no rows.
    public var columnCount: Int { Int(csqlite_column_count(handle)) }

    /// The names of the columns.
    public var columnNames: [String] { columns.names }

    /// The names, shared by its rows. SQLite compiles a statement again if the schema has changed.
    var columns: ColumnNames {
        let generation = csqlite_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if let columns = prepared.columns, columns.generation == generation { return columns.names }
        let names = ColumnNames(
            (0..<csqlite_column_count(handle)).map { index in
                csqlite_column_name(handle, index).map { String(cString: $0) } ?? ""
            })
        prepared.columns = (names, generation)
        return names
    }
}
