import Concordance

/// A text on one line, as characters that belong to a match or not, without anything that a terminal obeys.
struct MarkedLine: Sendable {
    struct Element: Equatable, Sendable {
        var character: Character
        var isMatch: Bool
    }

    var elements: [Element]

    /// - Parameter brackets: Whether to put matches in brackets, which count as part of them.
    init(_ text: HighlightedText, brackets: Bool = false) {
        elements = text.runs.flatMap { run in
            let line = TerminalText.line(run.text)
            return (run.isMatch && brackets ? "[\(line)]" : line).map { Element(character: $0, isMatch: run.isMatch) }
        }
    }

    /// The text with each run of white space as one space, without any at its ends.
    func squeezed() -> MarkedLine {
        var result = self
        result.elements = []
        for element in elements {
            if element.character.isWhitespace {
                guard let last = result.elements.last, last.character != " " else { continue }
                result.elements.append(Element(character: " ", isMatch: element.isMatch && last.isMatch))
            } else {
                result.elements.append(element)
            }
        }
        if result.elements.last?.character == " " { result.elements.removeLast() }
        return result
    }

    /// The text from the start of a word, chosen so that the first match ends within `columns` columns.
    func fromFirstMatch(columns: Int) -> ArraySlice<Element> {
        guard let first = elements.firstIndex(where: \.isMatch) else { return elements[...] }
        let end = elements[first...].firstIndex { !$0.isMatch } ?? elements.endIndex
        var start = end
        var used = 0
        while start > elements.startIndex {
            used += TerminalText.width(elements[start - 1].character)
            if used > columns { break }
            start -= 1
        }
        guard start > elements.startIndex else { return elements[...] }
        let space = elements[min(start, first)..<first].firstIndex { $0.character == " " }
        let kept = elements[(space.map { $0 + 1 } ?? min(start, first))...]
        return ([Element(character: "…", isMatch: false)] + kept)[...]
    }
}

extension Collection<MarkedLine.Element> {
    /// Runs of matches and of other characters.
    func runs(_ role: Role, match: Role) -> [StyledRun] {
        var runs: [StyledRun] = []
        for element in self {
            let wanted = element.isMatch ? match : role
            if runs.last?.role != wanted { runs.append(StyledRun("", wanted)) }
            runs[runs.count - 1].text.append(element.character)
        }
        return runs
    }
}
