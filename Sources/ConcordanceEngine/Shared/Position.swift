/// The place of a token in a document: its column, and its number among the column's tokens; both from zero. Ordered by
/// column, then offset.
struct Position: RawRepresentable, Hashable, Comparable, Sendable {
    /// `column << 32 | offset`.
    var rawValue: UInt64

    @inline(__always)
    init(rawValue: UInt64) { self.rawValue = rawValue }

    @inline(__always)
    init(column: UInt32, offset: UInt32) { rawValue = UInt64(column) << 32 | UInt64(offset) }

    @inline(__always) var column: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
    @inline(__always) var offset: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

    @inline(__always)
    static func < (left: Position, right: Position) -> Bool { left.rawValue < right.rawValue }
}

/// How often a term occurs in one column of a document.
struct ColumnFrequency: Hashable, Sendable {
    var column: UInt32
    var count: UInt32
}

/// A document of a snapshot: a segment by its index there, and the document's number in it.
struct DocumentReference: Hashable, Sendable {
    var segment: Int
    var document: UInt32
}
