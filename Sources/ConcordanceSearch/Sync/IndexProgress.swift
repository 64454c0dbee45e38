/// How far the work on an index has come.
public struct IndexProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// Rows are put into a new index.
        case building
        /// Index and rows are compared.
        case verifying
        /// Index and rows are compared, and entries that differ made anew.
        case repairing
        /// It is done.
        case finished
    }

    /// What is being done.
    public let phase: Phase
    /// How many rows are done.
    public let rowsDone: Int
    /// How many rows there were when the work began.
    public let rowsTotal: Int
}
