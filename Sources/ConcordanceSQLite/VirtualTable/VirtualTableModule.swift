import CConcordanceSQLite

// The C functions that SQLite calls, one set for all modules; see VirtualTableOperations.swift.

private typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
private typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>

extension sqlite3_module {
    init(kind: VirtualTableKind, isWritable: Bool, isShadowName: ShadowNameTest?) {
        self.init()
        iVersion = 3
        xConnect = { connectTable($0, $1, $2, $3, $4, $5, isCreation: false) }
        switch kind {
        case .created: xCreate = { connectTable($0, $1, $2, $3, $4, $5, isCreation: true) }
        // SQLite recognizes an eponymous table by finding the same function in both places.
        case .eponymous: xCreate = xConnect
        case .eponymousOnly: xCreate = nil
        }
        xDisconnect = { freeTable($0) }
        xDestroy = { table in
            let code = perform(on: table) { try $0.tableOperations.destroy($1) }
            return code == SQLITE_OK ? freeTable(table) : code
        }
        xBestIndex = bestIndex
        xOpen = openCursor
        xClose = closeCursor
        xFilter = filter
        xNext = next
        xEof = isAtEnd
        xColumn = column
        xRowid = rowID
        xRename = { table, name in
            perform(on: table) { try $0.tableOperations.rename($1, name.map { String(cString: $0) } ?? "") }
        }
        xFindFunction = findFunction
        xShadowName = isShadowName
        if isWritable { setWriting() }
    }

    private mutating func setWriting() {
        xUpdate = update
        xBegin = { transaction($0, .begin) }
        xSync = { transaction($0, .sync) }
        xCommit = { transaction($0, .commit) }
        xRollback = { transaction($0, .rollback) }
        xSavepoint = { transaction($0, .savepoint(Int($1))) }
        xRelease = { transaction($0, .release(Int($1))) }
        xRollbackTo = { transaction($0, .rollbackTo(Int($1))) }
    }
}

// MARK: - Tables

/// The memory of a table; SQLite knows its first part.
private func memory(of table: TablePointer) -> UnsafeMutablePointer<csqlite_table> {
    UnsafeMutableRawPointer(table).assumingMemoryBound(to: csqlite_table.self)
}

private func host(of table: TablePointer) -> VirtualTableHost {
    Unmanaged<VirtualTableHost>.fromOpaque(memory(of: table).pointee.host).takeUnretainedValue()
}

private func hostedTable(of table: TablePointer) -> HostedTable {
    Unmanaged<HostedTable>.fromOpaque(memory(of: table).pointee.table).takeUnretainedValue()
}

/// Runs `body`, and turns an error that it throws into a code, a message, and the error that the statement's caller
/// gets.
private func perform(
    on table: TablePointer?, _ body: (VirtualTableHost, AnyObject) throws -> Void
) -> Int32 {
    guard let table else { return SQLITE_MISUSE }
    do {
        try body(host(of: table), hostedTable(of: table).object)
        // SQLite never takes the message of a savepoint that failed, and would show it with another error.
        if table.pointee.zErrMsg != nil {
            csqlite_free(table.pointee.zErrMsg)
            table.pointee.zErrMsg = nil
        }
        return SQLITE_OK
    } catch {
        return fail(table, error)
    }
}

private func fail(_ table: TablePointer, _ error: any Error, isTolerated: Bool = false) -> Int32 {
    csqlite_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = callbackMessage(error)
    // A failure after which the statement continues must not be reported as a later one.
    if !isTolerated { Database.setPendingCallbackError(error, on: memory(of: table).pointee.connection) }
    return callbackCode(error)
}

private func connectTable(
    _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?, _ result: UnsafeMutablePointer<TablePointer?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, isCreation: Bool
) -> Int32 {
    guard let connection, let context, let result else { return SQLITE_MISUSE }
    let host = Unmanaged<VirtualTableHost>.fromOpaque(context).takeUnretainedValue()
    do {
        let database = try Database.from(connection)
        let texts = UnsafeBufferPointer(start: arguments, count: Int(count)).map { text in
            text.map { String(cString: $0) } ?? ""
        }
        let request = VirtualTableRequest(database: database, arguments: texts)
        let (table, declaration) = try host.connect(request, isCreation)
        try database.check(csqlite_declare_vtab(connection, declaration), sql: declaration)
        let memory = UnsafeMutablePointer<csqlite_table>.allocate(capacity: 1)
        memory.initialize(to: csqlite_table())
        memory.pointee.connection = connection
        memory.pointee.host = Unmanaged.passRetained(host).toOpaque()
        memory.pointee.table = Unmanaged.passRetained(HostedTable(table)).toOpaque()
        result.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    } catch {
        message?.pointee = callbackMessage(error)
        Database.setPendingCallbackError(error, on: connection)
        return callbackCode(error)
    }
}

