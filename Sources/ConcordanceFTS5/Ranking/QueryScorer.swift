import CSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Okapi BM25 with bonuses for the rows of one running query: what is the same for all rows, counted once, and memory
/// for what is counted in a row.
///
/// ```
/// score  = Σ over phrases p    idf(p) · saturated(tf(p)) · (k3 + 1) / (k3 + repetitions(p))
///        + phraseBonus    · Σ over p    min(idf(p − 1), idf(p)) · saturated(pairs(p))
///        + proximityBonus · Σ over p    min(1, idf(p)) · saturated(proximity(p))
/// saturated(x)  = x · (k1 + 1) / (x + k1 · (1 − b + b · length / averageLength))
/// idf(p)        = ln((rows − df(p) + ½) / (df(p) + ½)), at least 10⁻⁶
/// tf(p)         = Σ over matches of p    weight of the column
/// pairs(p)      = the same over the matches of p that stand right behind a match of p − 1
/// proximity(p)  = Σ over neighbours q ≠ p of a match of p, before and behind it    weight · idf(q) / distance²
/// ```
///
/// The first line, with k3 infinite, is FTS5's `bm25`, to the last bit: lengths are numbers of tokens of whole rows, and
/// a phrase that the query has twice counts twice. With k3, `repetitions(p)` times is a phrase in the query, and all of
/// them together count `repetitions · (k3 + 1) / (k3 + repetitions)` times (Robertson, Walker, Jones, Hancock-Beaulieu,
/// Gatford: Okapi at TREC-3, 1994). FTS5 does not say what a phrase is; those that match at the same places of the whole
/// table are one. The second takes pairs of words as the sequential dependence model does (Metzler, Croft:
/// A Markov Random Field Model for Term Dependencies, SIGIR 2005), scored like words (Rasolofo, Savoy: Term Proximity
/// Scoring for Keyword-Based Retrieval Systems, ECIR 2003). The third is that of Büttcher, Clarke, Lushman: Term Proximity
/// Scoring for Ad-Hoc Retrieval on Very Large Text Collections, SIGIR 2006; its cost is linear in the matches.
///
/// FTS5 keeps it as auxiliary data of the cursor, which one thread uses.
final class QueryScorer {
    let phraseCount: Int
    let rowCount: Int64
    let averageLength: Double
    /// For each phrase, what the formulas above say.
    let idf: UnsafeMutablePointer<Double>
    let documentFrequency: UnsafeMutablePointer<Int64>
    let size: UnsafeMutablePointer<Int32>
    let repetitions: UnsafeMutablePointer<Double>
    @exclusivity(unchecked) private var knowsRepetitions = false
    /// Of the row that was scored last.
    let frequency: UnsafeMutablePointer<Double>
    let pairs: UnsafeMutablePointer<Double>
    let proximity: UnsafeMutablePointer<Double>
    /// Column and offset of the last match of each phrase while a row is read; -1 for none.
    private let lastColumn: UnsafeMutablePointer<Int32>
    private let lastOffset: UnsafeMutablePointer<Int32>

    /// Counts the rows of each phrase, which reads its whole posting list.
    init(_ row: MatchedRow) throws(MatchedRow.Failure) {
        rowCount = try row.rowCount()
        averageLength = Double(try row.totalTokenCount()) / Double(rowCount)
        phraseCount = max(0, row.phraseCount)
        idf = .zeros(phraseCount)
        documentFrequency = .zeros(phraseCount)
        size = .zeros(phraseCount)
        repetitions = .zeros(phraseCount)
        frequency = .zeros(phraseCount)
        pairs = .zeros(phraseCount)
        proximity = .zeros(phraseCount)
        lastColumn = .zeros(phraseCount)
        lastOffset = .zeros(phraseCount)
        for phrase in 0..<phraseCount {
            let count = try row.documentFrequency(ofPhrase: phrase)
            let ratio = (Double(rowCount) - Double(count) + 0.5) / (Double(count) + 0.5)
            documentFrequency[phrase] = count
            idf[phrase] = ratio > 1 ? log(ratio) : 1e-6
            size[phrase] = row.size(ofPhrase: phrase)
        }
    }

    deinit {
        idf.deallocate()
        documentFrequency.deallocate()
        size.deallocate()
        repetitions.deallocate()
        frequency.deallocate()
        pairs.deallocate()
        proximity.deallocate()
        lastColumn.deallocate()
        lastOffset.deallocate()
    }

    /// The scorer of the running query, made at its first row.
    @inline(__always)
    static func of(_ row: MatchedRow) throws(MatchedRow.Failure) -> Unmanaged<QueryScorer> {
        if let pointer = row.api.pointee.xGetAuxdata?(row.fts, 0) { return .fromOpaque(pointer) }
        let scorer = Unmanaged.passRetained(try QueryScorer(row))
        // FTS5 releases it itself when it has no memory to keep it.
        let code = row.api.pointee.xSetAuxdata?(row.fts, scorer.toOpaque()) { pointer in
            if let pointer { Unmanaged<QueryScorer>.fromOpaque(pointer).release() }
        }
        guard code == SQLITE_OK else { throw MatchedRow.Failure(code: code ?? SQLITE_MISUSE) }
        return scorer
    }

