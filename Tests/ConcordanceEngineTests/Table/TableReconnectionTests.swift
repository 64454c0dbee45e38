import Testing

/// SQLite creates the objects of tables again when a rollback to a savepoint undoes a change of the schema.
@Suite("A table that SQLite reopens within a transaction")
struct TableReconnectionTests {
    /// No SELECT between the statements: it would have the pending rows written.
    @Test(arguments: [
        ["BEGIN", "CREATE TABLE x(y)", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ROLLBACK TO s"],
        ["BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s"],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "/* a */ savepoint s", "CREATE TABLE x(y)",
            "INSERT INTO t VALUES ('two')", "ROLLBACK TO s", "INSERT INTO t VALUES ('three')",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "ALTER TABLE t2 RENAME TO t", "ROLLBACK TO s",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "INSERT INTO t2 VALUES ('two')", "ROLLBACK TO s", "INSERT INTO t VALUES ('three')",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "ALTER TABLE t RENAME TO t2", "INSERT INTO t2 VALUES ('two')",
            "ALTER TABLE t2 RENAME TO t", "INSERT INTO t VALUES ('three')",
        ],
        ["BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "DROP TABLE t", "ROLLBACK TO s"],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING MODULE(a)",
            "INSERT INTO t VALUES ('two')",
        ],
        [
            "CREATE VIEW v AS SELECT nosuch FROM nowhere", "BEGIN", "INSERT INTO t VALUES ('one')",
            "ALTER TABLE t RENAME TO t2", "INSERT INTO t VALUES ('two')",
        ],
        [
            "SAVEPOINT s", "INSERT INTO t VALUES ('one')", "SAVEPOINT s2", "INSERT INTO t VALUES ('two')",
            "CREATE TABLE x(y)", "SAVEPOINT s3", "DELETE FROM t WHERE rowid = 1", "ROLLBACK TO s3", "ROLLBACK TO s2",
            "INSERT INTO t VALUES ('three')", "RELEASE s",
        ],
    ])
    func `has the rows that were written before`(statements: [String]) throws {
        for ending in [["COMMIT"], ["ROLLBACK"]] {
            let both = try SideBySide()
            var history = ["CREATE VIRTUAL TABLE t USING MODULE(a)", "INSERT INTO t VALUES ('zero')"]
            both.check(script: history)
            for statement in statements + ending {
                both.check(statement, after: history)
                history.append(statement)
            }
            for look in [
                "SELECT rowid, * FROM t", "SELECT rowid FROM t WHERE t MATCH 'zero OR one OR two OR three'",
                "INSERT INTO t(t) VALUES ('integrity-check')",
            ] {
                both.check(look, after: history)
            }
        }
    }
}