private func freeTable(_ table: TablePointer?) -> Int32 {
    guard let table else { return SQLITE_MISUSE }
    let memory = memory(of: table)
    csqlite_free(memory.pointee.base.zErrMsg)
    Unmanaged<HostedTable>.fromOpaque(memory.pointee.table).release()
    Unmanaged<VirtualTableHost>.fromOpaque(memory.pointee.host).release()
    memory.deinitialize(count: 1)
    memory.deallocate()
    return SQLITE_OK
}

private func bestIndex(_ table: TablePointer?, _ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let table, let info else { return SQLITE_MISUSE }
    var index = VirtualTableIndex(info)
    do {
        try host(of: table).tableOperations.bestIndex(hostedTable(of: table).object, &index)
        return SQLITE_OK
    } catch is VirtualTableIndex.NoPlan {
        return SQLITE_CONSTRAINT
    } catch {
        return fail(table, error)
    }
}

private func findFunction(
    _ table: TablePointer?, _ argumentCount: Int32, _ name: UnsafePointer<CChar>?,
    _ function: UnsafeMutablePointer<
        (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
    >?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let table, let name, let function, let context,
        let hosted = hostedTable(of: table).function(
            named: String(cString: name), argumentCount: Int(argumentCount),
            make: host(of: table).tableOperations.function)
    else { return 0 }
    function.pointee = { result, count, arguments in
        guard let context = csqlite_user_data(result) else { return }
        do {
            try Unmanaged<HostedFunction>.fromOpaque(context)._withUnsafeGuaranteedRef {
                try $0.function.body(BorrowedValues(count: count, start: arguments), ResultContext(result))
            }
        } catch {
            Database.fail(result, with: error)
        }
    }
    context.pointee = Unmanaged.passUnretained(hosted).toOpaque()
    // 1 is a function; from 150 on, a function that can also be a constraint.
    return hosted.function.comparison.map { max(Int32($0.rawValue), SQLITE_INDEX_CONSTRAINT_FUNCTION) } ?? 1
}

let integrityTrampoline:
    @convention(c) (
        UnsafeMutablePointer<sqlite3_vtab>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32,
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 = { table, _, _, flags, message in
        perform(on: table) { host, object in
            guard let problem = try host.tableOperations.integrityProblem(object, flags & 1 != 0) else { return }
            message?.pointee = textOwnedBySQLite(problem)
        }
    }

// MARK: - Cursors

private func memory(of cursor: CursorPointer) -> UnsafeMutablePointer<csqlite_cursor> {
    UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: csqlite_cursor.self)
}

/// The rows that the cursor has found ahead.
@inline(__always)
private func run(of cursor: CursorPointer) -> UnsafeMutablePointer<VirtualTableRun>? {
    memory(of: cursor).pointee.run?.assumingMemoryBound(to: VirtualTableRun.self)
}

/// What the host of the cursor's table stores.
private func operations(of cursor: CursorPointer) -> Unmanaged<CursorOperations>? {
    memory(of: cursor).pointee.operations.map { Unmanaged.fromOpaque($0) }
}

private func openCursor(_ table: TablePointer?, _ result: UnsafeMutablePointer<CursorPointer?>?) -> Int32 {
    perform(on: table) { host, object in
        let memory = try host.tableOperations.makeCursor(object)
        memory.assumingMemoryBound(to: csqlite_cursor.self).pointee.operations =
            Unmanaged.passUnretained(host.cursorOperations).toOpaque()
        result?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    }
}

private func closeCursor(_ cursor: CursorPointer?) -> Int32 {
    guard let cursor, let operations = operations(of: cursor) else { return SQLITE_MISUSE }
    operations._withUnsafeGuaranteedRef { $0.deallocate(cursor) }
    return SQLITE_OK
}

private func filter(
    _ cursor: CursorPointer?, _ number: Int32, _ text: UnsafePointer<CChar>?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let cursor, let operations = operations(of: cursor) else { return SQLITE_MISUSE }
    do {
        let isAtEnd = try operations._withUnsafeGuaranteedRef {
            try $0.filter(
                cursor, VirtualTablePlan(number: number, utf8: text), BorrowedValues(count: count, start: arguments))
        }
        memory(of: cursor).pointee.is_at_end = isAtEnd ? 1 : 0
        return SQLITE_OK
    } catch {
        return fail(cursor.pointee.pVtab, error)
    }
}

private func next(_ cursor: CursorPointer?) -> Int32 {
    guard let cursor else { return SQLITE_MISUSE }
    if let run = run(of: cursor), run.pointee.step() { return SQLITE_OK }
    return callNext(cursor)
}

@inline(never)
private func callNext(_ cursor: CursorPointer) -> Int32 {
    guard let operations = operations(of: cursor) else { return SQLITE_MISUSE }
    do {
        let isAtEnd = try operations._withUnsafeGuaranteedRef { try $0.next(cursor) }
        memory(of: cursor).pointee.is_at_end = isAtEnd ? 1 : 0
        return SQLITE_OK
    } catch {
        return fail(cursor.pointee.pVtab, error)
    }
}

private func isAtEnd(_ cursor: CursorPointer?) -> Int32 {
    guard let cursor else { return 1 }
    return Int32(memory(of: cursor).pointee.is_at_end)
}

private func column(_ cursor: CursorPointer?, _ result: OpaquePointer?, _ column: Int32) -> Int32 {
    guard let cursor, let operations = operations(of: cursor) else { return SQLITE_MISUSE }
    do {
        try operations._withUnsafeGuaranteedRef { try $0.column(cursor, Int(column), ResultContext(result)) }
        return SQLITE_OK
    } catch {
        Database.fail(result, with: error)
        return callbackCode(error)
    }
}

private func rowID(_ cursor: CursorPointer?, _ result: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    guard let cursor, let result else { return SQLITE_MISUSE }
    if let run = run(of: cursor), let rowIDs = run.pointee.rowIDs {
        result.pointee = rowIDs[run.pointee.index]
        return SQLITE_OK
    }
    return callRowID(cursor, result)
}

@inline(never)
private func callRowID(_ cursor: CursorPointer, _ result: UnsafeMutablePointer<sqlite3_int64>) -> Int32 {
    guard let operations = operations(of: cursor) else { return SQLITE_MISUSE }
    do {
        result.pointee = try operations._withUnsafeGuaranteedRef { try $0.rowID(cursor) }
        return SQLITE_OK
    } catch {
        return fail(cursor.pointee.pVtab, error)
    }
}

// MARK: - Writing

private func transaction(_ table: TablePointer?, _ event: WriteOperations.TransactionEvent) -> Int32 {
    perform(on: table) { try $0.writeOperations?.transaction($1, event) }
}

/// One function for all changes; https://www.sqlite.org/vtab.html#xupdate describes its arguments.
private func update(
    _ table: TablePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ rowID: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    guard let table, let arguments, count > 0, let operations = host(of: table).writeOperations
    else { return SQLITE_MISUSE }
    let object = hostedTable(of: table).object
    let key = BorrowedValue(arguments[0])
    let conflict = VirtualTableConflict(rawValue: csqlite_vtab_on_conflict(memory(of: table).pointee.connection))
    do {
        if count == 1 {
            try operations.delete(object, key)
            return SQLITE_OK
        }
        let row = VirtualTableRow(
            rowID: BorrowedValue(arguments[1]), values: BorrowedValues(count: count - 2, start: arguments + 2),
            conflict: conflict ?? .abort)
        if key.isNull {
            rowID?.pointee = try operations.insert(object, row)
        } else {
            try operations.update(object, key, row)
        }
        return SQLITE_OK
    } catch {
        return fail(table, error, isTolerated: conflict == .ignore && callbackCode(error) & 0xFF == SQLITE_CONSTRAINT)
    }
}
