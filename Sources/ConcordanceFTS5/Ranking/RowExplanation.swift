/// How the score of a row is made up, as JSON: the result of `concordance_explain`.
///
/// ```
/// {"score":…, "k1":…, "b":…, "rows":…, "length":…, "averageLength":…,
///  "phrases":[{"text":…, "rows":…, "idf":…, "columns":[{"column":…, "matches":…, "weight":…}], "frequency":…,
///              "repetition":…, "score":…, "pairs":…, "pairScore":…, "proximity":…, "proximityScore":…}]}
/// ```
///
/// The scores within `phrases` add up to `score`.
package struct RowExplanation {
    /// The hits of a phrase in a column.
    package struct Hits {
        package var column: Int
        package var count: Int
        package var weight: Double

        package init(column: Int, count: Int, weight: Double) {
            self.column = column
            self.count = count
            self.weight = weight
        }
    }

    /// A phrase: the text of its first hit, and its hits by column.
    package struct Phrase {
        package var text: String?
        package var hits: [Hits]

        package init(text: String?, hits: [Hits]) {
            self.text = text
            self.hits = hits
        }
    }

    package let json: String

    /// - Parameters:
    ///   - scorer: Has just scored the row.
    ///   - norm: The term beside frequencies in the divisors of the row's score.
    ///   - length: The number of tokens of the row.
    package init(
        _ scorer: RowScorer, _ parameters: RankParameters, norm: Double, length: Int, averageLength: Double,
        phrases: [Phrase]
    ) {
        let described = phrases.enumerated().map { number, phrase in
            let columns = phrase.hits.map { hits in
                Self.object([
                    ("column", "\(hits.column)"), ("matches", "\(hits.count)"), ("weight", Self.number(hits.weight)),
                ])
            }
            let hasBonus = parameters.hasBonus
            return Self.object([
                ("text", phrase.text.map(Self.string) ?? "null"),
                ("rows", "\(scorer.documentFrequency[number])"),
                ("idf", Self.number(scorer.idf[number])),
                ("columns", "[\(columns.joined(separator: ","))]"),
                ("frequency", Self.number(scorer.frequency[number])),
                ("repetition", Self.number(parameters.repetitionFactor(scorer.repetitions[number]))),
                ("score", Self.number(scorer.wordScore(number, norm, parameters))),
                ("pairs", Self.number(hasBonus ? scorer.pairs[number] : 0)),
                ("pairScore", Self.number(hasBonus ? scorer.pairScore(number, norm, parameters) : 0)),
                ("proximity", Self.number(hasBonus ? scorer.proximity[number] : 0)),
                ("proximityScore", Self.number(hasBonus ? scorer.proximityScore(number, norm, parameters) : 0)),
            ])
        }
        json = Self.object([
            ("score", Self.number(scorer.score(norm: norm, parameters))), ("k1", Self.number(parameters.k1)),
            ("b", Self.number(parameters.b)), ("rows", "\(scorer.rowCount)"), ("length", "\(length)"),
            ("averageLength", Self.number(averageLength)), ("phrases", "[\(described.joined(separator: ","))]"),
        ])
    }

    // MARK: JSON

    private static func object(_ members: [(name: String, value: String)]) -> String {
        "{\(members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ","))}"
    }

    /// The shortest text that reads back as the same number; null for infinity, which JSON does not have.
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
