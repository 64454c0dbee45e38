/// Synonyms as a filter looks them up: phrases in a trie of words, and what each stands for.
struct SynonymRules: ~Copyable {
    struct Match {
        var phrase: Int
        /// In words.
        var length: Int
    }

    /// The words of all phrases, and the phrases as one token, with spaces between their words.
    private var tokens = TokenTable()
    /// By phrase: its words and its joined token, as numbers in `tokens`.
    private var phraseWords: [[Int]] = []
    private var joinedTokens: [Int] = []
    /// Where a word leads from a node of the trie; the root is node 0. The key is the node and the word.
    private var edges: [UInt64: Int] = [:]
    private var phraseAtNode: [Int] = [-1]
    /// By phrase: its alternatives in `alternativePhrases`.
    private var alternativeRanges: [Range<Int>] = []
    private var alternativePhrases: [Int] = []
    private(set) var longestPhrase = 1

    /// - Parameters:
    ///   - reason: `.document` if a document's phrase is to be found by its alternatives, `.query` if a query's phrase
    ///     is to find them. For one-way rules the two differ.
    ///   - tokenizer: Makes the tokens of the phrases.
    init(_ synonyms: Synonyms, expanding reason: TokenizationReason, after tokenizer: any Tokenizer) {
        var alternatives: [[Int]] = []
        for rule in synonyms.rules {
            var from: [String]
            var to: [String]
            switch rule {
            case .group(let phrases): (from, to) = (phrases, phrases)
            case .oneWay(let special, let general):
                (from, to) = reason == .document ? (special, general) : (general, special)
            }
            let fromPhrases = Self.distinct(from.compactMap { insert(tokenizer.listTokens($0)) })
            let toPhrases = Self.distinct(to.compactMap { insert(tokenizer.listTokens($0)) })
            alternatives += Array(repeating: [], count: phraseWords.count - alternatives.count)
            // More would be duplicates or over the limit, so the cost of a long list stays proportional to its length.
            let candidates = toPhrases.prefix(2 * Synonyms.maximumCount)
            for phrase in fromPhrases {
                for other in candidates where other != phrase && !alternatives[phrase].contains(other) {
                    if alternatives[phrase].count == Synonyms.maximumCount { break }
                    alternatives[phrase].append(other)
                }
            }
        }
        for list in alternatives {
            alternativeRanges.append(alternativePhrases.count..<alternativePhrases.count + list.count)
            alternativePhrases += list
        }
    }

    private static func distinct(_ phrases: [Int]) -> [Int] {
        var seen: Set<Int> = []
        return phrases.filter { seen.insert($0).inserted }
    }

    /// Inserts a phrase and returns its number; nil if it has no tokens or too many.
    private mutating func insert(_ words: [String]) -> Int? {
        guard (1...Synonyms.maximumWordCount).contains(words.count) else { return nil }
        var node = 0
        let numbers = words.map { tokens.insert($0) }
        for number in numbers {
            let key = Self.key(node, number)
            if edges[key] == nil {
                edges[key] = phraseAtNode.count
                phraseAtNode.append(-1)
            }
            node = edges[key] ?? 0
        }
        if phraseAtNode[node] < 0 {
            phraseAtNode[node] = phraseWords.count
            phraseWords.append(numbers)
            joinedTokens.append(tokens.insert(words.joined(separator: " ")))
            longestPhrase = max(longestPhrase, words.count)
        }
        return phraseAtNode[node]
    }

    private static func key(_ node: Int, _ word: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: node) << 32 | UInt64(truncatingIfNeeded: word)
    }

    /// The number of a token that the rules mention; nil for any other.
    func word(_ token: UnsafeBufferPointer<UInt8>) -> Int? { tokens.find(token) }

    /// The longest phrase at the beginning of the window.
    func longestMatch(in window: borrowing TokenWindow) -> Match? {
        var node = 0
        var length = 0
        var match: Match?
        for index in window.indices where !window[index].flags.contains(.colocated) {
            guard let word = window[index].word, let next = edges[Self.key(node, word)] else { break }
            node = next
            length += 1
            if phraseAtNode[node] >= 0 { match = Match(phrase: phraseAtNode[node], length: length) }
        }
        return match
    }

    /// The numbers of a phrase's alternatives.
    func alternatives(of phrase: Int) -> Range<Int> { alternativeRanges[phrase] }

    /// The number of words of an alternative.
    func wordCount(ofAlternative alternative: Int) -> Int { phraseWords[alternativePhrases[alternative]].count }

    /// A word of an alternative, as a number for `token(_:)`.
    func word(_ index: Int, ofAlternative alternative: Int) -> Int {
        phraseWords[alternativePhrases[alternative]][index]
    }

    func token(_ number: Int) -> UnsafeBufferPointer<UInt8> { tokens.token(number) }

    /// A phrase as one token.
    func joined(_ phrase: Int) -> UnsafeBufferPointer<UInt8> { tokens.token(joinedTokens[phrase]) }

    /// An alternative as one token.
    func joined(alternative: Int) -> UnsafeBufferPointer<UInt8> { joined(alternativePhrases[alternative]) }
}
