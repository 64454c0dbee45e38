/// The marker at the beginning of a text that says which of several analyzers applies to it.
///
/// A full-text table has one tokenizer, and does not tell it which column a text comes from. So a text with an analyzer
/// of its own begins with a noncharacter: U+FDD1 for the first such analyzer, U+FDD2 for the second, and so on. Unicode
/// reserves noncharacters for internal use: text for interchange has none (The Unicode Standard, section 23.7). In
/// UTF-8 each is three bytes, EF B7 90 and up.
package enum FieldMarker {
    /// How many markers there are.
    package static let count = 31

    /// The marker with this number, from 1 to `count`; empty for 0, the analyzer of texts without a marker.
    package static func text(_ number: Int) -> String {
        guard (1...count).contains(number), let scalar = scalar(number) else { return "" }
        return String(Character(scalar))
    }

    /// A text without the marker at its beginning, and without the language mark that a query may have there.
    package static func removed(from text: String) -> String {
        guard let first = text.unicodeScalars.first, let last = scalar(count), let zero = scalar(0),
            zero < first, first <= last
        else { return LanguageMark.removed(from: text) }
        return LanguageMark.removed(from: String(text.unicodeScalars.dropFirst()))
    }

    /// The length of a marker in bytes of UTF-8.
    static let length = 3

    /// The number of the marker that the bytes begin with; nil if they begin with none.
    @inline(__always)
    static func number(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count >= length, text[0] == 0xEF, text[1] == 0xB7 else { return nil }
        let number = Int(text[2]) - 0x90
        return (1...count).contains(number) ? number : nil
    }

    private static func scalar(_ number: Int) -> Unicode.Scalar? { Unicode.Scalar(UInt32(0xFDD0 + number)) }
}
