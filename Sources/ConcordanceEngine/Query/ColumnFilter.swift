/// The set of columns that count; it is consulted for every posting.
struct ColumnFilter: Equatable {
    private let bits: UInt64
    private let set: ColumnSet

    /// Nil if every column counts.
    init?(_ set: ColumnSet?, columnCount: Int) {
        guard let set, set.columns.count < columnCount else { return nil }
        self.set = set
        bits = set.columns.reduce(0) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 }
    }

    /// The columns in the form of `BlockSummary`.
    var summaryBits: UInt16 { self.set.columns.reduce(0) { $0 | Self.summaryBit(UInt32(clamping: $1)) } }

    /// The bit of a column there.
    static func summaryBit(_ column: UInt32) -> UInt16 { 1 << UInt16(min(column, 15)) }

    @inline(__always)
    func contains(_ column: UInt32) -> Bool {
        column < 64 ? bits >> UInt64(column) & 1 != 0 : set.contains(Int(column))
    }
}
