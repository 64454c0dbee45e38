/// The order of ranked rows.
enum RankOrder {
    /// `ORDER BY rank`: best first.
    case ascending
    /// `ORDER BY rank DESC`.
    case descending

    /// A key that grows from the last row to the first. Of `score`, the positive sum, SQL sees the negated value; NaN is NULL
    /// there, which stands before all numbers where the order ascends; 0 and -0 are equal.
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

/// A row that is ranked.
struct RankedDocument: HeapElement {
    /// `RankOrder.key` of the score.
    var key: UInt64
    var rowID: Int64
    var document: DocumentReference
    /// The positive sum.
    var score: Double

    /// Whether it stands before another one: by key, and by rowid among equals.
    @inline(__always)
    func precedes(_ other: RankedDocument) -> Bool {
        key != other.key ? key > other.key : rowID < other.rowID
    }

    /// The last row first, which makes room for a better one.
    @inline(__always)
    func leaves(before other: RankedDocument) -> Bool { other.precedes(self) }
}

/// The first `capacity` of the rows that are offered, after those that a reader has had already: a binary heap with the
/// last of them on top. An offer costs one comparison unless it enters, and O(log capacity) then.
struct TopDocuments {
    /// Where the reader is: only rows behind it count.
    struct Fence {
        var key: UInt64
        /// The last rowid with that key that the reader has had; nil where rows of the key itself count.
        var rowID: Int64?
    }

    let capacity: Int
    let order: RankOrder
    private let fence: Fence?
    private let rowIDs: ClosedRange<Int64>
    /// Rows with smaller keys do not count.
    private let leastKey: UInt64
    private var heap = Heap<RankedDocument>()

    private let allowsPruning: Bool

    /// What a score must reach to enter, by the value alone: rows of exactly this score may enter, by their rowid. Below every
    /// score until the heap is full, and always where bounds do not hold (`RankingStatistics.allowsPruning`).
    private(set) var threshold = -Double.infinity

    /// - Parameter leastScore: Rows with smaller scores do not count, or, where `order` descends, rows with larger ones.
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
    }

    /// Whether so many rows were found that later ones push out earlier ones.
    var isFull: Bool { heap.count == capacity }

    /// The last row; nil until the heap is full.
    var last: RankedDocument? { isFull ? heap.first : nil }

    /// Offers a row whose score is at least the threshold.
    ///
    /// - Parameter rowID: Asked for only where the score does not decide alone.
    @inline(__always)
    mutating func offer(_ document: DocumentReference, score: Double, rowID: () throws -> Int64) rethrows {
        let key = order.key(score)
        if let fence, key > fence.key { return }
        if key < leastKey { return }
        if let last, key < last.key { return }
        insert(RankedDocument(key: key, rowID: try rowID(), document: document, score: score))
    }

    /// Whether a row may be among the rows, whose score is at least this.
    func admits(atLeast score: Double, rowID: () throws -> Int64) rethrows -> Bool {
        if let fence, order == .ascending, order.key(score) > fence.key { return false }
        return try rowIDs == Int64.min...Int64.max || rowIDs.contains(rowID())
    }

    /// Whether a row that `admits` is surely among the rows if its score is in these bounds.
    func surelyAdmits(atLeast least: Double, atMost most: Double) -> Bool {
        order.key(least) >= leastKey && fence.map { order.key(most) < $0.key } ?? true
    }

    private mutating func insert(_ entry: RankedDocument) {
        if let fence, entry.key == fence.key, let rowID = fence.rowID, entry.rowID <= rowID { return }
        guard rowIDs.contains(entry.rowID) else { return }
        heap.insert(entry, keeping: capacity)
        if allowsPruning, let last { threshold = last.score }
    }

    /// The rows, first to last.
    consuming func sorted() -> [RankedDocument] { heap.elements.sorted { $0.precedes($1) } }
}
