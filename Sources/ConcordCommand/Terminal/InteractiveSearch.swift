import Foundation

/// Searching in a conversation: at a terminal as one types, else a query a line.
struct InteractiveSearch {
    private let searcher: Searcher
    private let options: SearchOptions
    private let console: Console
    private let style: Style

    init(_ searcher: Searcher, options: SearchOptions, console: Console, style: Style) {
        self.searcher = searcher
        self.options = options
        self.console = console
        self.style = style
    }

    func run(initial: String, isJSON: Bool) throws -> ExitCode {
        if !isJSON, isatty(0) == 1, console.isOutputTerminal, let terminal = RawTerminal() {
            try searchAsTyped(initial: initial, terminal: terminal)
            return .success
        }
        var isFound = false
        if !initial.isEmpty { isFound = try answer(initial, isJSON: isJSON) }
        while let line = readLine() {
            if try answer(line, isJSON: isJSON) { isFound = true }
        }
        return isFound ? .success : .nothing
    }

    private func answer(_ query: String, isJSON: Bool) throws -> Bool {
        let result = try searcher.search(query, options: options)
        SearchCommand.print(result, options: options, isJSON: isJSON, console: console, style: style)
        if !isJSON { console.message(SearchCommand.summary(result)) }
        return !result.hits.isEmpty
    }

    private func searchAsTyped(initial: String, terminal: borrowing RawTerminal) throws {
        var line = LineEditor(text: initial)
        let completions = try searcher.completions()
        console.print("Type to search; Tab completes a word, Return keeps the results, Escape or Control-D ends.")
        var below = try draw(line, completions)
        while true {
            switch terminal.readKey() {
            case .end:
                console.print("\r\u{1B}[J", terminator: "")
                console.flush()
                return
            case .enter:
                // The list stays as it is, and the next query begins below it.
                console.print("\u{1B}[\(below)B\r")
                line = LineEditor(text: "")
                below = try draw(line, completions)
            case .complete:
                guard let suggestion = try completions.suggestions(for: line.text).first else { continue }
                line = LineEditor(text: suggestion.text + " ")
                below = try draw(line, completions)
            case .edit(let edit):
                line.apply(edit)
                // Keys that wait already would make this answer stale.
                if !terminal.hasInput { below = try draw(line, completions) }
            }
        }
    }

    /// Draws prompt and results in place of what is there, and leaves the cursor behind the prompt; returns how many lines
    /// there are from the prompt to the first free one.
    private func draw(_ line: LineEditor, _ completions: Completions) throws -> Int {
        let width = console.width
        let lines = try (suggested(line.text, completions, width: width) + results(line.text, width: width))
            .prefix(max(0, console.height - 3))
        let prompt = "search: "
        let typed = Self.end(of: TerminalText.line(line.text), columns: width - prompt.count - 1)
        console.print("\r\u{1B}[J" + style.title(prompt) + typed)
        for line in lines { console.print(line) }
        let column = prompt.count + TerminalText.width(typed)
        console.print("\u{1B}[\(lines.count + 1)A\r\u{1B}[\(column)C", terminator: "")
        console.flush()
        return lines.count + 1
    }

    /// The line that says how the last word may go on; none where nothing is known.
    private func suggested(_ text: String, _ completions: Completions, width: Int) throws -> [String] {
        let words = try completions.suggestions(for: text).map(\.word)
        if words.isEmpty { return [] }
        let line = TerminalText.line("Tab: " + words.joined(separator: "  "))
        return [style.faint(TerminalText.fitting(line, columns: width - 1))]
    }

    private func results(_ query: String, width: Int) throws -> [String] {
        guard !query.allSatisfy(\.isWhitespace) else { return [] }
        var options = options
        options.limit = max(1, min(options.limit, (console.height - 5) / 3))
        let result = try searcher.search(query, options: options, asYouType: true)
        let summary = SearchCommand.summary(result, asYouType: true)
        let rendering = HitRendering(style: style, width: width - 1)
        return [style.faint(TerminalText.fitting(summary, columns: width - 1))]
            + result.hits.enumerated().flatMap { index, hit in
                rendering.lines(hit, number: options.offset + index + 1, snippetLines: 1)
            }
    }

    /// The end of a text that is too long for its line, where the cursor is.
    private static func end(of text: String, columns: Int) -> String {
        var text = text[...]
        while TerminalText.width(text) > max(columns, 1) { text = text.dropFirst() }
        return String(text)
    }
}

/// A line being typed.
struct LineEditor: Equatable, Sendable {
    enum Edit: Equatable, Sendable {
        case insert(String)
        case deleteCharacter, deleteWord, deleteLine, none
    }

    var text: String
    private static let longest = 1000

    init(text: String) { self.text = text }

    mutating func apply(_ edit: Edit) {
        switch edit {
        case .insert(let more): if text.count + more.count <= Self.longest { text += more }
        case .deleteCharacter: if !text.isEmpty { text.removeLast() }
        case .deleteWord:
            while text.last?.isWhitespace == true { text.removeLast() }
            while let last = text.last, !last.isWhitespace { text.removeLast() }
        case .deleteLine: text = ""
        case .none: break
        }
    }
}

/// The terminal without its own line editing, for as long as this lives.
struct RawTerminal: ~Copyable {
    enum Key: Equatable, Sendable {
        case edit(LineEditor.Edit)
        case complete, enter, end
    }

    private var saved = termios()

    /// Nil where standard input is no terminal.
    init?() {
        guard tcgetattr(0, &saved) == 0 else { return nil }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        guard tcsetattr(0, TCSANOW, &raw) == 0 else { return nil }
    }

    deinit {
        var saved = saved
        tcsetattr(0, TCSANOW, &saved)
    }

    var hasInput: Bool { Self.hasInput(within: 0) }

    private static func hasInput(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    /// The next key; waits for it.
    func readKey() -> Key {
        guard let byte = Self.readByte() else { return .end }
        switch byte {
        case 3, 4: return .end
        case 9: return .complete
        case 10, 13: return .enter
        case 8, 127: return .edit(.deleteCharacter)
        case 21: return .edit(.deleteLine)
        case 23: return .edit(.deleteWord)
        case 27: return Self.readEscape()
        case 0..<32: return .edit(.none)
        default: return .edit(Self.readCharacter(first: byte))
        }
    }

    private static func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let got = read(0, &byte, 1)
            if got == 1 { return byte }
            if got < 0, errno == EINTR { continue }
            return nil
        }
    }

    /// Escape alone ends; an escape sequence, of an arrow key for one, follows it at once and means nothing here.
    private static func readEscape() -> Key {
        guard hasInput(within: 30), let next = readByte() else { return .end }
        guard next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { return .edit(.none) }
        while let byte = readByte(), !(0x40...0x7E).contains(byte) {}
        return .edit(.none)
    }

    private static func readCharacter(first: UInt8) -> LineEditor.Edit {
        let count =
            switch first {
            case 0xC2...0xDF: 1
            case 0xE0...0xEF: 2
            case 0xF0...0xF4: 3
            default: 0
            }
        var bytes = [first]
        for _ in 0..<count {
            if let byte = readByte() { bytes.append(byte) }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.utf8) == bytes ? .insert(text) : .none
    }
}
