import Concordance

/// A text with its matches, broken into lines of a given width.
///
/// Lines are ranges of bytes, so breaking hundreds of kilobytes takes a few milliseconds. Their runs are created when
/// they are shown.
struct WrappedText: Sendable {
    let text: String
    let matches: [Range<Int>]
    let columns: Int
    /// In bytes of the text's UTF-8, without line terminators.
    private(set) var lines: [Range<Int>] = []
    private let pageBreaks: [Int]

    static let tabColumns = 4

    init(_ highlighted: HighlightedText, columns: Int) {
        var text = highlighted.text
        text.makeContiguousUTF8()
        self.text = text
        self.columns = max(columns, 2)
        matches = highlighted.utf8Ranges
        pageBreaks = text.utf8.enumerated().lazy.filter { $0.element == Document.pageBreak }.map(\.offset)
        breakLines()
    }

    /// The line with a byte.
    func line(of byte: Int) -> Int {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].lowerBound <= byte { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }

    /// How many pages end before a byte.
    func pageBreaks(before byte: Int) -> Int { pageBreaks.prefix { $0 < byte }.count }

    /// The line of the original text, from 0, with a byte.
    func sourceLine(of byte: Int) -> Int { text.utf8.prefix(byte).reduce(0) { $0 + ($1 == 10 ? 1 : 0) } }

    /// The line of the original text around a range, up to 200 characters of it.
    func context(of range: Range<Int>) -> String {
        let bytes = Array(text.utf8)
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return "" }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start > 0, range.lowerBound - start < 100, bytes[start - 1] != 10 { start -= 1 }
        while end < bytes.count, end - range.upperBound < 100, bytes[end] != 10 { end += 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func matchText(_ index: Int) -> String {
        guard matches.indices.contains(index) else { return "" }
        return String(
            decoding: text.utf8.dropFirst(matches[index].lowerBound).prefix(matches[index].count), as: UTF8.self)
    }

    /// The runs of a line, with the match `current` emphasized.
    func runs(line index: Int, current: Int?) -> [StyledRun] {
        guard lines.indices.contains(index) else { return [] }
        let line = lines[index]
        var runs: [StyledRun] = []
        var place = line.lowerBound
        var number = firstMatch(endingAfter: line.lowerBound)
        while place < line.upperBound {
            guard number < matches.count, matches[number].lowerBound < line.upperBound else {
                append(place..<line.upperBound, .text, from: line.lowerBound, to: &runs)
                break
            }
            let match = matches[number].clamped(to: line)
            if place < match.lowerBound { append(place..<match.lowerBound, .text, from: line.lowerBound, to: &runs) }
            append(match, number == current ? .currentMatch : .match, from: line.lowerBound, to: &runs)
            place = max(match.upperBound, place)
            number += 1
        }
        return runs
    }

    private func firstMatch(endingAfter byte: Int) -> Int {
        var (low, high) = (0, matches.count)
        while low < high {
            let middle = (low + high) / 2
            if matches[middle].upperBound <= byte { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func append(_ range: Range<Int>, _ role: Role, from start: Int, to runs: inout [StyledRun]) {
        let piece = slice(range)
        guard piece.utf8.contains(9) else {
            runs.append(StyledRun(String(piece), role))
            return
        }
        var column = runs.reduce(0) { $0 + TerminalText.width($1.text) }
        var text = ""
        for character in piece {
            if character == "\t" {
                let count = min(Self.tabColumns - column % Self.tabColumns, max(columns - column, 1))
                text += String(repeating: " ", count: count)
                column += count
            } else {
                text.append(character)
                column += TerminalText.width(character)
            }
        }
        runs.append(StyledRun(text, role))
    }

    private func slice(_ range: Range<Int>) -> Substring {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return text[start..<bytes.index(start, offsetBy: range.count)]
    }

    // MARK: Breaking

    private mutating func breakLines() {
        // A local copy, so that characters can be read while lines are added.
        var lines: [Range<Int>] = []
        var wrapper = Wrapper(columns: columns)
        let bytes = text.utf8
        var index = bytes.startIndex
        var place = 0
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x80, isPlain(after: index) {
                index = bytes.index(after: index)
                if byte == 10 {
                    lines.append(wrapper.end(at: place, next: place + 1))
                } else {
                    // A control character is shown as a space.
                    wrapper.take(
                        byte == 9 ? nil : 1, bytes: 1, at: place, isSpace: byte == 32 || byte == 9, into: &lines)
                }
                place += 1
                continue
            }
            let next = text.index(after: index)
            let length = bytes.distance(from: index, to: next)
            let character = text[index]
            if character == "\r\n" {
                lines.append(wrapper.end(at: place, next: place + length))
            } else if length == 1 {
                // No combining mark follows.
                wrapper.take(
                    byte == 9 ? nil : 1, bytes: 1, at: place, isSpace: byte == 32 || byte == 9, into: &lines)
            } else {
                let width = TerminalText.width(character)
                // A line may end between Chinese or Japanese characters.
                wrapper.take(
                    width, bytes: length, at: place, isSpace: width == 2 && character.unicodeScalars.count == 1,
                    into: &lines)
            }
            place += length
            index = next
        }
        if place > wrapper.start || lines.isEmpty { lines.append(wrapper.end(at: place, next: place)) }
        self.lines = lines
    }

    /// Whether the character that begins with this ASCII byte surely ends with it. Nothing joins a control character,
    /// except for CR LF.
    private func isPlain(after index: String.Index) -> Bool {
        let bytes = text.utf8
        let next = bytes.index(after: index)
        if next == bytes.endIndex { return true }
        if bytes[index] < 32 { return !(bytes[index] == 13 && bytes[next] == 10) }
        return bytes[next] < 0x80
    }
}

/// The line being filled.
private struct Wrapper {
    let columns: Int
    private(set) var start = 0
    private(set) var used = 0
    /// The last place where the line may end, and the columns up to there.
    private var breakPlace: Int?
    private var breakUsed = 0

    init(columns: Int) { self.columns = columns }

    /// Adds a character; appends the lines that it completes to `lines`.
    ///
    /// - Parameter width: In columns; nil for a tab.
    mutating func take(_ width: Int?, bytes: Int, at place: Int, isSpace: Bool, into lines: inout [Range<Int>]) {
        while used + (width ?? tabWidth) > columns, place > start {
            if let breakPlace, breakPlace > start {
                lines.append(start..<breakPlace)
                start = breakPlace
                used -= breakUsed
            } else {
                lines.append(start..<place)
                start = place
                used = 0
            }
            breakPlace = nil
            breakUsed = 0
        }
        // A tab is never wider than the line.
        used += min(width ?? tabWidth, columns)
        if isSpace {
            breakPlace = place + bytes
            breakUsed = used
        }
    }

    private var tabWidth: Int { WrappedText.tabColumns - used % WrappedText.tabColumns }

    mutating func end(at place: Int, next: Int) -> Range<Int> {
        defer {
            start = next
            used = 0
            breakPlace = nil
            breakUsed = 0
        }
        return start..<max(place, start)
    }
}