    /// How high the row scores, and the factors of it in `frequency`, `pairs` and `proximity`.
    @inline(__always)
    func score(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) -> Double {
        let norm = try lengthNorm(row, arguments)
        if arguments.k3 != .infinity, !knowsRepetitions { try countRepetitions(row) }
        var score = 0.0
        for phrase in 0..<phraseCount {
            var count = 0.0
            try row.forEachPosition(ofPhrase: phrase) { column, _ in count += arguments.weight(ofColumn: column) }
            frequency[phrase] = count
            score += wordScore(phrase, norm, arguments)
        }
        if arguments.phraseBonus != 0 || arguments.proximityBonus != 0 {
            try readNeighbours(row, arguments)
            for phrase in 0..<phraseCount {
                score += pairScore(phrase, norm, arguments) + proximityScore(phrase, norm, arguments)
            }
        }
        return score
    }

    // MARK: The parts of a score

    /// k1 · (1 − b + b · length / averageLength).
    @inline(__always)
    func lengthNorm(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) -> Double {
        let length = Double(try row.tokenCount())
        return arguments.k1 * (1 - arguments.b + arguments.b * length / averageLength)
    }

    /// What the matches of a phrase add.
    @inline(__always)
    func wordScore(_ phrase: Int, _ norm: Double, _ arguments: RankArguments) -> Double {
        let score = idf[phrase] * Self.saturated(frequency[phrase], norm, arguments)
        return arguments.k3 == .infinity ? score : score * repetitionFactor(phrase, arguments)
    }

    /// (k3 + 1) / (k3 + repetitions): what each of several equal phrases counts.
    @inline(__always)
    func repetitionFactor(_ phrase: Int, _ arguments: RankArguments) -> Double {
        arguments.k3 == .infinity ? 1 : (arguments.k3 + 1) / (arguments.k3 + repetitions[phrase])
    }

    /// What the matches of a phrase right behind the one before it add.
    @inline(__always)
    func pairScore(_ phrase: Int, _ norm: Double, _ arguments: RankArguments) -> Double {
        if phrase == 0 { return 0 }
        return arguments.phraseBonus * min(idf[phrase - 1], idf[phrase])
            * Self.saturated(pairs[phrase], norm, arguments)
    }

    /// What the neighbours of a phrase add.
    @inline(__always)
    func proximityScore(_ phrase: Int, _ norm: Double, _ arguments: RankArguments) -> Double {
        arguments.proximityBonus * min(1, idf[phrase]) * Self.saturated(proximity[phrase], norm, arguments)
    }

    /// Zero for no matches, also where k1 is zero.
    @inline(__always)
    static func saturated(_ frequency: Double, _ norm: Double, _ arguments: RankArguments) -> Double {
        frequency == 0 ? 0 : (frequency * (arguments.k1 + 1)) / (frequency + norm)
    }

    /// Counts the phrases that are equal to each phrase, itself included. Only those with as many tokens and rows are
    /// compared, place by place.
    private func countRepetitions(_ row: MatchedRow) throws(MatchedRow.Failure) {
        var groups: [Kind: [Int]] = [:]
        for phrase in 0..<phraseCount {
            repetitions[phrase] = 1
            if documentFrequency[phrase] == 0 { continue }
            groups[Kind(size: size[phrase], documentFrequency: documentFrequency[phrase]), default: []].append(phrase)
        }
        for phrases in groups.values where phrases.count > 1 {
            var equal: [UInt64: [Int]] = [:]
            for phrase in phrases { equal[try row.signature(ofPhrase: phrase), default: []].append(phrase) }
            for same in equal.values {
                for phrase in same { repetitions[phrase] = Double(same.count) }
            }
        }
        knowsRepetitions = true
    }

    /// What equal phrases have in common, and is known without reading on.
    private struct Kind: Hashable {
        var size: Int32
        var documentFrequency: Int64
    }

    /// Fills `pairs` and `proximity` in one pass over the matches.
    private func readNeighbours(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) {
        for phrase in 0..<phraseCount {
            pairs[phrase] = 0
            proximity[phrase] = 0
            lastColumn[phrase] = -1
        }
        var previous = -1
        var previousColumn: Int32 = -1
        var previousOffset: Int32 = 0
        try row.forEachInstance { phrase, column, offset in
            guard phrase >= 0, phrase < phraseCount else { return }
            let weight = arguments.weight(ofColumn: column)
            if phrase > 0, lastColumn[phrase - 1] == column,
                lastOffset[phrase - 1] &+ size[phrase - 1] == offset
            {
                pairs[phrase] += weight
            }
            lastColumn[phrase] = column
            lastOffset[phrase] = offset
            // Phrases at one place are one word that the query has twice, or has as a prefix too.
            if previousColumn == column, previousOffset < offset {
                if previous != phrase {
                    let distance = Double(offset) - Double(previousOffset)
                    let nearness = weight / (distance * distance)
                    proximity[phrase] += nearness * idf[previous]
                    proximity[previous] += nearness * idf[phrase]
                }
            }
            if previousColumn != column || previousOffset != offset {
                previous = phrase
                previousColumn = column
                previousOffset = offset
            }
        }
    }
}

extension UnsafeMutablePointer where Pointee: Numeric {
    fileprivate static func zeros(_ count: Int) -> Self {
        let memory = allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        return memory
    }
}
