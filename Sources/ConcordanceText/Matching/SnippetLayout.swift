/// Lays out one fragment of a snippet: which part of the text around a chosen stretch it shows.
///
/// It reads a bounded part of the text around the stretch, whatever the length of the text. Fragments begin and end at
/// words, include their punctuation, and begin with a sentence or a line if one begins near enough. A word that is
/// longer than the fragment is cut between two characters.
struct SnippetLayout {
    /// A word, or a piece of a long one.
    private struct Word {
        var start: Int
        var end: Int
        /// The characters of `part` before the word, and up to its end.
        var charactersBefore = 0
        var charactersUpTo = 0
    }

    /// Longer words are split into pieces.
    private static let longestWord = 64
    private static let charactersOfPiece = 8
    /// How far punctuation is followed from a word, in bytes.
    private static let longestPunctuation = 32

    private let text: String
    private let utf8: UnsafeBufferPointer<UInt8>
    private let length: SnippetOptions.Length
    /// The part of the text that is read.
    private let part: Range<Int>
    private var words: [Word] = []

    /// The fragment that shows a stretch of the text, or begins at an empty one; without white space at its ends.
    static func fragment(
        around stretch: Range<Int>, in text: String, utf8: UnsafeBufferPointer<UInt8>, length: SnippetOptions.Length
    ) -> Range<Int> {
        let reach =
            switch length {
            case .words(let count): count * longestWord
            case .characters(let count): count * 8 + longestWord
            }
        // If a match is longer than any fragment, its beginning is shown.
        let stretch = stretch.lowerBound..<min(stretch.upperBound, stretch.lowerBound + reach)
        let layout = SnippetLayout(text, utf8, length, around: stretch, reach: reach)
        return layout.fragment(around: stretch)
    }

    private init(
        _ text: String, _ utf8: UnsafeBufferPointer<UInt8>, _ length: SnippetOptions.Length,
        around stretch: Range<Int>, reach: Int
    ) {
        self.text = text
        self.utf8 = utf8
        self.length = length
        var start = max(0, stretch.lowerBound - reach)
        var end = min(utf8.count, stretch.upperBound + reach)
        while start > 0, utf8[start] & 0xC0 == 0x80 { start -= 1 }
        while end < utf8.count, utf8[end] & 0xC0 == 0x80 { end += 1 }
        part = start..<end
        words = splitLong(wordsOfPart(around: stretch))
        if case .characters = length { countCharacters() }
    }

    // MARK: Words

    /// The words of the part; those that its ends cut off are left out unless they are long.
    private func wordsOfPart(around stretch: Range<Int>) -> [Word] {
        var found: [Word] = []
        let bytes = UnsafeBufferPointer(rebasing: utf8[part])
        // The visitor throws nothing.
        try? WordTokenizer().forEachToken(in: bytes) { token in
            let word = Word(
                start: part.lowerBound + token.range.lowerBound, end: part.lowerBound + token.range.upperBound)
            let isCut =
                word.start == part.lowerBound && part.lowerBound > 0
                || word.end == part.upperBound && part.upperBound < utf8.count
            if !isCut || word.end - word.start > Self.longestWord { found.append(word) }
        }
        // A match need not be in a word; its stretch is then shown like one.
        let isShown =
            stretch.isEmpty
            ? !found.isEmpty
            : found.contains { $0.start < stretch.upperBound && $0.end > stretch.lowerBound }
        if !isShown {
            let index = found.firstIndex { $0.start >= stretch.lowerBound } ?? found.endIndex
            found.insert(
                Word(start: stretch.lowerBound, end: max(stretch.upperBound, stretch.lowerBound + 1)), at: index)
        }
        return found
    }

    private func splitLong(_ words: [Word]) -> [Word] {
        guard words.contains(where: { $0.end - $0.start > Self.longestWord }) else { return words }
        var boundaries = CharacterBoundaries(text, utf8: utf8)
        return words.flatMap { word -> [Word] in
            guard word.end - word.start > Self.longestWord else { return [word] }
            var pieces: [Word] = []
            var start = boundaries.around(word.start).after
            while start < word.end {
                let end = min(boundaries.after(Self.charactersOfPiece, from: start), word.end)
                guard end > start else { break }
                pieces.append(Word(start: start, end: end))
                start = end
            }
            return pieces
        }
    }

