import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// `bm25(t, weight, …)` and `concordance_rank(t, k1, …)`: -1 times the row's score; `concordance_explain(t, k1, …)`: how it
/// came about. See `ConcordanceRanking`.
enum RankFunctions {
    static func bm25(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        try RunningScores.of(context).countRow(context, arguments)
        let row = try ScoredRow(
            context, RankParameters(), hitWeight: { $0 < arguments.count ? arguments[$0].double : 1 })
        result.set(-1 * row.score)
    }

    static func rank(_ context: ExtensionContext, _ values: BorrowedValues, _ result: ResultContext) throws {
        let arguments = RankArguments(values.pointers.baseAddress, count: Int32(clamping: values.count))
        let row = try ScoredRow(context, arguments)
        result.set(-1 * row.score)
    }

    static func explain(_ context: ExtensionContext, _ values: BorrowedValues, _ result: ResultContext) throws {
        let arguments = RankArguments(values.pointers.baseAddress, count: Int32(clamping: values.count))
        let row = try ScoredRow(context, arguments)
        let bm25 = BM25(rowCount: try context.rowCount(), tokenCount: try context.totalSize(ofColumn: -1))
        let explanation = RowExplanation(
            row.scorer, arguments.parameters, norm: row.norm, length: Int(try context.length()),
            averageLength: bm25.averageLength, phrases: try phrases(context, arguments))
        result.set(explanation.json)
    }

    /// The phrases of the query, with their hits in the row.
    private static func phrases(
        _ context: ExtensionContext, _ arguments: RankArguments
    ) throws -> [RowExplanation.Phrase] {
        try context.loadInstances()
        let instances = context.instances
        return try (0..<context.phraseCount).map { phrase in
            var hits: [RowExplanation.Hits] = []
            let positions = instances.range(ofPhrase: phrase).map { instances.positions[$0] }
            for position in positions {
                let column = Int(position.column)
                if hits.last?.column == column {
                    hits[hits.count - 1].count += 1
                } else {
                    let weight = arguments.weight(ofColumn: Int32(clamping: column))
                    hits.append(RowExplanation.Hits(column: column, count: 1, weight: weight))
                }
            }
            var text: String?
            if let first = positions.first {
                text = try Self.text(context, at: first, size: context.size(ofPhrase: phrase))
            }
            return RowExplanation.Phrase(text: text, hits: hits)
        }
    }

    /// The text of the row where a phrase stands; nil where the table has no texts, or no longer that of the row.
    private static func text(_ context: ExtensionContext, at position: Position, size: Int) throws -> String? {
        let found: UnsafeBufferPointer<UInt8>?
        do {
            found = try context.text(ofColumn: Int(position.column))
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CORRUPT_VTAB {
            return nil
        }
        guard let text = found else { return nil }
        var range = TokenRange(tokens: Int(position.offset)..<Int(position.offset) + max(size, 1))
        try range.find(in: text, context)
        guard let bytes = range.bytes?.clamped(to: 0..<text.count), !bytes.isEmpty else { return nil }
        return String(decoding: text[bytes], as: UTF8.self)
    }
}

/// Finds the bytes of a range of tokens in a text.
private struct TokenRange {
    let tokens: Range<Int>
    private(set) var bytes: Range<Int>?
    private var next = 0

    init(tokens: Range<Int>) { self.tokens = tokens }

    mutating func find(in text: UnsafeBufferPointer<UInt8>, _ context: ExtensionContext) throws {
        let code = withUnsafeMutablePointer(to: &self) { range in
            context.host.tokenizer.tokenize(
                text, for: .auxiliary,
                into: TokenSink(context: range) { range, flags, _, _, start, end in
                    guard let range, !TokenFlags(rawValue: flags).contains(.colocated) else { return 0 }
                    return range.assumingMemoryBound(to: TokenRange.self).pointee.receive(Int(start), Int(end))
                })
        }
        if code != SQLITE_OK, code != SQLITE_DONE { throw KeptStatement.error(code, on: context.host.connection) }
    }

    /// - Returns: SQLITE_DONE once nothing that follows matters: most phrases stand near the beginning of a long text.
    private mutating func receive(_ start: Int, _ end: Int) -> Int32 {
        if next >= tokens.upperBound { return SQLITE_DONE }
        if tokens.contains(next), start <= end {
            bytes = (bytes?.lowerBound ?? start)..<max(end, bytes?.lowerBound ?? start)
        }
        next += 1
        return SQLITE_OK
    }
}

/// What a rank function keeps for the running query, from its first row on.
private final class RunningScores {
    let scorer: RowScorer
    /// How many rows of `bm25` have been scored one by one.
    @exclusivity(unchecked) private var rowCount = 0

