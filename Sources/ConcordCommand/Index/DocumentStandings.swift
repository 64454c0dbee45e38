import Concordance

/// Looks up what ranks the documents of an index of folders besides their words.
struct DocumentStandings: Sendable {
    let ranking: DocumentRanking

    init(query: String) { ranking = DocumentRanking(query: query) }

    /// The standing of each hit's document.
    func callAsFunction(_ hits: [SearchHit<Row>], in database: Database) throws -> [DocumentStanding] {
        let documents = try Self.documents(hits.map(\.id), in: database)
        return hits.map { hit in
            guard let (candidate, content) = documents[hit.id] else { return DocumentStanding(factor: 1, content: nil) }
            return DocumentStanding(factor: ranking.factor(of: candidate), content: content)
        }
    }

    /// The places and titles of documents, and a number that documents with the same content share.
    static func documents(_ ids: [Int64], in database: Database) throws
        -> [Int64: (candidate: DocumentRanking.Candidate, content: Int64?)]
    {
        var documents: [Int64: (DocumentRanking.Candidate, Int64?)] = [:]
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT parts.document, files.path, parts.entry, parts.line, files.hash,
                  parts.document - (SELECT min(document) FROM parts AS first WHERE first.file = parts.file) AS number,
                  (SELECT title FROM documents WHERE documents.rowid = parts.document) AS title
                FROM parts JOIN files ON files.id = parts.file WHERE parts.document IN \(values: ids)
                """)
        for row in rows {
            guard let id: Int64 = row["document"] else { continue }
            let line: Int64? = row["line"]
            let hash: Int64? = row["hash"]
            let entry: String? = row["entry"]
            let path: String = row["path"] ?? ""
            let candidate = DocumentRanking.Candidate(
                path: entry.map { "\(path)/\($0)" } ?? path, title: row["title"] ?? "",
                line: line.map { Int(clamping: $0) })
            // Files of the same bytes have the same documents, one by one.
            let number: Int64 = row["number"] ?? 0
            documents[id] = (candidate, hash.map { $0 &+ number })
        }
        return documents
    }
}
