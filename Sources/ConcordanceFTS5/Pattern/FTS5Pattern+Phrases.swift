extension FTS5Pattern {
    /// A pattern for rows with the tokens of `text` in a row: `"send weekly"`.
    ///
    /// The text stands in the pattern as it is, so the tokens are those that the table's own tokenizer makes of it when
    /// the pattern is matched. Where it makes none, the pattern matches no row.
    ///
    /// - Parameter isPrefix: Whether the last token may be the beginning of a longer one: `"send week" *`.
    public static func phrase(_ text: String, isPrefix: Bool = false) -> FTS5Pattern {
        FTS5Pattern(string(text, isPrefix: isPrefix), form: .operand)
    }

    /// A pattern for rows with all of these phrases near each other, in one column: `NEAR("send" "weekly", 5)`. No phrase:
    /// no row.
    ///
    /// The texts stand in the pattern as they are, as with `phrase(_:isPrefix:)`.
    ///
    /// - Parameters:
    ///   - distance: The largest number of tokens between the end of the first phrase and the start of the last.
    ///   - isPrefix: Whether the last token may be the beginning of a longer one.
    public static func near(phrases: [String], distance: Int, isPrefix: Bool = false) -> FTS5Pattern {
        var strings = phrases.map { string($0, isPrefix: false) }
        if isPrefix, let last = strings.popLast() { strings.append(last + " *") }
        return near(strings: strings, distance: distance) ?? .nothing
    }

    /// A pattern for rows that match all of these. No pattern: no row.
    public static func all(_ patterns: [FTS5Pattern]) -> FTS5Pattern { joined(patterns, by: .and, " AND ") }

    /// A pattern for rows that match at least one of these. No pattern: no row.
    public static func any(_ patterns: [FTS5Pattern]) -> FTS5Pattern { joined(patterns, by: .or, " OR ") }

    private static func string(_ text: String, isPrefix: Bool) -> String {
        var text = text
        return text.withUTF8 { PatternText.quoted($0, 0..<$0.count) } + (isPrefix ? " *" : "")
    }

    private static func joined(_ patterns: [FTS5Pattern], by form: FTS5QueryParser.Form, _ word: String) -> FTS5Pattern
    {
        guard let first = patterns.first else { return .nothing }
        if patterns.count == 1 { return first }
        return FTS5Pattern(patterns.map { $0.operand(of: form) }.joined(separator: word), form: form)
    }
}
