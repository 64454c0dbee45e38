/// Rows that a cursor has found ahead. SQLite moves over them without calling the cursor, so that a step costs next to
/// nothing if there are many rows and little is read from each.
///
///     index              end
///       v                 v
///     [ row | row | row | row | row ]     SQLite steps by itself from `index` on to the rows before `end`, and calls `next`
///                                         at the last of them
///
/// The cursor fills it in `filter` and `next`. Between two calls, only `index` changes.
@usableFromInline
package struct VirtualTableRun {
    /// The row that the cursor is at.
    @usableFromInline
    package var index = 0
    /// The first row to which SQLite does not step by itself; 0 makes it call `next` for the next one.
    @usableFromInline
    package var end = 0
    /// The rowids of the rows from index 0 on; nil to call the cursor's `rowID` instead.
    @usableFromInline
    package var rowIDs: UnsafePointer<Int64>?

    /// A run without rows.
    @usableFromInline
    package init() {}

    /// Steps to the next row, if the cursor need not be called.
    @inline(__always)
    mutating func step() -> Bool {
        guard index &+ 1 < end else { return false }
        index &+= 1
        return true
    }
}
