/// The marker before a text that says which of several analyzers is its own.
///
/// A full-text table has one tokenizer and does not tell it which column a text is of. So a text that has an analyzer
/// of its own begins with a noncharacter, U+FDD1 for the first such analyzer, U+FDD2 for the second and so on. Unicode
/// keeps noncharacters for internal use: no text for interchange has any (The Unicode Standard, section 23.7). In UTF-8
/// they are three bytes, EF B7 90 and up.
public enum FieldMarker {
    /// How many markers there are.
    public static let count = 31

    /// The marker with this number, from 1 to `count`; no text for 0, which is the analyzer of texts without a marker.
    public static func text(_ number: Int) -> String {
        guard (1...count).contains(number), let scalar = scalar(number) else { return "" }
        return String(Character(scalar))
    }

    /// A text without the marker at its beginning, and without the mark of languages that a query may have there.
    public static func removed(from text: String) -> String {
        guard let first = text.unicodeScalars.first, let last = scalar(count), let zero = scalar(0),
            zero < first, first <= last
        else { return LanguageMark.removed(from: text) }
        return LanguageMark.removed(from: String(text.unicodeScalars.dropFirst()))
    }

    /// How many bytes of UTF-8 a marker has.
    static let length = 3

    /// The number of the marker that the bytes begin with; nil where they begin otherwise.
    @inline(__always)
    static func number(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count >= length, text[0] == 0xEF, text[1] == 0xB7 else { return nil }
        let number = Int(text[2]) - 0x90
        return (1...count).contains(number) ? number : nil
    }

    private static func scalar(_ number: Int) -> Unicode.Scalar? { Unicode.Scalar(UInt32(0xFDD0 + number)) }
}
