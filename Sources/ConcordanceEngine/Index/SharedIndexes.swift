/// The indexes of a connection's tables, by database and table.
///
/// SQLite may have two objects for one table: when a rollback to a savepoint undoes a change of the schema, it creates
/// tables again, and keeps the old object of a table that was written to until the transaction ends. Both receive its
/// events. With two indexes, the rows pending in one would be unknown to the other, and each would overwrite the
/// manifest of the other, so they share one.
final class SharedIndexes {
    private struct Name: Hashable {
        var schema: String
        var table: String
    }

    private struct WeakIndex { weak var index: InvertedIndex? }

    private var indexes: [Name: WeakIndex] = [:]

    /// The index of a table that is opened: that of an older object that has written in the transaction. An object that
    /// has not may belong to another table, with which another connection has replaced it since.
    func index(of store: BlockStore, shape: IndexShape) -> InvertedIndex {
        if let known = indexes[name(of: store)]?.index, known.shape == shape, known.transaction.hasBegun {
            known.reconnect()
            return known
        }
        return add(InvertedIndex(store: store, shape: shape))
    }

    /// Notes the index of a table that is created.
    @discardableResult
    func add(_ index: InvertedIndex) -> InvertedIndex {
        indexes = indexes.filter { $0.value.index != nil }
        indexes[name(of: index.store)] = WeakIndex(index: index)
        return index
    }

    /// Forgets the index of a table that is dropped.
    func remove(_ index: InvertedIndex) { indexes[name(of: index.store)] = nil }

    private func name(of store: BlockStore) -> Name { Name(schema: store.schema, table: store.table) }
}
