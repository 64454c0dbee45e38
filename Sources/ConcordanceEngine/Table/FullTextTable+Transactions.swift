extension FullTextTable {
    func sync() throws {
        try keepingLastInsertedRowID { try index.sync() }
    }

    func commit() throws { index.commit() }

    func rollback() throws {
        forgetSettings()
        index.rollback()
    }

    func savepoint(_ number: Int) throws { index.savepoint(number) }

    func release(_ number: Int) throws { index.release(number) }

    func rollback(to number: Int) throws {
        forgetSettings()
        try index.rollback(to: number)
    }
}
