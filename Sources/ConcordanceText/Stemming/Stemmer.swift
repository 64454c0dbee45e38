/// A language whose words can be reduced to their stems: by its Snowball algorithm
/// (https://snowballstem.org/algorithms/) or, where its case says so, by rules of our own.
///
/// The endings are facts from Snowball's descriptions (copyright 2001 Martin Porter, 2002 Richard Boulton; 3-clause BSD
/// licence); the rules and the machine that runs them were written for this package.
///
/// The raw value is the language's ISO 639-1 code, or `porter`.
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
    /// English by Porter's algorithm of 1980. `Analyzer.Filter.porter` does the same, faster.
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

    /// The language's rules, read at first use.
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

/// Stems words in memory of its own, without an allocation per word.
///
/// Words recur within a text, so it remembers 2048 stems, each at the place that the word's hash names, until another
/// word takes that place.
struct Stemmer: ~Copyable {
    private static let places = 2048
    /// The longest word, and the longest stem, that is remembered, in bytes.
    private static let longestKept = StemKey.longestWord
    private static let placeSize = 2 * MemoryLayout<StemKey>.size

    private let rules: RuleStemmer?
    /// Places of 64 bytes, one cache line each: the word's key, then the stem's.
    private let kept: UnsafeMutableRawPointer

    /// - Parameter forms: Whether to stem by `StemmingLanguage.forms`, which brings more forms of a word together.
    init(_ language: StemmingLanguage, forms: Bool = false) {
        let (program, repeats) = forms ? language.forms : (language.program, false)
        rules = program.map { RuleStemmer($0, repeats: repeats) }
        kept = .allocate(byteCount: Self.placeSize * Self.places, alignment: Self.placeSize)
        // Zeros are nobody's key: no word is empty.
        kept.initializeMemory(as: UInt8.self, repeating: 0, count: Self.placeSize * Self.places)
    }

    deinit { kept.deallocate() }

    /// The stem of a word in small letters, valid until the next call; the word itself if the rules do not change it.
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

    /// The stem by the rules; nil if it is the word itself.
    @inline(__always)
    private func makeStem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        switch rules {
        case .some(let rules): rules.stem(word)
        case .none: nil
        }
    }
}
