import CConcordanceSQLite

extension Database {
    /// Empties the database in place, even if it is so badly damaged that SQLite cannot read its tables: no tables, indexes,
    /// views or triggers are left. It keeps its journal mode; connections that are open see an empty database.
    ///
    ///     VACUUM -- while SQLITE_DBCONFIG_RESET_DATABASE is on
    ///
    /// See <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>.
    ///
    /// - Throws: `DatabaseError`, for example SQLITE_BUSY while another connection uses the database, or SQLITE_ERROR in a
    ///   transaction.
    public func erase() throws {
        // A database whose schema has been read keeps its journal mode. If it cannot be read, that is lost.
        _ = try? Int64.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema")
        let connection = try sqliteConnection
        try check(csqlite_db_config_switch(connection, SQLITE_DBCONFIG_RESET_DATABASE, 1, nil))
        defer { if let handle { csqlite_db_config_switch(handle, SQLITE_DBCONFIG_RESET_DATABASE, 0, nil) } }
        try execute(sql: "VACUUM")
    }
}
