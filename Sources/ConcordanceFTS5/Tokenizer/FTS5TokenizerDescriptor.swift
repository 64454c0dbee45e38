import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// The content of a table's `tokenize` option: the name of a tokenizer, and its arguments.
///
/// ```swift
/// t.tokenizer = .porter(wrapping: .unicode61(diacritics: .remove))
/// // tokenize='porter unicode61 remove_diacritics 2'
/// ```
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
    /// The name, then the arguments, as the tokenizer sees them.
    public var components: [String]

    /// Creates a descriptor from a tokenizer's name and its arguments.
    public init(components: [String]) { self.components = components }

    /// The tokenizer's name; empty if there are no components, which FTS5 treats as `unicode61`.
    public var name: String { components.first ?? "" }

    /// The components after the name.
    public var arguments: [String] { Array(components.dropFirst()) }

    /// The value of the `tokenize` option, before it is quoted as an SQL string.
    var optionValue: String {
        components.map { $0.isFTS5Bareword ? $0 : $0.quotedDatabaseString }.joined(separator: " ")
    }
}

extension FTS5TokenizerDescriptor: CustomStringConvertible {
    public var description: String { optionValue }
}

extension FTS5 {
    /// What `unicode61` does to the accents of Latin letters.
    public enum Diacritics: Int, Hashable, Sendable {
        /// They are kept: é is not e.
        case keep = 0
        /// They are removed if the letter with its accent is one code point with one accent: é is e, ộ is not o.
        /// SQLite's default.
        case removeLegacy = 1
        /// They are removed: é is e, ộ is o.
        case remove = 2
    }
}

extension FTS5TokenizerDescriptor {
    /// The tokenizer that folds ASCII letters and treats every other character as a letter.
    ///
    /// - Parameters:
    ///   - separators: Characters that separate tokens although they are ASCII letters or digits.
    ///   - tokenCharacters: ASCII characters that belong to tokens although they are neither letters nor digits.
    public static func ascii(
        separators: Set<Character> = [], tokenCharacters: Set<Character> = []
    ) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: ["ascii"] + options(separators, tokenCharacters))
    }

    /// SQLite's default tokenizer: Unicode 6.1 letters and digits, in lower case.
    ///
    /// - Parameters:
    ///   - diacritics: What happens to accents.
    ///   - categories: The Unicode categories that make tokens; nil for SQLite's default, `L* N* Co`.
    ///   - separators: Characters that separate tokens although their category belongs to tokens.
    ///   - tokenCharacters: Characters that belong to tokens although their category does not.
    public static func unicode61(
        diacritics: FTS5.Diacritics = .removeLegacy,
        categories: String? = nil,
        separators: Set<Character> = [],
        tokenCharacters: Set<Character> = []
    ) -> FTS5TokenizerDescriptor {
        var components = ["unicode61"]
        if diacritics != .removeLegacy { components += ["remove_diacritics", String(diacritics.rawValue)] }
        if let categories { components += ["categories", categories] }
        return FTS5TokenizerDescriptor(components: components + options(separators, tokenCharacters))
    }

    /// The older spelling of `unicode61(diacritics:)`: accents are removed as SQLite does by default, or kept.
    public static func unicode61(
        removeDiacritics: Bool, separators: Set<Character> = [], tokenCharacters: Set<Character> = []
    ) -> FTS5TokenizerDescriptor {
        unicode61(
            diacritics: removeDiacritics ? .removeLegacy : .keep, separators: separators,
            tokenCharacters: tokenCharacters)
    }

    /// English stemming (Porter 1980) of the tokens of another tokenizer, by default `unicode61`.
    public static func porter(wrapping base: FTS5TokenizerDescriptor? = nil) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: ["porter"] + (base?.components ?? []))
    }

    /// Every three consecutive characters are a token, so that any part of a text of three or more characters matches.
    ///
    /// - Parameters:
    ///   - caseSensitive: Whether A and a differ.
    ///   - removeDiacritics: Whether é is e; requires SQLite 3.45, and cannot be combined with `caseSensitive`.
    public static func trigram(
        caseSensitive: Bool = false, removeDiacritics: Bool = false
    ) -> FTS5TokenizerDescriptor {
        var components = ["trigram"]
        if caseSensitive { components += ["case_sensitive", "1"] }
        if removeDiacritics { components += ["remove_diacritics", "1"] }
        return FTS5TokenizerDescriptor(components: components)
    }

    private static func options(_ separators: Set<Character>, _ tokenCharacters: Set<Character>) -> [String] {
        var components: [String] = []
        if !separators.isEmpty { components += ["separators", String(separators.sorted())] }
        if !tokenCharacters.isEmpty { components += ["tokenchars", String(tokenCharacters.sorted())] }
        return components
    }
}

extension String {
    /// Whether FTS5 treats it as one word in a table option without quotes.
    var isFTS5Bareword: Bool {
        !isEmpty
            && utf8.allSatisfy {
                switch $0 {
                case 0x80..., UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }
}

extension FTS5TokenizerDescriptor {
    /// - Throws: `FTS5Error` for arguments that no tokenizer of the SQLite in use accepts.
    func validate() throws(FTS5Error) {
        if components.contains(where: { $0.utf8.contains(0) }) { throw .tokenizerRefused(components) }
        // SQLite's porter goes one call deeper for each "porter" among its arguments.
        if components.count > 256 { throw .tokenizerRecursion(name) }
        if name == "trigram", arguments.contains("remove_diacritics"), csqlite_libversion_number() < 3_045_000 {
            throw .unsupported(feature: "remove_diacritics of the trigram tokenizer", requires: "SQLite 3.45 or later")
        }
    }
}
