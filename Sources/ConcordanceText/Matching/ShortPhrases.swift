/// Phrases of one or two characters, which are too short for a token of `trigram`: they are found by comparison.
///
/// Characters are folded as the tokenizer folds them, so that the matches are those of a query for the same characters.
struct ShortPhrases {
    /// The most phrases to look for, since each is compared at every character.
    private static let most = 64

    private struct Phrase {
        var number: Int
        var first: UInt32
        /// Zero in a phrase of one character.
        var second: UInt32
    }

    private let options: TrigramTokenizer.Options
    private var phrases: [Phrase] = []

    init(_ options: TrigramTokenizer.Options) { self.options = options }

    var isEmpty: Bool { phrases.isEmpty }

    /// Adds a phrase that has one or two characters when folded; ignores others.
    mutating func add(_ text: String, number: Int) {
        guard phrases.count < Self.most else { return }
        var folded: [UInt32] = []
        for scalar in text.unicodeScalars where folded.count <= 2 {
            let scalar = fold(scalar.value)
            if scalar != 0 { folded.append(scalar) }
        }
        guard let first = folded.first, folded.count <= 2 else { return }
        let second = folded.count == 2 ? folded[1] : 0
        if phrases.contains(where: { $0.first == first && $0.second == second }) { return }
        phrases.append(Phrase(number: number, first: first, second: second))
    }

    /// Calls `visit` with the phrase, the start and the end of each match, until it returns false.
    func forEachMatch(
        in text: UnsafeBufferPointer<UInt8>, _ visit: (_ phrase: Int, _ start: Int, _ end: Int) -> Bool
    ) {
        var previous: (scalar: UInt32, start: Int) = (0, 0)
        var current: (scalar: UInt32, start: Int) = (0, 0)
        var position = 0
        // A character is compared when the next one begins, since it includes the marks after it that folding removes.
        while position <= text.count {
            let start = position
            var scalar: UInt32 = 0
            if position < text.count {
                let (decoded, length) = StrictUTF8.decode(text, at: position)
                scalar = fold(decoded ?? 0)
                position += length
            } else {
                position += 1
            }
            if scalar == 0, start < text.count { continue }
            for phrase in phrases where current.scalar != 0 {
                let isMatch =
                    phrase.second == 0
                    ? phrase.first == current.scalar
                    : phrase.first == previous.scalar && phrase.second == current.scalar
                let first = phrase.second == 0 ? current.start : previous.start
                if isMatch, !visit(phrase.number, first, start) { return }
            }
            previous = current
            current = (scalar, start)
        }
    }

    @inline(__always)
    private func fold(_ scalar: UInt32) -> UInt32 {
        if options.caseSensitive { return scalar }
        return options.removeDiacritics
            ? SQLiteUnicodeTables.fullyFolded(scalar) : SQLiteUnicodeTables.caseFolded(scalar)
    }
}
