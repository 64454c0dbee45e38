import ConcordanceFTS5

extension SyncedTable {
    /// The affinity of a column; that of the rowid is numeric.
    func affinity(of column: String) -> Affinity {
        table.columns.first { $0.name == column }.map { Affinity(declaredType: $0.type) } ?? .numeric
    }
}
