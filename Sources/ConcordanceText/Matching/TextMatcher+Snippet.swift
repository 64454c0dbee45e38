/// The part of a text that a snippet shows.
package struct SnippetFragments: Sendable {
    /// In UTF-8 bytes, in order, each from the beginning of a character to the end of one.
    package var ranges: [Range<Int>]
    /// How many phrases of the query they contain, and how many matches.
    package var phraseCount: Int
    package var matchCount: Int
    /// The matches in the whole text, as `TextMatcher.ranges(in:limit:)` returns them.
    package var matches: [Range<Int>] = []
}

extension TextMatcher {
    /// The fragments of the text that show most of the matches, or the beginning of the text if nothing matches.
    package func fragments(of text: String, _ options: SnippetOptions) -> SnippetFragments {
        var text = text
        text.makeContiguousUTF8()
        let matches = matches(in: text)
        let length = options.length.clamped
        return text.utf8.withContiguousStorageIfAvailable { utf8 in
            var fragments = SnippetFragments(ranges: [], phraseCount: 0, matchCount: 0)
            var choice = SnippetChoice(matches, in: utf8, length: length)
            let limit = max(1, min(options.fragments, SnippetOptions.mostFragments))
            while fragments.ranges.count < limit, let (stretch, score) = choice.next() {
                fragments.phraseCount += score.phrases
                fragments.matchCount += score.matches
                fragments.ranges.append(
                    SnippetLayout.fragment(around: stretch, in: text, utf8: utf8, length: length))
            }
            if fragments.ranges.isEmpty, let start = utf8.firstIndex(where: { $0 > 0x20 }) {
                fragments.ranges = [
                    SnippetLayout.fragment(around: start..<start, in: text, utf8: utf8, length: length)
                ]
            }
            fragments.ranges = Self.joined(fragments.ranges, utf8)
            var boundaries = CharacterBoundaries(text, utf8: utf8)
            fragments.matches = boundaries.extending(matches.map(\.range))
            return fragments
        } ?? SnippetFragments(ranges: [], phraseCount: 0, matchCount: 0)
    }

    /// The fragments in order; those with only white space between them become one.
    private static func joined(_ ranges: [Range<Int>], _ utf8: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last,
                range.lowerBound <= last.upperBound
                    || utf8[last.upperBound..<range.lowerBound].allSatisfy({ $0 <= 0x20 })
            {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
