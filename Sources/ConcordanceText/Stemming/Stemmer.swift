/// A language whose words are reduced to their stems.
///
/// English is `Analyzer.Filter.porter`.
public enum StemmingLanguage: String, Hashable, Sendable, CaseIterable {
    /// German, by the Snowball algorithm (https://snowballstem.org/algorithms/german/stemmer.html).
    case german = "de"
    /// Russian, by the Snowball algorithm (https://snowballstem.org/algorithms/russian/stemmer.html).
    case russian = "ru"

    /// The stemmer of the language.
    var stemmer: any Stemmer.Type {
        switch self {
        case .german: GermanStemmer.self
        case .russian: RussianStemmer.self
        }
    }
}

/// Reduces the words of a language to their stems, in place and without allocating.
protocol Stemmer {
    /// Stems the word in small letters at `bytes`.
    ///
    /// - Returns: Whether it did; the word is as before where the algorithm does not know its letters.
    static func stem(_ word: inout StemmedWord) -> Bool
}

/// A word in memory of its own while it is stemmed, in a code that its stemmer chooses.
struct StemmedWord {
    /// The longest word that is stemmed, in bytes: longer ones are no words of a language.
    static let capacity = 128

    let bytes: UnsafeMutablePointer<UInt8>
    var count: Int

    /// The byte that stands `distance` from the end, from one on; zero where the word is shorter.
    @inline(__always)
    subscript(fromEnd distance: Int) -> UInt8 { distance <= count ? bytes[count - distance] : 0 }

    /// Whether the word has these bytes at its end, `distance` bytes left out.
    @inline(__always)
    func ends(with suffix: StaticString, before distance: Int = 0) -> Bool {
        let length = suffix.utf8CodeUnitCount
        let start = count - distance - length
        guard start >= 0 else { return false }
        for index in 0..<length where bytes[start + index] != suffix.utf8Start[index] { return false }
        return true
    }

    /// The length of the longest of the suffixes that the word has behind `start`, and which one it is.
    @inline(__always)
    func longestSuffix(_ suffixes: [StaticString], behind start: Int = 0) -> (index: Int, length: Int)? {
        var best: (index: Int, length: Int)?
        var longest = 0
        var index = 0
        while index < suffixes.count {
            let length = suffixes[index].utf8CodeUnitCount
            if length > longest, count - length >= start, ends(with: suffixes[index]) {
                longest = length
                best = (index, length)
            }
            index += 1
        }
        return best
    }
}

/// Reduces words to their stems. Words that the language's algorithm does not know, such as those in another alphabet,
/// pass unchanged.
public final class StemFilter: TokenFilter {
    private let stemmer: any Stemmer.Type
    private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: StemmedWord.capacity)

    /// A filter for the words of one language, in small letters.
    public init(_ language: StemmingLanguage) { stemmer = language.stemmer }

    deinit { memory.deallocate() }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let base = token.baseAddress, token.count <= StemmedWord.capacity else {
            return emit(token, flags: flags, start: start, end: end)
        }
        memory.update(from: base, count: token.count)
        var word = StemmedWord(bytes: memory, count: token.count)
        guard stemmer.stem(&word) else { return emit(token, flags: flags, start: start, end: end) }
        return emit(
            UnsafeBufferPointer(start: UnsafePointer(memory), count: word.count), flags: flags, start: start, end: end)
    }
}
