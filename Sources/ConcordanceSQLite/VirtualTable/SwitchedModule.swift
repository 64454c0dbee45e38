import CConcordanceSQLite

// A module whose tables are each of one of two others: SQLite's callbacks go to those of the other module, with its own table
// and cursor.
//
//     sqlite3_vtab *         [ csqlite_switched_table ] --inner--> the table of the other module
//     sqlite3_vtab_cursor *  [ csqlite_switched_cursor ] --inner--> its cursor

private typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
private typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>

/// A module that another library has registered, and what keeps it alive.
@usableFromInline
package protocol ForeignModule: AnyObject {
    /// Its callbacks.
    var module: UnsafePointer<sqlite3_module> { get }
    /// What its constructors get.
    var context: UnsafeMutableRawPointer? { get }
}

extension Database {
    /// Makes tables of `type` available under the name of a module that there is. Tables for which `isForeign` is true are
    /// still those of that module, `original`, which each of them keeps alive; the module itself does not.
    ///
    /// - Parameter isForeign: Called with a table that is opened; a table that is created is one of `type`.
    @usableFromInline
    package func create<Table: WritableVirtualTable>(
        module name: String, _ type: Table.Type, context: Table.Context, over original: any ForeignModule,
        isShadowName: @escaping ShadowNameTest, isForeign: @escaping (VirtualTableRequest<Void>) throws -> Bool
    ) throws {
        let own = VirtualTableHost(
            kind: Table.kind, isShadowName: Table.isShadowName, operations: Table.operations
        ) { request, isCreation in
            let request = VirtualTableRequest(request, context: context)
            let table = isCreation ? try Table(creating: request) : try Table(connecting: request)
            return (table, table.declaration)
        }
        let host = SwitchedModuleHost(own: own, original: original, isShadowName: isShadowName, isForeign: isForeign)
        // SQLite calls the destructor where this fails, too.
        try check(
            csqlite_create_module_v2(
                sqliteConnection, name, host.module, Unmanaged.passRetained(host).toOpaque(),
                { if let host = $0 { Unmanaged<SwitchedModuleHost>.fromOpaque(host).release() } }))
    }
}

/// What the tables of such a module in one connection share.
private final class SwitchedModuleHost {
    let own: VirtualTableHost
    private(set) weak var original: (any ForeignModule)?
    let isForeign: (VirtualTableRequest<Void>) throws -> Bool
    private let memory = UnsafeMutablePointer<csqlite_module>.allocate(capacity: 1)

    var module: UnsafePointer<sqlite3_module> {
        UnsafeRawPointer(memory).assumingMemoryBound(to: sqlite3_module.self)
    }

    init(
        own: VirtualTableHost, original: any ForeignModule, isShadowName: @escaping ShadowNameTest,
        isForeign: @escaping (VirtualTableRequest<Void>) throws -> Bool
    ) {
        self.own = own
        self.original = original
        self.isForeign = isForeign
        memory.initialize(to: csqlite_module())
        memory.pointee.base = makeModule()
        memory.pointee.base.xShadowName = isShadowName
        csqlite_module_set_integrity(memory) { table, schema, name, flags, message in
            call(table) {
                guard let check = csqlite_module_integrity($0.pointee.pModule) else { return SQLITE_OK }
                return check($0, schema, name, flags, message)
            }
        }
    }

    deinit { memory.deallocate() }
}

