/// Rows that a cursor has found ahead. SQLite goes over them without a call of the cursor, so that a step costs next to nothing
/// where rows are many and little is asked of each.
///
///     index              end
///       v                 v
///     [ row | row | row | row | row ]     SQLite steps by itself from `index` on to the rows before `end`, and calls `next`
///                                         at the last of them
///
/// The cursor fills it in `filter` and `next`. Between two calls of it, only `index` changes.
public struct VirtualTableRun {
    /// The row that the cursor is at.
    public var index = 0
    /// The first row that SQLite does not step to by itself; 0 has it call `next` for the next one.
    public var end = 0
    /// The rowids of the rows from index 0 on; nil where `rowID` of the cursor is to be asked.
    public var rowIDs: UnsafePointer<Int64>?

    /// A run without rows.
    public init() {}

    /// Steps to the next row, where the cursor need not be told.
    @inline(__always)
    mutating func step() -> Bool {
        guard index &+ 1 < end else { return false }
        index &+= 1
        return true
    }
}
