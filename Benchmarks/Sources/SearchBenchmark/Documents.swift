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
    typealias Query = DocumentationTexts.Query

    let rows: [Document]
    /// The queries by class.
    let classes: [(name: String, queries: [Query])]

    var queries: [Query] { classes.flatMap(\.queries) }

    /// - Returns: Nil where the files are not there.
    static func read() throws -> Documents? {
        guard let data = try DocumentationTexts.read() else { return nil }
        let rows = data.texts.map { text in
            Document(
                id: text.id, title: text.title, body: text.body, category: "category \(text.id % 12)",
                isRead: text.id % 4 == 0, views: Int(text.id % 1000))
        }
        return Documents(rows: rows, classes: data.classes)
    }
}

extension DocumentationTexts.Query {
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
