/// The mark before a string of a query that says in which languages to search, for a tokenizer of several languages
/// (`GuessTokenizer`): U+1FFFE, the languages' codes without separators, U+1FFFF.
///
/// Unicode reserves these noncharacters for internal use, like those of `FieldMarker`. A field marker precedes the
/// mark.
package enum LanguageMark {
    private static let begin: [UInt8] = [0xF0, 0x9F, 0xBF, 0xBE]
    private static let end: [UInt8] = [0xF0, 0x9F, 0xBF, 0xBF]
    private static let codeLength = 2

    /// The mark for these languages; empty for none.
    package static func text(_ languages: [TextLanguage]) -> String {
        if languages.isEmpty { return "" }
        return String(decoding: begin + languages.flatMap(\.rawValue.utf8) + end, as: UTF8.self)
    }

    /// A text without the mark at its beginning.
    package static func removed(from text: String) -> String {
        var text = text
        let count = text.withUTF8 { Self.length(of: $0) }
        return count == 0 ? text : String(decoding: Array(text.utf8.dropFirst(count)), as: UTF8.self)
    }

    /// The length in bytes of the mark that a text begins with; 0 for a text without one.
    static func length(of text: UnsafeBufferPointer<UInt8>) -> Int {
        guard text.starts(with: begin) else { return 0 }
        var index = begin.count
        while index < text.count, isLetter(text[index]) { index += 1 }
        let isWhole = (index - begin.count) % codeLength == 0 && text[index...].starts(with: end)
        return isWhole ? index + end.count : 0
    }

    /// Whether a text's mark of this length names the language.
    static func names(_ language: TextLanguage, in text: UnsafeBufferPointer<UInt8>, length: Int) -> Bool {
        stride(from: begin.count, to: length - end.count, by: codeLength).contains { place in
            text[place..<place + codeLength].elementsEqual(language.rawValue.utf8)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
}
