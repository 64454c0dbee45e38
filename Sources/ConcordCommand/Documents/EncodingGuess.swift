import CConcordanceCharset
import ConcordanceText

/// Guesses which encoding from before Unicode a text has: uchardet proposes one, and the text in it must look like one of a
/// language that is written in it.
enum EncodingGuess {
    /// What a text has if nothing tells: the encoding of western languages.
    static let western = "iso-8859-1"

    /// Enough to tell languages apart.
    private static let sampleBytes = 64 << 10

    private static let cyrillic: Set<TextLanguage> = [.russian, .ukrainian, .bulgarian, .serbian]
    private static let central: Set<TextLanguage> = [.polish, .czech, .hungarian, .serbian]
    private static let arabic: Set<TextLanguage> = [.arabic, .persian, .urdu]

    /// What may be written in an encoding, by uchardet's name in small letters. For texts in western languages with few accents,
    /// it mostly names others, such as VISCII or ISO 8859-3.
    static let contents: [String: EncodedText] = [
        "iso-8859-2": .latin(central), "windows-1250": .latin(central), "ibm852": .latin(central),
        "mac-centraleurope": .latin(central),
        "iso-8859-9": .latin([.turkish]), "windows-1254": .latin([.turkish]),
        "iso-8859-13": .latin([.lithuanian, .estonian]), "windows-1257": .latin([.lithuanian, .estonian]),
        "windows-1251": .alphabet(cyrillic), "koi8-r": .alphabet(cyrillic), "iso-8859-5": .alphabet(cyrillic),
        "ibm855": .alphabet(cyrillic), "ibm866": .alphabet(cyrillic), "mac-cyrillic": .alphabet(cyrillic),
        "iso-8859-7": .alphabet([.greek]), "windows-1253": .alphabet([.greek]),
        "iso-8859-8": .alphabet([.hebrew, .yiddish]), "windows-1255": .alphabet([.hebrew, .yiddish]),
        "iso-8859-6": .alphabet(arabic), "windows-1256": .alphabet(arabic),
        "iso-8859-11": .alphabet([.thai]), "tis-620": .alphabet([.thai]),
        "shift_jis": .characters, "euc-jp": .characters, "gb18030": .characters, "big5": .characters,
        "euc-tw": .characters, "euc-kr": .characters, "uhc": .characters, "johab": .characters,
    ]

    /// The encoding of bytes that are not UTF-8.
    static func encoding(of bytes: [UInt8]) -> String {
        let sample = Array(bytes.prefix(sampleBytes))
        guard let name = name(sample)?.lowercased(), let content = contents[name],
            let text = text(of: sample, in: name),
            content.describes(text, ratherThan: Self.text(of: sample, in: western))
        else { return western }
        return name
    }

    /// The encoding of bytes that are ASCII with escape sequences of ISO 2022, which end on the line where they begin (RFC 1468);
    /// nil if they are not.
    static func escapedEncoding(of bytes: [UInt8]) -> String? {
        let sample = Array(bytes.prefix(sampleBytes))
        guard sample.firstRange(of: [0x1B, UInt8(ascii: "$")]) != nil else { return nil }
        for line in sample.split(separator: 10).dropLast(sample.last == 10 ? 0 : 1) {
            guard let escape = line.lastIndex(of: 0x1B) else { continue }
            guard line[escape...].dropFirst().first == UInt8(ascii: "(") else { return nil }
        }
        guard let name = name(sample)?.lowercased(), name == "iso-2022-jp", text(of: sample, in: name) != nil else {
            return nil
        }
        return name
    }

    private static func name(_ sample: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let code = sample.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard code == 0 else { return nil }
        uchardet_data_end(detector)
        return uchardet_get_charset(detector).map { String(cString: $0) }
    }

    /// The text of the sample, which may end within a character; nil if it is not in the encoding.
    private static func text(of sample: [UInt8], in name: String) -> String? {
        guard let converter = CharacterConverter(encoding: name) else { return nil }
        var text: [UInt8] = []
        converter.convert(sample, into: &text)
        let string = String(decoding: text, as: UTF8.self)
        return string.unicodeScalars.contains("\u{FFFD}") ? nil : string
    }
}