private func makeModule() -> sqlite3_module {
    var module = sqlite3_module()
    module.iVersion = 3
    module.xCreate = { connect($0, $1, $2, $3, $4, $5, isCreation: true) }
    module.xConnect = { connect($0, $1, $2, $3, $4, $5, isCreation: false) }
    module.xDisconnect = { table in
        disconnect(table) { $0.pointee.pModule.pointee.xDisconnect?($0) ?? SQLITE_MISUSE }
    }
    module.xDestroy = { table in disconnect(table) { $0.pointee.pModule.pointee.xDestroy?($0) ?? SQLITE_MISUSE } }
    module.xBestIndex = { table, info in call(table) { $0.pointee.pModule.pointee.xBestIndex?($0, info) } }
    module.xRename = { table, name in call(table) { $0.pointee.pModule.pointee.xRename?($0, name) } }
    module.xFindFunction = { table, count, name, function, context in
        guard let inner = inner(of: table) else { return 0 }
        return inner.pointee.pModule.pointee.xFindFunction?(inner, count, name, function, context) ?? 0
    }
    setCursors(&module)
    setWriting(&module)
    return module
}

private func setCursors(_ module: inout sqlite3_module) {
    module.xOpen = openCursor
    module.xClose = { cursor in
        guard let cursor, let inner = inner(of: cursor) else { return SQLITE_MISUSE }
        let code = inner.pointee.pVtab.pointee.pModule.pointee.xClose?(inner) ?? SQLITE_MISUSE
        UnsafeMutableRawPointer(cursor).deallocate()
        return code
    }
    module.xFilter = { cursor, number, text, count, values in
        call(cursor) { $1.pointee.xFilter?($0, number, text, count, values) }
    }
    module.xNext = { cursor in call(cursor) { $1.pointee.xNext?($0) } }
    module.xEof = { cursor in
        guard let inner = inner(of: cursor) else { return 1 }
        return inner.pointee.pVtab.pointee.pModule.pointee.xEof?(inner) ?? 1
    }
    module.xColumn = { cursor, result, column in call(cursor) { $1.pointee.xColumn?($0, result, column) } }
    module.xRowid = { cursor, rowID in call(cursor) { $1.pointee.xRowid?($0, rowID) } }
}

private func setWriting(_ module: inout sqlite3_module) {
    module.xUpdate = { table, count, values, rowID in
        call(table) { $0.pointee.pModule.pointee.xUpdate?($0, count, values, rowID) }
    }
    module.xBegin = { table in call(table) { $0.pointee.pModule.pointee.xBegin?($0) } }
    module.xSync = { table in call(table) { $0.pointee.pModule.pointee.xSync?($0) } }
    module.xCommit = { table in call(table) { $0.pointee.pModule.pointee.xCommit?($0) } }
    module.xRollback = { table in call(table) { $0.pointee.pModule.pointee.xRollback?($0) } }
    module.xSavepoint = { table, number in call(table) { $0.pointee.pModule.pointee.xSavepoint?($0, number) } }
    module.xRelease = { table, number in call(table) { $0.pointee.pModule.pointee.xRelease?($0, number) } }
    module.xRollbackTo = { table, number in call(table) { $0.pointee.pModule.pointee.xRollbackTo?($0, number) } }
}

// MARK: - Tables

private func memory(of table: TablePointer) -> UnsafeMutablePointer<csqlite_switched_table> {
    UnsafeMutableRawPointer(table).assumingMemoryBound(to: csqlite_switched_table.self)
}

private func inner(of table: TablePointer?) -> TablePointer? { table.flatMap { memory(of: $0).pointee.inner } }

/// Calls the other module's function, which may be missing, and passes on what it says of an error.
private func call(_ table: TablePointer?, _ body: (TablePointer) -> Int32?) -> Int32 {
    guard let table, let inner = inner(of: table) else { return SQLITE_MISUSE }
    let code = body(inner) ?? SQLITE_OK
    takeMessage(of: inner, to: table)
    return code
}

private func takeMessage(of inner: TablePointer, to table: TablePointer) {
    guard let message = inner.pointee.zErrMsg else { return }
    csqlite_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = message
    inner.pointee.zErrMsg = nil
}

