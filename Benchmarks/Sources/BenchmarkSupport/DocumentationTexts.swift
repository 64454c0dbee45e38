import Foundation

/// The texts and queries of ../shared/data/perf: sections of documentation, and queries in classes.
public struct DocumentationTexts: Sendable {
    public struct Text: Decodable, Sendable {
        public var id: Int64
        public var title: String
        public var body: String
    }

    /// A query as data.
    public struct Query: Decodable, Sendable {
        public let kind: String
        public let op: String
        public let terms: [String]

        enum CodingKeys: String, CodingKey {
            case kind = "class"
            case op, terms
        }

        private var quoted: [String] { terms.map { "\"\($0)\"" } }

        /// The query in FTS5's language.
        public var match: String {
            switch op {
            case "or": quoted.joined(separator: " OR ")
            case "phrase": "\"\(terms.joined(separator: " "))\""
            case "prefix", "andprefix": quoted.joined(separator: " AND ") + "*"
            default: quoted.joined(separator: " AND ")
            }
        }
    }

    public let texts: [Text]
    public let queries: [Query]

    /// The queries by class, classes in the order of the file.
    public var classes: [(name: String, queries: [Query])] {
        var names: [String] = []
        for query in queries where !names.contains(query.kind) { names.append(query.kind) }
        return names.map { name in (name, queries.filter { $0.kind == name }) }
    }

    /// - Returns: Nil if the files are missing.
    public static func read() throws -> DocumentationTexts? {
        let folder = SharedFiles.folder.appendingPathComponent("perf")
        let file = folder.appendingPathComponent("medium.jsonl.gz")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["zcat", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let lines = pipe.fileHandleForReading.readDataToEndOfFile()
        let decoder = JSONDecoder()
        let newline = UInt8(ascii: "\n")
        let texts = try lines.split(separator: newline).map { try decoder.decode(Text.self, from: $0) }
        let queries = try Data(contentsOf: folder.appendingPathComponent("queries.jsonl")).split(separator: newline)
            .map { try decoder.decode(Query.self, from: $0) }
        return DocumentationTexts(texts: texts, queries: queries)
    }
}

/// The middle value, or the mean of the two in the middle; 0 if there are none.
public func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

/// The value that the given share does not exceed, interpolated between values; 0 if there are none.
public func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
}
