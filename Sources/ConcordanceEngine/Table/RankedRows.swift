import ConcordanceSQLite

/// The rows of a ranked query as SQLite reads them: it steps by itself over those that have been copied here
/// (`VirtualTableRun`).
final class RankedRows {
    private let cursor: RankedCursor
    private let run: UnsafeMutablePointer<VirtualTableRun>
    private let rows: UnsafeMutablePointer<RankedDocument>
    private let rowIDs: UnsafeMutablePointer<Int64>
    @exclusivity(unchecked) private var count = 0

    private static let capacity = 128

    /// - Parameter run: The part that SQLite sees, as long as this is used.
    init(_ cursor: RankedCursor, _ run: UnsafeMutablePointer<VirtualTableRun>) {
        self.cursor = cursor
        self.run = run
        rows = .allocate(capacity: Self.capacity)
        rowIDs = .allocate(capacity: Self.capacity)
    }

    deinit {
        if count > 0 { cursor.work.rankedRows &+= run.pointee.index &+ 1 }
        rows.deallocate()
        rowIDs.deallocate()
    }

    /// The current row, which must exist.
    var current: RankedDocument { rows[run.pointee.index] }

    /// The value of `rank` in the current row.
    func rank() throws -> Double { try cursor.rank(of: current) }

    /// Moves to the next row, and leaves the later ones to SQLite; false after the last one.
    func next() throws -> Bool {
        let next = run.pointee.index &+ 1
        if next < count {
            run.pointee.index = next
            run.pointee.end = count
            return true
        }
        cursor.work.rankedRows &+= count
        run.pointee = VirtualTableRun()
        count = 0
        var read = 0
        try cursor.read(Self.capacity) { row in
            (rows + read).initialize(to: row)
            (rowIDs + read).initialize(to: row.rowID)
            read += 1
        }
        guard read > 0 else { return false }
        count = read
        run.pointee.rowIDs = UnsafePointer(rowIDs)
        run.pointee.end = read
        return true
    }
}