    /// A `DocumentScorer` costs about as much as so many rows without it.
    private static let fewRows = 2

    private init(_ context: ExtensionContext) throws {
        let rowCount = try context.rowCount()
        scorer =
            if let query = context.host.query {
                try RowScorer(query)
            } else {
                RowScorer(phraseCount: 0, rowCount: rowCount) { _ in (0, 0) }
            }
    }

    static func of(_ context: ExtensionContext) throws -> RunningScores {
        if let pointer = context.data(clearing: false) {
            return Unmanaged<RunningScores>.fromOpaque(pointer).takeUnretainedValue()
        }
        let scores = try RunningScores(context)
        context.setData(Unmanaged.passRetained(scores).toOpaque()) {
            if let scores = $0 { Unmanaged<RunningScores>.fromOpaque(scores).release() }
        }
        return scores
    }

    /// Counts a row of `bm25`. After a few, those that follow are scored together.
    func countRow(_ context: ExtensionContext, _ weights: BorrowedValues) throws {
        rowCount += 1
        guard rowCount == Self.fewRows, let query = context.host.query, let function = context.function,
            case let options = context.host.options, options.detail == .full, options.storesColumnSizes
        else { return }
        let documents = DocumentScorer(query, scorer, weights: weights.map(\.double))
        context.host.score(with: documents, inPlaceOf: function)
    }
}

/// The current row of a query, scored.
private struct ScoredRow {
    let scorer: RowScorer
    let norm: Double
    let score: Double

    init(_ context: ExtensionContext, _ arguments: RankArguments) throws {
        var fields: FieldNorms?
        let columnCount = context.columnCount
        if arguments.isFieldwise(columnCount: columnCount) {
            let snapshot = try context.host.snapshot
            fields = FieldNorms(
                b: (0..<columnCount).map { arguments.fieldB(ofColumn: $0, columnCount: columnCount) },
                totalTokens: snapshot.totalTokens, rowCount: try context.rowCount(),
                hasLengths: context.host.options.storesColumnSizes || context.host.options.content != .none)
        }
        try self.init(context, arguments.parameters, fields: fields) {
            arguments.weight(ofColumn: Int32(clamping: $0))
        }
    }

    init(
        _ context: ExtensionContext, _ parameters: RankParameters, fields: FieldNorms? = nil, hitWeight: (Int) -> Double
    ) throws {
        scorer = try RunningScores.of(context).scorer
        let bm25 = BM25(
            k1: parameters.k1, b: parameters.b, rowCount: scorer.rowCount,
            tokenCount: try context.totalSize(ofColumn: -1))
        norm =
            fields == nil ? bm25.lengthNorm(Double(try context.length())) : RowScorer.fieldwiseNorm(parameters)
        try Self.count(context, scorer, parameters, fields, hitWeight)
        score = scorer.score(norm: norm, parameters)
    }

    /// Counts the hits of the row. Without positions in the index the texts say where they are, as in FTS5: without texts,
    /// nothing stands anywhere.
    private static func count(
        _ context: ExtensionContext, _ scorer: RowScorer, _ parameters: RankParameters, _ fields: FieldNorms?,
        _ hitWeight: (Int) -> Double
    ) throws {
        for phrase in 0..<scorer.phraseCount { scorer.frequency[phrase] = 0 }
        if parameters.hasBonus { scorer.beginPlaces() }
        guard let query = context.host.query else { return }
        if context.host.options.detail != .full, !context.host.options.hasTexts { return }
        let document = try context.indexedDocument()
        let segment = try context.host.snapshot.segments[document.segment].segment
        func weight(_ column: UInt32) throws -> Double {
            let weight = hitWeight(Int(column))
            return try fields.map { weight / (try $0.norm(column, of: document.document, in: segment)) } ?? weight
        }
        for phrase in 0..<scorer.phraseCount {
            try query.forEachHitCount(at: document, ofPhrase: phrase) { column, count, factor in
                ColumnWeights.add(try weight(column) * factor, times: count, to: &scorer.frequency[phrase])
            }
        }
        guard parameters.hasBonus else { return }
        try context.loadInstances()
        for instance in context.instances.merged {
            scorer.add(
                place: Int64(truncatingIfNeeded: instance.position.rawValue), of: Int(instance.phrase),
                weight: try weight(instance.position.column))
        }
    }
}
