import ConcordanceSQLite
import ConcordanceText

/// The fields of an index that have the same analyzer and are searched alike, and what the words of a query become
/// there.
struct FieldGroup {
    /// The names of the fields, in the order of the index.
    private(set) var fields: [String]
    private let analyzer: Analyzer
    private let tokenizer: any Tokenizer
    /// Whether the beginnings of words match.
    let matchesPrefixes: Bool
    /// Whether words match with typos.
    let allowsTypos: Bool
    /// The text that precedes a string of a query, so that it is analyzed as the fields are.
    private let marker: String

    /// What to look for.
    enum Meaning {
        /// Nothing: the analyzer makes no token of the words.
        case nothing
        /// Texts with tokens, in each way to look for them.
        case tokens([Reading])
        /// Texts that are too short to have tokens, but not meaningless.
        case short([String])
    }

    /// Texts to look for, near each other if there are several.
    struct Reading {
        var texts: [String]
        /// Whether the last token may be the beginning of a longer one.
        var isPrefix: Bool
        /// How many typos each token may have.
        var typos = TypoTolerance.none
    }

    /// The searchable fields of an index, grouped by analyzer and by whether beginnings of words match.
    ///
    /// - Parameter languages: The languages that are asked, of fields in several; all of them where none is named.
    static func groups(
        of definition: IndexDefinition, _ machines: AnalyzerMachines, in languages: [TextLanguage] = []
    ) -> [FieldGroup] {
        var groups: [FieldGroup] = []
        for field in definition.fields where field.isIndexed {
            let analyzer = definition.analyzer(of: field)
            let isKnown = { (group: Self) in
                group.analyzer == analyzer && group.matchesPrefixes == field.matchesPrefixes
                    && group.allowsTypos == field.allowsTypos
            }
            if let index = groups.firstIndex(where: isKnown) {
                groups[index].fields.append(field.name)
            } else {
                groups.append(
                    FieldGroup(
                        fields: [field.name], analyzer: analyzer, tokenizer: machines.tokenizer(of: analyzer),
                        matchesPrefixes: field.matchesPrefixes, allowsTypos: field.allowsTypos,
                        marker: definition.marker(of: field, in: languages)))
            }
        }
        return groups
    }

    /// What to look for where these texts are, near each other if there are several.
    ///
    /// A word that may be the beginning of another one is looked for as a whole word too, since a stemmer makes of the
    /// whole one what the longer ones do not begin with, and so that rows with the very word come first; and as those
    /// whole words whose stems do not begin so.
    ///
    /// - Parameter spellings: Other ways to write them.
    func meaning(
        of texts: [String], or spellings: [String] = [], isPrefix: Bool, typos: TypoTolerance = .none
    ) -> Meaning {
        let kept = texts.filter { !tokenizer.tokens(in: $0, for: .query).isEmpty }
        if kept.isEmpty {
            let short = trigrams == nil ? [] : texts.filter { $0.unicodeScalars.contains(where: \.isMeaningful) }
            return short.isEmpty ? .nothing : .short(short)
        }
        // No trigram begins with a shorter text, and words match inside others anyway.
        let isPrefix = isPrefix && trigrams == nil && kept.last == texts.last
        let whole = Reading(texts: kept.map { marker + $0 }, isPrefix: false)
        let typos = allowsTypos && trigrams == nil ? typos : .none
        let others = spellings.map { Reading(texts: [marker + $0], isPrefix: isPrefix) }
        guard isPrefix, let last = kept.last else {
            return .tokens([Reading(texts: whole.texts, isPrefix: false, typos: typos)] + others)
        }
        let completions = analyzer.completions(ofHalfTyped: last, by: tokenizer).map { completion in
            Reading(texts: whole.texts.dropLast() + [marker + completion], isPrefix: false)
        }
        // A half-typed word also counts as known if one of its completions is, which only the search finds out.
        let beginning = Reading(
            texts: whole.texts, isPrefix: true, typos: typos == .ifUnknown && !completions.isEmpty ? .none : typos)
        return .tokens([whole, beginning] + completions + others)
    }

    /// Other ways to write what is looked for; none where that is several texts.
    func spellings(of texts: [String]) -> [String] { texts.count == 1 ? analyzer.spellings(of: texts[0]) : [] }

    /// The only token of a word; nil where the analyzer makes none of it, or several, which are no word that people
    /// misspell.
    func onlyToken(of word: String) -> [UInt8]? {
        let tokens = tokenizer.tokens(in: word, for: .query)
        guard let first = tokens.first, tokens.last?.position == 0 else { return nil }
        return Array(first.text.utf8)
    }

    private var trigrams: TrigramTokenizer.Options? {
        if case .trigram(let options) = analyzer.tokenizer { options } else { nil }
    }
}

extension FieldGroup {
    /// The condition that one of the fields contains a text too short for trigrams.
    ///
    /// It reads the texts themselves: of the rows that match the rest of the query or, if there is no rest, of all
    /// rows. Case is folded as SQLite folds it in trigrams: `LIKE` does this for ASCII; other letters are looked for in
    /// each case.
    func contains(_ text: String, in fields: [String], of table: String) -> SQL {
        let conditions = fields.flatMap { field -> [SQL] in
            let column: SQL = "\(identifier: table).\(identifier: field)"
            if trigrams?.caseSensitive == true { return ["instr(\(column), \(text)) > 0"] }
            return Self.caseVariants(text).map { "\(column) LIKE \("%\(Self.escaped($0))%") ESCAPE '\\'" }
        }
        return "(\(conditions.joined(separator: " OR ")))"
    }

    /// How many spellings of a text are looked for: more than two or three characters have. With filters that drop
    /// tokens, any text may have no tokens.
    private static let variantLimit = 16

    /// The text with each non-ASCII letter in each of its cases; beyond the limit, only the first letters vary.
    private static func caseVariants(_ text: String) -> [String] {
        var variants = [""]
        for scalar in text.unicodeScalars {
            let single = String(scalar)
            var cases = [single]
            if !scalar.isASCII, variants.count < variantLimit {
                for other in [single.lowercased(), single.uppercased()]
                where other.unicodeScalars.count == 1 && !cases.contains(other) {
                    cases.append(other)
                }
            }
            variants = variants.flatMap { start in cases.map { start + $0 } }
        }
        return variants
    }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
