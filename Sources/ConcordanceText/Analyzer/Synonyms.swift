/// Rules that say which words and phrases mean the same.
///
/// The notation is that of many search engines: `;` separates rules, `,` separates phrases, and `=>` makes a rule
/// one-way.
///
/// ```text
/// first, 1st; new york, nyc, big apple; laptop => computer
/// ```
///
/// Put a backslash before a comma, semicolon, equals sign or backslash that belongs to a phrase.
public struct Synonyms: Hashable, Sendable {
    /// The most synonyms that a phrase has: the first ones in its rules. It bounds the cost of each occurrence.
    package static let maximumCount = 64
    /// The most words that a phrase may have; longer phrases are ignored. It bounds how far an occurrence reaches.
    package static let maximumWordCount = 32

    /// One rule.
    public enum Rule: Hashable, Sendable {
        /// Each phrase is found by each of the others.
        case group([String])
        /// The phrases of `to` also find those of `from`, but not vice versa.
        case oneWay(from: [String], to: [String])
    }

    /// The rules, in the order in which they were given.
    public let rules: [Rule]

    /// Creates synonyms from rules. White space around phrases, empty phrases, and rules without phrases are dropped.
    public init(_ rules: [Rule]) {
        self.rules = rules.compactMap { rule in
            switch rule {
            case .group(let phrases):
                let phrases = Self.clean(phrases)
                return phrases.isEmpty ? nil : .group(phrases)
            case .oneWay(let from, let to):
                let (from, to) = (Self.clean(from), Self.clean(to))
                return from.isEmpty || to.isEmpty ? nil : .oneWay(from: from, to: to)
            }
        }
    }

    /// Creates synonyms from groups of phrases that mean the same.
    public init(groups: [[String]]) { self.init(groups.map { .group($0) }) }

    /// The English ordinals, from first = 1st to twentieth = 20th.
    public static let englishOrdinals = Synonyms(
        groups: [
            ["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"], ["fifth", "5th"],
            ["sixth", "6th"], ["seventh", "7th"], ["eighth", "8th"], ["ninth", "9th"], ["tenth", "10th"],
            ["eleventh", "11th"], ["twelfth", "12th"], ["thirteenth", "13th"], ["fourteenth", "14th"],
            ["fifteenth", "15th"], ["sixteenth", "16th"], ["seventeenth", "17th"], ["eighteenth", "18th"],
            ["nineteenth", "19th"], ["twentieth", "20th"],
        ])

    private static func clean(_ phrases: [String]) -> [String] {
        phrases.compactMap { phrase in
            var scalars = phrase.unicodeScalars[...]
            func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" }
            while isSpace(scalars.first) { scalars.removeFirst() }
            while isSpace(scalars.last) { scalars.removeLast() }
            return scalars.isEmpty ? nil : String(scalars)
        }
    }
}

extension Synonyms: CustomStringConvertible, LosslessStringConvertible {
    static let syntax =
        "en_ordinals, or rules such as 'car, automobile; new york, nyc; laptop => computer' in one argument"

    public var description: String {
        func list(_ phrases: [String]) -> String {
            phrases.map { Escaping.escape($0, ",;=") }.joined(separator: ", ")
        }
        return rules.map { rule in
            switch rule {
            case .group(let phrases): list(phrases)
            case .oneWay(let from, let to): list(from) + " => " + list(to)
            }
        }.joined(separator: "; ")
    }

    /// Creates synonyms from rules in this notation; nil if a rule has more than one `=>`, or an `=` that is not part
    /// of one.
    public init?(_ description: String) {
        var rules: [Rule] = []
        for text in Escaping.split(description, at: ";") {
            // `a => b` splits into `a ` and `> b`.
            let sides = Escaping.split(text, at: "=")
            let phrases = sides.enumerated().map { index, side in
                Escaping.split(index == 0 ? side[...] : side.dropFirst(), at: ",").map { Escaping.unescape($0) }
            }
            if sides.count == 1 {
                rules.append(.group(phrases[0]))
            } else if sides.count == 2, sides[1].unicodeScalars.first == ">" {
                rules.append(.oneWay(from: phrases[0], to: phrases[1]))
            } else {
                return nil
            }
        }
        self.init(rules)
    }
}
