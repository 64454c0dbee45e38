import ConcordanceSQLite

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

    /// Of one name there are several where a table was dropped, or got another name, in a transaction that may bring it back.
    private var indexes: [Name: [WeakIndex]] = [:]

    /// The index of a table that is opened: that of an older object that has written to the same table in the transaction, and
    /// not to one that had its name before. An object that has not may belong to another table, with which another connection
    /// has replaced it since.
    func index(of store: BlockStore, shape: IndexShape) -> InvertedIndex {
        for case let known? in indexes[name(of: store)]?.map(\.index) ?? []
        where known.shape == shape && known.transaction.hasBegun && (try? known.ownsTable()) == true { return known }
        return add(InvertedIndex(store: store, shape: shape))
    }

    /// Notes the index of a table that is created.
    @discardableResult
    func add(_ index: InvertedIndex) -> InvertedIndex {
        indexes = indexes.mapValues { $0.filter { $0.index != nil } }.filter { !$0.value.isEmpty }
        indexes[name(of: index.store), default: []].append(WeakIndex(index: index))
        return index
    }

    private func name(of store: BlockStore) -> Name { Name(schema: store.schema, table: store.table) }
}

extension InvertedIndex {
    /// Whether the table still is the one that this transaction has changed. It may be dropped, have another name, or be gone with
    /// a rollback, of which SQLite does not always tell; and another one may have its name.
    ///
    ///     SELECT block FROM t_data WHERE id = 1
    func ownsTable() throws -> Bool {
        do {
            let version = try store.withRow(Manifest.rowID, Manifest.version)
            guard let version else { throw corrupt("the index has no manifest") }
            return ownVersions.contains(version)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return false
        }
    }
}
