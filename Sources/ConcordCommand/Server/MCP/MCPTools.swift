import Concordance
import Foundation

/// The tools for assistants: one searches, one reads what was found. Both only read, and their answers are bounded,
/// since they fill the assistant's context.
struct MCPTools {
    private let service: SearchService

    private static let mostHits = 50
    /// The most characters of a document that one call returns.
    private static let readLimit = 40_000

    init(_ service: SearchService) { self.service = service }

    var instructions: String {
        let what =
            service.source.kind == "files"
            ? "the documents in folders of this machine that were indexed"
            : "the rows of full-text tables in the database \(PathText.name(service.source.connections.path))"
        return "Searches \(what). Search first, then read what looks relevant by its id."
    }

    static let descriptions: [JSONText] = [
        .object([
            ("name", .string("search")), ("title", .string("Search documents")),
            (
                "description",
                .string(
                    """
                    Finds documents by their words, the best first, with a snippet of each. All words have to be there; "several \
                    words" in quotation marks follow each other, -word must not be there, OR stands between alternatives, word* is \
                    the beginning of a word. Misspelt words are forgiven.
                    """)
            ),
            (
                "inputSchema",
                schema(
                    [
                        ("query", "string", "The words to look for."),
                        ("limit", "integer", "How many documents to return, from 1 to \(mostHits); 10 if not given."),
                        (
                            "cursor", "string",
                            "The cursor that a previous search returned, for the documents after its last one."
                        ),
                        (
                            "sort", "string",
                            "relevance, newest or oldest; for a database, relevance or the name of a value."
                        ),
                        ("table", "string", "The full-text table of a database to search; the first one if not given."),
                    ],
                    more: [
                        (
                            "filters",
                            .object([
                                ("type", .string("object")),
                                (
                                    "description",
                                    .string(
                                        "Only documents with one of these values of each: of files kind, folder, year, language. "
                                            + "The answer lists the values there are.")
                                ),
                                (
                                    "additionalProperties",
                                    .object([
                                        ("type", .string("array")), ("items", .object([("type", .string("string"))])),
                                    ])
                                ),
                            ])
                        )
                    ], required: ["query"])
            ), readOnly,
        ]),
        .object([
            ("name", .string("read_document")), ("title", .string("Read a document")),
            (
                "description",
                .string(
                    "Returns the text of a document that a search found, \(readLimit) characters at a time.")
            ),
            (
                "inputSchema",
                schema(
                    [
                        ("id", "string", "The id of the document, as a search returned it."),
                        ("from", "string", "Where to continue: the value at the end of the previous answer."),
                        ("table", "string", "The full-text table of a database to which the id belongs."),
                    ], required: ["id"])
            ), readOnly,
        ]),
    ]

    private static let readOnly: (String, JSONText) = (
        "annotations",
        .object([("readOnlyHint", .bool(true)), ("idempotentHint", .bool(true)), ("openWorldHint", .bool(false))])
    )

    private static func schema(
        _ properties: [(name: String, type: String, description: String)], more: [(String, JSONText)] = [],
        required: [String]
    ) -> JSONText {
        .object([
            ("type", .string("object")),
            (
                "properties",
                .object(
                    properties.map {
                        (
                            $0.name,
                            .object([("type", .string($0.type)), ("description", .string($0.description))])
                        )
                    } + more)
            ), ("required", .array(required.map { .string($0) })), ("additionalProperties", .bool(false)),
        ])
    }

    /// - Throws: `MCPError` for an unknown tool, or for arguments that do not match its schema. Errors in the tool
    ///   itself are part of its answer, which the assistant reads.
    func call(_ name: String, _ arguments: [String: JSONValue]) throws -> JSONText {
        if let known = Self.argumentNames(of: name),
            let unknown = arguments.keys.filter({ !known.contains($0) }).min()
        {
            throw MCPError.parameters(
                "\(name) has no argument '\(unknown.prefix(100))'; it takes \(known.joined(separator: ", "))")
        }
        do {
            switch name {
            case "search": return try search(arguments)
            case "read_document": return try read(arguments)
            default:
                throw MCPError.parameters("there is no tool '\(name.prefix(100))'; use search or read_document")
            }
        } catch let error as MCPError {
            throw error
        } catch {
            let problem = WebAPI.problem(error)
            return Self.result(problem.detail, isError: true)
        }
    }

