/// How far work on an index has progressed.
public struct IndexProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// Rows are being added to a new index.
        case building
        /// The index is being compared with the rows.
        case verifying
        /// The index is being compared with the rows, and entries that differ are being rebuilt.
        case repairing
        /// The work is done.
        case finished
    }

    /// What is being done.
    public let phase: Phase
    /// How many rows are done.
    public let rowsDone: Int
    /// How many rows there were when the work began.
    public let rowsTotal: Int
}
