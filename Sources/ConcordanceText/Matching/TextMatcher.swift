/// A place in a text where a phrase stands.
package struct TextMatch: Hashable, Sendable {
    /// The index of the phrase among the matcher's phrases.
    package var phrase: Int
    /// Where it stands, in UTF-8 bytes; from the beginning of a character to the end of one.
    package var range: Range<Int>

    /// A match of the phrase with this index.
    package init(phrase: Int, range: Range<Int>) {
        self.phrase = phrase
        self.range = range
    }
}

/// Finds phrases in texts as a full-text index does: by the tokens of an analyzer.
///
/// Matches are ranges of the original text, however much its tokens differ from it: `grossmann` matches all of
/// Großmann, `first` matches 1st, `pinyin` matches 拼音.
///
/// ```
/// let matcher = TextMatcher(.standard, phrases: [MatchPhrase("gross", isPrefix: true)])
/// matcher.ranges(in: "Frau Großmann")    // [5..<14], in bytes
/// ```
///
/// A phrase is tokenized as a query and matches whole tokens in a row, the last of them by its beginning if `isPrefix`
/// is set (or, with a stemmer, as a whole word that it may become: `runnin` matches running). Tokens that are colocated
/// in a query are alternatives. With `trigram`, which has no tokens of fewer than three characters, shorter phrases are
/// compared with the text character by character.
///
/// The time is proportional to the length of the text, the memory to the phrases and to the matches, whose number is
/// limited. Texts are read up to their 2,147,483,647th byte; phrases beyond 4,096 tokens in total are ignored. A
/// matcher has scratch memory of its own, so only one thread may use it at a time.
package final class TextMatcher {
    /// More matches than any reader looks at; a search for the letter a in a large text has millions.
    package static let defaultLimit = 10_000

    /// The analyzer that makes the tokens of phrases and texts.
    package let analyzer: Analyzer
    /// The phrases to look for; matches refer to them by index.
    package let phrases: [MatchPhrase]

    package let tokenizer: any Tokenizer
    private let table: PhraseTable
    private let shortPhrases: ShortPhrases?
    /// Whether tokens are three characters, unchanged by filters.
    private let isTrigram: Bool

    /// A matcher for phrases in texts of one analyzer.
    ///
    /// - Parameter field: The field of the texts; phrases that name only other fields are ignored. If nil, all phrases
    ///   are looked for.
    package convenience init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String? = nil) {
        self.init(analyzer, by: analyzer.makeTokenizer(), phrases: phrases, field: field)
    }

    /// A matcher that uses, and owns, a tokenizer of the analyzer.
    package init(_ analyzer: Analyzer, by tokenizer: any Tokenizer, phrases: [MatchPhrase], field: String?) {
        self.analyzer = analyzer
        self.phrases = phrases
        self.tokenizer = tokenizer
        var shortPhrases: ShortPhrases?
        var isTrigram = false
        if case .trigram(let options) = analyzer.tokenizer {
            shortPhrases = ShortPhrases(options)
            isTrigram = analyzer.filters.isEmpty && !options.removeDiacritics
        }
        var tokenized: [PhraseTable.Phrase] = []
        for (number, phrase) in phrases.enumerated() {
            if let field, let fields = phrase.fields, !fields.contains(where: field.equalsIgnoringASCIICase) {
                continue
            }
            let places = Self.places(of: phrase, by: tokenizer)
            if places.isEmpty { shortPhrases?.add(phrase.text, number: number) }
            let typos = shortPhrases == nil ? phrase.typos : .none
            tokenized.append(
                .init(number: number, places: places, isPrefix: phrase.isPrefix, typos: typos))
            guard phrase.isPrefix else { continue }
            for text in analyzer.completions(ofHalfTyped: phrase.text, by: tokenizer) {
                tokenized.append(.init(number: number, places: Self.places(of: MatchPhrase(text), by: tokenizer)))
            }
        }
        table = PhraseTable(tokenized)
        self.isTrigram = isTrigram
        self.shortPhrases = shortPhrases?.isEmpty == true ? nil : shortPhrases
    }

    /// Whether there is anything to look for: phrases without a token match nothing.
    package var isEmpty: Bool { table.isEmpty && shortPhrases == nil }

    /// Every place where a phrase stands, in order; matches may overlap.
    ///
    /// - Parameter limit: The search ends when this many have been found.
    package func matches(in text: String, limit: Int = defaultLimit) -> [TextMatch] {
        var matches: [TextMatch] = []
        withUTF8(of: text) { text, utf8 in
            MatchScan.run(table, in: utf8, by: tokenizer, isTrigram: isTrigram) { found in
                guard matches.count < limit else { return false }
                matches.append(TextMatch(phrase: found.phrase, range: found.start..<found.end))
                return true
            }
            let tokenMatches = matches.count
            shortPhrases?.forEachMatch(in: utf8) { phrase, start, end in
                guard matches.count - tokenMatches < limit else { return false }
                matches.append(TextMatch(phrase: phrase, range: start..<end))
                return true
            }
            matches = extended(matches, text, utf8)
        }
        return Array(matches.prefix(limit))
    }

    /// The ranges of the text that match, in order and without overlaps.
    ///
    /// Matches that share a token, or bytes, are one range; matches that only touch stay apart, as in FTS5's
    /// `highlight`.
    ///
    /// - Parameter limit: The search ends when this many ranges have been found.
    package func ranges(in text: String, limit: Int = defaultLimit) -> [Range<Int>] {
        var runs = MatchRuns(limit: limit)
        var result: [Range<Int>] = []
        withUTF8(of: text) { text, utf8 in
            MatchScan.run(table, in: utf8, by: tokenizer, isTrigram: isTrigram) { runs.add($0) }
            var ranges = runs.ranges
            if let shortPhrases {
                var short = MatchRuns(limit: limit)
                shortPhrases.forEachMatch(in: utf8) { phrase, start, end in
                    short.add(.init(phrase: phrase, first: start, last: end - 1, start: start, end: end))
                }
                ranges = (ranges + short.ranges).sorted { $0.lowerBound < $1.lowerBound }
            }
            var boundaries = CharacterBoundaries(text, utf8: utf8)
            result = boundaries.extending(ranges)
        }
        return Array(result.prefix(limit))
    }

    /// The matches sorted by their starts, with their ends moved outward to boundaries of characters.
    private func extended(
        _ matches: [TextMatch], _ text: String, _ utf8: UnsafeBufferPointer<UInt8>
    ) -> [TextMatch] {
        // Boundaries must be asked for from front to back, starts and ends together.
        let positions = matches.flatMap { [$0.range.lowerBound, $0.range.upperBound] }.sorted()
        var boundaries = CharacterBoundaries(text, utf8: utf8)
        var around: [Int: (before: Int, after: Int)] = [:]
        for position in positions where around[position] == nil { around[position] = boundaries.around(position) }
        return matches.compactMap { match in
            let start = around[match.range.lowerBound]?.before ?? match.range.lowerBound
            let end = around[match.range.upperBound]?.after ?? match.range.upperBound
            return start < end ? TextMatch(phrase: match.phrase, range: start..<end) : nil
        }.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    }

    private func withUTF8(of text: String, _ body: (String, UnsafeBufferPointer<UInt8>) -> Void) {
        guard !isEmpty else { return }
        var text = text
        text.makeContiguousUTF8()
        _ = text.utf8.withContiguousStorageIfAvailable { utf8 in
            body(text, UnsafeBufferPointer(rebasing: utf8.prefix(Self.mostBytes(utf8))))
        }
    }

    /// The most bytes of a text that the offsets of tokens can reach, up to the end of a character.
    private static func mostBytes(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
        guard utf8.count > Int(Int32.max) else { return utf8.count }
        var count = Int(Int32.max)
        while count > 0, utf8[count] & 0xC0 == 0x80 { count -= 1 }
        return count
    }

    /// The tokens of a phrase, place by place, as FTS5 reads them in a query.
    private static func places(of phrase: MatchPhrase, by tokenizer: any Tokenizer) -> [[[UInt8]]] {
        var places: [[[UInt8]]] = []
        var text = phrase.text
        text.withUTF8 { utf8 in
            // The visitor throws nothing.
            var reason = TokenizationReason.query
            if phrase.isPrefix { reason.insert(.prefix) } else if phrase.typos != .none { reason.insert(.typos) }
            try? tokenizer.forEachToken(in: utf8, for: reason) { token in
                let bytes = Array(token.bytes.prefix(PhraseTable.longestToken))
                if token.position < places.count {
                    places[token.position].append(bytes)
                } else {
                    places.append([bytes])
                }
            }
        }
        return places
    }
}

/// The ranges of the matches, joined where they share a token or a byte.
private struct MatchRuns {
    private var runs: [MatchScan.Found] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var ranges: [Range<Int>] { runs.map { $0.start..<$0.end } }

    /// Adds a match that ends no earlier than those before it; false if the limit is reached.
    mutating func add(_ found: MatchScan.Found) -> Bool {
        var run = found
        while let last = runs.last, run.first <= last.last || run.start < last.end {
            run.first = min(run.first, last.first)
            run.start = min(run.start, last.start)
            run.end = max(run.end, last.end)
            runs.removeLast()
        }
        guard runs.count < limit else { return false }
        runs.append(run)
        return true
    }
}
