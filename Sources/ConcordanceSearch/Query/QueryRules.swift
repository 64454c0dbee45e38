import ConcordanceSQLite
import ConcordanceText

/// Synonyms and stop words of queries.
///
/// ```swift
/// let reminderTexts = SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
///     Field(\.title)
///     QueryRules(synonyms: Synonyms(groups: [["nyc", "new york"]]), stopWords: .english)
/// }
/// ```
///
/// The rules apply to the query of each search; the index does not depend on them. An app can change them from one
/// search to the next: see `SearchIndex.rules(_:)`. The filters `.synonyms` and `.stop` of an `Analyzer` apply to the
/// texts of the index instead, which makes queries faster and phrases exact, but a change needs a rebuild.
///
/// - A word or phrase of a rule also matches its synonyms, in any form that the index's analyzer treats as the same. If
///   several phrases begin at a word, the longest applies. At most 1,024 synonyms are added to a query.
/// - A stop word need not match if the query has another word. In a phrase, as the beginning of a word, or in a query
///   of stop words only, it is an ordinary word.
public struct QueryRules: Sendable {
    /// Words and phrases with the same meaning.
    public let synonyms: Synonyms
    /// Words that need not match.
    public let stopWords: StopWords
    private let tables = RuleTables()

    /// Creates rules; without any, queries stay as they are.
    public init(synonyms: Synonyms = Synonyms(groups: []), stopWords: StopWords = []) {
        self.synonyms = synonyms
        self.stopWords = stopWords
    }

    /// Creates rules with the stop words of a language.
    public init(synonyms: Synonyms = Synonyms(groups: []), stopWords language: TextLanguage) {
        self.init(synonyms: synonyms, stopWords: .language(language))
    }

    /// The query with the synonyms of its words, and without its stop words.
    func applied(
        to query: SearchQuery, for definition: IndexDefinition, _ machines: AnalyzerMachines
    ) -> SearchQuery {
        if synonyms.rules.isEmpty && stopWords.words.isEmpty { return query }
        guard let root = query.root else { return query }
        var rewriter = QueryRewriter(tables.table(of: self, for: definition, machines), machines)
        return SearchQuery(rewriter.rewritten(root))
    }
}

extension QueryRules: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.synonyms == right.synonyms && left.stopWords == right.stopWords
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(synonyms)
        hasher.combine(stopWords)
    }
}

extension SearchIndex {
    /// Returns the index, searched with other rules.
    ///
    /// ```swift
    /// let groups = [["nyc", "new york"]]      // downloaded, say
    /// let index = reminderTexts.rules(QueryRules(synonyms: Synonyms(groups: groups)))
    /// let page = try await dbPool.search(index, "nyc")
    /// ```
    public func rules(_ rules: QueryRules) -> SearchIndex {
        var copy = self
        copy.definition.rules = rules
        return copy
    }
}

/// Rules in the form in which queries are compared with them.
private struct RuleTable: Sendable {
    /// The analyzer that makes the words of rules and queries comparable.
    let analyzer: Analyzer
    /// The synonyms, by the tokens of a phrase with spaces between them.
    private(set) var synonyms: [String: [String]] = [:]
    /// In tokens.
    private(set) var longestPhrase = 0
    /// As tokens of `stopWordAnalyzer`.
    private(set) var stopWords: Set<String>

    /// Stop words are compared letter by letter, ignoring case: a stem could be that of another word.
    static let stopWordAnalyzer = Analyzer(.words(), .fold)

    init(_ rules: QueryRules, _ analyzer: Analyzer, _ machines: AnalyzerMachines) {
        self.analyzer = analyzer
        let folding = machines.tokenizer(of: Self.stopWordAnalyzer)
        stopWords = Set(rules.stopWords.words.compactMap { folding.listTokens($0).first })
        let tokenizer = machines.tokenizer(of: analyzer)
        for rule in rules.synonyms.rules {
            // A query with a phrase of `to` also finds documents with one of `from`.
            let (asked, found) =
                switch rule {
                case .group(let phrases): (phrases, phrases)
                case .oneWay(let from, let to): (to, from)
                }
            for phrase in asked { add(found, to: phrase, tokenizer) }
        }
    }

    private mutating func add(_ others: [String], to phrase: String, _ tokenizer: any Tokenizer) {
        let tokens = tokenizer.listTokens(phrase)
        guard (1...Synonyms.maximumWordCount).contains(tokens.count) else { return }
        longestPhrase = max(longestPhrase, tokens.count)
        // Any more would turn out to be known or too many: a long list costs no more than its length.
        for other in others.prefix(2 * Synonyms.maximumCount) where other != phrase {
            let known = synonyms[tokens.joined(separator: " "), default: []]
            if known.count == Synonyms.maximumCount { return }
            if !known.contains(other) { synonyms[tokens.joined(separator: " "), default: []].append(other) }
        }
    }
}

