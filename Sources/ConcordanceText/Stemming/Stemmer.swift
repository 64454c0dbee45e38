/// A language whose words are reduced to their stems: by the Snowball algorithm for it
/// (https://snowballstem.org/algorithms/), or, in Bulgarian, Hebrew, Ukrainian, and the languages of India but Hindi, Nepali
/// and Tamil, by rules of our own.
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
    /// Bengali, by rules of our own.
    case bengali = "bn"
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
    /// Gujarati, by rules of our own.
    case gujarati = "gu"
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
    /// Kannada, by rules of our own.
    case kannada = "kn"
    /// Lithuanian.
    case lithuanian = "lt"
    /// Malayalam, by rules of our own.
    case malayalam = "ml"
    /// Marathi, by rules of our own.
    case marathi = "mr"
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
    /// Punjabi, in Gurmukhi, by rules of our own.
    case punjabi = "pa"
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
    /// Telugu, by rules of our own.
    case telugu = "te"
    /// Turkish.
    case turkish = "tr"
    /// Ukrainian, by rules of our own.
    case ukrainian = "uk"
    /// Urdu, by rules of our own.
    case urdu = "ur"
    /// Yiddish.
    case yiddish = "yi"

    /// The rules of the language, read once.
    var program: StemProgram? {
        switch self {
        case .arabic: .arabic
        case .armenian: .armenian
        case .basque: .basque
        case .bengali: .bengali
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
        case .gujarati: .gujarati
        case .hebrew: .hebrew
        case .hindi: .hindi
        case .hungarian: .hungarian
        case .indonesian: .indonesian
        case .irish: .irish
        case .italian: .italian
        case .kannada: .kannada
        case .lithuanian: .lithuanian
        case .malayalam: .malayalam
        case .marathi: .marathi
        case .nepali: .nepali
        case .norwegian: .norwegian
        case .persian: .persian
        case .polish: .polish
        case .porter: .porter
        case .portuguese: .portuguese
        case .punjabi: .punjabi
        case .romanian: .romanian
        case .russian: .russian
        case .serbian: .serbian
        case .spanish: .spanish
        case .swedish: .swedish
        case .tamil: .tamil
        case .telugu: .telugu
        case .turkish: .turkish
        case .ukrainian: .ukrainian
        case .urdu: .urdu
        case .yiddish: .yiddish
        }
    }
}

/// Stems words with memory of its own: no allocation a word.
///
/// It remembers stems, since the words of a text come again: 2048 of them, each in the place that its hash names, until
/// another word takes it.
struct Stemmer: ~Copyable {
    private static let places = 2048
    /// The longest word and the longest stem that are remembered.
    private static let longestKept = StemKey.longestWord
    private static let placeSize = 2 * MemoryLayout<StemKey>.size

    private let program: StemProgram?
    /// Whether stems are stemmed again, until nothing changes.
    private let repeats: Bool
    private let memory = StemMachine.Memory()
    /// The letters of a stem before it is stemmed again.
    private let letters = UnsafeMutablePointer<UInt16>.allocate(capacity: StemMachine.capacity)
    /// A stem as UTF-8: up to three bytes a letter.
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * StemMachine.capacity)
    /// Places of 64 bytes: the lengths of word and stem, then the bytes of both.
    private let kept: UnsafeMutablePointer<UInt8>

    /// - Parameter forms: Whether all forms of a word are to have one stem, as far as rules can tell.
    init(_ language: StemmingLanguage, forms: Bool = false) {
        (program, repeats) = forms ? language.forms : (language.program, false)
        kept = .allocate(capacity: 64 * Self.places)
        kept.initialize(repeating: 0, count: 64 * Self.places)
    }

    deinit {
        output.deallocate()
        letters.deallocate()
        kept.deallocate()
    }

    /// The stem of a word in small letters, good until the next call; the word itself where it is none.
    func stem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let base = word.baseAddress, word.count > 0, rules != nil else { return word }
        guard word.count <= Self.longestKept else { return makeStem(word) ?? word }
        let key = StemKey(UnsafeRawPointer(base), count: word.count)
        let place = kept + Self.placeSize * Int(truncatingIfNeeded: key.hash % UInt64(Self.places))
        let stemPlace = place + MemoryLayout<StemKey>.size
        if place.load(as: StemKey.self) != key {
            if let stem = makeStem(word) {
                guard stem.count <= Self.longestKept, let start = stem.baseAddress else { return stem }
                stemPlace.storeBytes(of: StemKey(UnsafeRawPointer(start), count: stem.count), as: StemKey.self)
            } else {
                stemPlace.storeBytes(of: key, as: StemKey.self)
            }
            place.storeBytes(of: key, as: StemKey.self)
        }
        return UnsafeBufferPointer(
            start: UnsafePointer(stemPlace.assumingMemoryBound(to: UInt8.self)),
            count: stemPlace.load(as: StemKey.self).count)
    }

    /// The stem by the rules; nil where it is the word.
    @inline(__always)
    private func makeStem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        switch rules {
        case .some(let rules): rules.stem(word)
        case .none: nil
        }
        var length = StemMachine.stem(memory, count: count, by: program)
        if repeats { length = stemAgain(length, program) }
        var written = 0
        for index in 0..<length { written += UTF8Scalars.encode(UInt32(memory.letters[index]), to: output + written) }
        return written == 0 ? nil : UnsafeBufferPointer(start: UnsafePointer(output), count: written)
    }

    /// How often stems are stemmed again at most, where each differs from the one before.
    private static let mostRepeats = 3
    /// In letters: shorter ones than these that stems of stems have are left of too many words.
    private static let shortestAgain = 3

    /// Stems what is in the memory again.
    private func stemAgain(_ count: Int, _ program: StemProgram) -> Int {
        var count = count
        for _ in 0..<Self.mostRepeats where count > 0 && count < StemMachine.longestWord {
            letters.update(from: memory.letters, count: count)
            let length = StemMachine.stem(memory, count: count, by: program)
            if length < Self.shortestAgain {
                memory.letters.update(from: letters, count: count)
                return count
            }
            let isSame = length == count && (0..<count).allSatisfy { letters[$0] == memory.letters[$0] }
            count = length
            if isSame { break }
        }
        return count
    }
}
