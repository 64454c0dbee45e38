import CConcordanceSQLite
import ConcordanceFTS5

extension FullTextTable {
    func begin() throws {
        joinTransaction()
        savepoints.forget()
        isJoining = true
        isOneStatement = csqlite_get_autocommit(connection) != 0
    }

    func sync() throws {
        try keepingLastInsertedRowID { try index.sync() }
    }

    func commit() throws {
        leaveTransaction()
        index.commit()
        // Other statements of the transaction may have written to `<t>_config`, although this one has not.
        if isOneStatement { keepSettings() } else { forgetSettings() }
    }

    func rollback() throws {
        leaveTransaction()
        noteRollback()
        index.rollback()
    }

    /// A statement's own savepoint, of which there is one a row where triggers write, costs little unless rows are staged or
    /// being encoded.
    func savepoint(_ number: Int) throws {
        // A table that joins a transaction may be told of the present savepoint at once, and no other table is.
        if isJoining {
            isJoining = false
            return try index.savepoint(number, isByStatement: isSavepointStatementRunning)
        }
        savepoints.note(identity)
        try index.savepoint(number, isByStatement: savepoints.isByStatement { isSavepointStatementRunning })
    }

    /// Whether it is by `SAVEPOINT name` that a savepoint begins.
    private var isSavepointStatementRunning: Bool {
        var statement = csqlite_next_stmt(connection, nil)
        while let current = statement {
            if csqlite_stmt_busy(current) != 0, let sql = csqlite_sql(current), !Self.beginsWithAnotherWord(sql) {
                if Self.isSavepoint(String(cString: sql)) { return true }
            }
            statement = csqlite_next_stmt(connection, current)
        }
        return false
    }

    /// Whether a statement is a `SAVEPOINT`, behind the semicolons and byte order marks that SQLite passes over.
    private static func isSavepoint(_ sql: String) -> Bool {
        var scanner = SQLScanner(sql)
        while let token = scanner.next() {
            let word = String(token.unicodeScalars.drop { $0 == "\u{FEFF}" })
            if !word.isEmpty, word != ";" { return word.equalsIgnoringASCIICase("SAVEPOINT") }
        }
        return false
    }

    /// Whether the first two letters tell that a statement is no `SAVEPOINT`, which they mostly do: this is asked for each
    /// row that is written.
    private static func beginsWithAnotherWord(_ sql: UnsafePointer<CChar>) -> Bool {
        func letter(_ index: Int) -> UInt8? {
            let lowercased = UInt8(bitPattern: sql[index]) | 0x20
            return lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z") ? lowercased : nil
        }
        guard let first = letter(0) else { return false }
        if first != UInt8(ascii: "s") { return true }
        return letter(1).map { $0 != UInt8(ascii: "a") } ?? false
    }

    func release(_ number: Int) throws { index.release(number) }

    func rollback(to number: Int) throws {
        noteRollback()
        index.rollback(to: number)
    }

    private func noteRollback() {
        forgetSettings()
        noteChange()
        rollbackCount &+= 1
    }
}
