/// The numbers by which SQL names the cursors of full-text tables: the value of a table's own hidden column, which is the
/// first argument of an auxiliary function.
package struct CursorNumbers {
    private var cursors: [Int64: Unmanaged<AnyObject>] = [:]
    /// Far from the numbers of FTS5's own cursors, which count from 1, so that none of those is taken for one of these.
    private var last: Int64 = 1 << 40

    /// A number for a cursor, which must be taken away before the cursor goes.
    package mutating func add(_ cursor: AnyObject) -> Int64 {
        last += 1
        cursors[last] = .passUnretained(cursor)
        return last
    }

    /// The cursor is gone.
    package mutating func remove(_ number: Int64) { cursors[number] = nil }

    /// The cursor of that number.
    package subscript(number: Int64) -> AnyObject? { cursors[number]?.takeUnretainedValue() }
}
