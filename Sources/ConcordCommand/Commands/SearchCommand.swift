import Concordance
import Foundation

/// `concord search`
enum SearchCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        var options = try options(arguments)
        options.snippetWords = HitRendering.snippetWords(width: console.width)
        let style = try console.style(color: arguments.value("color"))
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let isInteractive = arguments.has("interactive")
        guard isInteractive || !arguments.operands.isEmpty else { throw UsageError("search needs a query") }
        let searcher = Searcher(try IndexFile(path: path, isReadOnly: true))
        if isInteractive {
            let session = InteractiveSearch(searcher, options: options, console: console, style: style)
            return try session.run(initial: arguments.operands.joined(separator: " "), isJSON: arguments.has("json"))
        }
        let query = arguments.operands.joined(separator: " ")
        let asYouType = arguments.has("prefix")
        let result = try searcher.search(query, options: options, asYouType: asYouType)
        print(result, options: options, isJSON: arguments.has("json"), console: console, style: style)
        // What is said about the result is for people; a script reads the hits alone.
        if !arguments.has("json") { console.message(summary(result, asYouType: asYouType)) }
        return result.hits.isEmpty ? .nothing : .success
    }

    private static func options(_ arguments: ParsedArguments) throws -> SearchOptions {
        var options = SearchOptions()
        options.limit = try arguments.count("limit", in: 1...1_000_000) ?? options.limit
        options.offset = try arguments.count("offset", in: 0...1_000_000_000) ?? 0
        options.path = arguments.value("path")
        options.year = try arguments.count("year", in: 1...9999)
        // What is gone from the disk can still be in the index.
        options.folder = arguments.value("folder").map { DirectoryWalk.resolve($0) ?? DirectoryWalk.absolute($0) }
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

    static func print(
        _ result: SearchResult, options: SearchOptions, isJSON: Bool, console: Console, style: Style
    ) {
        if isJSON {
            for (index, hit) in result.hits.enumerated() {
                console.print(json(hit, rank: options.offset + index + 1).text)
            }
            return
        }
        let rendering = HitRendering(style: style, width: console.width)
        for (index, hit) in result.hits.enumerated() {
            for line in rendering.lines(hit, number: options.offset + index + 1) { console.print(line) }
            console.print("")
        }
        console.flush()
    }

    /// How many there are, how long it took, and how the query had to be read.
    static func summary(_ result: SearchResult, asYouType: Bool = false) -> String {
        let time = duration(result.seconds)
        guard let strictness = result.strictness else { return "Nothing found (\(time))." }
        var count = counted(result.total - result.similarCount - result.looseCount, "document")
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

    /// What was found for which words: `, receive for recieve`.
    private static func words(_ result: SearchResult) -> String {
        // A word of a document may hold characters that a terminal obeys.
        TerminalText.line(result.similarWords.map { ", \($0.found) for \($0.typed)" }.joined())
    }

    private static func json(_ hit: Hit, rank: Int) -> JSONText {
        var members: [(String, JSONText)] = [
            ("rank", .integer(rank)), ("score", .number(hit.score)), ("title", .string(hit.title.text)),
            ("path", .string(hit.path)),
        ]
        if let line = hit.line { members.append(("line", .integer(line))) }
        members.append(("kind", .string(hit.kind)))
        if let language = hit.language { members.append(("language", .string(language))) }
        if let author = hit.author { members.append(("author", .string(author))) }
        members.append(("snippet", .string(hit.snippet.text)))
        // In bytes of the snippet's UTF-8.
        let ranges = hit.snippet.utf8Ranges.map { JSONText.array([.integer($0.lowerBound), .integer($0.upperBound)]) }
        members.append(("matches", .array(ranges)))
        return .object(members)
    }
}
