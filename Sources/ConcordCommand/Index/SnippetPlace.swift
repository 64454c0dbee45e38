import Concordance

/// Where in a text its snippet is, which has lost line ends on the way.
struct SnippetPlace {
    /// Bytes of the text's UTF-8 before the first match, or before the snippet if it shows no match.
    let offset: Int

    /// Comparisons of bytes, so that texts of the same letter again and again take no longer than others.
    private static let mostComparisons = 8 << 20
    private static let ellipsis = Array(SnippetOptions().ellipsis.utf8)

    /// nil if the text does not have what the snippet shows.
    ///
    /// - Parameter snippet: One fragment, with its white space made into single spaces.
    init?(of snippet: HighlightedText, in text: String) {
        let shown = Array(snippet.text.utf8)
        var (start, end) = (0, shown.count)
        if shown.starts(with: Self.ellipsis) { start = Self.ellipsis.count }
        if shown[start...].suffix(Self.ellipsis.count).elementsEqual(Self.ellipsis) { end -= Self.ellipsis.count }
        while start < end, shown[start] <= 0x20 { start += 1 }
        while end > start, shown[end - 1] <= 0x20 { end -= 1 }
        guard start < end else { return nil }
        let match = min(max(snippet.utf8Ranges.first?.lowerBound ?? start, start), end - 1)
        var text = text
        let found = text.withUTF8 { Self.place(of: shown[start..<end], in: $0, at: match) }
        guard let found else { return nil }
        offset = found
    }

    /// Where the byte of `wanted` at the index `match` is in the text.
    private static func place(
        of wanted: ArraySlice<UInt8>, in text: UnsafeBufferPointer<UInt8>, at match: Int
    ) -> Int? {
        var comparisons = 0
        for start in text.indices where text[start] == wanted[wanted.startIndex] {
            var (place, found) = (start, start)
            var next = wanted.startIndex
            while next < wanted.endIndex, place < text.count {
                if next == match { found = place }
                if wanted[next] == 0x20 {
                    guard text[place] <= 0x20 else { break }
                    while place < text.count, text[place] <= 0x20 { place += 1 }
                } else {
                    guard text[place] == wanted[next] else { break }
                    place += 1
                }
                next += 1
            }
            if next == wanted.endIndex { return found }
            comparisons += next - wanted.startIndex
            if comparisons > mostComparisons { return nil }
        }
        return nil
    }
}

extension Document {
    /// The page, slide, sheet or chapter that a hit is on: that of its snippet's first match.
    ///
    /// - Parameter first: The page on which the text begins; nil if it has no pages.
    static func page(of snippet: HighlightedText, in body: String, from first: Int?) -> Int? {
        guard let first, body.utf8.contains(pageBreak) else { return first }
        return SnippetPlace(of: snippet, in: body).map { page(at: $0.offset, in: body, from: first) } ?? first
    }

    /// The line that a hit is on: that of its snippet's first match in a part of a long text, whose lines are those of the file.
    ///
    /// - Parameter first: The line on which the document begins; nil if it is a whole file.
    static func line(of snippet: HighlightedText, in body: String, from first: Int?, kind: String?) -> Int? {
        guard let first, let kind = kind.flatMap(DocumentKind.init), [.text, .log, .code].contains(kind),
            let place = SnippetPlace(of: snippet, in: body)
        else { return first }
        return body.utf8.prefix(place.offset).reduce(into: first) { if $1 == 10 { $0 += 1 } }
    }
}
