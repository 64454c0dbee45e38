/// A text, and what of it matched a query.
///
/// The ranges are the result; everything else is made of them:
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
    /// The text as it stands in the document.
    public let text: String
    /// What matched, in UTF-8 bytes of the text: in order, without overlaps, none of them empty, each from the beginning
    /// of a character to the end of one.
    public let utf8Ranges: [Range<Int>]

    /// A text and ranges of it, in any order. Ranges that overlap are joined; what lies outside of the text is cut off;
    /// ends within a character are moved outwards.
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

    /// The same with the ranges in bytes.
    init(_ text: String, utf8Ranges: [Range<Int>]) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        self.utf8Ranges = CharacterBoundaries.extending(utf8Ranges, in: text)
    }

    /// What matched, as ranges of `text`: in order, without overlaps, none of them empty.
    public var ranges: [Range<String.Index>] { utf8Ranges.map(range) }

    /// Whether anything matched.
    public var hasMatches: Bool { !utf8Ranges.isEmpty }

    /// A stretch of the text that matched as a whole, or did not.
    public struct Run: Hashable, Sendable {
        /// The stretch.
        public let text: Substring
        /// Whether it matched.
        public let isMatch: Bool
    }

    /// The whole text in stretches, none of them empty.
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

    /// The text with markers around what matched. The text stays as it is, so for HTML and terminals there are `html` and
    /// `ansi`, in which it cannot pass for more than text.
    public func marked(open: String, close: String) -> String {
        rendered { $0.isMatch ? open + $0.text + close : String($0.text) }
    }

    /// The text with each stretch rendered by `render`, joined.
    public func rendered(_ render: (Run) throws -> String) rethrows -> String {
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
    /// The text with what matched in brackets.
    public var description: String { marked(open: "[", close: "]") }
}
