import Foundation

/// The interactive search for programs, and for terminals that cannot show the full-screen one: a query per line.
struct QueryLines {
    private let searcher: Searcher
    private let options: SearchOptions
    private let console: Console
    private let style: Style
    private let format: HitFormat

    init(_ searcher: Searcher, options: SearchOptions, format: HitFormat, console: Console, style: Style) {
        self.searcher = searcher
        self.options = options
        self.format = format
        self.console = console
        self.style = style
    }

    func run(initial: String) throws -> ExitCode {
        let isPerson = isatty(0) == 1 && isatty(1) == 1
        var isFound = false
        if !initial.isEmpty { isFound = try answer(initial) }
        while true {
            if isPerson {
                console.print("search: ", terminator: "")
                console.flush()
            }
            guard let line = readLine() else { break }
            if isPerson, line.allSatisfy(\.isWhitespace) { break }
            if try answer(line) { isFound = true }
        }
        return isFound || isPerson ? .success : .nothing
    }

    private func answer(_ query: String) throws -> Bool {
        let result = try SearchCommand.answer(
            query, by: searcher, options: options, format: format, console: console, style: style)
        if format == .list { console.message(SearchCommand.summary(result)) }
        return !result.hits.isEmpty
    }
}
