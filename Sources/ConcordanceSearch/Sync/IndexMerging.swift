import ConcordanceSQLite

/// Controls how the segments of a table of Concordance's engine are merged while the table is filled.
///
/// Each step of the filling writes a segment. If commits merged these by fours, as they merge those of an app's own
/// writes, each posting would be written three or four more times. So meanwhile commits merge only segments of one row,
/// and the installer merges the others in steps of their own: all of them into one when the table has all rows, and by
/// sixteens if there are hundreds of them before that.
struct IndexMerging {
    let plan: IndexPlan
    let db: Database

    /// The settings while the table is filled, and the engine's defaults.
    private static let settings = [
        (name: "automerge", filling: 0, usual: 4), (name: "crisismerge", filling: 1999, usual: 16),
        (name: "usermerge", filling: 16, usual: 4),
    ]
    /// The number of steps after which there are too many segments.
    static let stepLimit = 512
    /// The number of 4 kB pages that the first command merges, which takes some milliseconds, and the limits for later
    /// ones. The limits matter because some terms take longer than those from which the number was learned.
    static let firstPageCount = 24
    private static let pageCounts = 8...64

    /// Stops commits from merging large segments.
    func begin() throws { for setting in Self.settings { try set(setting.name, to: setting.filling) } }

    /// Starts merging all segments; `run` continues it.
    func beginAll() throws { try set("merge", to: -Self.firstPageCount) }

    /// Lets commits merge as usual again.
    func end() throws { for setting in Self.settings { try set(setting.name, to: setting.usual) } }

    /// Continues the merges that are under way, then merges levels with sixteen segments.
    ///
    /// - Parameter pageCount: The number of pages that a command can merge in the time there is, which is adjusted by
    ///   measuring. A few long commands are better than many, since each stores the state for the next.
    /// - Returns: Whether nothing is left to merge; if not, the deadline has passed.
    func run(until deadline: ContinuousClock.Instant?, pageCount: inout Int) throws -> Bool {
        var start = ContinuousClock.now
        while true {
            // Like FTS5's, the command changes one row more than it writes
            // (https://www.sqlite.org/fts5.html#the_merge_command).
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
