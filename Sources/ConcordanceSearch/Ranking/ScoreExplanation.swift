import Foundation

/// How the score of a hit is made up: parts that add up to it.
///
/// ```
/// 2.9241 = score
/// ├ 1.9741 “week”: 4 of 10 rows have it, idf 0.3677; weighted frequency 15, row of 7 tokens (average 5.2)
/// │   title: 1 match × weight 10
/// │   notes: 1 match × weight 5
/// ├ 0.6500 “week” right after “next”: 10
/// └ 0.3000 boost: the matches’ 2.6241 × 1.114
/// ```
public struct ScoreExplanation: Hashable, Sendable, Codable {
    /// The share of one phrase of the query.
    public struct Phrase: Hashable, Sendable, Codable {
        /// The phrase as it was typed, or as it is written in the row; nil if neither is known.
        public var text: String?
        /// The first text in the row that matches: another word if the phrase was half typed or has typos; nil if it is
        /// not known.
        public var found: String?
        /// How many rows of the index match it.
        public var documentFrequency: Int
        /// How much a match counts, by how rare the phrase is: ln((rows − df + ½) / (df + ½)), at least 10⁻⁶.
        public var idf: Double
        /// Where it matches in the row; empty for a phrase that does not.
        public var fields: [FieldMatches]
        /// The matches, each times the weight of its field.
        package var frequency: Double
        /// How much each mention counts if the query has the phrase several times: (k3 + 1) / (k3 + mentions); 1 for a
        /// single one.
        package var repetition: Double
        /// What the matches contribute: idf · frequency · (k1 + 1) / (frequency + lengthNorm) · repetition. The
        /// frequency is the sum of the weights of the matches, lengthNorm is k1 · (1 − b + b · length / averageLength),
        /// and repetition is 1 unless the query has the phrase several times.
        public var contribution: Double
        /// Matches directly after a match of the previous phrase, each times the weight of its field.
        package var pairs: Double
        /// What matches directly after a match of the previous phrase contribute: phraseBonus · the lesser idf of the
        /// two · pairs · (k1 + 1) / (pairs + lengthNorm).
        public var pairContribution: Double
        /// How near other phrases are: the sum over neighbours of weight · idf / distance².
        package var proximity: Double
        /// What the nearness to other phrases contributes: proximityBonus · min(1, idf) · proximity · (k1 + 1) /
        /// (proximity + lengthNorm).
        public var proximityContribution: Double
    }

    /// The matches of a phrase in a field.
    public struct FieldMatches: Hashable, Sendable, Codable {
        /// The name of the field.
        public var field: String
        /// In how many places of its text the phrase matches.
        public var matches: Int
        /// The weight of a match.
        public var weight: Double
    }

    /// The phrases of the query, in its order.
    public var phrases: [Phrase]
    /// The factor by which the boosts of the search multiply the score of the matches; nil without boosts.
    public var boost: Double?
    /// How quickly further matches stop counting; see `Ranking`.
    public var k1: Double
    /// How much the score of long rows is reduced; see `Ranking`.
    public var b: Double
    /// How many rows the index has.
    public var rowCount: Int
    /// The number of tokens of the row, in all fields.
    public var length: Int
    /// The mean of the lengths of all rows.
    public var averageLength: Double
    /// The score from the matches alone: −rank.
    public var matchScore: Double

    /// The score of the hit: that of the matches, times the boost.
    public var score: Double { matchScore * (boost ?? 1) }

    /// What the boost adds to the score of the matches, or subtracts from it.
    package var boostContribution: Double { matchScore * ((boost ?? 1) - 1) }

    /// k1 · (1 − b + b · length / averageLength): the frequency at which a phrase adds half of what it can.
    package var lengthNorm: Double { k1 * (1 - b + b * Double(length) / averageLength) }

    /// All parts with their names; their values add up to `score`.
    public var parts: [(name: String, value: Double)] {
        var parts: [(name: String, value: Double)] = []
        for (index, phrase) in phrases.enumerated() {
            if phrase.contribution != 0 || phrase.fields.isEmpty { parts.append((name(index), phrase.contribution)) }
            if phrase.pairContribution != 0 {
                parts.append(("\(name(index)) right after \(name(index - 1))", phrase.pairContribution))
            }
            if phrase.proximityContribution != 0 {
                parts.append(("\(name(index)) near others", phrase.proximityContribution))
            }
        }
        if boost != nil { parts.append(("boost", boostContribution)) }
        return parts
    }

    private func name(_ index: Int) -> String {
        guard phrases.indices.contains(index) else { return "phrase" }
        return phrases[index].text.map { "“\($0)”" } ?? "phrase \(index + 1)"
    }
}

