import ConcordanceFTS5

/// What the layout of an index depends on.
struct IndexShape: Equatable, Sendable {
    /// All columns, those that are not indexed as well.
    var columnCount: Int
    /// Whether positions are stored; otherwise documents and frequencies only.
    var hasPositions: Bool
    /// The lengths of prefixes that have lists of their own, in characters: list i has the keys `[1 + i] + prefix`.
    var prefixes: [Int]
    /// Whether a removed document is subtracted from the counts of its terms at once. Otherwise, if no text tells which
    /// terms those are, the postings of removed documents are counted when needed (`RemovedPostings`).
    var hasAdjustments = true
    /// The columns whose values are stored, ascending.
    var valueColumns: [Int] = []

    /// The same without prefix lists.
    var withoutPrefixes: IndexShape {
        var shape = self
        shape.prefixes = []
        return shape
    }
}

extension TableOptions {
    /// What the index needs to know of the table.
    var shape: IndexShape {
        IndexShape(
            columnCount: columns.count, hasPositions: detail == .full, prefixes: prefixes,
            hasAdjustments: !allowsContentlessDelete,
            valueColumns: columns.indices.filter { columns[$0].isValue })
    }
}
