import BenchmarkSupport
import Concordance
import Foundation

/// A row of the indexed table.
struct Document: Codable, Sendable {
    var id: Int64
    var title: String
    var body: String
    var category: String = ""
    var isRead = false
    var views = 0
}

/// The documents and queries of ../shared/data/perf.
struct Documents {
    /// A query as data, and what it is in both languages.
    struct Query: Decodable {
        let kind: String
        let op: String
        let terms: [String]

        enum CodingKeys: String, CodingKey {
            case kind = "class"
            case op, terms
        }

        private var quoted: [String] { terms.map { "\"\($0)\"" } }

        /// The query in FTS5's language.
        var match: String {
            switch op {
            case "or": quoted.joined(separator: " OR ")
            case "phrase": "\"\(terms.joined(separator: " "))\""
            case "prefix", "andprefix": quoted.joined(separator: " AND ") + "*"
            default: quoted.joined(separator: " AND ")
            }
        }

        /// The query as a program composes it.
        var query: SearchQuery {
            switch op {
            case "or": SearchQuery(.any(terms.map { .word($0, isPrefix: false) }))
            case "phrase": .phrase(terms.joined(separator: " "))
            case "prefix", "andprefix":
                SearchQuery(
                    .all(terms.enumerated().map { .word($1, isPrefix: $0 == terms.count - 1) }))
            default: SearchQuery(.all(terms.map { .word($0, isPrefix: false) }))
            }
        }
    }

    let rows: [Document]
    let queries: [Query]

    /// The queries by class, classes in the order of the file.
    var classes: [(name: String, queries: [Query])] {
        var names: [String] = []
        for query in queries where !names.contains(query.kind) { names.append(query.kind) }
        return names.map { name in (name, queries.filter { $0.kind == name }) }
    }

    /// - Returns: Nil where the files are not there.
    static func read() throws -> Documents? {
        let folder = SharedFiles.folder.appendingPathComponent("perf")
        let texts = folder.appendingPathComponent("medium.jsonl.gz")
        guard FileManager.default.fileExists(atPath: texts.path) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["zcat", texts.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let lines = pipe.fileHandleForReading.readDataToEndOfFile()
        struct Text: Decodable {
            var id: Int64
            var title: String
            var body: String
        }
        let decoder = JSONDecoder()
        let newline = UInt8(ascii: "\n")
        let rows = try lines.split(separator: newline).map { line in
            let text = try decoder.decode(Text.self, from: line)
            return Document(
                id: text.id, title: text.title, body: text.body, category: "category \(text.id % 12)",
                isRead: text.id % 4 == 0, views: Int(text.id % 1000))
        }
        let queries = try Data(contentsOf: folder.appendingPathComponent("queries.jsonl")).split(separator: newline)
            .map { try decoder.decode(Query.self, from: $0) }
        return Documents(rows: rows, queries: queries)
    }
}
