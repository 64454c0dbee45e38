/// The words of a Japanese text with their readings, as `JapaneseDictionary` finds them.
///
/// A text is read in pieces, mostly sentences, each when its first word is asked for. Words must be asked for in the
/// order of the text. So memory is bounded whatever the text.
struct JapaneseWords: ~Copyable {
    private struct Word {
        var start: Int
        var end: Int
        var firstReading: Int
        var readingCount: Int
    }

    private let dictionary: JapaneseDictionary?
    private var words: [Word] = []
    /// Where the readings lie in the pool.
    private var readings: [Range<Int>] = []
    private var pool = TokenBuffer()
    /// The range of the piece that was read last.
    private var piece = 0..<0
    /// The first word that may be asked for.
    private var next = 0

    private static let longestPiece = 2048

    /// - Parameter isUsed: Whether words will be asked for; otherwise nothing is loaded.
    init(isUsed: Bool) { dictionary = isUsed ? try? JapaneseDictionary() : nil }

    /// Forgets the text.
    mutating func removeAll() {
        piece = 0..<0
        words.removeAll(keepingCapacity: true)
        next = 0
    }

    /// The number of the word that begins at a byte of a text; nil if none does.
    mutating func word(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard dictionary != nil, offset < text.count else { return nil }
        if !piece.contains(offset) { look(at: offset, in: text) }
        while next < words.count, words[next].start < offset { next += 1 }
        return next < words.count && words[next].start == offset ? next : nil
    }

    /// Where a run of `length` adjacent words that begins with this one ends; nil if there are fewer, or if the last
    /// has no reading.
    func end(ofJoined word: Int, _ length: Int) -> Int? {
        let last = word + length - 1
        guard last < words.count, words[last].readingCount > 0,
            last == word || words[last].start == words[last - 1].end
        else { return nil }
        return words[last].end
    }

    func readingCount(_ word: Int) -> Int { words[word].readingCount }

    /// Appends the romaji of adjacent words. The combination is a number whose digits choose among their readings, the
    /// lowest digit for the first word. False if that is nothing.
    func appendRomaji(_ word: Int, _ length: Int, _ combination: Int, to output: inout TokenBuffer) -> Bool {
        let start = output.count
        var isDoubled = false
        forEachKana(word, length, combination) { scalar in
            Romaji.appendKana(scalar, to: &output, from: start, isDoubled: &isDoubled)
        }
        Romaji.collapse(&output, from: start)
        return output.count > start
    }

    /// Calls `body` with each kana of the readings that `appendRomaji` would choose.
    func forEachKana(_ word: Int, _ length: Int, _ combination: Int, _ body: (UInt32) -> Void) {
        var rest = combination
        for word in words[word..<word + length] {
            let range = readings[word.firstReading + rest % max(word.readingCount, 1)]
            rest /= max(word.readingCount, 1)
            let kana = UnsafeBufferPointer(start: UnsafePointer(pool.base) + range.lowerBound, count: range.count)
            var index = 0
            while index < kana.count {
                let (scalar, length) = UTF8Scalars.decode(kana, at: index)
                body(scalar)
                index += length
            }
        }
    }

    // MARK: Pieces

    private mutating func look(at start: Int, in text: UnsafeBufferPointer<UInt8>) {
        words.removeAll(keepingCapacity: true)
        readings.removeAll(keepingCapacity: true)
        pool.count = 0
        next = 0
        let end = Self.endOfPiece(in: text, from: start)
        piece = start..<max(end, start + 1)
        guard let dictionary, end > start else { return }
        dictionary.forEachReading(in: UnsafeBufferPointer(rebasing: text[piece])) { place, reading in
            let word = start + place.lowerBound..<start + place.upperBound
            if words.last?.start != word.lowerBound {
                words.append(
                    Word(start: word.lowerBound, end: word.upperBound, firstReading: readings.count, readingCount: 0))
            }
            // A word in kana that the dictionary lacks is read as it is written.
            let kana = reading.isEmpty ? UnsafeBufferPointer(rebasing: text[word]) : reading
            guard let base = kana.baseAddress, Self.isKana(kana) else { return }
            readings.append(pool.count..<pool.count + kana.count)
            pool.append(base, count: kana.count)
            words[words.count - 1].readingCount += 1
        }
    }

    /// The end of the piece: of a sentence or, if that is too long, after the last character that is neither an
    /// ideograph nor kana. Returns `start` if no valid UTF-8 begins there.
    private static func endOfPiece(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let limit = min(start + longestPiece, text.count)
        var index = start
        var gap = start
        while index < limit {
            let (scalar, length) = StrictUTF8.decode(text, at: index)
            guard let scalar, scalar != 0, index + length <= limit else { break }
            index += length
            switch scalar {
            case 0x0A, 0x0D, 0x3002, 0xFF01, 0xFF0E, 0xFF1F: return index
            default: if !HanReadings.isHan(scalar), !Romaji.isKana(scalar) { gap = index }
            }
        }
        return index < text.count && gap > start ? gap : index
    }

    private static func isKana(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let (scalar, length) = UTF8Scalars.decode(bytes, at: index)
            guard Romaji.isKana(scalar) else { return false }
            index += length
        }
        return index > 0
    }
}
