import CConcordanceSQLite
import CConcordanceSQLiteLink
import Testing

@Suite("The extension serves a host that has the same Swift modules in it")
struct SwiftHostTests {
    /// This process has its own `csqlite_api`, its own Swift runtime and its own copy of all of Concordance. The
    /// library must use its own; most of all, the table of functions that this host passes.
    @Test(arguments: ExtensionBuild.all)
    func loadsBesideItsTwin(build: ExtensionBuild) throws {
        var connection: OpaquePointer?
        #expect(csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
        defer { csqlite_close_v2(connection) }
        #expect(csqlite_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nil) == SQLITE_OK)
        for _ in 0..<2 {
            var message: UnsafeMutablePointer<CChar>?
            defer { csqlite_free(message) }
            let code = csqlite_load_extension(connection, build.path, nil, &message)
            #expect(code == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
        }
        let sql = """
            CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin');
            INSERT INTO doc VALUES ('Großmann');
            """
        #expect(
            csqlite_exec(connection, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: csqlite_errmsg(connection)))")
        var statement: OpaquePointer?
        defer { csqlite_finalize(statement) }
        let query = "SELECT 1 FROM doc WHERE doc MATCH 'grossmann'"
        #expect(csqlite_prepare_v3(connection, query, -1, 0, &statement, nil) == SQLITE_OK)
        #expect(csqlite_step(statement) == SQLITE_ROW)
    }
}
