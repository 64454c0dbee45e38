/// The documents of a leaf that were found beforehand: of a phrase, of phrases near each other, of a prefix without a list.
final class ListLeafPostings: LeafPostings {
    /// Ascending documents, and for each of them the frequency of each phrase of the leaf.
    struct Matches {
        let phrases: [Int]
        private(set) var documents: [UInt32] = []
        private(set) var frequencies: [Double] = []

        init(phrases: [Int]) { self.phrases = phrases }

        mutating func reserveCapacity(_ count: Int) {
            documents.reserveCapacity(count)
            frequencies.reserveCapacity(count * phrases.count)
        }

        mutating func append(_ document: UInt32, _ frequencies: some Sequence<Double>) {
            documents.append(document)
            self.frequencies.append(contentsOf: frequencies)
        }

        mutating func append(_ document: UInt32, frequency: Double) {
            documents.append(document)
            frequencies.append(frequency)
        }
    }

    private let matches: Matches
    private let segment: Segment
    private let statistics: RankingStatistics

    init(leaf: Int, _ matches: Matches, segment: Segment, _ statistics: RankingStatistics) {
        self.matches = matches
        self.segment = segment
        self.statistics = statistics
        super.init(leaf: leaf)
    }

    override var cost: Int { matches.documents.count }

    override func bound(_ bounds: UnsafeMutableBufferPointer<Double>) throws {
        let weights = matches.phrases.map { statistics.phraseWeights[$0] }
        for (index, document) in matches.documents.enumerated() {
            let window = Int(document) / windowSize
            guard window < bounds.count else { throw corrupt("a posting of no document") }
            var score = statistics.allowsPruning ? 0.0 : .infinity
            if statistics.allowsPruning {
                let norm = try statistics.norm(segment.length(at: Int(document)))
                for phrase in weights.indices {
                    let frequency = matches.frequencies[index * weights.count + phrase]
                    score += statistics.share(weights[phrase], frequency: frequency, norm: norm)
                }
            }
            bounds[window] = max(bounds[window], score)
        }
    }

    override func fill(base: UInt32, _ buffers: WindowBuffers) throws {
        let rows = matches.phrases.map { buffers.clear($0) }
        var mask = WindowMask()
        var index = matches.documents.firstIndex(from: base)
        while index < matches.documents.count {
            let bit = matches.documents[index] &- base
            guard bit < windowSize else { break }
            mask.insert(bit)
            for phrase in rows.indices {
                rows[phrase][Int(bit)] = matches.frequencies[index * rows.count + phrase]
            }
            index += 1
        }
        buffers.masks[leaf] = mask
    }
}
