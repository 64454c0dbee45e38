/// The number of documents in a window, whose scores are computed together.
let windowSize = 256

/// The frequencies of a query's phrases in one window of a segment, and the scores. All windows use the same memory.
final class WindowBuffers {
    /// The frequency of each phrase in each document of the window: `windowSize` numbers for each phrase.
    private let frequencies: FixedBuffer<Double>
    /// `windowSize` numbers each.
    private let norms = FixedBuffer(repeating: 1.0, count: windowSize)
    private let scores = FixedBuffer(repeating: 0.0, count: windowSize)

    init(phraseCount: Int) { frequencies = FixedBuffer(repeating: 0, count: phraseCount * windowSize) }

    // MARK: - Frequencies

    /// The frequencies of a phrase: `windowSize` numbers.
    func frequencies(of phrase: Int) -> UnsafeMutablePointer<Double> { frequencies.start + phrase * windowSize }

    /// Reads the frequencies of a phrase in the window that begins at `base`; returns the documents that contain it.
    func fill(_ phrase: Int, from source: BlockSource, base: UInt32) throws -> WindowMask {
        let row = frequencies(of: phrase)
        row.update(repeating: 0, count: windowSize)
        var mask = WindowMask()
        guard let first = try source.firstBlock(from: 0, reaching: base) else { return mask }
        for number in first..<source.blockCount {
            let block = try source.decode(number)
            try source.countHits()
            for index in 0..<block.count where block.matches(index) {
                let bit = block.documents[index] &- base
                guard bit < windowSize else { continue }
                row[Int(bit)] = block.frequency(at: index)
                mask.insert(bit)
            }
            if try source.lastDocument(ofBlock: number) &- base >= windowSize { break }
        }
        return mask
    }

    // MARK: - Scores

    /// With fewer documents, scores are computed one by one; otherwise for the whole window at once.
    private static let scalarLimit = 48

    /// Starts scoring the documents of a mask.
    func beginScores(_ mask: WindowMask, base: Int, _ segment: Segment, _ statistics: RankingStatistics) throws {
        scores.start.update(repeating: 0, count: windowSize)
        try mask.forEachBit { bit in norms[bit] = statistics.norm(try segment.length(at: base + bit)) }
    }

    /// Adds the contribution of a phrase to the scores of the documents of a mask. It replaces the phrase's frequencies.
    func addShares(of phrase: Int, _ mask: WindowMask, weight: Double, _ statistics: RankingStatistics) {
        let row = frequencies(of: phrase)
        if mask.bitCount < Self.scalarLimit {
            mask.forEachBit { bit in
                row[bit] = statistics.share(weight, frequency: row[bit], norm: norms[bit])
                scores[bit] += row[bit]
            }
        } else {
            makeShares(row, weight: weight, statistics)
            addToScores(row)
        }
    }

    /// What a phrase has added to the score of a document.
    func share(of phrase: Int, _ bit: Int) -> Double { frequencies.start[phrase * windowSize + bit] }

    /// The score of a document of the window.
    func score(_ bit: Int) -> Double { scores[bit] }

    /// Adds the contributions of a phrase to all scores of the window.
    private func addToScores(_ shares: UnsafeMutablePointer<Double>) {
        let shares = UnsafeRawPointer(shares)
        let scores = UnsafeMutableRawPointer(scores.start)
        for lanes in 0..<windowSize / 4 {
            let offset = lanes * MemoryLayout<SIMD4<Double>>.stride
            let share = shares.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            let sum = scores.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            scores.storeBytes(of: sum + share, toByteOffset: offset, as: SIMD4<Double>.self)
        }
    }

    /// Replaces the frequencies of a phrase with its contributions. Those of documents with unknown norms are
    /// meaningless.
    private func makeShares(
        _ frequencies: UnsafeMutablePointer<Double>, weight: Double, _ statistics: RankingStatistics
    ) {
        let row = UnsafeMutableRawPointer(frequencies)
        let norms = UnsafeRawPointer(norms.start)
        for lanes in 0..<windowSize / 4 {
            let offset = lanes * MemoryLayout<SIMD4<Double>>.stride
            let frequency = row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            let norm = norms.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            row.storeBytes(
                of: statistics.share(weight, frequency: frequency, norm: norm), toByteOffset: offset,
                as: SIMD4<Double>.self)
        }
    }
}

/// A set of documents of a window.
typealias WindowMask = SIMD4<UInt64>

extension WindowMask {
    var isZero: Bool { (self[0] | self[1]) | (self[2] | self[3]) == 0 }

    var bitCount: Int {
        (self[0].nonzeroBitCount + self[1].nonzeroBitCount) + (self[2].nonzeroBitCount + self[3].nonzeroBitCount)
    }

    @inline(__always)
    mutating func insert(_ bit: UInt32) { self[Int(bit >> 6) & 3] |= 1 << UInt64(bit & 63) }

    @inline(__always)
    func contains(_ bit: Int) -> Bool { self[bit >> 6 & 3] >> UInt64(bit & 63) & 1 != 0 }

    /// Calls `body` with the index of each set bit, ascending.
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
