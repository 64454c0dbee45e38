import Concordance
import Foundation

/// The form in which hits are printed.
enum HitFormat: Equatable, Sendable {
    case list, json
    /// Each path once, followed by the terminator.
    case paths(terminator: String)
    /// `path:line:column:text` for each match, as ripgrep's `--vimgrep` prints it.
    case places

    /// - Throws: `UsageError`.
    init(_ arguments: ParsedArguments) throws {
        let isNull = arguments.has("null")
        let chosen: [(name: String, format: HitFormat)] = [
            ("--json", .json), ("--vimgrep", .places),
            (isNull ? "--null" : "--files-with-matches", .paths(terminator: isNull ? "\0" : "\n")),
        ].filter { name, _ in
            name == "--null" || arguments.has(String(name.dropFirst(2)))
        }
        if chosen.count > 1 { throw UsageError("use \(chosen[0].name) or \(chosen[1].name), not both") }
        self = chosen.first?.format ?? .list
    }
}

/// `concord search`
enum SearchCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        var options = try options(arguments)
        options.snippetWords = HitRendering.snippetWords(width: console.width)
        let format = try HitFormat(arguments)
        let style = try console.style(color: arguments.value("color"))
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let query = arguments.operands.joined(separator: " ")
        let isInteractive = arguments.has("interactive")
        guard isInteractive || !arguments.operands.isEmpty else { throw UsageError("search needs a query") }
        let file = try IndexFile(path: path, isReadOnly: true)
        if isInteractive, format == .list, let driver = try driver(arguments, console: console) {
            return try fullScreen(query, options, path: path, driver: driver, console: console)
        }
        let searcher = Searcher(file)
        if isInteractive {
            return try QueryLines(searcher, options: options, format: format, console: console, style: style)
                .run(initial: query)
        }
        let asYouType = arguments.has("prefix")
        let result = try answer(
            query, by: searcher, options: options, asYouType: asYouType, format: format, console: console, style: style)
        // The summary is for people; scripts read only the hits.
        if format == .list { console.message(summary(result, asYouType: asYouType)) }
        return result.hits.isEmpty ? .nothing : .success
    }

    /// The terminal, if it can show the full-screen search.
    private static func driver(_ arguments: ParsedArguments, console: Console) throws -> TerminalDriver? {
        guard isatty(0) == 1, isatty(1) == 1,
            let capabilities = TerminalCapabilities(
                name: console.environment["TERM"],
                isColored: try console.style(color: arguments.value("color")).isColored)
        else { return nil }
        return TerminalDriver(capabilities)
    }

    private static func fullScreen(
        _ query: String, _ options: SearchOptions, path: String, driver: TerminalDriver, console: Console
    ) throws -> ExitCode {
        let service = SearchService(try FileSource(SourceConnections(path: path, readers: 2)))
        var values: [String: [String]] = [:]
        if let kind = options.documentKind { values["kind"] = [kind] }
        if let year = options.year { values["year"] = [String(year)] }
        if let language = options.language { values["language"] = [language] }
        let search = FullScreenSearch(service, driver: driver, environment: console.environment) { width, height in
            ScreenState(
                width: width, height: height, text: query, values: values, sort: options.order.rawValue,
                conditions: options.fileConditions, userFolder: console.environment["HOME"])
        }
        return search.run()
    }

    private static func options(_ arguments: ParsedArguments) throws -> SearchOptions {
        var options = SearchOptions()
        options.limit = try arguments.count("limit", in: 1...1_000_000) ?? options.limit
        options.offset = try arguments.count("offset", in: 0...1_000_000_000) ?? 0
        options.path = arguments.value("path")
        options.year = try arguments.count("year", in: 1...9999)
        // A folder that has been deleted, or is one in an archive, can be in the index.
        options.folder = arguments.value("folder").map(DirectoryWalk.located)
        if let name = arguments.value("language") {
            guard let tag = DocumentLanguage.tag(name) else {
                throw UsageError("--language takes a language such as de or german, not '\(name)'")
            }
            options.language = tag
        }
        if let name = arguments.value("sort") {
            guard let order = DocumentOrder(rawValue: name) else {
                let names = DocumentOrder.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--sort takes \(names), not '\(name)'")
            }
            options.order = order
        }
        if let kind = arguments.value("kind") {
            let kinds = DocumentKind.allCases.map(\.rawValue)
            guard kinds.contains(kind) else {
                let hint = nearest(kind, among: kinds).map { "; did you mean \($0)?" } ?? ""
                throw UsageError("--kind takes \(kinds.joined(separator: ", ")), not '\(kind)'\(hint)")
            }
            options.kind = kind
        }
        return options
    }

    /// Searches, and prints what is found.
    static func answer(
        _ query: String, by searcher: Searcher, options: SearchOptions, asYouType: Bool = false, format: HitFormat,
        console: Console, style: Style
    ) throws -> SearchResult {
        var options = options
        // Who lists files wants each of them.
        switch format {
        case .paths, .places: options.foldsCopies = false
        default: break
        }
        let result = try searcher.search(
            query, options: options, asYouType: asYouType,
            receivePlace: format == .places ? { print($1, of: $0, console: console) } : nil)
        print(result, options: options, format: format, console: console, style: style)
        return result
    }

    private static func print(_ place: MatchPlace?, of hit: Hit, console: Console) {
        let path = TerminalText.line(hit.path)
        if let place {
            console.print("\(path):\(place.line):\(place.column):\(TerminalText.line(place.text))")
        } else {
            console.print("\(path):\(hit.line ?? 1):1:\(TerminalText.line(hit.title.text))")
        }
    }

    private static func print(
        _ result: SearchResult, options: SearchOptions, format: HitFormat, console: Console, style: Style
    ) {
        switch format {
        case .json:
            for (index, hit) in result.hits.enumerated() {
                console.print(json(hit, rank: options.offset + index + 1).text)
            }
        case .paths(let terminator):
            // A file may have several documents.
            // By their bytes: strings are equal if they look the same.
            var printed: Set<[UInt8]> = []
            for hit in result.hits where printed.insert(Array(hit.path.utf8)).inserted {
                // Programs get the exact name.
                console.print(console.isOutputTerminal ? TerminalText.line(hit.path) : hit.path, terminator: terminator)
            }
        // Printed when they were found.
        case .places: break
        case .list:
            let rendering = HitRendering(style: style, width: console.width)
            for (index, hit) in result.hits.enumerated() {
                for line in rendering.lines(hit, number: options.offset + index + 1) { console.print(line) }
                console.print("")
            }
        }
        console.flush()
    }

    /// How many documents were found, how long it took, and how strictly the query was read.
    static func summary(_ result: SearchResult, asYouType: Bool = false) -> String {
        let time = duration(result.seconds)
        let without = result.excludedWords.isEmpty ? "" : " without \(names(result.excludedWords))"
        guard let strictness = result.strictness else {
            let advice = " To search for a word that begins with a minus, put it in quotation marks: \"-x\"."
            return "Nothing found\(without) (\(time)).\(without.isEmpty || asYouType ? "" : advice)"
        }
        var count = counted(result.total - result.similarCount - result.looseCount, "document")
        count += without
        if result.looseCount > 0 { count += " and \(grouped(result.looseCount)) with some of the words" }
        if result.similarCount > 0 {
            count += " and \(grouped(result.similarCount)) with similar words\(words(result))"
        }
        switch strictness {
        case .prefix where asYouType: return "\(count) (\(time))."
        case .exact: return "\(count) (\(time))."
        case .prefix: return "\(count), with the last word as the beginning of one (\(time))."
        case .similar, .apart:
            return "No document has all of these words; \(count) with similar ones\(words(result)) (\(time))."
        case .any: return "No document has all of these words; \(count) with some of them\(words(result)) (\(time))."
        }
    }

    private static func names(_ words: [String]) -> String {
        let named = TerminalText.line(words.prefix(namedWords).joined(separator: ", "))
        return words.count > namedWords ? "\(named) and \(counted(words.count - namedWords, "more word"))" : named
    }
    private static let namedWords = 5

    /// The words found for misspelled ones: `, receive for recieve`.
    private static func words(_ result: SearchResult) -> String {
        // Words of documents may contain characters that a terminal obeys.
        TerminalText.line(result.similarWords.map { ", \($0.found) for \($0.typed)" }.joined())
    }

    private static func json(_ hit: Hit, rank: Int) -> JSONText {
        var members: [(String, JSONText)] = [
            ("rank", .integer(rank)), ("score", .number(hit.score)), ("title", .string(hit.title.text)),
            ("path", .string(hit.path)),
        ]
        if let line = hit.line { members.append(("line", .integer(line))) }
        if let page = hit.page { members.append(("page", .integer(page))) }
        members.append(("kind", .string(hit.kind)))
        if let language = hit.language { members.append(("language", .string(language))) }
        if let author = hit.author { members.append(("author", .string(author))) }
        if hit.similarCount > 0 { members.append(("similar", .integer(hit.similarCount))) }
        members.append(("snippet", .string(hit.snippet.text)))
        // In bytes of the snippet, in UTF-8.
        let ranges = hit.snippet.utf8Ranges.map { JSONText.array([.integer($0.lowerBound), .integer($0.upperBound)]) }
        members.append(("matches", .array(ranges)))
        return .object(members)
    }
}
