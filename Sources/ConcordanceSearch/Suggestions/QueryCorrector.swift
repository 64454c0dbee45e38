import ConcordanceSQLite
import ConcordanceText

/// Corrects the misspelled words of a query, one by one.
struct QueryCorrector {
    private let dictionary: SpellingDictionary
    private let search: SuggestionSearch
    private var words: [QueryCorrection.Word] = []

    /// A word that was counted more often than this is right.
    private static let rareCount = 3
    /// How much more frequent the correction of such a rare word must be.
    private static let rareFactor = 100
    /// A typo less likely than this, in bits, is not one: another word was meant, which the texts do not have. A wrong
    /// first letter costs 12.
    private static let costLimit = 16.0
    /// Typos in a rare word that the texts have must be likelier than this.
    private static let rareCostLimit = 6.0
    /// A query of more words is a text, which nobody wants corrected.
    private static let wordLimit = 32
    /// How many corrections of right words are tried if the words together find nothing.
    private static let attemptLimit = 24

    /// What a pass over the query does.
    private enum Pass {
        /// It corrects the wrong words.
        case correcting
        /// It replaces one word, given by its number in the query.
        case replacing(number: Int, meant: String)
        /// It applies known corrections, by what was typed.
        case applying([String: String])
    }

    private var pass = Pass.correcting
    /// How many words have been passed, and how many of them are not excluded.
    private var passed = 0
    private var wanted: [(number: Int, word: String)] = []

    init(_ definition: IndexDefinition, _ dictionary: SpellingDictionary, in db: Database) {
        self.dictionary = dictionary
        search = SuggestionSearch(definition, dictionary, in: db)
    }

    /// Corrects a text whose last word may be half typed; the correction's text leaves that word as it is.
    mutating func correct(_ typed: SearchQuery, written: SearchQuery) throws -> QueryCorrection? {
        guard var correction = try correct(typed), let root = written.root else { return nil }
        pass = .applying(Dictionary(correction.words.map { ($0.typed, $0.meant) }) { first, _ in first })
        correction.text = SearchQuery(try correct(root)).description
        return correction
    }

    mutating func correct(_ query: SearchQuery) throws -> QueryCorrection? {
        guard let root = query.root, root.wordCount <= Self.wordLimit else { return nil }
        let corrected = SearchQuery(try correct(root))
        if !words.isEmpty, try search.finds(corrected) { return QueryCorrection(query: corrected, words: words) }
        return try search.finds(query) ? nil : try replaceOne(in: root)
    }

    /// The query with one word replaced, by the likeliest that lets it find something.
    private mutating func replaceOne(in root: SearchQuery.Node) throws -> QueryCorrection? {
        let alternatives = wanted.flatMap { wanted in
            dictionary.corrections(of: wanted.word, limit: 8)
                .filter { $0.cost <= Self.rareCostLimit && $0.distance > 0 }
                .map { (number: wanted.number, meant: $0.text, cost: $0.cost) }
        }
        for alternative in alternatives.sorted(by: { $0.cost < $1.cost }).prefix(Self.attemptLimit) {
            pass = .replacing(number: alternative.number, meant: alternative.meant)
            passed = 0
            words = []
            let corrected = SearchQuery(try correct(root))
            if try search.finds(corrected) { return QueryCorrection(query: corrected, words: words) }
        }
        return nil
    }

    private mutating func correct(_ node: SearchQuery.Node) throws -> SearchQuery.Node {
        switch node.kind {
        case .word(let text, let isPrefix):
            let corrected = try correct(text, isPrefix: isPrefix)
            let parts = corrected.split(separator: " ").map { SearchQuery.Node.word(String($0), isPrefix: false) }
            if corrected == text { return node }
            // A corrected word is a whole word.
            return parts.count < 2 ? .word(corrected, isPrefix: false) : .all(parts)
        // It already matches with typos.
        case .similar: return node
        case .phrase(let text, let isPrefix):
            let corrected = try correct(text, isPrefix: isPrefix)
            return .phrase(corrected, isPrefix: isPrefix && corrected == text)
        case .near(let texts, let distance, let isPrefix):
            var corrected: [String] = []
            for text in texts {
                corrected.append(try correct(text, isPrefix: isPrefix && corrected.count == texts.count - 1))
            }
            return .near(corrected, distance: distance, isPrefix: isPrefix && corrected.last == texts.last)
        case .fields(let names, let child): return .fields(names, try correct(child))
        case .all(let children): return .all(try correct(children))
        case .any(let children):
            var corrected: [SearchQuery.Node] = []
            for child in children { corrected.append(try correct(child)) }
            return .any(corrected)
        case .excluding(let base, let others):
            let base = try base.map { try correct($0) }
            // Other words there would only find more.
            if case .replacing = pass { return .excluding(base, others) }
            let before = wanted.count
            var corrected: [SearchQuery.Node] = []
            for other in others { corrected.append(try correct(other)) }
            wanted.removeLast(wanted.count - before)
            return .excluding(base, corrected)
        }
    }

