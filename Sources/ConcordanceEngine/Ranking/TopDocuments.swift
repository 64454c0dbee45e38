/// The order of ranked rows.
enum RankOrder {
    /// `ORDER BY rank`: best first.
    case ascending
    /// `ORDER BY rank DESC`.
    case descending

    /// A key that is greater for earlier rows. SQL sees the negated `score`; NaN is NULL there, which precedes all
    /// numbers in ascending order. 0 and -0 are equal.
    @inline(__always)
    func key(_ score: Double) -> UInt64 {
        let bits = (score + 0).bitPattern
        let ascending: UInt64
        if score.isNaN {
            ascending = .max
        } else {
            ascending = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        }
        return self == .ascending ? ascending : ~ascending
    }
}

/// A ranked row.
struct RankedDocument: HeapElement {
    /// `RankOrder.key` of the score.
    var key: UInt64
    var rowID: Int64
    var document: DocumentReference
    /// The score: higher is better.
    var score: Double

    /// Whether it precedes another row: by key, and by rowid if the keys are equal.
    @inline(__always)
    func precedes(_ other: RankedDocument) -> Bool {
        key != other.key ? key > other.key : rowID < other.rowID
    }

    /// The last row leaves first, to make room for a better one.
    @inline(__always)
    func leaves(before other: RankedDocument) -> Bool { other.precedes(self) }
}

/// The first `capacity` of the offered rows that follow those already read. Once there are that many, they are in a
/// binary heap with the last row on top, and an offer costs one comparison, or O(log capacity) if the row enters.
struct TopDocuments {
    /// The position of the reader: only later rows count.
    struct Fence {
        var key: UInt64
        /// The last rowid with this key that was already read; nil if all rows with the key count.
        var rowID: Int64?
    }

    let capacity: Int
    let order: RankOrder
    private let fence: Fence?
    private let rowIDs: ClosedRange<Int64>
    /// Only rows with at least this key count.
    private let leastKey: UInt64
    /// The rows, until there are `capacity` of them.
    private var rows: [RankedDocument] = []
    private var heap = Heap<RankedDocument>()
    /// The key of the last row; 0 until the heap is full.
    private var lastKey: UInt64 = 0

    private let allowsPruning: Bool

    /// A row with a lower score cannot enter; one with exactly this score may, depending on its rowid. Lower than every
    /// score until the heap is full, and always if bounds do not hold (`RankingStatistics.allowsPruning`).
    private(set) var threshold = -Double.infinity

    /// - Parameter leastScore: Rows with lower scores do not count; if `order` is descending, those with higher ones.
    init(
        capacity: Int, order: RankOrder, allowsPruning: Bool, rowIDs: ClosedRange<Int64>, after fence: Fence? = nil,
        upTo leastScore: Double? = nil
    ) {
        leastKey = leastScore.map(order.key) ?? 0
        if allowsPruning, let leastScore { threshold = leastScore }
        self.allowsPruning = allowsPruning
        self.rowIDs = rowIDs
        self.capacity = max(1, capacity)
        self.order = order
        self.fence = fence
        rows.reserveCapacity(min(self.capacity, RankedDocuments.largestBatchSize))
    }

    /// Whether a row that enters displaces another one.
    var isFull: Bool { heap.count == capacity }

    /// Offers a row whose score reaches the threshold.
    ///
    /// - Parameter rowID: Called only if the score alone does not decide.
    @inline(__always)
    mutating func offer(_ document: DocumentReference, score: Double, rowID: () throws -> Int64) rethrows {
        let key = order.key(score)
        if let fence, key > fence.key { return }
        if key < leastKey || key < lastKey { return }
        insert(RankedDocument(key: key, rowID: try rowID(), document: document, score: score))
    }

    /// Whether a row with at least this score may enter.
    func admits(atLeast score: Double, rowID: () throws -> Int64) rethrows -> Bool {
        if let fence, order == .ascending, order.key(score) > fence.key { return false }
        return try rowIDs == Int64.min...Int64.max || rowIDs.contains(rowID())
    }

    /// Whether a row that `admits` accepts certainly enters if its score is within these bounds.
    func surelyAdmits(atLeast least: Double, atMost most: Double) -> Bool {
        order.key(least) >= leastKey && fence.map { order.key(most) < $0.key } ?? true
    }

    private mutating func insert(_ entry: RankedDocument) {
        if let fence, entry.key == fence.key, let rowID = fence.rowID, entry.rowID <= rowID { return }
        guard rowIDs.contains(entry.rowID) else { return }
        if isFull {
            heap.insert(entry, keeping: capacity)
        } else {
            rows.append(entry)
            guard rows.count == capacity else { return }
            heap = Heap(rows)
            rows = []
        }
        guard let last = heap.first else { return }
        lastKey = last.key
        if allowsPruning { threshold = last.score }
    }

    /// The rows in order.
    consuming func sorted() -> [RankedDocument] {
        var rows = isFull ? heap.elements : rows
        rows.sortByRank()
        return rows
    }
}
