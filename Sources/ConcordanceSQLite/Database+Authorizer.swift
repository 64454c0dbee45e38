import CConcordanceSQLite

/// What a statement reads and calls, as SQLite reports while compiling it
/// (https://www.sqlite.org/c3ref/set_authorizer.html).
package struct StatementAccess: Hashable, Sendable {
    /// The columns that are read, by table. A rowid without a column name is `ROWID`; a table of which no column is
    /// read, only the number of rows, has an empty name.
    package fileprivate(set) var columns: [String: Set<String>] = [:]
    /// The functions that are called, including `like` for its operator.
    package fileprivate(set) var functions: Set<String> = []
}

extension Database {
    /// Compiles a statement and reports what it accesses, including in views and subqueries.
    ///
    /// A connection has one authorizer. This one replaces any other and is removed afterwards, so use it only on our
    /// own connections, on which nobody else has set one.
    ///
    /// - Throws: SQLITE_MISUSE on a borrowed connection; `DatabaseError` if the statement cannot be compiled.
    package func access(of sql: String) throws -> (statement: Statement, access: StatementAccess) {
        guard !isBorrowed else {
            throw DatabaseError.misuse(
                "the authorizer of a borrowed connection belongs to its owner", advice: "Use a connection of your own.")
        }
        let connection = try sqliteConnection
        let recorder = AccessRecorder()
        let statement = try withExtendedLifetime(recorder) {
            csqlite_set_authorizer(
                connection,
                { context, action, first, second, _, _ in
                    guard let context else { return SQLITE_OK }
                    Unmanaged<AccessRecorder>.fromOpaque(context).takeUnretainedValue().record(action, first, second)
                    return SQLITE_OK
                }, Unmanaged.passUnretained(recorder).toOpaque())
            defer { csqlite_set_authorizer(connection, nil, nil) }
            return try makeStatement(sql: sql)
        }
        return (statement, recorder.access)
    }
}

/// Collects what SQLite reports to the authorizer.
private final class AccessRecorder {
    var access = StatementAccess()

    func record(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        switch action {
        case SQLITE_READ:
            guard let first else { return }
            access.columns[String(cString: first), default: []].insert(second.map { String(cString: $0) } ?? "")
        case SQLITE_FUNCTION:
            if let second { access.functions.insert(String(cString: second)) }
        default: break
        }
    }
}

extension Database {
    /// Makes SQLite reject double-quoted names that name nothing, which it would otherwise treat as text
    /// (https://www.sqlite.org/quirks.html#dblquote).
    package func refuseDoubleQuotedText() throws {
        let connection = try sqliteConnection
        for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
            try check(csqlite_db_config_switch(connection, option, 0, nil))
        }
    }
}