    /// Corrects neighbouring parts: two wrong words may be one word with a space in it.
    private mutating func correct(_ children: [SearchQuery.Node]) throws -> [SearchQuery.Node] {
        var corrected: [SearchQuery.Node] = []
        var index = 0
        while index < children.count {
            if index + 1 < children.count, let joined = try join(children[index], children[index + 1]) {
                corrected.append(.word(joined, isPrefix: false))
                index += 2
            } else {
                corrected.append(try correct(children[index]))
                index += 1
            }
        }
        return corrected
    }

    private mutating func join(_ left: SearchQuery.Node, _ right: SearchQuery.Node) throws -> String? {
        guard case .word(let first, false) = left.kind, case .word(let second, let isPrefix) = right.kind
        else { return nil }
        switch pass {
        case .correcting: break
        case .replacing: return nil
        case .applying(let corrections): return corrections[first + " " + second]
        }
        guard let joined = dictionary.spelling(of: first + second),
            try !isKnown(first, isPrefix: false) || !isKnown(second, isPrefix: isPrefix),
            try search.finds(SearchQuery(.word(joined, isPrefix: false)))
        else { return nil }
        words.append(QueryCorrection.Word(typed: first + " " + second, meant: joined))
        return joined
    }

    /// The text with its words corrected and everything between them unchanged.
    private mutating func correct(_ text: String, isPrefix: Bool) throws -> String {
        let bytes = Array(text.utf8)
        var corrected: [UInt8] = []
        var end = 0
        let tokens = WordTokenizer().tokens(in: text)
        for (number, token) in tokens.enumerated() {
            let isLast = number == tokens.count - 1 && token.range.upperBound == bytes.count
            guard let meant = try correction(of: token.text, isPrefix: isPrefix && isLast) else { continue }
            words.append(QueryCorrection.Word(typed: token.text, meant: meant))
            corrected += bytes[end..<token.range.lowerBound]
            corrected += Array(meant.utf8)
            end = token.range.upperBound
        }
        return String(decoding: corrected + bytes[end...], as: UTF8.self)
    }

    /// The word that was meant; nil for the word itself.
    private mutating func correction(of word: String, isPrefix: Bool) throws -> String? {
        if case .applying(let corrections) = pass { return corrections[word] }
        guard word.count > 1, WordCounter.isWord(word) else { return nil }
        let number = passed
        passed += 1
        if case .replacing(let replaced, let meant) = pass { return replaced == number ? meant : nil }
        wanted.append((number, word))
        let count = dictionary.count(of: word)
        if count > Self.rareCount { return nil }
        let isKnown = try isKnown(word, isPrefix: isPrefix)
        if isKnown, count == 0 { return nil }
        for correction in dictionary.corrections(of: word, limit: 8) where correction.cost <= Self.costLimit {
            if isKnown, correction.count < count * Self.rareFactor || correction.cost > Self.rareCostLimit { continue }
            let parts = correction.text.split(separator: " ").map { SearchQuery.Node.word(String($0), isPrefix: false) }
            if try search.finds(SearchQuery(.all(parts))) { return correction.text }
        }
        return nil
    }

    /// Whether the index finds the word in any form that its analyzer makes of it: a stem, a synonym, a part of a word.
    private func isKnown(_ word: String, isPrefix: Bool) throws -> Bool {
        try search.finds(SearchQuery(.word(word, isPrefix: isPrefix)))
    }
}

extension SearchQuery.Node {
    /// The number of words and phrases, including excluded ones.
    fileprivate var wordCount: Int {
        switch kind {
        case .word, .similar, .phrase: 1
        case .near(let texts, _, _): texts.count
        case .fields(_, let child): child.wordCount
        case .all(let children), .any(let children): children.reduce(0) { $0 + $1.wordCount }
        case .excluding(let base, let others): others.reduce(base?.wordCount ?? 0) { $0 + $1.wordCount }
        }
    }
}
