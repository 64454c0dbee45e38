/// When the segments of a full-text table of Concordance's engine are merged while the table is filled.
///
/// Each step of the filling writes a segment. Merged by fours, as those of an app's own writing are, each posting would be
/// written again three or four times in all, within commits. So commits merge only segments of one row then, and the
/// installer merges: all segments into one when all rows are there, in steps of their own; and, in between, where there
/// come to be hundreds of segments, these by sixteens.
struct IndexMerging {
    let plan: IndexPlan
    let db: Database

    /// The settings while the table is filled, and the engine's own, which hold otherwise.
    private static let settings = [
        (name: "automerge", filling: 0, usual: 4), (name: "crisismerge", filling: 1999, usual: 16),
        (name: "usermerge", filling: 16, usual: 4),
    ]
    /// After how many steps of the filling there are too many segments.
    static let stepLimit = 512
    /// Pages of about 4 kB that the first command merges, some milliseconds' worth, and that any does: some terms take
    /// longer than those from which the number was learned.
    static let firstPageCount = 24
    private static let pageCounts = 8...64

    /// Has commits merge no large segments.
    func begin() throws { for setting in Self.settings { try set(setting.name, to: setting.filling) } }

    /// Begins to merge all segments, which `run` then goes on with.
    func beginAll() throws { try set("merge", to: -Self.firstPageCount) }

    /// Has merges made as usual.
    func end() throws { for setting in Self.settings { try set(setting.name, to: setting.usual) } }

    /// Goes on with merges that are under way, then merges levels that have sixteen segments.
    ///
    /// - Parameter pageCount: How many pages a command merges that takes about as long as there is, which this learns: each
    ///   stores where the next goes on, so few are better.
    /// - Returns: Whether nothing is left; otherwise the deadline has passed.
    func run(until deadline: ContinuousClock.Instant?, pageCount: inout Int) throws -> Bool {
        var start = ContinuousClock.now
        while true {
            // Like FTS5's, the command changes one row more than it writes (https://www.sqlite.org/fts5.html#the_merge_command).
            let count = db.totalChangesCount
            try set("merge", to: pageCount)
            if db.totalChangesCount - count < 2 { return true }
            guard let deadline else { continue }
            let now = ContinuousClock.now
            let fitting = Double(pageCount) * min(2, (deadline - start) / (now - start))
            pageCount = min(max(Int(fitting), Self.pageCounts.lowerBound), Self.pageCounts.upperBound)
            if now + (now - start) > deadline { return false }
            start = now
        }
    }

    private func set(_ name: String, to value: Int) throws {
        let table = plan.names.table.quotedDatabaseIdentifier
        try db.cachedStatement(sql: "INSERT INTO \(table)(\(table), rank) VALUES (?, ?)")
            .execute(arguments: [name, value])
    }
}