    /// The names of the arguments in a tool's schema; nil if there is no such tool.
    private static func argumentNames(of tool: String) -> [String]? {
        func member(_ name: String, of value: JSONText) -> JSONText? {
            guard case .object(let members) = value else { return nil }
            return members.first { $0.0 == name }?.1
        }
        let description = descriptions.first {
            if case .string(let name)? = member("name", of: $0) { name == tool } else { false }
        }
        guard let schema = description.flatMap({ member("inputSchema", of: $0) }),
            case .object(let properties)? = member("properties", of: schema)
        else { return nil }
        return properties.map(\.0)
    }

    // MARK: - search

    private func search(_ arguments: [String: JSONValue]) throws -> JSONText {
        guard let text = try string("query", arguments) else { throw MCPError.parameters("'query' is missing") }
        var wish = SearchWish(text)
        wish.isTyping = false
        wish.table = try string("table", arguments)
        wish.sort = try string("sort", arguments)
        wish.cursor = try string("cursor", arguments)
        wish.limit = 10
        if let limit = arguments["limit"] {
            guard case .integer(let number) = limit, (1...Self.mostHits).contains(number) else {
                throw MCPError.parameters("'limit' must be a number from 1 to \(Self.mostHits)")
            }
            wish.limit = number
        }
        if let filters = arguments["filters"] {
            guard let filters = filters.object else {
                throw MCPError.parameters("'filters' must be an object of lists of strings")
            }
            for (name, values) in filters {
                // One value is a list of it.
                let list = values.array ?? [values]
                let texts = list.compactMap(\.text)
                guard texts.count == list.count, list.count <= 100 else {
                    throw MCPError.parameters("'\(name.prefix(100))' must be a list of at most 100 strings")
                }
                if !texts.isEmpty { wish.values[name] = texts }
            }
        }
        let answer = try service.search(wish)
        return Self.result(Self.text(answer), structured: Self.structured(answer))
    }

    private static func text(_ answer: SearchAnswer) -> String {
        var lines = [
            answer.hits.isEmpty
                ? "Nothing found." : "\(answer.total) \(answer.total.count == 1 ? "document" : "documents") found."
        ]
        if !answer.similarWords.isEmpty {
            lines.append(
                "Found similar words: "
                    + answer.similarWords.map { "\($0.found) for \($0.typed)" }.joined(separator: ", ") + ".")
        }
        if let correction = answer.correction { lines.append("Did you mean: \(correction.text)") }
        for (number, hit) in answer.hits.enumerated() {
            lines.append("")
            lines.append("\(number + 1). \(hit.title.text) [id \(hit.id)]")
            if let path = hit.path {
                lines.append(
                    "   " + path + (hit.line.map { ":\($0)" } ?? "")
                        + (hit.page.map { ", " + DocumentKind.page($0, ofKind: hit.kind) } ?? ""))
            }
            if !hit.fields.isEmpty {
                lines.append("   " + hit.fields.map { "\($0.name): \($0.text.text)" }.joined(separator: ", "))
            }
            lines.append("   " + hit.snippet.text)
        }
        for facet in answer.facets ?? [] where !facet.values.isEmpty && !answer.hits.isEmpty {
            lines.append("")
            lines.append(
                "\(facet.name): "
                    + facet.values.map { "\($0.value.isEmpty ? "\"\"" : $0.value) (\($0.count))" }
                    .joined(separator: ", ")
                    + (facet.hasMore ? ", …" : ""))
        }
        if let cursor = answer.cursor {
            lines.append("")
            lines.append("More with the cursor \(cursor)")
        }
        return lines.joined(separator: "\n")
    }