private func connect(
    _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?, _ result: UnsafeMutablePointer<TablePointer?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, isCreation: Bool
) -> Int32 {
    guard let connection, let context, let result else { return SQLITE_MISUSE }
    let host = Unmanaged<SwitchedModuleHost>.fromOpaque(context).takeUnretainedValue()
    var foreign: (any ForeignModule)?
    if !isCreation {
        do {
            let texts = UnsafeBufferPointer(start: arguments, count: Int(count)).map { text in
                text.map { String(cString: $0) } ?? ""
            }
            let request = VirtualTableRequest(database: try Database.from(connection), arguments: texts)
            if try host.isForeign(request) {
                guard let original = host.original else {
                    throw DatabaseError(
                        resultCode: .SQLITE_MISUSE,
                        message: "sqlite3_close has removed the table's module; open another connection")
                }
                foreign = original
            }
        } catch {
            message?.pointee = callbackMessage(error)
            return callbackCode(error)
        }
    }
    let module = foreign?.module ?? UnsafePointer(host.own.module)
    let moduleContext = foreign.map { $0.context } ?? Unmanaged.passUnretained(host.own).toOpaque()
    var inner: TablePointer?
    let constructor = isCreation ? module.pointee.xCreate : module.pointee.xConnect
    let code = constructor?(connection, moduleContext, count, arguments, &inner, message) ?? SQLITE_MISUSE
    guard code == SQLITE_OK, let inner else { return code == SQLITE_OK ? SQLITE_ERROR : code }
    // What SQLite does with a new table.
    inner.pointee = sqlite3_vtab()
    inner.pointee.pModule = module
    let memory = UnsafeMutablePointer<csqlite_switched_table>.allocate(capacity: 1)
    memory.initialize(to: csqlite_switched_table())
    memory.pointee.inner = inner
    memory.pointee.host = Unmanaged.passRetained(host).toOpaque()
    memory.pointee.owner = foreign.map { Unmanaged.passRetained($0 as AnyObject).toOpaque() }
    result.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
}

/// Frees a table, once the other module has freed its own.
private func disconnect(_ table: TablePointer?, _ body: (TablePointer) -> Int32) -> Int32 {
    guard let table, let inner = inner(of: table) else { return SQLITE_MISUSE }
    let code = body(inner)
    guard code == SQLITE_OK else {
        takeMessage(of: inner, to: table)
        return code
    }
    let memory = memory(of: table)
    csqlite_free(memory.pointee.base.zErrMsg)
    let host = memory.pointee.host
    let owner = memory.pointee.owner
    memory.deallocate()
    if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
    if let host { Unmanaged<SwitchedModuleHost>.fromOpaque(host).release() }
    return SQLITE_OK
}

// MARK: - Cursors

private func inner(of cursor: CursorPointer?) -> CursorPointer? {
    guard let cursor else { return nil }
    return UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: csqlite_switched_cursor.self).pointee.inner
}

/// Calls the other module's function, and passes on what it says of an error.
@inline(__always)
private func call(_ cursor: CursorPointer?, _ body: (CursorPointer, UnsafePointer<sqlite3_module>) -> Int32?) -> Int32 {
    guard let cursor, let inner = inner(of: cursor), let table = inner.pointee.pVtab else { return SQLITE_MISUSE }
    let code = body(inner, table.pointee.pModule) ?? SQLITE_MISUSE
    if code != SQLITE_OK { takeMessage(of: table, to: cursor.pointee.pVtab) }
    return code
}

private func openCursor(_ table: TablePointer?, _ result: UnsafeMutablePointer<CursorPointer?>?) -> Int32 {
    call(table) { inner in
        var cursor: CursorPointer?
        let code = inner.pointee.pModule.pointee.xOpen?(inner, &cursor) ?? SQLITE_MISUSE
        guard code == SQLITE_OK, let cursor else { return code == SQLITE_OK ? SQLITE_ERROR : code }
        // What SQLite does with a new cursor.
        cursor.pointee.pVtab = inner
        let memory = UnsafeMutablePointer<csqlite_switched_cursor>.allocate(capacity: 1)
        memory.initialize(to: csqlite_switched_cursor())
        memory.pointee.inner = cursor
        result?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }
}