extension ScoreExplanation: CustomStringConvertible {
    public var description: String {
        var blocks: [[String]] = []
        for (index, phrase) in phrases.enumerated() {
            blocks.append(lines(of: phrase, name(index)))
            if phrase.pairContribution != 0 {
                blocks.append([
                    "\(Self.decimal(phrase.pairContribution)) \(name(index)) right after \(name(index - 1)): "
                        + Self.short(phrase.pairs)
                ])
            }
            if phrase.proximityContribution != 0 {
                blocks.append([
                    "\(Self.decimal(phrase.proximityContribution)) \(name(index)) near others: "
                        + Self.short(phrase.proximity)
                ])
            }
        }
        if let boost {
            blocks.append([
                "\(Self.decimal(boostContribution)) boost: the matches’ \(Self.decimal(matchScore)) × \(Self.short(boost))"
            ])
        }
        var lines = ["\(Self.decimal(score)) = score"]
        for (index, block) in blocks.enumerated() {
            let isLast = index == blocks.count - 1
            for (number, line) in block.enumerated() {
                lines.append((number > 0 ? isLast ? "    " : "│   " : isLast ? "└ " : "├ ") + line)
            }
        }
        return lines.joined(separator: "\n")
    }

    private func lines(of phrase: Phrase, _ name: String) -> [String] {
        let rarity = "\(phrase.documentFrequency) of \(rowCount) rows have it, idf \(Self.decimal(phrase.idf))"
        let repetition = phrase.repetition == 1 ? "" : "; mentioned again, each counts \(Self.short(phrase.repetition))"
        if phrase.fields.isEmpty { return ["\(Self.decimal(phrase.contribution)) \(name): not here; \(rarity)"] }
        return [
            "\(Self.decimal(phrase.contribution)) \(name): \(rarity)\(repetition); weighted frequency \(Self.short(phrase.frequency)), "
                + "row of \(length) tokens (average \(Self.short(averageLength)))"
        ]
            + phrase.fields.map {
                "\($0.field): \($0.matches) \($0.matches == 1 ? "match" : "matches") × weight \(Self.short($0.weight))"
            }
    }

    /// Four decimals, in every locale.
    private static func decimal(_ value: Double) -> String {
        String(format: "%.4f", locale: Locale(identifier: "en_US_POSIX"), value)
    }

    /// At most three decimals, without trailing zeros.
    private static func short(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
    }
}

extension ScoreExplanation {
    /// The text of `concordance_explain`.
    ///
    /// JSON has no infinity and no NaN, which can occur in a damaged table: they are null there.
    private struct Message: Decodable {
        struct Column: Decodable {
            var column: Int
            var matches: Int
            var weight: Double?
        }

        struct Phrase: Decodable {
            var text: String?
            var rows: Int
            var idf: Double?
            var columns: [Column]
            var frequency: Double?
            var repetition: Double?
            var score: Double?
            var pairs: Double?
            var pairScore: Double?
            var proximity: Double?
            var proximityScore: Double?
        }

        var score: Double?
        var k1: Double?
        var b: Double?
        var rows: Int
        var length: Int
        var averageLength: Double?
        var phrases: [Phrase]
    }

    init(json: String, definition: IndexDefinition, texts: [String]) throws {
        let message = try JSONDecoder().decode(Message.self, from: Data(json.utf8))
        let isNamed = texts.count == message.phrases.count
        let names = definition.fields.map(\.name)
        phrases = message.phrases.enumerated().map { index, phrase in
            Phrase(
                text: isNamed ? texts[index] : phrase.text, found: phrase.text, documentFrequency: phrase.rows,
                idf: phrase.idf ?? .nan,
                fields: phrase.columns.map {
                    FieldMatches(
                        field: names.indices.contains($0.column) ? names[$0.column] : "\($0.column)",
                        matches: $0.matches, weight: $0.weight ?? 1)
                },
                frequency: phrase.frequency ?? .nan, repetition: phrase.repetition ?? .nan,
                contribution: phrase.score ?? .nan,
                pairs: phrase.pairs ?? .nan,
                pairContribution: phrase.pairScore ?? .nan, proximity: phrase.proximity ?? .nan,
                proximityContribution: phrase.proximityScore ?? .nan)
        }
        boost = nil
        k1 = message.k1 ?? .nan
        b = message.b ?? .nan
        rowCount = message.rows
        length = message.length
        averageLength = message.averageLength ?? .nan
        matchScore = message.score ?? .nan
    }
}
