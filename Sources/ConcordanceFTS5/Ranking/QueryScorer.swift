import CConcordanceSQLite

/// Scores the rows of a query of an FTS5 table from what FTS5 tells about them: `RowScorer` with the numbers of
/// `MatchedRow`.
///
/// FTS5 does not say what a phrase is; phrases that match at the same places in the whole table are equal.
///
/// FTS5 stores it as auxiliary data of the cursor, which one thread uses.
final class QueryScorer {
    let scorer: RowScorer
    private let tokenCount: Int64
    /// The average length of each column.
    private var averageLengths: [Double] = []
    private var knowsRepetitions = false

    /// Counts the rows of each phrase, which reads its whole posting list.
    init(_ row: MatchedRow) throws(MatchedRow.Failure) {
        let rowCount = Int(clamping: try row.rowCount())
        tokenCount = try row.totalTokenCount()
        var phrases: [(Int32, Int)] = []
        for phrase in 0..<max(0, row.phraseCount) {
            phrases.append((row.size(ofPhrase: phrase), Int(clamping: try row.documentFrequency(ofPhrase: phrase))))
        }
        scorer = RowScorer(phraseCount: phrases.count, rowCount: rowCount) { phrases[$0] }
    }

    /// The scorer of the running query, created at its first row.
    @inline(__always)
    static func of(_ row: MatchedRow) throws(MatchedRow.Failure) -> Unmanaged<QueryScorer> {
        if let pointer = row.api.pointee.xGetAuxdata?(row.fts, 0) { return .fromOpaque(pointer) }
        let scorer = Unmanaged.passRetained(try QueryScorer(row))
        // FTS5 itself releases it if it has no memory to store it.
        let code = row.api.pointee.xSetAuxdata?(row.fts, scorer.toOpaque()) { pointer in
            if let pointer { Unmanaged<QueryScorer>.fromOpaque(pointer).release() }
        }
        guard code == SQLITE_OK else { throw MatchedRow.Failure(code: code ?? SQLITE_MISUSE) }
        return scorer
    }

    /// The score of the row; afterwards `scorer` has its parts.
    func score(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) -> Double {
        if arguments.parameters.k3 != .infinity, !knowsRepetitions { try countRepetitions(row) }
        let norm = try norm(row, arguments)
        let weights = try hitWeights(row, arguments)
        for phrase in 0..<scorer.phraseCount {
            var count = 0.0
            try row.forEachPosition(ofPhrase: phrase) { column, _ in count += weights.weight(ofColumn: column) }
            scorer.frequency[phrase] = count
        }
        if arguments.parameters.hasBonus {
            scorer.beginPlaces()
            try row.forEachInstance { phrase, column, offset in
                scorer.add(
                    place: Int64(column) << 32 | Int64(offset), of: phrase,
                    weight: weights.weight(ofColumn: column))
            }
        }
        return scorer.score(norm: norm, arguments.parameters)
    }

    /// The term beside frequencies in the divisors of the row's score.
    func norm(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) -> Double {
        let parameters = arguments.parameters
        if arguments.isFieldwise(columnCount: row.columnCount) { return RowScorer.fieldwiseNorm(parameters) }
        return BM25(k1: parameters.k1, b: parameters.b, rowCount: scorer.rowCount, tokenCount: tokenCount)
            .lengthNorm(Double(try row.tokenCount()))
    }

    /// The average number of tokens of a row.
    var averageLength: Double { Double(tokenCount) / Double(scorer.rowCount) }

    // MARK: Weights of hits

    /// The weight of a hit in each column of a row.
    private struct HitWeights {
        let arguments: RankArguments
        /// The divisors by column; empty if lengths of fields do not count.
        var norms: [Double] = []

        @inline(__always)
        func weight(ofColumn column: Int32) -> Double {
            let weight = arguments.weight(ofColumn: column)
            return norms.isEmpty || column < 0 || column >= norms.count ? weight : weight / norms[Int(column)]
        }
    }

    private func hitWeights(_ row: MatchedRow, _ arguments: RankArguments) throws(MatchedRow.Failure) -> HitWeights {
        var weights = HitWeights(arguments: arguments)
        let columnCount = row.columnCount
        guard arguments.isFieldwise(columnCount: columnCount) else { return weights }
        if averageLengths.isEmpty {
            for column in 0..<columnCount {
                averageLengths.append(Double(try row.totalTokenCount(ofColumn: column)) / Double(scorer.rowCount))
            }
        }
        for column in 0..<columnCount {
            let length = try row.tokenCount(ofColumn: column)
            let b = arguments.fieldB(ofColumn: column, columnCount: columnCount)
            weights.norms.append(
                length < 0
                    ? 1 : RowScorer.fieldNorm(b: b, length: Double(length), averageLength: averageLengths[column]))
        }
        return weights
    }

    // MARK: Repetitions

    /// Counts the phrases that are equal to each phrase, including itself. Only those with the same number of tokens
    /// and rows are compared, place by place.
    private func countRepetitions(_ row: MatchedRow) throws(MatchedRow.Failure) {
        var groups: [Kind: [Int]] = [:]
        for phrase in 0..<scorer.phraseCount where scorer.documentFrequency[phrase] > 0 {
            let kind = Kind(size: scorer.size[phrase], documentFrequency: scorer.documentFrequency[phrase])
            groups[kind, default: []].append(phrase)
        }
        for phrases in groups.values where phrases.count > 1 {
            var equal: [UInt64: [Int]] = [:]
            for phrase in phrases { equal[try row.signature(ofPhrase: phrase), default: []].append(phrase) }
            for same in equal.values {
                for phrase in same { scorer.repetitions[phrase] = Double(same.count) }
            }
        }
        knowsRepetitions = true
    }

    /// What equal phrases share, known without reading further.
    private struct Kind: Hashable {
        var size: Int32
        var documentFrequency: Int
    }
}
