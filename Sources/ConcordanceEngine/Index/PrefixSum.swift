/// The union of the postings of terms with a common beginning, which are pending or in a segment: for each document, how often
/// they occur in which column. Terms that share a place count one by one, as in FTS5's lists.
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
        while list.next() {
            let number = numbers[Int(list.event)]
            guard window.contains(Int(number)) else {
                if number == PendingFlush.adjustment { removals.insert(list.event) }
                continue
            }
            let row = row(of: Int(number) &- window.lowerBound)
            list.forEachColumn { row[Int($0)] &+= $1 }
        }
    }

    /// The counts of a document of the window, to which something is added.
    @inline(__always)
    private mutating func row(of document: Int) -> UnsafeMutablePointer<UInt32> {
        let word = document &>> 6
        let (counts, touched) = (counts.start, touched.start)
        touched[word] |= 1 &<< UInt64(document & 63)
        firstWord = min(firstWord, word)
        lastWord = max(lastWord, word)
        return counts + document &* columnCount
    }

    /// Adds the postings of a term of a segment in a window.
    @inline(never)
    mutating func add(_ postings: inout PostingsCursor, in window: Range<Int>) throws {
        self.window = window
        let first = UInt32(truncatingIfNeeded: window.lowerBound)
        var block = first == 0 ? 0 : try postings.decoder.firstBlock(reaching: first) ?? postings.blockCount
        while block < postings.blockCount {
            try postings.decode(block: block)
            guard let least = postings.documents.first, least < window.upperBound else { break }
            try addBlock(postings)
            block &+= 1
        }
    }

    /// Adds those of the decoded block that are in the window.
    @inline(__always)
    private mutating func addBlock(_ postings: PostingsCursor) throws {
        let (counts, touched, columnCount) = (counts.start, touched.start, columnCount)
        let (documents, frequencies) = (postings.documents, try postings.frequencies)
        let exceptions = try postings.decoder.exceptionIndexes
        let home = Int(postings.decoder.homeColumn)
        let first = UInt32(truncatingIfNeeded: window.lowerBound)
        var (start, end) = (0, documents.count)
        while start < end, documents[start] < first { start &+= 1 }
        while start < end, documents[end &- 1] >= window.upperBound { end &-= 1 }
        guard start < end else { return }
        firstWord = min(firstWord, Int(documents[start] &- first) &>> 6)
        lastWord = max(lastWord, Int(documents[end &- 1] &- first) &>> 6)
        // Loops of few instructions, since counts lie all over memory, and so more of their reads overlap.
        for index in start..<end {
            let document = documents[index] &- first
            touched[Int(document &>> 6)] |= 1 &<< UInt64(document & 63)
        }
        for index in start..<end {
            counts[Int(documents[index] &- first) &* columnCount &+ home] &+= frequencies[index]
        }
        for index in exceptions where index >= start && index < end {
            let row = counts + Int(documents[index] &- first) &* columnCount
            row[home] &-= frequencies[index]
            try postings.decoder.forEachColumn(at: index) { row[Int($0)] &+= $1 }
        }
    }

    /// Adds the only posting of a term, in the form of a dictionary: `rest` is what follows its head there.
    mutating func add(_ posting: SinglePosting, rest: UnsafeRawBufferPointer, in window: Range<Int>) throws {
        self.window = window
        guard window.contains(Int(posting.document)) else { return }
        let row = row(of: Int(posting.document) &- window.lowerBound)
        if let column = posting.column { return row[Int(column)] &+= posting.frequency }
        var reader = ByteReader(rest)
        try ColumnPairs.decode(&reader, frequency: posting.frequency, columnCount: columnCount) {
            row[Int($0)] &+= $1
        }
    }

    /// How many documents are removed, each counted once.
    var removalCount: Int { removals.count }

    /// Writes the documents of the window, ascending, and begins another sum.
    mutating func write(to sink: some TermSink) throws {
        removals.removeAll(keepingCapacity: true)
        guard firstWord <= lastWord else { return }
        for word in firstWord...lastWord where touched[word] != 0 {
            try write(touched[word], from: word &<< 6, to: sink)
            touched[word] = 0
        }
        (firstWord, lastWord) = (.max, -1)
    }

    /// The most counts that are looked at for postings that are written at once.
    private static let writtenCountLimit = 1 << 12

    /// Writes 64 documents of the window, from `first` on: those whose bits are set.
    private func write(_ documents: UInt64, from first: Int, to sink: some TermSink) throws {
        let limit = max(Self.writtenCountLimit / max(columnCount, 1), 1)
        var bits = documents
        while bits != 0 {
            let size = min(bits.nonzeroBitCount, sink.room, limit)
            try sink.addPostings { postings in
                let (documents, columnCounts) = (
                    postings.documents.room(for: size), postings.columnCounts.room(for: size)
                )
                let before = postings.columns.count
                let columns = postings.columns.room(for: size &* columnCount)
                var columnEnd = 0
                for place in 0..<size {
                    let index = first &+ bits.trailingZeroBitCount
                    bits &= bits &- 1
                    let (row, start) = (counts.start + index &* columnCount, columnEnd)
                    // Which columns have counts is hard to predict, so there is no branch for it.
                    for column in 0..<columnCount {
                        let count = row[column]
                        columns[columnEnd] = ColumnFrequency(column: UInt32(truncatingIfNeeded: column), count: count)
                        columnEnd &+= count > 0 ? 1 : 0
                        row[column] = 0
                    }
                    documents[place] = UInt32(truncatingIfNeeded: window.lowerBound &+ index)
                    columnCounts[place] = UInt32(truncatingIfNeeded: columnEnd &- start)
                }
                postings.columns.truncate(to: before &+ columnEnd)
            }
        }
    }
}
