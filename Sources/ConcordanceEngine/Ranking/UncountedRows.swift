/// The first rows of a query that is one phrase, ranked without its idf. That is a factor of all scores, so the rows are in
/// the order of these, unless two differ so little that the products may be rounded to the same number: then they would be in
/// the order of their rowids.
struct UncountedRows {
    /// Their scores lack the idf.
    private let rows: ArraySlice<RankedDocument>
    /// How many have been read.
    private var position = 0
    /// Whether no other rows match.
    let areAll: Bool

    /// The most rows that are ranked in this way. To find more costs as much as to count all.
    static let limit = 64

    /// Nil if the idf may change the order of the first `count` rows.
    ///
    /// - Parameter documents: The rows, from the first on, by scores without the idf.
    init?(_ documents: inout RankedDocuments, count: Int) throws {
        var found: [RankedDocument] = []
        // The row after them shows whether the last one is apart from all others.
        while found.count <= count, let row = try documents.next() {
            if let last = found.last, !Self.areApart(last.score, row.score) { return nil }
            found.append(row)
        }
        areAll = found.count <= count
        rows = found.prefix(count)
    }

    var count: Int { rows.count }

    /// Whether products with an idf, from 10⁻⁶ to 100, are in the same order: two equal scores, or a greater one and one that is
    /// less by more than twice what rounding changes.
    private static func areApart(_ greater: Double, _ less: Double) -> Bool {
        greater == less || greater > 0x1p-900 && greater * (1 - 0x1p-50) > less
    }

    /// Calls `body` with each of the rows that follow, `limit` at most. Returns whether there was one.
    mutating func read(_ limit: Int, _ body: (RankedDocument) -> Void) -> Bool {
        let end = min(position + limit, rows.count)
        for index in position..<end { body(rows[index]) }
        defer { position = end }
        return end > position
    }
}
