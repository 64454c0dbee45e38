/// The rows that match a query in the order of a stored value, rows with equal values by rank, then by rowid.
///
/// The values come from `ValueOrderedRows`. Where more than one row has a value, these rows come from the ranking of the query
/// limited to them: no other row is ranked.
final class ValueThenRankRows {
    private let query: BoundQuery
    private let column: Int
    private let isDescending: Bool
    private let rows: ValueOrderedRows
    private let makeRanked: (BoundQuery) throws -> RankedCursor
    private var ranked: RankedCursor?
    private var ahead: ValuedRow?

    /// - Parameters:
    ///   - column: The number of the column among VALUE columns.
    ///   - rows: All rows in the order of the values.
    ///   - makeRanked: Ranks the rows that match.
    init(
        _ query: BoundQuery, column: Int, descending: Bool, rows: ValueOrderedRows,
        makeRanked: @escaping (BoundQuery) throws -> RankedCursor
    ) {
        self.query = query
        self.column = column
        isDescending = descending
        self.rows = rows
        self.makeRanked = makeRanked
    }

    /// The next row; nil after the last.
    func next() throws -> (rowID: Int64, document: DocumentReference)? {
        if let ranked {
            if try ranked.next() { return (ranked.rowID, ranked.document) }
            self.ranked = nil
        }
        guard let first = try ahead ?? rows.next() else { return nil }
        ahead = try rows.next()
        guard let second = ahead, !first.key.precedes(second.key) else { return (first.rowID, first.document) }
        rows.skip(second)
        ahead = nil
        let value = first.key.value
        let test: ValueCondition.Test = value == .null ? .isNull : .oneOf([value])
        let condition = ValueCondition(column: column, test: test, choice: isDescending ? .greatest : .least)
        let ranked = try makeRanked(query.limited(to: condition))
        self.ranked = ranked
        return try ranked.next() ? (ranked.rowID, ranked.document) : nil
    }
}
