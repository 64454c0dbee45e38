import Concordance

/// A hit as lines for a terminal. Without colours, brackets mark the matches in the snippet.
struct HitRendering {
    var style: Style
    var width: Int
    private static let indent = 4
    private static let widest = 120

    /// How many words fill two lines: in most texts a word and its space take about six columns.
    static func snippetWords(width: Int) -> Int { max(8, min(min(width, widest) * 2 / 6, 64)) }

    init(style: Style, width: Int) {
        self.style = style
        self.width = max(20, min(width, Self.widest))
    }

    /// ```
    ///  1. ls(1) - list directory contents                                    12.3
    ///     /usr/share/man/man1/ls.1.gz
    ///     … [sort] entries alphabetically if none of …
    /// ```
    func lines(_ hit: Hit, number: Int, snippetLines: Int = 2) -> [String] {
        let indent = String(repeating: " ", count: Self.indent)
        let label = String(number)
        let head = String(repeating: " ", count: max(0, Self.indent - 2 - label.count)) + label + ". "
        let score = rounded(hit.score, digits: 1)
        let room = width - head.count - score.count - 2
        let title = wrapped(hit.title, columns: room, lines: 1, plain: style.title).first
        let used = title?.columns ?? 0
        var lines = [
            head + (title?.text ?? "") + String(repeating: " ", count: max(1, room - used + 2)) + style.faint(score)
        ]
        let location = TerminalText.line(hit.path) + (hit.line.map { ":\($0)" } ?? "")
        var facts = hit.page.map { [DocumentKind.page($0, ofKind: hit.kind)] } ?? []
        if hit.similarCount > 0 { facts.append("\(grouped(hit.similarCount)) similar") }
        lines.append(
            indent + style.path(location) + (facts.isEmpty ? "" : "  " + style.faint(facts.joined(separator: ", "))))
        lines += wrapped(
            hit.snippet, columns: width - Self.indent, lines: snippetLines, showsMatch: true,
            brackets: !style.isColored
        )
        .map { indent + $0.text }
        return lines
    }

    /// Breaks a text at spaces into lines of `columns` columns; an ellipsis marks text that was cut.
    ///
    /// - Parameters:
    ///   - showsMatch: Whether to begin close enough to the first match to show it.
    ///   - brackets: Whether to put matches in brackets, which count as part of them.
    private func wrapped(
        _ text: HighlightedText, columns: Int, lines limit: Int, showsMatch: Bool = false, brackets: Bool = false,
        plain: (String) -> String = { $0 }
    ) -> [(text: String, columns: Int)] {
        let line = MarkedLine(text, brackets: brackets)
        // Lines that break between words are seldom full.
        var rest = showsMatch ? line.fromFirstMatch(columns: columns * limit * 3 / 4) : line.elements[...]
        var lines: [(text: String, columns: Int)] = []
        while lines.count < limit {
            rest = rest.drop { $0.character == " " }
            guard !rest.isEmpty else { break }
            let isLast = lines.count == limit - 1
            let end = lineEnd(rest, columns: columns, marksRest: isLast)
            var line = rest[..<end]
            rest = rest[end...]
            while line.last?.character == " " { line.removeLast() }
            if isLast, !rest.isEmpty { line.append(MarkedLine.Element(character: "…", isMatch: false)) }
            lines.append((dressed(line, plain: plain), line.reduce(0) { $0 + TerminalText.width($1.character) }))
        }
        return lines
    }

    /// Where a line ends: after the last word that fits, or within a word that is longer than the line.
    private func lineEnd(_ cells: ArraySlice<MarkedLine.Element>, columns: Int, marksRest: Bool) -> Int {
        var used = 0
        var lastSpace: Int?
        for (index, cell) in zip(cells.indices, cells) {
            used += TerminalText.width(cell.character)
            if used > columns {
                if !marksRest { return lastSpace ?? max(index, cells.startIndex + 1) }
                // The ellipsis needs a column.
                let space = lastSpace.flatMap { $0 > cells.startIndex ? $0 : nil }
                return max(min(space ?? index - 1, index - 1), cells.startIndex + 1)
            }
            if cell.character == " " { lastSpace = index }
        }
        return cells.endIndex
    }

    private func dressed(_ cells: ArraySlice<MarkedLine.Element>, plain: (String) -> String) -> String {
        var text = ""
        var rest = cells
        while let first = rest.first {
            let run = rest.prefix { $0.isMatch == first.isMatch }
            let part = String(run.map(\.character))
            text += first.isMatch ? style.match(part) : plain(part)
            rest = rest[run.endIndex...]
        }
        return text
    }
}
