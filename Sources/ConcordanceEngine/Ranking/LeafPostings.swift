/// How many documents a window has: their scores are computed together.
let windowSize = 256

/// What a leaf of the query finds in one window of a segment, and what is computed from it. Memory that all windows use.
final class WindowBuffers {
    /// The frequency of each phrase in each document of the window: `windowSize` numbers a phrase.
    let frequencies: UnsafeMutablePointer<Double>
    /// `windowSize` numbers each.
    private let norms: UnsafeMutablePointer<Double>
    let scores: UnsafeMutablePointer<Double>
    /// Which documents each leaf matches.
    @exclusivity(unchecked) var masks: [WindowMask]
    private let phraseCount: Int

    init(phraseCount: Int, leafCount: Int) {
        self.phraseCount = phraseCount
        frequencies = .allocate(capacity: phraseCount * windowSize)
        frequencies.initialize(repeating: 0, count: phraseCount * windowSize)
        norms = .allocate(capacity: windowSize)
        norms.initialize(repeating: 1, count: windowSize)
        scores = .allocate(capacity: windowSize)
        scores.initialize(repeating: 0, count: windowSize)
        masks = Array(repeating: WindowMask(), count: leafCount)
    }

    deinit {
        frequencies.deallocate()
        norms.deallocate()
        scores.deallocate()
    }

    /// The norms of the window's documents, those of the mask at least.
    func norms(
        _ mask: WindowMask, base: Int, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> UnsafeMutablePointer<Double> {
        try mask.forEachBit { bit in norms[bit] = statistics.norm(try segment.length(at: base + bit)) }
        return norms
    }

    func clearScores() { scores.update(repeating: 0, count: windowSize) }

    /// Adds what a phrase adds to all scores of the window.
    func addToScores(_ shares: UnsafeMutablePointer<Double>) {
        let shares = UnsafeRawPointer(shares)
        let scores = UnsafeMutableRawPointer(scores)
        for lanes in 0..<windowSize / 4 {
            let offset = lanes * MemoryLayout<SIMD4<Double>>.stride
            let share = shares.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            let sum = scores.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            scores.storeBytes(of: sum + share, toByteOffset: offset, as: SIMD4<Double>.self)
        }
    }

    /// Turns the frequencies of a phrase into what it adds to scores. Elements of documents whose norm is not known may come
    /// to hold anything.
    static func makeShares(
        _ frequencies: UnsafeMutablePointer<Double>, weight: Double, norms: UnsafeMutablePointer<Double>,
        _ statistics: RankingStatistics
    ) {
        let row = UnsafeMutableRawPointer(frequencies)
        let norms = UnsafeRawPointer(norms)
        for lanes in 0..<windowSize / 4 {
            let offset = lanes * MemoryLayout<SIMD4<Double>>.stride
            let frequency = row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            let norm = norms.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            row.storeBytes(
                of: statistics.share(weight, frequency: frequency, norm: norm), toByteOffset: offset,
                as: SIMD4<Double>.self)
        }
    }

    /// The frequencies of a phrase, all zero.
    func clear(_ phrase: Int) -> UnsafeMutablePointer<Double> {
        let row = frequencies + phrase * windowSize
        row.update(repeating: 0, count: windowSize)
        return row
    }
}

/// A bit for each document of a window.
typealias WindowMask = SIMD4<UInt64>

extension WindowMask {
    var isZero: Bool { (self[0] | self[1]) | (self[2] | self[3]) == 0 }

    var bitCount: Int {
        (self[0].nonzeroBitCount + self[1].nonzeroBitCount) + (self[2].nonzeroBitCount + self[3].nonzeroBitCount)
    }

    @inline(__always)
    mutating func insert(_ bit: UInt32) { self[Int(bit >> 6) & 3] |= 1 << UInt64(bit & 63) }

    /// Calls `body` with the number of each bit that is set, ascending.
    @inline(__always)
    func forEachBit(_ body: (Int) throws -> Void) rethrows {
        for word in 0..<4 {
            var rest = self[word]
            while rest != 0 {
                try body(word * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}

/// The documents of one segment that a leaf of the query (a phrase, or several near each other) matches.
class LeafPostings {
    /// The leaf's number in the query.
    let leaf: Int

    init(leaf: Int) { self.leaf = leaf }

    /// How many there may be; what the order of evaluation goes by.
    var cost: Int { 0 }

    /// Raises each window's element of `bounds` to the most that the leaf adds to a score there; elements of windows without
    /// a match stay.
    func bound(_ bounds: UnsafeMutableBufferPointer<Double>) throws {}

    /// Writes the mask of the leaf and the frequencies of its phrases for the window of documents from `base` on.
    func fill(base: UInt32, _ buffers: WindowBuffers) throws {}
}

/// A term's postings, decoded block by block as windows need them.
final class TermLeafPostings: LeafPostings {
    private let reader: WeightedPostings
    private let phrase: Int
    private let weight: Double
    private let statistics: RankingStatistics
    /// The last document of each block.
    private var lastDocuments: [UInt32] = []

    init(leaf: Int, phrase: Int, _ reader: WeightedPostings, _ statistics: RankingStatistics) throws {
        self.reader = reader
        self.phrase = phrase
        self.statistics = statistics
        weight = statistics.phraseWeights[phrase]
        super.init(leaf: leaf)
        lastDocuments.reserveCapacity(reader.blockCount)
    }

    override var cost: Int { reader.count }

    override func bound(_ bounds: UnsafeMutableBufferPointer<Double>) throws {
        lastDocuments.removeAll(keepingCapacity: true)
        var first: UInt32 = 0
        for block in 0..<reader.blockCount {
            let summary = try reader.summary(block)
            lastDocuments.append(summary.lastDocument)
            if reader.mayMatch(summary) {
                let bound = statistics.bound(summary, weight: weight)
                let last = min(Int(summary.lastDocument) / windowSize, bounds.count - 1)
                var window = Int(first) / windowSize
                while window <= last {
                    bounds[window] = max(bounds[window], bound)
                    window += 1
                }
            }
            first = summary.lastDocument &+ 1
        }
    }

    override func fill(base: UInt32, _ buffers: WindowBuffers) throws {
        let row = buffers.clear(phrase)
        var mask = WindowMask()
        var block = lastDocuments.firstIndex(from: base)
        while block < lastDocuments.count {
            let count = try reader.decode(block)
            try reader.needHits()
            for i in 0..<count where reader.isPlain || reader.isMatch[i] {
                let bit = reader.documents[i] &- base
                guard bit < windowSize else { continue }
                row[Int(bit)] = reader.isPlain ? Double(reader.hits[i]) : reader.frequencies[i]
                mask.insert(bit)
            }
            if lastDocuments[block] &- base >= windowSize { break }
            block += 1
        }
        buffers.masks[leaf] = mask
    }
}
