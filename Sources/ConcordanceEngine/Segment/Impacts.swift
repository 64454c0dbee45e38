/// Upper bounds of what the documents of a block score: at most four pairs of a frequency and a length such that for
/// every document one pair has at least its frequency and at most its length. A score that grows with the frequency and
/// falls with the length is at most its largest value over the pairs.
struct Impacts: Equatable {
    static let capacity = 4

    /// How many pairs there are; at least one.
    private(set) var count: Int
    private var frequencies: SIMD4<UInt32>
    private var lengths: SIMD4<UInt32>

    /// One pair.
    init(frequency: UInt32, length: UInt32) {
        count = 1
        frequencies = SIMD4(frequency, 0, 0, 0)
        lengths = SIMD4(length, 0, 0, 0)
    }

    /// Pair `i`, 0 ..< count.
    @inline(__always)
    subscript(i: Int) -> (frequency: UInt32, length: UInt32) { (frequencies[i & 3], lengths[i & 3]) }
}

/// What is known of a block of postings without decoding it.
struct BlockSummary {
    var lastDocument: UInt32
    /// For all columns together.
    var impacts: Impacts
    /// The columns that occur, as bits; bit 15 stands for the columns from 15 on.
    var columns: UInt16
}
