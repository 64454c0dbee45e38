/// Counts the words of texts: the way from texts to a `SpellingDictionary`.
///
/// Words are the tokens of `WordTokenizer` that have a letter: no numbers, emoji or single signs, and no words of
/// scripts without spaces between words (Chinese and Japanese characters, Thai, Lao, Khmer, Burmese), which the
/// tokenizer splits into characters.
///
/// It keeps at most `maximumWordCount` different words. When there are more, it forgets the rarest, so that the memory
/// is bounded whatever the texts are, and frequent words stay (the idea of Manku and Motwani, "Approximate frequency
/// counts over data streams", 2002).
public final class WordCounter {
    /// The greatest number of different words to keep; each spelling counts.
    package let maximumWordCount: Int
    private let tokenizer = WordTokenizer(WordTokenizer.Options(emoji: false))
    private var words = TokenTable()
    private var counts: [Int] = []
    private var bytes = 0

    /// Creates a counter without words.
    public init(maximumWordCount: Int = 1_000_000) {
        // The table numbers words with 32 bits.
        self.maximumWordCount = min(max(maximumWordCount, 16), 1 << 28)
    }

    /// How many different words it knows; a capitalized word is a different one.
    package var wordCount: Int { words.count }

    /// Counts the words of a text.
    public func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    /// Counts the words of a text in UTF-8.
    public func add(_ text: UnsafeBufferPointer<UInt8>) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = tokenizer.tokenize(
            text, for: .document,
            into: TokenSink(context: context) { context, _, token, count, _, _ in
                guard let context, let token else { return 0 }
                let counter = Unmanaged<WordCounter>.fromOpaque(context).takeUnretainedValue()
                token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    counter.count(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
                return 0
            })
    }

    private func count(_ word: UnsafeBufferPointer<UInt8>) {
        // Nobody misspells or completes longer words; those whose keys are too long are left out later.
        guard word.count <= SpellingKey.maximumLength * 4 else { return }
        let (number, isNew) = words.insert(word)
        if !isNew {
            counts[number] = counts[number] &+ 1
            return
        }
        counts.append(1)
        if counts.count > maximumWordCount { forgetRareWords() }
    }

    /// Forgets the rarest words, at least half of all.
    private func forgetRareWords() {
        let limit = counts.sorted()[counts.count / 2]
        var kept = TokenTable()
        var keptCounts: [Int] = []
        for number in counts.indices where counts[number] > limit {
            kept.insert(words.token(number))
            keptCounts.append(counts[number])
        }
        words = kept
        counts = keptCounts
    }

    /// Creates a dictionary of the words counted so far and those of `dictionary`, with their counts added up.
    public func makeDictionary(adding dictionary: SpellingDictionary = SpellingDictionary()) -> SpellingDictionary {
        var entries = WordEntries()
        entries.reserve(counts.count + dictionary.wordCount)
        var key = SpellingKey()
        for number in counts.indices {
            let form = words.token(number)
            guard key.make(form), Self.isWord(key.scalars) else { continue }
            key.bytes.withUnsafeBufferPointer { entries.add(key: $0, form: form, count: counts[number]) }
        }
        dictionary.trie.forEachWord { key, word, bytes in
            if word.form == .text {
                let form = UnsafeBufferPointer(start: bytes + word.text.lowerBound, count: word.text.count)
                return entries.add(key: key, form: form, count: word.count)
            }
            var form = WordTrie.written(word, key: key, bytes)
            form.withUTF8 { entries.add(key: key, form: $0, count: word.count) }
        }
        return SpellingDictionary(entries.makeTrie())
    }

    /// Whether the folded word has a letter, and none of a script without spaces.
    package static func isWord(_ word: String) -> Bool {
        var key = SpellingKey()
        return key.make(word) && isWord(key.scalars)
    }

    /// Whether the characters include a letter, and none of a script without spaces.
    private static func isWord(_ scalars: [UInt32]) -> Bool {
        var hasLetter = false
        for scalar in scalars {
            if scalar < 128 {
                hasLetter = hasLetter || (scalar | 0x20) &- 0x61 < 26
                continue
            }
            guard let scalar = Unicode.Scalar(scalar) else { return false }
            if scalar.properties.isIdeographic || isWithoutSpaces(scalar.value) { return false }
            hasLetter = hasLetter || scalar.properties.isAlphabetic
        }
        return hasLetter
    }

    /// The blocks of Thai and Lao, Burmese, Khmer, and hiragana; katakana is missing because the tokenizer makes words
    /// of it.
    private static func isWithoutSpaces(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x309F: true
        default: false
        }
    }
}
