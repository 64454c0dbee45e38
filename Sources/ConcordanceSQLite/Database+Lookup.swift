import CSQLite

extension Database {
    /// The `Database` of a connection that a callback got from SQLite.
    ///
    /// A connection without one gets one, which lives until the connection is closed, and which keeps no idle statements,
    /// so that its owner's `sqlite3_close` finds none.
    package static func from(_ connection: OpaquePointer) throws -> Database {
        if let database = ConnectionState.of(connection)?.database { return database }
        let database = Database(borrowing: connection)
        database.statementCache = StatementCache(capacity: 0)
        // SQLite destroys the functions of a connection when it closes it: this one, never called, ends the loan.
        let code = csqlite_create_function_v2(
            connection, "concordance_connection", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(database).toOpaque(),
            { context, _, _ in csqlite_result_null(context) }, nil, nil,
            { if let database = $0 { Unmanaged<Database>.fromOpaque(database).release() } })
        try database.check(code)
        return database
    }

    /// The object of type `Object` that belongs to this connection, made by `create` when it is first asked for.
    ///
    /// It lives as long as the connection is open in this process, and must not itself keep a `Database` or a `Statement`
    /// alive, which would keep each other.
    public func storage<Object: AnyObject>(of type: Object.Type, create: () throws -> Object) rethrows -> Object {
        if let object = state.storage[ObjectIdentifier(type)] as? Object { return object }
        let object = try create()
        state.storage[ObjectIdentifier(type)] = object
        return object
    }
}
