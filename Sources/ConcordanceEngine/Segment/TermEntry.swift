/// What a segment's dictionary says of a term.
struct TermEntry: Equatable {
    /// Postings that are in the segment, those of removed documents included; 0 for an adjustment only.
    var count: Int
    /// What to add to `count` for documents that were removed from other segments, or dropped by a merge.
    var adjustment: Int
    /// Whether the postings have positions.
    var hasPositions: Bool
    /// Where the postings are.
    var place: PostingsPlace
}

/// Where the postings of a term are.
enum PostingsPlace: Equatable {
    /// There are none.
    case nowhere
    /// One posting in the dictionary: how often it is in which columns, and its positions, are at `offset` of `page`.
    case dictionary(SinglePosting, page: Int, offset: Int)
    /// A block in the postings stream.
    case block(UInt64)
    /// Several blocks, each with a skip entry; `bounds` hold for all.
    case blocks(first: UInt64, skips: Int, bounds: BlockBounds)
}

/// A posting that is in the dictionary.
struct SinglePosting: Equatable {
    var document: UInt32
    var frequency: UInt32
    /// The only column; nil where pairs follow.
    var column: UInt32?

    /// Appends the columns and, of a term with positions, their differences (`PostingBuffer`), from what follows the head of the
    /// posting in a dictionary.
    func copy(
        _ rest: UnsafeRawBufferPointer, hasPositions: Bool, columnCount: Int, columns: GrowingBuffer<ColumnFrequency>,
        differences: GrowingBuffer<UInt32>
    ) throws {
        var reader = ByteReader(rest)
        if let column {
            columns.append(ColumnFrequency(column: column, count: frequency))
        } else {
            try ColumnPairs.decode(&reader, frequency: frequency, columnCount: columnCount) {
                columns.append(ColumnFrequency(column: $0, count: $1))
            }
        }
        guard hasPositions else { return }
        for _ in 0..<frequency { differences.append(try reader.uint32()) }
    }
}
