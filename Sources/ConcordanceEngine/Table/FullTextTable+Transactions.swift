extension FullTextTable {
    func sync() throws {
        try keepingLastInsertedRowID { try index.sync() }
    }

    func commit() throws { index.commit() }

    func rollback() throws {
        noteRollback()
        index.rollback()
    }

    func savepoint(_ number: Int) throws { index.savepoint(number) }

    func release(_ number: Int) throws { index.release(number) }

    func rollback(to number: Int) throws {
        noteRollback()
        try index.rollback(to: number)
    }

    private func noteRollback() {
        forgetSettings()
        changeCount &+= 1
        rollbackCount &+= 1
    }
}
