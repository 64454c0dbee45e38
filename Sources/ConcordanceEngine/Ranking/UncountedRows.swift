/// The first rows of a query that is one phrase, ranked without the phrase's idf. The idf is a factor of all scores, so it does
/// not change the order of the rows, unless two scores are so close that their products may be rounded to the same number: such
/// rows belong in the order of their rowids.
struct UncountedRows {
    /// Their scores lack the idf.
    private let rows: ArraySlice<RankedDocument>
    /// How many have been read.
    private var position = 0
    /// Whether no other rows match.
    let areAll: Bool

    /// The most rows that are ranked in this way. If more are asked for, the rows of the phrase are counted first.
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
