/// Documents, ascending, with the frequency of a phrase in each.
struct FoundDocuments {
    var documents: [UInt32] = []
    var frequencies: [Double] = []
    /// Lower bounds on the frequencies, equal to those that are exact. Empty if all are.
    var leastFrequencies: [Double] = []

    mutating func append(_ document: UInt32, frequency: Double) {
        documents.append(document)
        frequencies.append(frequency)
    }
}

/// Documents that were found beforehand: those of a phrase within a larger query, of a NEAR group, or of a prefix that
/// has no stored list.
///
/// If terms may share positions, or weights are fractional, the frequencies found are at first upper bounds, except for
/// rounding. Hits are counted exactly only in the documents that rankers choose or, with lower bounds, not here but in the
/// best of them (`CandidateEvaluator`).
final class FoundBlocks: BlockSource {
    private let documents: FixedBuffer<UInt32>
    private let frequencies: FixedBuffer<Double>
    private let allMatch = FixedBuffer(repeating: true, count: BlockSource.blockSize)
    private var highestFrequency = 0.0
    /// By block; NaN until it is first asked for.
    private let bounds: FixedBuffer<Double>
    /// Counts hits exactly; nil if all frequencies are exact.
    private let counter: FrequencyCounter?
    /// With a counter, whether the frequency of each document is already exact.
    private let isExact: FixedBuffer<Bool>
    /// Lower bounds on frequencies that are not counted exactly; none if all are.
    private let leastFrequencies: FixedBuffer<Double>
    private let work: QueryWork
    /// The index of the first document of the decoded block.
    @exclusivity(unchecked) private var first = 0

    init(
        _ found: FoundDocuments, _ segment: Segment, weight: Double, _ statistics: RankingStatistics,
        counter: FrequencyCounter? = nil, _ work: QueryWork
    ) throws {
        self.work = work
        guard Int(found.documents.last ?? 0) < max(segment.documentCount, 1) else {
            throw corrupt("a posting of a document that the segment does not have")
        }
        let count = found.documents.count
        let blockCount = (count + Self.blockSize - 1) / Self.blockSize
        documents = FixedBuffer(repeating: .max, count: blockCount * Self.blockSize)
        frequencies = FixedBuffer(repeating: 0, count: blockCount * Self.blockSize)
        bounds = FixedBuffer(repeating: .nan, count: blockCount)
        self.counter = counter
        isExact = FixedBuffer(repeating: false, count: counter == nil ? 0 : count)
        leastFrequencies = FixedBuffer(found.leastFrequencies)
        documents.update(from: found.documents)
        frequencies.update(from: found.frequencies)
        for index in 0..<count { highestFrequency = max(highestFrequency, frequencies[index]) }
        super.init(
            segment, weight: weight, statistics,
            DecodedBlock(
                documents: documents.start, hits: documents.start, isPlain: false, frequencies: frequencies.start,
                isMatch: allMatch.start))
        self.count = count
        work.hold(count)
    }

    deinit { work.release(count) }

    // MARK: - Bounds

    override var bound: Double {
        guard statistics.allowsPruning else { return .infinity }
        return statistics.share(weight, frequency: highestFrequency, norm: statistics.norm(0))
    }

    override func bound(ofBlock block: Int) throws -> Double {
        if bounds[block].isNaN {
            var bound = 0.0
            for index in block * Self.blockSize..<min((block + 1) * Self.blockSize, count) {
                bound = max(bound, try share(index))
            }
            bounds[block] = bound
        }
        return bounds[block]
    }

    override func raise(_ bounds: UnsafeMutableBufferPointer<Double>, ofRanges size: Int) throws {
        for index in 0..<count {
            let range = Int(documents[index]) / size
            bounds[range] = max(bounds[range], try share(index))
        }
    }

    /// What the hits contribute to the score of a document; infinite if frequencies and lengths do not bound scores.
    private func share(_ index: Int) throws -> Double {
        guard statistics.allowsPruning else { return .infinity }
        let norm = statistics.norm(try segment.length(at: Int(documents[index])))
        return statistics.share(weight, frequency: frequencies[index], norm: norm)
    }

    // MARK: - Blocks

    override func lastDocument(ofBlock block: Int) -> UInt32 {
        documents[min((block &+ 1) &* Self.blockSize, count) &- 1]
    }

    override func decode(_ block: Int) -> DecodedBlock {
        first = block &* Self.blockSize
        decoded.count = min(count &- first, Self.blockSize)
        decoded.documents = UnsafePointer(documents.start + first)
        decoded.frequencies = UnsafePointer(frequencies.start + first)
        return decoded
    }

    // MARK: - Hits

    override var countsExactly: Bool { leastFrequencies.count == 0 }

    override func leastFrequency(at index: Int) -> Double {
        let index = first &+ index
        return index < leastFrequencies.count ? leastFrequencies[index] : frequencies[index]
    }

    override func choose(adding score: Double, into chosen: UnsafeMutableBufferPointer<Int>) throws -> Int {
        guard counter != nil else { return try super.choose(adding: score, into: chosen) }
        var count = 0
        for index in 0..<decoded.count where try share(first &+ index) >= score {
            try countHits(at: index)
            chosen[count] = index
            count += 1
        }
        return count
    }

    override func countHits(at index: Int) throws {
        let index = first &+ index
        guard let counter, !isExact[index] else { return }
        frequencies[index] = try counter.frequency(in: documents[index], sum: frequencies[index])
        isExact[index] = true
    }

    override func countHits() throws {
        guard counter != nil else { return }
        for index in 0..<decoded.count { try countHits(at: index) }
    }
}
