/// Scores the rows of one running query: Okapi BM25 with bonuses for hits that are near each other.
///
/// ```
/// score  = Σ over phrases p    weight(p) · saturated(tf(p))
///        + phraseBonus    · Σ over p    min(idf(p − 1), idf(p)) · saturated(pairs(p))
///        + proximityBonus · Σ over p    min(1, idf(p)) · saturated(proximity(p))
/// weight(p)     = idf(p) · (k3 + 1) / (k3 + repetitions(p))
/// saturated(x)  = x · (k1 + 1) / (x + k1 · (1 − b + b · length / averageLength))
/// idf(p)        = ln((rows − df(p) + ½) / (df(p) + ½)), at least 10⁻⁶
/// tf(p)         = Σ over hits of p    weight of the column
/// pairs(p)      = the same over the hits of p that directly follow a hit of p − 1
/// proximity(p)  = Σ over neighbours q of a hit of p, before and after it    weight of the column · idf(q) / distance²
/// ```
///
/// With infinite k3 and no bonus, this is FTS5's `bm25`, to the last bit: lengths are numbers of tokens of whole rows,
/// and a phrase that the query has twice counts twice. With k3, the `repetitions(p)` equal phrases of a query together
/// count `repetitions · (k3 + 1) / (k3 + repetitions)` times (Robertson, Walker, Jones, Hancock-Beaulieu, Gatford:
/// Okapi at TREC-3, 1994). The pairs are those of the sequential dependence model (Metzler, Croft: A Markov Random
/// Field Model for Term Dependencies, SIGIR 2005), scored like words (Rasolofo, Savoy: Term Proximity Scoring for
/// Keyword-Based Retrieval Systems, ECIR 2003). Proximity follows Büttcher, Clarke, Lushman: Term Proximity Scoring for
/// Ad-Hoc Retrieval on Very Large Text Collections, SIGIR 2006; its cost is linear in the hits. A hit's neighbours are
/// the hits next to it in its column, at other places. Readings of one word (`word`) are not neighbours of each other. In a
/// row with a rarer phrase, the places of a common one do not count: it is near everything, and would hide the neighbours that
/// matter. A phrase is common if at least half of the rows have it, and more than `commonCount`: in small tables, the places of
/// such a phrase may be all that tells rows apart.
///
/// With a b for each column, this is BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009, section
/// 3.6): the code that counts hits divides the weight of each by `fieldNorm`, and lengths of rows do not count
/// (`fieldwiseNorm`).
///
/// It does not depend on where hits come from: FTS5's interface (`QueryScorer`) or an index. One thread uses it.
package final class RowScorer {
    package let phraseCount: Int
    package let rowCount: Int
    /// By phrase, as in the formulas above.
    package let idf: UnsafeMutablePointer<Double>
    package let documentFrequency: UnsafeMutablePointer<Int>
    /// The number of tokens of the phrase.
    package let size: UnsafeMutablePointer<Int32>
    package let repetitions: UnsafeMutablePointer<Double>
    /// Phrases with the same number are readings of one word.
    package let word: UnsafeMutablePointer<Int32>
    /// Of the current row.
    package let frequency: UnsafeMutablePointer<Double>
    package let pairs: UnsafeMutablePointer<Double>
    package let proximity: UnsafeMutablePointer<Double>
    /// The memory of all numbers above, and of the next two.
    private let numbers: UnsafeMutableRawPointer
    /// The last places of each phrase, column << 32 | offset, while the places of a row are read; -1 for none. There is
    /// one more than the phrase has tokens, because that many hits can be between a hit and what directly follows it.
    private let recentPlaces: UnsafeMutablePointer<Int64>
    /// Where the places of each phrase begin, and which of them is replaced next.
    private let recentStart: UnsafeMutablePointer<Int>
    private let recentNext: UnsafeMutablePointer<Int>
    private let recentCount: Int
    /// The first phrase at the last place, and that place.
    private var previous = -1
    private var previousPlace: Int64 = -1
    /// Whether one of the places is of a phrase that is not common.
    private var hasRarePlace = false

    /// A phrase with no more rows than this is not common.
    package static let commonCount = 1000

    /// - Parameter phrase: The number of tokens and the document frequency of each phrase.
    package init(
        phraseCount: Int, rowCount: Int, phrase: (Int) throws -> (size: Int32, documentFrequency: Int)
    ) rethrows {
        let phrases = try (0..<phraseCount).map(phrase)
        self.phraseCount = phraseCount
        self.rowCount = rowCount
        let bytesPerPhrase =
            5 * MemoryLayout<Double>.size + 3 * MemoryLayout<Int>.size + 2 * MemoryLayout<Int32>.size
        numbers = .allocate(byteCount: phraseCount * bytesPerPhrase, alignment: MemoryLayout<Double>.alignment)
        var end = numbers
        func zeros<Number: Numeric>() -> UnsafeMutablePointer<Number> {
            let start = end.initializeMemory(as: Number.self, repeating: 0, count: phraseCount)
            end = UnsafeMutableRawPointer(start + phraseCount)
            return start
        }
        // The largest first, so that all are aligned.
        idf = zeros()
        repetitions = zeros()
        frequency = zeros()
        pairs = zeros()
        proximity = zeros()
        documentFrequency = zeros()
        recentStart = zeros()
        recentNext = zeros()
        size = zeros()
        word = zeros()
        assert(end == numbers + phraseCount * bytesPerPhrase, "as many numbers as there is memory for")
        var count = 0
        for (index, (tokens, rows)) in phrases.enumerated() {
            (size[index], documentFrequency[index]) = (max(tokens, 0), rows)
            idf[index] = BM25.inverseDocumentFrequency(
                rowCount: rowCount, documentFrequency: documentFrequency[index])
            repetitions[index] = 1
            word[index] = Int32(truncatingIfNeeded: index)
            recentStart[index] = count
            count += Int(size[index]) + 1
        }
        recentCount = count
        recentPlaces = .allocate(capacity: count)
        recentPlaces.initialize(repeating: 0, count: count)
    }

    deinit {
        numbers.deallocate()
        recentPlaces.deallocate()
    }

    // MARK: - One row

    /// Starts reading the places of another row.
    package func beginPlaces() {
        for phrase in 0..<phraseCount {
            pairs[phrase] = 0
            proximity[phrase] = 0
            recentNext[phrase] = 0
        }
        recentPlaces.update(repeating: -1, count: recentCount)
        previous = -1
        previousPlace = -1
        hasRarePlace = false
    }

    /// Whether the places of a phrase do not count in a row with a rarer one.
    package func isCommon(_ phrase: Int) -> Bool {
        idf[phrase] == BM25.leastIDF && documentFrequency[phrase] > Self.commonCount
    }

    /// Counts a hit of a phrase in `pairs` and `proximity`. Hits come in the order of columns and offsets; at one
    /// place, in the order of phrases.
    package func add(place: Int64, of phrase: Int, weight: Double) {
        guard phrase >= 0, phrase < phraseCount, place >= 0 else { return }
        if isCommon(phrase) {
            if hasRarePlace { return }
        } else if !hasRarePlace {
            beginPlaces()
            hasRarePlace = true
        }
        if phrase > 0, stood(phrase - 1, at: place &- Int64(size[phrase - 1])) { pairs[phrase] += weight }
        recentPlaces[recentStart[phrase] &+ recentNext[phrase]] = place
        recentNext[phrase] = recentNext[phrase] < Int(size[phrase]) ? recentNext[phrase] &+ 1 : 0
        guard place != previousPlace else { return }
        if previousPlace >> 32 == place >> 32, word[previous] != word[phrase] {
            let distance = Double(place &- previousPlace)
            let nearness = weight / (distance * distance)
            proximity[phrase] += nearness * idf[previous]
            proximity[previous] += nearness * idf[phrase]
        }
        previous = phrase
        previousPlace = place
    }

    private func stood(_ phrase: Int, at place: Int64) -> Bool {
        guard place >= 0 else { return false }
        for index in 0...Int(size[phrase]) where recentPlaces[recentStart[phrase] &+ index] == place { return true }
        return false
    }

    /// The score of a row whose `frequency` is known and, with a bonus, its places.
    package func score(norm: Double, _ parameters: RankParameters) -> Double {
        var score = 0.0
        for phrase in 0..<phraseCount { score += wordScore(phrase, norm, parameters) }
        return parameters.hasBonus ? self.score(addingBonusTo: score, norm: norm, parameters) : score
    }

    /// The score of a row whose places are known, given what its phrases add without them.
    package func score(addingBonusTo words: Double, norm: Double, _ parameters: RankParameters) -> Double {
        var score = words
        for phrase in 0..<phraseCount {
            score += pairScore(phrase, norm, parameters) + proximityScore(phrase, norm, parameters)
        }
        return score
    }

    // MARK: - The parts of a score

    /// `weight` in the formulas above.
    package func weight(_ phrase: Int, _ parameters: RankParameters) -> Double {
        idf[phrase] * parameters.repetitionFactor(repetitions[phrase])
    }

    /// The contribution of a phrase's hits.
    package func wordScore(_ phrase: Int, _ norm: Double, _ parameters: RankParameters) -> Double {
        // Also if a damaged table has no length to divide by.
        if frequency[phrase] == 0 { return 0 }
        return weight(phrase, parameters) * BM25.saturated(frequency[phrase], norm: norm, k1: parameters.k1)
    }

    /// The contribution of a phrase's hits that directly follow those of the previous phrase.
    package func pairScore(_ phrase: Int, _ norm: Double, _ parameters: RankParameters) -> Double {
        if phrase == 0 || pairs[phrase] == 0 { return 0 }
        return parameters.phraseBonus * min(idf[phrase - 1], idf[phrase])
            * BM25.saturated(pairs[phrase], norm: norm, k1: parameters.k1)
    }

    /// The contribution of a phrase's neighbours.
    package func proximityScore(_ phrase: Int, _ norm: Double, _ parameters: RankParameters) -> Double {
        if proximity[phrase] == 0 { return 0 }
        return parameters.proximityBonus * min(1, idf[phrase])
            * BM25.saturated(proximity[phrase], norm: norm, k1: parameters.k1)
    }

    // MARK: - Lengths of fields

    /// The divisor of the weight of a hit in a column of `length` tokens: 1 − b + b · length / averageLength.
    package static func fieldNorm(b: Double, length: Double, averageLength: Double) -> Double {
        averageLength > 0 ? 1 - b + b * length / averageLength : 1
    }

    /// Replaces a row's length norm if hits are normalized field by field.
    package static func fieldwiseNorm(_ parameters: RankParameters) -> Double {
        parameters.k1 == 0 ? .leastNormalMagnitude : parameters.k1
    }
}
