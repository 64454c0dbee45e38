/// Makes the tokens that FTS5's `trigram` makes: every three characters in a row, so that any substring of three
/// characters or more is a phrase.
///
/// Without `removeDiacritics` it treats every option and every byte as SQLite 3.40 does: a NUL ends the text, and a
/// token's end is its start plus its own length, although folding may have changed the length. With `removeDiacritics`,
/// which SQLite has since 3.45, the later definition holds: a NUL is skipped, as is a character that folds to nothing,
/// and a token ends after its last character and the removed characters that follow it. See
/// https://www.sqlite.org/fts5.html#the_trigram_tokenizer.
public final class TrigramTokenizer: Tokenizer {
    /// The options of the tokenizer, with SQLite's names and meanings.
    public struct Options: Hashable, Sendable {
        /// Whether characters are kept as they are instead of being folded to lower case.
        public var caseSensitive: Bool
        /// Whether letters lose their marks, as with `unicode61 remove_diacritics 2`; has no effect on case-sensitive
        /// tokens.
        public var removeDiacritics: Bool

        /// Creates options with these values; the defaults are SQLite's.
        public init(caseSensitive: Bool = false, removeDiacritics: Bool = false) {
            self.caseSensitive = caseSensitive
            self.removeDiacritics = removeDiacritics
        }

        /// Reads the options from FTS5's arguments, such as `["case_sensitive", "1"]`.
        ///
        /// - Throws: `TokenizerError` for what SQLite refuses, such as case-sensitive tokens without diacritics.
        package init(arguments: [String]) throws(TokenizerError) {
            self.init()
            let arguments = try TokenizerArguments(
                arguments, tokenizer: TrigramTokenizer.name, known: ["case_sensitive", "remove_diacritics"])
            for (option, value) in arguments.pairs {
                let isOn = try arguments.digit(value, of: option, in: 0...1) == 1
                if option == "case_sensitive" { caseSensitive = isOn } else { removeDiacritics = isOn }
            }
            if caseSensitive, removeDiacritics {
                throw .invalidValue(
                    "1", option: "remove_diacritics", tokenizer: TrigramTokenizer.name,
                    expected: "0, or remove case_sensitive")
            }
        }

        /// The options as FTS5's arguments; empty for the defaults.
        package var arguments: [String] {
            (caseSensitive ? ["case_sensitive", "1"] : [])
                + (removeDiacritics && !caseSensitive ? ["remove_diacritics", "1"] : [])
        }
    }

    /// SQLite's name for the tokenizer.
    package static let name = "trigram"

    /// The options it was made with.
    package let options: Options

    /// A tokenizer with these options; the defaults are SQLite's.
    package init(_ options: Options = Options()) { self.options = options }

    /// - Throws: `TokenizerError` for what SQLite refuses.
    package convenience init(arguments: [String]) throws(TokenizerError) {
        self.init(try Options(arguments: arguments))
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        guard let base = text.baseAddress else { return 0 }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Window.capacity) { memory in
            guard let out = memory.baseAddress else { return 0 }
            var window = Window(bytes: out)
            var cursor = base
            let end = base + text.count
            if options.removeDiacritics, !options.caseSensitive {
                return window.slideWithoutDiacritics(from: &cursor, base: base, end: end, into: sink)
            }
            return window.slide(from: &cursor, base: base, end: end, folding: !options.caseSensitive, into: sink)
        }
    }
}

/// The last characters read, at most three: their UTF-8, one after another, and where each stands in the text.
private struct Window {
    static let capacity = 3 * SQLiteUTF8.maximumLength

    let bytes: UnsafeMutablePointer<UInt8>
    var lengths = (0, 0, 0)
    var starts = (0, 0, 0)
    var characters = 0

    init(bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

    var isFull: Bool { characters == 3 }
    var count: Int { lengths.0 + lengths.1 + lengths.2 }

    /// Adds a character, and removes the first one if there are three.
    mutating func push(_ scalar: UInt32, at start: Int) {
        if isFull {
            bytes.update(from: bytes + lengths.0, count: lengths.1 + lengths.2)
            lengths = (lengths.1, lengths.2, 0)
            starts = (starts.1, starts.2, 0)
            characters = 2
        }
        let (utf8, length) = SQLiteUTF8.encode(scalar)
        UnsafeMutableRawPointer(bytes + count).storeBytes(of: utf8.littleEndian, as: UInt32.self)
        switch characters {
        case 0: (lengths.0, starts.0) = (length, start)
        case 1: (lengths.1, starts.1) = (length, start)
        default: (lengths.2, starts.2) = (length, start)
        }
        characters += 1
    }

    /// The tokens of SQLite 3.40.
    mutating func slide(
        from cursor: inout UnsafePointer<UInt8>, base: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, folding: Bool,
        into sink: TokenSink
    ) -> Int32 {
        while cursor < end {
            let start = cursor - base
            let scalar = SQLiteUTF8.decode(&cursor, before: end)
            if scalar == 0 { break }
            push(folding ? SQLiteUnicodeTables.caseFolded(scalar) : scalar, at: start)
            guard isFull else { continue }
            let code = sink.emit(bytes, count: count, start: starts.0, end: starts.0 + count)
            if code != 0 { return code }
        }
        return 0
    }

    /// The tokens of SQLite 3.45 with `remove_diacritics 1`. A token waits for the next character, since the removed
    /// characters before that belong to the token.
    mutating func slideWithoutDiacritics(
        from cursor: inout UnsafePointer<UInt8>, base: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
        into sink: TokenSink
    ) -> Int32 {
        while cursor < end {
            let start = cursor - base
            let scalar = SQLiteUnicodeTables.fullyFolded(SQLiteUTF8.decode(&cursor, before: end))
            if scalar == 0 { continue }
            if isFull {
                let code = sink.emit(bytes, count: count, start: starts.0, end: start)
                if code != 0 { return code }
            }
            push(scalar, at: start)
        }
        return isFull ? sink.emit(bytes, count: count, start: starts.0, end: end - base) : 0
    }
}