    private mutating func countCharacters() {
        let boundaries = CharacterBoundaries(text, utf8: utf8)
        var position = part.lowerBound
        var count = 0
        for index in words.indices {
            count += boundaries.characterCount(in: position..<words[index].start)
            words[index].charactersBefore = count
            count += boundaries.characterCount(in: words[index].start..<words[index].end)
            words[index].charactersUpTo = count
            position = words[index].end
        }
    }

    /// Whether the words from one to another fit.
    private func fits(_ first: Int, _ last: Int) -> Bool {
        switch length {
        case .words(let count): last - first + 1 <= count
        case .characters(let count): words[last].charactersUpTo - words[first].charactersBefore <= count
        }
    }

    // MARK: The fragment

    private func fragment(around stretch: Range<Int>) -> Range<Int> {
        guard let first = words.firstIndex(where: { $0.end > stretch.lowerBound }) else { return stretch }
        var last = words.lastIndex { $0.start < stretch.upperBound } ?? first
        last = max(first, last)
        while last > first, !fits(first, last) { last -= 1 }
        if !fits(first, last) { return cut(words[first], at: stretch) }
        var begin = earliest(for: last, from: first)
        // Words before the match are only context; those after it tell more.
        if !(begin == 0 && part.lowerBound == 0) {
            begin =
                (begin...first).last(where: beginsSentence)
                ?? first - (first - begin) / 3
        }
        var end = last
        while end + 1 < words.count, fits(begin, end + 1) { end += 1 }
        if end == words.count - 1, part.upperBound == utf8.count {
            // The text ends early, so earlier text fills the room.
            let fill = earliest(for: end, from: begin)
            if fill == 0 || !beginsSentence(begin) { begin = fill }
            begin = (fill...begin).first(where: beginsSentence) ?? begin
        }
        return withPunctuation(begin, end)
    }

    /// The first word from which those up to `last` fit.
    private func earliest(for last: Int, from first: Int) -> Int {
        var begin = first
        while begin > 0, fits(begin - 1, last) { begin -= 1 }
        return begin
    }

    /// The part that is shown of a word that is longer than the fragment.
    private func cut(_ word: Word, at stretch: Range<Int>) -> Range<Int> {
        guard case .characters(let count) = length else { return word.start..<word.end }
        var boundaries = CharacterBoundaries(text, utf8: utf8)
        let start = boundaries.around(max(word.start, min(stretch.lowerBound, word.end))).before
        return start..<max(start, min(boundaries.after(count, from: start), word.end))
    }

    /// Whether a sentence or a line begins at the word.
    private func beginsSentence(_ index: Int) -> Bool {
        guard index > 0 else { return part.lowerBound == 0 }
        var isBehindStop = false
        var position = words[index - 1].end
        while position < words[index].start {
            let (scalar, length) = StrictUTF8.decode(utf8, at: position)
            position += length
            switch scalar {
            case 0x0A, 0x0D, 0x2028, 0x2029, 0x3002, 0xFF01, 0xFF1F: return true
            // . ! ? …
            case 0x2E, 0x21, 0x3F, 0x2026: isBehindStop = true
            case 0x20, 0x09, 0xA0: if isBehindStop { return true }
            default: break
            }
        }
        return false
    }

    /// The words from one to another with their punctuation: `(week,` and `week.”`.
    private func withPunctuation(_ first: Int, _ last: Int) -> Range<Int> {
        var start = words[first].start
        let before = first > 0 ? words[first - 1].end : part.lowerBound
        let earliest = max(before, start - Self.longestPunctuation)
        while start > earliest, !isSpace(utf8[start - 1]) { start -= 1 }
        // Punctuation that joins two words is not shown with only one of them.
        if start == before, first > 0 || start > 0 { start = words[first].start }
        var end = words[last].end
        let after = last + 1 < words.count ? words[last + 1].start : part.upperBound
        let latest = min(after, end + Self.longestPunctuation)
        while end < latest, !isSpace(utf8[end]) { end += 1 }
        if end == after, last + 1 < words.count || end < utf8.count { end = words[last].end }
        var boundaries = CharacterBoundaries(text, utf8: utf8)
        return boundaries.extending(start..<end)
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
