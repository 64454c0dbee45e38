import Concordance
import ConcordanceSearch

/// What the full-text engine stores for the documents: its segments, and the most frequent terms.
struct IndexContents {
    private let engine: SearchEngine
    /// The size of each segment, the largest first, in bytes.
    private let segments: [Int]
    private let terms: [(term: String, documents: Int)]

    private static let termCount = 10

    init(_ file: IndexFile) throws {
        engine = file.engine
        segments = try Self.segments(file)
        terms = try Self.terms(file)
    }

    /// In the table of blobs, the upper bits of a row's id name its segment: from bit 32 in our engine, from bit 37 in
    /// FTS5 (https://www.sqlite.org/fts5.html, section 9.2). Rows with smaller ids belong to no segment.
    private static func segments(_ file: IndexFile) throws -> [Int] {
        let shift = file.engine == .fts5 ? 37 : 32
        return try Int.fetchAll(
            file.database,
            literal: """
                SELECT sum(length(block)) FROM documents_data WHERE id >> \(shift) > 0
                GROUP BY id >> \(shift) ORDER BY 1 DESC
                """)
    }

    private static func terms(_ file: IndexFile) throws -> [(String, Int)] {
        let database = file.database
        try database.execute(
            sql: """
                CREATE VIRTUAL TABLE IF NOT EXISTS temp.document_terms
                USING \(file.engine.vocabularyModuleName)(main, documents, row)
                """)
        var terms: [(String, Int)] = []
        try database.makeStatement(
            sql: "SELECT term, doc FROM temp.document_terms ORDER BY doc DESC, term LIMIT \(termCount)"
        ).forEachRow { row in terms.append((row.string(at: 0) ?? "", Int(clamping: row.int64(at: 1)))) }
        try database.execute(sql: "DROP TABLE temp.document_terms")
        return terms
    }

    var rows: [(String, String)] {
        let sizes = segments.prefix(8).map(byteCount).joined(separator: ", ") + (segments.count > 8 ? ", …" : "")
        let words = terms.map { "\(TerminalText.line($0.term)) \(grouped($0.documents))" }
        return [
            ("Engine", engine.moduleName),
            (
                "Segments",
                segments.isEmpty ? "none" : "\(segments.count), \(byteCount(segments.reduce(0, +))): \(sizes)"
            ),
            ("Terms", words.isEmpty ? "none" : words.joined(separator: ", ")),
        ]
    }

    var json: [(String, JSONText)] {
        [
            ("engine", .string(engine.moduleName)), ("segments", .array(segments.map { .integer($0) })),
            (
                "terms",
                .array(
                    terms.map { .object([("term", .string($0.term)), ("documents", .integer($0.documents))]) })
            ),
        ]
    }
}
