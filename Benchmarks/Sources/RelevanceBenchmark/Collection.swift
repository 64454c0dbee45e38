import BenchmarkSupport
import Foundation

/// A test collection: documents, queries, and which documents answer which query.
struct Collection {
    struct Document: Decodable {
        var id: String
        var title: String?
        var text: String
    }

    struct Query: Decodable {
        var id: String
        var text: String
    }

    let name: String
    let documents: [Document]
    /// The documents that have been judged.
    let queries: [Query]
    /// Grades above zero, by query and document.
    let judgments: [String: [String: Int]]

    /// The collection in a folder, or in one of this name beside the checkout; nil if there is none.
    init?(_ name: String) throws {
        let folders = [
            URL(fileURLWithPath: name), SharedFiles.folder.appendingPathComponent("relevance/\(name)"),
        ]
        let found = folders.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("corpus.jsonl").path)
        }
        guard let folder = found else { return nil }
        self.name = name
        documents = try Self.lines(folder.appendingPathComponent("corpus.jsonl"))
        var judgments: [String: [String: Int]] = [:]
        let table = try String(contentsOf: folder.appendingPathComponent("qrels.tsv"), encoding: .utf8)
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3, let grade = Int(fields[2]), grade > 0 else { continue }
            judgments[fields[0], default: [:]][fields[1]] = grade
        }
        self.judgments = judgments
        let all: [Query] = try Self.lines(folder.appendingPathComponent("queries.jsonl"))
        queries = all.filter { judgments[$0.id] != nil }
    }

    private static func lines<Value: Decodable>(_ url: URL) throws -> [Value] {
        let decoder = JSONDecoder()
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(Value.self, from: $0)
        }
    }
}

/// How good a ranking is: means over the queries.
struct Quality {
    /// Normalized discounted cumulative gain of the first ten (Järvelin, Kekäläinen 2002), gain = grade.
    private(set) var nDCG = 0.0
    /// Mean average precision.
    private(set) var averagePrecision = 0.0
    /// The share of the right documents among the first hundred.
    private(set) var recall = 0.0

    /// - Parameter rank: The documents found for a query, the best first.
    init(_ collection: Collection, rank: (Collection.Query) throws -> [String]) throws {
        for query in collection.queries {
            let grades = collection.judgments[query.id] ?? [:]
            let found = try rank(query).map { grades[$0] ?? 0 }
            nDCG += Self.gain(found) / Self.gain(grades.values.sorted(by: >))
            var hits = 0.0
            var precision = 0.0
            for (index, grade) in found.enumerated() where grade > 0 {
                hits += 1
                precision += hits / Double(index + 1)
            }
            averagePrecision += precision / Double(grades.count)
            recall += Double(found.prefix(100).count { $0 > 0 }) / Double(grades.count)
        }
        let count = Double(max(1, collection.queries.count))
        nDCG /= count
        averagePrecision /= count
        recall /= count
    }

    static func gain(_ grades: [Int]) -> Double {
        grades.prefix(10).enumerated().reduce(0) { $0 + Double($1.element) / log2(Double($1.offset) + 2) }
    }
}
