/// The numbers by which SQL names the cursors of full-text tables: the value of a table's own hidden column, which is the
/// first argument of an auxiliary function.
package struct CursorNumbers {
    private var cursors: [Int64: Unmanaged<AnyObject>] = [:]
    private var last: Int64 = 0

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
