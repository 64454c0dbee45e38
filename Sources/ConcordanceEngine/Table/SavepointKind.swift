/// Whether the savepoint of which SQLite tells the tables of a connection, one after another, is by `SAVEPOINT name`: found
/// once for all of them.
final class SavepointKind {
    private var tables: Set<ObjectIdentifier> = []
    private var known: Bool?

    /// A table is told of a savepoint. If it was told before, this is another one.
    func note(_ table: TableIdentity) {
        if !tables.insert(ObjectIdentifier(table)).inserted {
            forget()
            tables.insert(ObjectIdentifier(table))
        }
    }

    /// The next savepoint is another one.
    func forget() {
        tables.removeAll(keepingCapacity: true)
        known = nil
    }

    func isByStatement(_ find: () -> Bool) -> Bool {
        let result = known ?? find()
        known = result
        return result
    }
}
