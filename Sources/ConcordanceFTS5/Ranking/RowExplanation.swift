import ConcordanceText

/// How the score of a row came about, as JSON: what `concordance_explain` returns.
///
/// ```
/// {"score":…, "k1":…, "b":…, "rows":…, "length":…, "averageLength":…,
///  "phrases":[{"text":…, "rows":…, "idf":…, "columns":[{"column":…, "matches":…, "weight":…}], "frequency":…,
///              "repetition":…, "score":…, "pairs":…, "pairScore":…, "proximity":…, "proximityScore":…}]}
/// ```
///
/// The scores within `phrases` add up to `score`.
struct RowExplanation {
    let json: String

    init(
        _ row: MatchedRow, _ context: FTS5AuxiliaryContext, _ scorer: QueryScorer, _ arguments: RankArguments
    ) throws(MatchedRow.Failure) {
        let score = try scorer.score(row, arguments)
        let norm = try scorer.lengthNorm(row, arguments)
        let hasBonus = arguments.phraseBonus != 0 || arguments.proximityBonus != 0
        var phrases: [String] = []
        for phrase in 0..<scorer.phraseCount {
            let matches = try Self.matches(of: phrase, row)
            var columns: [String] = []
            for (column, count) in matches.counts.enumerated() where count > 0 {
                let weight = arguments.weight(ofColumn: Int32(clamping: column))
                columns.append(#"{"column":\#(column),"matches":\#(count),"weight":\#(Self.number(weight))}"#)
            }
            let text = matches.first.flatMap {
                Self.text(context, column: $0.column, offset: $0.offset, size: scorer.size[phrase])
            }
            phrases.append(
                Self.object([
                    ("text", text.map(Self.string) ?? "null"),
                    ("rows", "\(scorer.documentFrequency[phrase])"),
                    ("idf", Self.number(scorer.idf[phrase])),
                    ("columns", "[\(columns.joined(separator: ","))]"),
                    ("frequency", Self.number(scorer.frequency[phrase])),
                    ("repetition", Self.number(scorer.repetitionFactor(phrase, arguments))),
                    ("score", Self.number(scorer.wordScore(phrase, norm, arguments))),
                    ("pairs", Self.number(hasBonus ? scorer.pairs[phrase] : 0)),
                    ("pairScore", Self.number(hasBonus ? scorer.pairScore(phrase, norm, arguments) : 0)),
                    ("proximity", Self.number(hasBonus ? scorer.proximity[phrase] : 0)),
                    ("proximityScore", Self.number(hasBonus ? scorer.proximityScore(phrase, norm, arguments) : 0)),
                ]))
        }
        json = Self.object([
            ("score", Self.number(score)), ("k1", Self.number(arguments.k1)), ("b", Self.number(arguments.b)),
            ("rows", "\(scorer.rowCount)"), ("length", "\(try row.tokenCount())"),
            ("averageLength", Self.number(scorer.averageLength)),
            ("phrases", "[\(phrases.joined(separator: ","))]"),
        ])
    }

    /// The number of matches by column, and the place of the first one.
    private static func matches(
        of phrase: Int, _ row: MatchedRow
    ) throws(MatchedRow.Failure) -> (counts: [Int], first: (column: Int32, offset: Int32)?) {
        var counts = Array(repeating: 0, count: row.columnCount)
        var first: (column: Int32, offset: Int32)?
        try row.forEachPosition(ofPhrase: phrase) { column, offset in
            if counts.indices.contains(Int(column)) { counts[Int(column)] += 1 }
            if first == nil { first = (column, offset) }
        }
        return (counts, first)
    }

    /// The text of the row where a phrase matches; nil where the table does not keep its text.
    private static func text(
        _ context: FTS5AuxiliaryContext, column: Int32, offset: Int32, size: Int32
    ) -> String? {
        let tokens = Int(offset)..<Int(offset) + Int(max(size, 1))
        return try? context.withText(column: Int(column)) { text in
            var range: Range<Int>?
            var end = false
            try context.forEachToken(in: text) { token in
                if end { return }
                if token.position >= tokens.upperBound {
                    end = true
                } else if token.position >= tokens.lowerBound {
                    range = (range?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
                }
            }
            guard let range = range?.clamped(to: 0..<text.count), !range.isEmpty else { return nil }
            return String(decoding: text[range], as: UTF8.self)
        }
    }

    // MARK: JSON

    private static func object(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ","))}"
    }

    /// The shortest text that reads back as the same number; JSON has none for infinity.
    private static func number(_ value: Double) -> String { value.isFinite ? value.description : "null" }

    private static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
