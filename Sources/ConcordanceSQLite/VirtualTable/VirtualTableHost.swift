import CConcordanceSQLite

extension Database {
    /// Makes the tables of `type` available to this connection under `name`, replacing an earlier module with that
    /// name.
    ///
    /// SQL: `CREATE VIRTUAL TABLE t USING name(arguments)`, or, for eponymous tables, `SELECT … FROM name`.
    ///
    /// - Parameter context: The context passed to each table's initializer.
    @inlinable
    package func create<Table: VirtualTable>(
        module name: String, _ type: Table.Type, context: Table.Context
    ) throws {
        let host = VirtualTableHost(
            kind: Table.kind, isShadowName: Table.isShadowName, operations: Table.operations
        ) { request, isCreation in
            let request = VirtualTableRequest(request, context: context)
            let table = isCreation ? try Table(creating: request) : try Table(connecting: request)
            return (table, table.declaration)
        }
        try install(host, named: name)
    }

    /// Makes the tables of `type`, which need no context, available to this connection under `name`.
    @inlinable
    package func create<Table: VirtualTable>(module name: String, _ type: Table.Type) throws
    where Table.Context == Void {
        try create(module: name, type, context: ())
    }

    /// Removes a module from this connection; tables in use keep working.
    @usableFromInline
    package func remove(module name: String) throws {
        try name.validateForSQLite("module")
        try check(csqlite_create_module_v2(sqliteConnection, name, nil, nil, nil))
    }

    @usableFromInline
    func install(_ host: VirtualTableHost, named name: String) throws {
        try name.validateForSQLite("module")
        // SQLite calls the destructor on failure, too.
        try check(
            csqlite_create_module_v2(
                sqliteConnection, name, host.module, Unmanaged.passRetained(host).toOpaque(),
                { host in
                    if let host { Unmanaged<VirtualTableHost>.fromOpaque(host).release() }
                }))
    }
}

/// What the tables of one module on one connection share: SQLite's module structure and the Swift code behind it.
///
/// SQLite keeps it alive while the module is registered, and each table keeps it alive for itself: some versions of
/// SQLite destroy the module before they disconnect its last table, through that same structure.
@usableFromInline
final class VirtualTableHost {
    @usableFromInline
    typealias Connect = (VirtualTableRequest<Void>, _ isCreation: Bool) throws -> (AnyObject, declaration: String)

    private let memory: UnsafeMutablePointer<csqlite_module>
    /// SQLite's view of it.
    var module: UnsafeMutablePointer<sqlite3_module> {
        UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_module.self)
    }
    let cursorOperations: CursorOperations
    let tableOperations: TableOperations
    let writeOperations: WriteOperations?
    let connect: Connect

    @usableFromInline
    init(
        kind: VirtualTableKind, isShadowName: ShadowNameTest?, operations: VirtualTableOperations,
        connect: @escaping Connect
    ) {
        self.connect = connect
        tableOperations = operations.table
        writeOperations = operations.writing
        cursorOperations = operations.cursor
        memory = .allocate(capacity: 1)
        memory.initialize(to: csqlite_module())
        memory.pointee.base = sqlite3_module(
            kind: kind, isWritable: operations.writing != nil, isShadowName: isShadowName)
        csqlite_module_set_integrity(memory, integrityTrampoline)
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}

/// One table on one connection, with the functions that it overloads.
final class HostedTable {
    let object: AnyObject
    private var functions: [String: HostedFunction] = [:]

    init(_ object: AnyObject) { self.object = object }

    /// The table's own version of a function, which lives as long as the table.
    func function(
        named name: String, argumentCount: Int, make: (AnyObject, String, Int) -> VirtualTableFunction?
    ) -> HostedFunction? {
        let key = "\(name)/\(argumentCount)"
        if let known = functions[key] { return known }
        guard let function = make(object, name, argumentCount) else { return nil }
        let hosted = HostedFunction(function)
        functions[key] = hosted
        return hosted
    }
}

/// A function that SQLite holds a pointer to.
final class HostedFunction {
    let function: VirtualTableFunction

    init(_ function: VirtualTableFunction) { self.function = function }
}

// MARK: - Errors in callbacks

/// The code that SQLite gets for an error that a callback threw. Codes that are not errors, such as SQLITE_ROW, would
/// make SQLite continue as if nothing had happened.
@usableFromInline
package func callbackCode(_ error: any Error) -> Int32 {
    switch error {
    case let error as DatabaseError:
        switch error.extendedResultCode.rawValue {
        case ...0: SQLITE_ERROR
        case let code where [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code & 0xFF): SQLITE_ERROR
        case let code: code
        }
    case is CancellationError: SQLITE_INTERRUPT
    default: SQLITE_ERROR
    }
}

/// The message that SQLite reports for an error that a callback threw.
func callbackText(_ error: any Error) -> String {
    (error as? DatabaseError)?.message ?? (error as? CallbackError)?.message ?? "\(error)"
}

/// The same, for SQLite to free.
func callbackMessage(_ error: any Error) -> UnsafeMutablePointer<CChar>? {
    textOwnedBySQLite(callbackText(error))
}

/// A copy of a text, to be freed by `csqlite_free`; nil if there is no memory.
func textOwnedBySQLite(_ text: String) -> UnsafeMutablePointer<CChar>? {
    var text = text
    return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { csqlite_copy_string($0.baseAddress, Int64($0.count)) }
    }
}
