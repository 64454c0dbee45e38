/// The union of the postings of terms with a common beginning: for each document, how often they occur in which column.
/// Terms that share a place count one by one, as in FTS5's lists.
///
/// Counts are added in an array of documents by columns, as long as that is small; then a posting costs one addition.
/// Otherwise all places are gathered and sorted, as many documents at a time as memory allows.
struct PrefixSum {
    private let columnCount: Int
    private let documentCount: Int
    private let places: GrowingBuffer<Position>
    private var counts: [UInt32]
    private var isTouched: [Bool]
    private var touched: [UInt32] = []
    private var gathered: [(document: UInt32, position: Position)] = []
    private var removals: [UInt32] = []
    private var columns: [ColumnFrequency] = []

    /// The largest array of counts, 4 MB.
    private static let countLimit = 1 << 20

    private let isGathering: Bool

    /// How many documents are summed at a time.
    let windowSize: Int
    /// About how many places are gathered, 32 MB.
    private static let gatheringLimit = 2 << 20
    private var window = 0..<0

    /// - Parameter placeCount: At least the number of places in all documents.
    init(documentCount: Int, columnCount: Int, placeCount: Int, places: GrowingBuffer<Position>) {
        self.columnCount = columnCount
        self.documentCount = documentCount
        self.places = places
        let (size, overflow) = documentCount.multipliedReportingOverflow(by: columnCount)
        isGathering = overflow || size > Self.countLimit
        counts = isGathering ? [] : Array(repeating: 0, count: size)
        let windowCount = isGathering ? placeCount / Self.gatheringLimit + 1 : 1
        windowSize = max(1, documentCount / windowCount)
        isTouched = isGathering ? [] : Array(repeating: false, count: documentCount)
    }

    /// Begins another prefix, or the next documents of this one; others are skipped.
    mutating func begin(_ window: Range<Int>) {
        self.window = window
        touched.removeAll(keepingCapacity: true)
        gathered.removeAll(keepingCapacity: true)
        removals.removeAll(keepingCapacity: true)
    }

    /// Adds the current posting of a list.
    @inline(__always)
    mutating func add(_ document: UInt32, _ list: inout PendingTerms.List) {
        guard window.contains(Int(document)) else { return }
        places.removeAll()
        list.readPlaces(into: places)
        if isGathering {
            for position in places.values { gathered.append((document, position)) }
            return
        }
        if !isTouched[Int(document)] {
            isTouched[Int(document)] = true
            touched.append(document)
        }
        let row = Int(document) &* columnCount
        for position in places.values { counts[row &+ Int(position.column)] &+= 1 }
    }

    /// Adds a removed document; each is counted once.
    mutating func addRemoval(_ event: UInt32) { removals.append(event) }

    /// How many documents are removed.
    var removalCount: Int { Set(removals).count }

    /// Writes the documents, ascending.
    mutating func write(to writer: SegmentWriter) throws {
        if isGathering { return try writeGathered(to: writer) }
        touched.sort()
        for document in touched {
            let row = Int(document) * columnCount
            columns.removeAll(keepingCapacity: true)
            for column in 0..<columnCount where counts[row + column] > 0 {
                columns.append(
                    ColumnFrequency(column: UInt32(truncatingIfNeeded: column), count: counts[row + column]))
                counts[row + column] = 0
            }
            isTouched[Int(document)] = false
            try columns.withUnsafeBufferPointer { try writer.addPosting(document: document, columns: $0) }
        }
    }

    private mutating func writeGathered(to writer: SegmentWriter) throws {
        gathered.sort { ($0.document, $0.position) < ($1.document, $1.position) }
        var index = 0
        while index < gathered.count {
            let document = gathered[index].document
            columns.removeAll(keepingCapacity: true)
            while index < gathered.count, gathered[index].document == document {
                let column = gathered[index].position.column
                if columns.last?.column != column {
                    columns.append(ColumnFrequency(column: column, count: 1))
                } else {
                    columns[columns.count - 1].count &+= 1
                }
                index += 1
            }
            try columns.withUnsafeBufferPointer { try writer.addPosting(document: document, columns: $0) }
        }
    }
}