/// The tables of one set of rules, for the indexes that are searched with them.
private final class RuleTables: Sendable {
    private let tables = Locked<[RuleTable]>([])

    /// More than the analyzers of an app's indexes.
    private static let limit = 16

    func table(of rules: QueryRules, for definition: IndexDefinition, _ machines: AnalyzerMachines) -> RuleTable {
        var analyzer = definition.analysis.analyzer
        // Words in a row have other trigrams than each of them alone.
        if case .trigram = analyzer.tokenizer { analyzer = .standard }
        if let known = tables.withLock({ $0.first { $0.analyzer == analyzer } }) { return known }
        let table = RuleTable(rules, analyzer, machines)
        tables.withLock { tables in
            if tables.count == Self.limit { tables.removeFirst() }
            tables.append(table)
        }
        return table
    }
}

private struct QueryRewriter {
    private let table: RuleTable
    private let tokenizer: any Tokenizer
    private let folding: any Tokenizer
    /// How many synonyms may still be added.
    private var rest = SearchQuery.termLimit

    init(_ table: RuleTable, _ machines: AnalyzerMachines) {
        self.table = table
        tokenizer = machines.tokenizer(of: table.analyzer)
        folding = machines.tokenizer(of: RuleTable.stopWordAnalyzer)
    }

    mutating func rewritten(_ node: SearchQuery.Node) -> SearchQuery.Node {
        switch node.kind {
        case .word, .similar, .phrase: return alternatives([node], ofTokens: tokens(of: node))
        case .near: return node
        case .fields(let names, let child): return .fields(names, rewritten(child))
        case .all(let parts): return .all(withSynonyms(withoutStopWords(parts)))
        case .any(let parts): return .any(withoutStopWords(parts).map { rewritten($0) })
        case .excluding(let base, let others):
            let wanted = base.map { rewritten($0) }
            return .excluding(wanted, others.map { rewritten($0) })
        }
    }

    /// The parts without stop words; all parts if there is nothing else.
    private func withoutStopWords(_ parts: [SearchQuery.Node]) -> [SearchQuery.Node] {
        if table.stopWords.isEmpty { return parts }
        let kept = parts.filter { part in
            guard let (text, isPrefix) = part.word, !isPrefix else { return true }
            let tokens = folding.listTokens(text)
            return tokens.isEmpty || !tokens.allSatisfy(table.stopWords.contains)
        }
        return kept.isEmpty ? parts : kept
    }

    /// The parts; those in a row that are a phrase of the rules become one part with its synonyms.
    private mutating func withSynonyms(_ parts: [SearchQuery.Node]) -> [SearchQuery.Node] {
        var result: [SearchQuery.Node] = []
        var rest = parts[...]
        while let first = rest.first {
            guard first.word != nil else {
                result.append(rewritten(first))
                rest.removeFirst()
                continue
            }
            let (length, tokens) = longestPhrase(in: rest)
            result.append(alternatives(Array(rest.prefix(length)), ofTokens: tokens))
            rest.removeFirst(length)
        }
        return result
    }

    /// The longest phrase of the rules at the beginning of the parts; one word if there is none.
    private func longestPhrase(in parts: ArraySlice<SearchQuery.Node>) -> (length: Int, tokens: [String]) {
        var tokens: [String] = []
        var longest: (length: Int, tokens: [String]) = (1, [])
        for (index, part) in parts.enumerated() {
            guard let isPrefix = part.word?.isPrefix, tokens.count < table.longestPhrase else { break }
            tokens += self.tokens(of: part)
            if table.synonyms[tokens.joined(separator: " ")] != nil { longest = (index + 1, tokens) }
            if isPrefix { break }
        }
        return longest
    }

    private func tokens(of node: SearchQuery.Node) -> [String] {
        switch node.kind {
        case .word(let text, _), .similar(let text, _), .phrase(let text, _): tokenizer.listTokens(text)
        default: []
        }
    }

    private mutating func alternatives(
        _ parts: [SearchQuery.Node], ofTokens tokens: [String]
    ) -> SearchQuery.Node {
        let whole = parts.count == 1 ? parts[0] : .all(parts)
        let others = table.synonyms[tokens.joined(separator: " ")]?.prefix(rest) ?? []
        if others.isEmpty { return whole }
        rest -= others.count
        return .any([whole] + others.map { .phrase($0, isPrefix: false) })
    }
}
