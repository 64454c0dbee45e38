/// Text that looks like language to an index and is the same on every machine.
///
/// Words are drawn from an invented vocabulary by Zipf's law (the word of rank r about 1/r as often as the first), so that
/// posting lists are as uneven as those of real text. SplitMix64 (Steele, Lea and Flood 2014) draws them.
public struct SampleText {
    private var state: UInt64
    private let words: [String]
    private let cumulative: [Double]

    /// - Parameter vocabulary: The number of different words.
    public init(seed: UInt64 = 1, vocabulary: Int = 30_000) {
        state = seed
        var words: [String] = []
        var generator = SampleText(state: seed &+ 1)
        var known: Set<String> = []
        while words.count < vocabulary {
            // The frequent words are short. Three syllables give millions of words, so that the loop ends.
            let word = generator.makeWord(syllables: words.count < 200 ? 1 : words.count < 3000 ? 2 : 3)
            if known.insert(word).inserted { words.append(word) }
        }
        var sum = 0.0
        cumulative = (1...vocabulary).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
        self.words = words
    }

    private init(state: UInt64) {
        self.state = state
        words = []
        cumulative = []
    }

    /// The word of a rank, from zero: the lower, the more frequent.
    public func word(rank: Int) -> String { words[rank] }

    /// At least `bytes` of text: sentences, in lines of about seventy columns.
    public mutating func text(bytes: Int) -> String {
        var text = ""
        var column = 0
        var sentence = 0
        while text.utf8.count < bytes {
            var word = nextWord()
            if sentence == 0 { word = word.prefix(1).uppercased() + word.dropFirst() }
            sentence += 1
            if sentence > 6 && below(10) == 0 {
                word += "."
                sentence = 0
            }
            column += word.utf8.count + 1
            text += word
            text += column > 70 ? "\n" : " "
            if column > 70 { column = 0 }
        }
        return text
    }

    private mutating func nextWord() -> String {
        let target = Double(next() >> 11) * 0x1p-53 * (cumulative.last ?? 0)
        var low = 0
        var high = cumulative.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] < target { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    private mutating func makeWord(syllables: Int) -> String {
        let onsets = [
            "", "b", "br", "c", "ch", "d", "f", "g", "gr", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "v",
        ]
        let vowels = ["a", "e", "i", "o", "u", "ea", "ou", "io"]
        let codas = ["", "", "n", "r", "s", "t", "l", "nd", "st", "m"]
        return (0..<syllables).map { _ in
            onsets[below(onsets.count)] + vowels[below(vowels.count)] + codas[below(codas.count)]
        }.joined()
    }

    private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