    private static func structured(_ answer: SearchAnswer) -> JSONText {
        .object([
            ("total", .integer(answer.total.count)), ("isExact", .bool(answer.total.isExact)),
            (
                "documents",
                .array(
                    answer.hits.map { hit in
                        .object([
                            ("id", .string(String(hit.id))), ("table", .string(answer.table)),
                            ("title", .string(hit.title.text)), ("path", .optional(hit.path)),
                            ("line", .optional(hit.line)), ("page", .optional(hit.page)),
                            ("kind", .optional(hit.kind)), ("modified", .time(hit.modified)),
                            ("language", .optional(hit.language)),
                            (
                                "author",
                                .optional(hit.fields.first { $0.name == "author" }?.text.text)
                            ),
                            ("snippet", .string(hit.snippet.text)),
                        ])
                    })
            ), ("cursor", .optional(answer.cursor)),
        ])
    }

    // MARK: - read_document

    private func read(_ arguments: [String: JSONValue]) throws -> JSONText {
        guard let text = try arguments["id"]?.text ?? string("id", arguments) else {
            throw MCPError.parameters("'id' is missing")
        }
        guard let id = Int64(text) else { throw MCPError.parameters("'id' must be a number that a search returned") }
        // The part of the document, and how many of its characters to skip.
        var part: String?
        var skipped = 0
        if let from = try string("from", arguments) {
            let places = from.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard places.count == 2, let number = Int(places[1]), number >= 0 else {
                throw MCPError.parameters("'from' must be the value at the end of the previous answer")
            }
            part = places[0].isEmpty ? nil : String(places[0])
            skipped = number
        }
        let answer = try service.document(id, table: try string("table", arguments), text: "", from: part)
        let isSingle = answer.columns.count == 1
        let whole = answer.columns.map { isSingle ? $0.text.text : "\($0.name): \($0.text.text)" }.joined(
            separator: "\n\n")
        let rest = whole.dropFirst(skipped)
        let shown = rest.prefix(Self.readLimit)
        var next: String?
        if shown.endIndex < rest.endIndex {
            next = "\(part ?? "")@\(skipped + Self.readLimit)"
        } else if let following = answer.part.next {
            next = "\(following)@0"
        }
        var lines = [answer.title.text]
        if let path = answer.part.path {
            lines.append(
                path + (answer.part.line.map { ":\($0)" } ?? "")
                    + (answer.part.page.map { ", from " + DocumentKind.page($0, ofKind: answer.part.kind) } ?? ""))
        }
        for related in answer.part.related {
            let rows = related.rows.map { $0.map { "\($0.name): \($0.text)" }.joined(separator: ", ") }
            lines.append("\(related.label): " + rows.joined(separator: "; "))
        }
        lines += ["", String(shown)]
        if let next { lines += ["", "The document continues: read_document with from \"\(next)\""] }
        let structured = JSONText.object([
            ("id", .string(text)), ("title", .string(answer.title.text)), ("path", .optional(answer.part.path)),
            ("text", .string(String(shown))), ("next", .optional(next)),
        ])
        return Self.result(lines.joined(separator: "\n"), structured: structured)
    }

    // MARK: - Both

    private func string(_ name: String, _ arguments: [String: JSONValue]) throws -> String? {
        guard let value = arguments[name], value != .null else { return nil }
        guard let text = value.string else { throw MCPError.parameters("'\(name)' must be a string") }
        guard text.utf8.count <= 4096 else { throw MCPError.parameters("'\(name)' is longer than 4096 bytes") }
        return text
    }

    private static func result(_ text: String, structured: JSONText? = nil, isError: Bool = false) -> JSONText {
        var members: [(String, JSONText)] = [
            ("content", .array([.object([("type", .string("text")), ("text", .string(text))])])),
            ("isError", .bool(isError)),
        ]
        if let structured { members.append(("structuredContent", structured)) }
        return .object(members)
    }
}
