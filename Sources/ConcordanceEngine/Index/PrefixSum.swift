/// The union of the postings of terms with a common beginning: for each document, how often they occur in which column.
/// Terms that share a place count one by one, as in FTS5's lists.
///
/// Counts are added in an array of documents by columns, so that a posting costs an addition for each of its columns. If that
/// takes too much memory, it is an array of some documents, a *window*, and the terms are read once for each window.
struct PrefixSum: ~Copyable {
    private let columnCount: Int
    /// Those of one window.
    private let counts: FixedBuffer<UInt32>
    /// The documents of the window with counts, as bits.
    private let touched: FixedBuffer<UInt64>
    /// Which of the words of `touched` may have bits.
    private var firstWord = Int.max
    private var lastWord = -1
    private var window = 0..<0
    private var removals: Set<UInt32> = []

    /// The documents that are summed at a time; one empty window if there are none.
    let windows: [Range<Int>]

    init(documentCount: Int, columnCount: Int, countLimit: Int) {
        self.columnCount = columnCount
        let size = max(min(documentCount, countLimit / max(columnCount, 1)), 1)
        windows = stride(from: 0, to: max(documentCount, 1), by: size).map { $0..<min($0 + size, documentCount) }
        counts = FixedBuffer(repeating: 0, count: size * columnCount)
        touched = FixedBuffer(repeating: 0, count: (size + 63) / 64)
    }

    /// Adds the postings of a list in a window. `numbers` says what became of each event (`PendingFlush`).
    @inline(never)
    mutating func add(_ list: consuming PendingTerms.List, _ numbers: [Int32], in window: Range<Int>) {
        self.window = window
        let (counts, touched) = (counts.start, touched.start)
        while list.next() {
            let number = numbers[Int(list.event)]
            guard window.contains(Int(number)) else {
                if number == PendingFlush.adjustment { removals.insert(list.event) }
                continue
            }
            let document = Int(number) &- window.lowerBound
            let word = document &>> 6
            touched[word] |= 1 &<< UInt64(document & 63)
            firstWord = min(firstWord, word)
            lastWord = max(lastWord, word)
            let row = counts + document &* columnCount
            list.forEachColumn { row[Int($0)] &+= $1 }
        }
    }

    /// How many documents are removed, each counted once.
    var removalCount: Int { removals.count }

    /// Writes the documents of the window, ascending, and begins another sum.
    mutating func write(to writer: SegmentWriter) throws {
        removals.removeAll(keepingCapacity: true)
        guard firstWord <= lastWord else { return }
        for word in firstWord...lastWord {
            var bits = touched[word]
            touched[word] = 0
            while bits != 0 {
                try write(word &<< 6 &+ bits.trailingZeroBitCount, to: writer)
                bits &= bits &- 1
            }
        }
        (firstWord, lastWord) = (.max, -1)
    }

    @inline(__always)
    private func write(_ index: Int, to writer: SegmentWriter) throws {
        let row = counts.start + index &* columnCount
        try writer.addPosting(document: UInt32(truncatingIfNeeded: window.lowerBound &+ index)) { columns, _ in
            for column in 0..<columnCount where row[column] > 0 {
                columns.append(ColumnFrequency(column: UInt32(truncatingIfNeeded: column), count: row[column]))
                row[column] = 0
            }
        }
    }
}
