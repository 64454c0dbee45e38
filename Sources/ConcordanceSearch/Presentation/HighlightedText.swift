import ConcordanceText

/// A text, and the parts of it that matched a query.
///
/// The ranges are the result; everything else is derived from them:
///
/// ```swift
/// let title = hit.highlights(\.title)
/// title.ranges                        // ranges of title.text
/// title.attributedString              // for Text in SwiftUI
/// title.html()                        // Take a walk this <mark>week</mark>
/// title.ansi()                        // for a terminal
/// title.marked(open: "[", close: "]") // Take a walk this [week]
/// ```
public struct HighlightedText: Hashable, Sendable {
    /// The text as it is in the document.
    public let text: String
    /// The matches, in UTF-8 bytes of the text: in order, not overlapping, not empty, each from the start of a
    /// character to the end of one.
    package let utf8Ranges: [Range<Int>]

    /// Creates a text with ranges in any order. Overlapping ranges are joined, ranges outside the text are cut off, and
    /// ends within a character move outwards.
    public init(_ text: String, ranges: [Range<String.Index>] = []) {
        let start = text.startIndex
        let end = text.endIndex
        self.init(
            text,
            utf8Ranges: ranges.map { range in
                let lower = min(max(range.lowerBound, start), end)
                let upper = min(max(range.upperBound, lower), end)
                return text.utf8.distance(from: start, to: lower)..<text.utf8.distance(from: start, to: upper)
            })
    }

    /// The same with ranges in bytes.
    init(_ text: String, utf8Ranges: [Range<Int>]) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        self.utf8Ranges = CharacterBoundaries.extending(utf8Ranges, in: text)
    }

    /// The matches, as ranges of `text`: in order, not overlapping, not empty.
    public var ranges: [Range<String.Index>] { utf8Ranges.map(range) }

    /// Whether anything matched.
    public var hasMatches: Bool { !utf8Ranges.isEmpty }

    /// A part of the text that matched, or did not match, as a whole.
    public struct Run: Hashable, Sendable {
        /// The text of the part.
        public let text: Substring
        /// Whether it matched.
        public let isMatch: Bool
    }

    /// The whole text in parts, none of them empty.
    public var runs: [Run] {
        var runs: [Run] = []
        var position = text.startIndex
        for range in ranges {
            if position < range.lowerBound {
                runs.append(Run(text: text[position..<range.lowerBound], isMatch: false))
            }
            runs.append(Run(text: text[range], isMatch: true))
            position = range.upperBound
        }
        if position < text.endIndex { runs.append(Run(text: text[position...], isMatch: false)) }
        return runs
    }

    /// Returns the text with markers around each match. The text itself is not escaped; for HTML and terminals use
    /// `html` and `ansi`, which escape it.
    public func marked(open: String, close: String) -> String {
        rendered { $0.isMatch ? open + $0.text + close : String($0.text) }
    }

    /// The text with each part rendered by `render`, joined.
    package func rendered(_ render: (Run) throws -> String) rethrows -> String {
        var result = ""
        for run in runs { result += try render(run) }
        return result
    }

    private func range(_ bytes: Range<Int>) -> Range<String.Index> {
        let lower = text.utf8.index(text.startIndex, offsetBy: bytes.lowerBound)
        return lower..<text.utf8.index(lower, offsetBy: bytes.count)
    }
}

extension HighlightedText: CustomStringConvertible {
    /// The text with matches in brackets.
    public var description: String { marked(open: "[", close: "]") }
}
