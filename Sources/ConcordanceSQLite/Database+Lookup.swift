extension Database {
    /// The `Database` of a connection that SQLite passed to a callback.
    ///
    /// A connection without one gets one, which lives until the connection is closed. It keeps no idle statements, so
    /// that its owner's `sqlite3_close` finds none.
    package static func from(_ connection: OpaquePointer) throws -> Database {
        if let database = ConnectionState.of(connection)?.database { return database }
        let database = Database(borrowing: connection)
        database.statementCache = StatementCache(capacity: 0)
        guard database.state.isWatched else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        database.state.attached = database
        return database
    }

    /// The object of type `Object` that belongs to this connection, created when it is first asked for.
    ///
    /// It lives as long as the connection is open in this process, and must not retain a `Database` or a `Statement`,
    /// which would form a cycle.
    package func storage<Object: AnyObject>(of type: Object.Type, create: () throws -> Object) rethrows -> Object {
        if let object = state.storage[ObjectIdentifier(type)] as? Object { return object }
        let object = try create()
        state.storage[ObjectIdentifier(type)] = object
        return object
    }
}
