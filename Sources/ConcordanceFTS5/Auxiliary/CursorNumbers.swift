/// The numbers by which SQL refers to the cursors of full-text tables: the value of a table's own hidden column, which
/// is the first argument of an auxiliary function.
package struct CursorNumbers {
    private var cursors: [Int64: Unmanaged<AnyObject>] = [:]
    /// Far from the numbers of FTS5's own cursors, which count from 1, so that the two are never confused.
    private var last: Int64 = 1 << 40

    /// Assigns a number to a cursor; remove it before the cursor is freed.
    package mutating func add(_ cursor: AnyObject) -> Int64 {
        last += 1
        cursors[last] = .passUnretained(cursor)
        return last
    }

    /// Removes a cursor that is about to be freed.
    package mutating func remove(_ number: Int64) { cursors[number] = nil }

    /// The cursor with that number.
    package subscript(number: Int64) -> AnyObject? { cursors[number]?.takeUnretainedValue() }
}
