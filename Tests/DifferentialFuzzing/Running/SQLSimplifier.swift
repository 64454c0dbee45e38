/// Simplifies the SQL statements of scripts, one part at a time, by their text alone.
enum SQLSimplifier {
    /// Statements that leave one part out, those that leave out most first.
    static func simplifications(of sql: String) -> [String] {
        let text = Array(sql)
        return (tuples(text) + options(text) + literals(text)).map { String($0) }.filter { $0 != sql }
    }

    /// The characters of a statement outside of quoted strings, each with its depth in parentheses.
    private static func scan(_ text: [Character], _ body: (_ index: Int, _ depth: Int, _ isQuoted: Bool) -> Void) {
        var depth = 0
        var quote: Character?
        for (index, character) in text.enumerated() {
            if let open = quote {
                body(index, depth, true)
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
                body(index, depth, true)
            } else {
                if character == ")" { depth -= 1 }
                body(index, depth, false)
                if character == "(" { depth += 1 }
            }
        }
    }

    private static func without(_ text: [Character], _ range: Range<Int>) -> [Character] {
        Array(text[..<range.lowerBound] + text[range.upperBound...])
    }

    /// Drops one row of `VALUES (...), (...)`.
    private static func tuples(_ text: [Character]) -> [[Character]] {
        var starts: [Int] = []
        var ends: [Int] = []
        scan(text) { index, depth, isQuoted in
            guard !isQuoted, depth == 0 else { return }
            if text[index] == "(" { starts.append(index) }
            if text[index] == ")" { ends.append(index) }
        }
        guard starts.count == ends.count else { return [] }
        return zip(starts, ends).dropFirst().filter { start, _ in start >= 2 && text[start - 2] == "," }
            .map { start, end in without(text, start - 2..<end + 1) }
            + zip(starts, ends).filter { _, end in end + 3 < text.count && text[end + 1] == "," && text[end + 3] == "("
            }
            .map { start, end in without(text, start..<end + 3) }
    }

    /// Drops one `name=value` of a table's definition.
    private static func options(_ text: [Character]) -> [[Character]] {
        guard String(text.prefix(14)) == "CREATE VIRTUAL" else { return [] }
        var commas: [Int] = []
        scan(text) { index, depth, isQuoted in
            if !isQuoted, depth == 1, text[index] == "," { commas.append(index) }
        }
        commas.append(text.count - 1)
        return zip(commas, commas.dropFirst()).filter { text[$0..<$1].contains("=") }.map { without(text, $0..<$1) }
    }

    /// Drops words of one quoted string.
    private static func literals(_ text: [Character]) -> [[Character]] {
        var ranges: [Range<Int>] = []
        var start: Int?
        for (index, character) in text.enumerated() where character == "'" {
            if let open = start {
                ranges.append(open + 1..<index)
                start = nil
            } else {
                start = index
            }
        }
        var results: [[Character]] = []
        for range in ranges where !range.isEmpty {
            let words = text[range].split(separator: " ", omittingEmptySubsequences: false)
            guard words.count > 1 else { continue }
            func keeping(_ kept: some Sequence<ArraySlice<Character>>) {
                results.append(
                    Array(text[..<range.lowerBound]) + Array(kept.joined(separator: " "))
                        + Array(text[range.upperBound...]))
            }
            keeping(words.prefix(words.count / 2))
            keeping(words.suffix(words.count / 2))
            if words.count < 40 {
                for index in words.indices {
                    keeping(words[..<index] + words[(index + 1)...])
                }
            }
        }
        return results
    }
}
