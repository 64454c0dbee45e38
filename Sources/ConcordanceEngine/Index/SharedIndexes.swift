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

    private struct Entry {
        weak var index: InvertedIndex?
        /// How many of its objects SQLite will tell of the end of the transaction.
        var participantCount = 0
    }

    /// Of one name there are several where a table was dropped, or got another name, in a transaction that may bring it back.
    private var entries: [Name: [Entry]] = [:]

    /// The index of a table that is opened: that of an older object that has written to the same table in the transaction, and
    /// not to one that had its name before. An object that has not may belong to another table, with which another connection
    /// has replaced it since.
    func index(of store: BlockStore, shape: IndexShape) -> InvertedIndex {
        for case let known? in entries[name(of: store)]?.map(\.index) ?? []
        where known.shape == shape && known.transaction.hasBegun && (try? known.ownsTable()) == true { return known }
        return add(InvertedIndex(store: store, shape: shape))
    }

    /// Notes the index of a table that is created.
    @discardableResult
    func add(_ index: InvertedIndex) -> InvertedIndex {
        entries = entries.mapValues { $0.filter { $0.index != nil } }.filter { !$0.value.isEmpty }
        entries[name(of: index.store), default: []].append(Entry(index: index))
        return index
    }

    /// An object of the index takes part in a transaction.
    func join(_ index: InvertedIndex) { change(index) { $0.participantCount += 1 } }

    /// The transaction of an object of the index has ended.
    func leave(_ index: InvertedIndex) { change(index) { $0.participantCount -= 1 } }

    /// An object of the index, which takes part in a transaction, has dropped the table. SQLite does not tell it whether that is
    /// undone. Unless it tells another object, the index is given to no other.
    func leaveDropped(_ index: InvertedIndex) {
        leave(index)
        entries[name(of: index.store)]?.removeAll { $0.index === index && $0.participantCount <= 0 }
    }

    private func change(_ index: InvertedIndex, _ body: (inout Entry) -> Void) {
        let name = name(of: index.store)
        guard let place = entries[name]?.firstIndex(where: { $0.index === index }) else { return }
        body(&entries[name, default: []][place])
    }

    private func name(of store: BlockStore) -> Name { Name(schema: store.schema, table: store.table) }
}

extension InvertedIndex {
    /// Whether the table still is the one that this transaction has changed. It may be dropped, have another name, or be gone with
    /// a rollback, of which SQLite does not always tell; and another one may have its name.
    ///
    ///     SELECT block FROM t_data WHERE id = 1
    func ownsTable() throws -> Bool {
        guard let isOwn = try ownsManifest() else { throw corrupt("the index has no manifest") }
        return isOwn
    }

    /// The same; nil if the table has no manifest, because another one is just being created, or because of damage.
    func ownsManifest() throws -> Bool? {
        do {
            return try store.withRow(Manifest.rowID, Manifest.version).map(ownVersions.contains)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return false
        }
    }
}
