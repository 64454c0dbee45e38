/// A language whose words are reduced to their stems: by the Snowball algorithm for it
/// (https://snowballstem.org/algorithms/), or, in Bulgarian, Hebrew and Ukrainian, by rules of our own.
///
/// The tables of endings are facts of Snowball's descriptions (copyright 2001 Martin Porter, 2002 Richard Boulton;
/// 3-clause BSD licence); the rules and the machine that runs them are written for this package.
///
/// The raw value is the language's ISO 639-1 code.
public enum StemmingLanguage: String, Hashable, Sendable, CaseIterable {
    /// Arabic.
    case arabic = "ar"
    /// Armenian.
    case armenian = "hy"
    /// Basque.
    case basque = "eu"
    /// Bulgarian, by rules of our own.
    case bulgarian = "bg"
    /// Catalan.
    case catalan = "ca"
    /// Czech.
    case czech = "cs"
    /// Danish.
    case danish = "da"
    /// Dutch.
    case dutch = "nl"
    /// English.
    case english = "en"
    /// Esperanto.
    case esperanto = "eo"
    /// Estonian.
    case estonian = "et"
    /// Finnish.
    case finnish = "fi"
    /// French.
    case french = "fr"
    /// German.
    case german = "de"
    /// Greek.
    case greek = "el"
    /// Hebrew, by rules of our own.
    case hebrew = "he"
    /// Hindi.
    case hindi = "hi"
    /// Hungarian.
    case hungarian = "hu"
    /// Indonesian.
    case indonesian = "id"
    /// Irish.
    case irish = "ga"
    /// Italian.
    case italian = "it"
    /// Lithuanian.
    case lithuanian = "lt"
    /// Nepali.
    case nepali = "ne"
    /// Norwegian, Bokmål and Nynorsk.
    case norwegian = "no"
    /// Persian.
    case persian = "fa"
    /// Polish.
    case polish = "pl"
    /// English by Porter's algorithm of 1980, as `Analyzer.Filter.porter`, which is faster.
    case porter
    /// Portuguese.
    case portuguese = "pt"
    /// Romanian.
    case romanian = "ro"
    /// Russian.
    case russian = "ru"
    /// Serbian, in both alphabets.
    case serbian = "sr"
    /// Spanish.
    case spanish = "es"
    /// Swedish.
    case swedish = "sv"
    /// Tamil.
    case tamil = "ta"
    /// Turkish.
    case turkish = "tr"
    /// Ukrainian, by rules of our own.
    case ukrainian = "uk"
    /// Yiddish.
    case yiddish = "yi"

    /// The rules of the language, read once.
    var program: StemProgram? {
        switch self {
        case .arabic: .arabic
        case .armenian: .armenian
        case .basque: .basque
        case .bulgarian: .bulgarian
        case .catalan: .catalan
        case .czech: .czech
        case .danish: .danish
        case .dutch: .dutch
        case .english: .english
        case .esperanto: .esperanto
        case .estonian: .estonian
        case .finnish: .finnish
        case .french: .french
        case .german: .german
        case .greek: .greek
        case .hebrew: .hebrew
        case .hindi: .hindi
        case .hungarian: .hungarian
        case .indonesian: .indonesian
        case .irish: .irish
        case .italian: .italian
        case .lithuanian: .lithuanian
        case .nepali: .nepali
        case .norwegian: .norwegian
        case .persian: .persian
        case .polish: .polish
        case .porter: .porter
        case .portuguese: .portuguese
        case .romanian: .romanian
        case .russian: .russian
        case .serbian: .serbian
        case .spanish: .spanish
        case .swedish: .swedish
        case .tamil: .tamil
        case .turkish: .turkish
        case .ukrainian: .ukrainian
        case .yiddish: .yiddish
        }
    }
}

/// Stems words in UTF-8 with memory of its own: no allocation a word.
///
/// It remembers stems, since the words of a text come again: 2048 of them, each in the place that its hash names, until
/// another word takes it.
struct Stemmer: ~Copyable {
    private static let places = 2048
    /// The longest word and the longest stem that are remembered.
    private static let longestKept = 31

    private let program: StemProgram?
    private let memory = StemMachine.Memory()
    /// A stem as UTF-8: up to three bytes a letter.
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * StemMachine.capacity)
    /// Places of 64 bytes: the lengths of word and stem, then the bytes of both.
    private let kept: UnsafeMutablePointer<UInt8>

    init(_ language: StemmingLanguage) {
        program = language.program
        kept = .allocate(capacity: 64 * Self.places)
        kept.initialize(repeating: 0, count: 64 * Self.places)
    }

    deinit {
        output.deallocate()
        kept.deallocate()
    }

    /// The stem of a word in small letters, good until the next call; the word itself where it is none.
    func stem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let base = word.baseAddress, let program else { return word }
        guard word.count <= Self.longestKept else { return makeStem(word, program) ?? word }
        let place = kept + 64 * Self.place(base, word.count)
        if Int(place[0]) == word.count, Self.areEqual(base, place + 2, word.count) {
            return UnsafeBufferPointer(start: place + 2 + Self.longestKept, count: Int(place[1]))
        }
        let stem = makeStem(word, program) ?? word
        guard stem.count <= Self.longestKept, let start = stem.baseAddress else { return stem }
        place[0] = UInt8(word.count)
        place[1] = UInt8(stem.count)
        (place + 2).update(from: base, count: word.count)
        (place + 2 + Self.longestKept).update(from: start, count: stem.count)
        return UnsafeBufferPointer(start: place + 2 + Self.longestKept, count: stem.count)
    }

    @inline(__always)
    private static func areEqual(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for index in 0..<count where first[index] != second[index] { return false }
        return true
    }

    /// FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
    @inline(__always)
    private static func place(_ word: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var hash: UInt32 = 2_166_136_261
        for index in 0..<count { hash = (hash ^ UInt32(word[index])) &* 16_777_619 }
        return Int((hash ^ hash >> 16) % UInt32(places))
    }

    /// Runs the rules; nil for bytes that are not letters of 16 bits, and where nothing would be left.
    private func makeStem(_ word: UnsafeBufferPointer<UInt8>, _ program: StemProgram) -> UnsafeBufferPointer<UInt8>? {
        var count = 0
        var index = 0
        while index < word.count {
            guard count < StemMachine.longestWord else { return nil }
            let (scalar, length) = StrictUTF8.decode(word, at: index)
            guard let scalar, let letter = UInt16(exactly: scalar) else { return nil }
            memory.letters[count] = letter
            count += 1
            index += length
        }
        let length = StemMachine.stem(memory, count: count, by: program)
        var written = 0
        for index in 0..<length { written += UTF8Scalars.encode(UInt32(memory.letters[index]), to: output + written) }
        return written == 0 ? nil : UnsafeBufferPointer(start: UnsafePointer(output), count: written)
    }
}
