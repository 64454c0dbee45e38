import Concordance

/// Looks up what ranks the documents of an index of folders besides their words.
struct DocumentStandings: Sendable {
    let ranking: DocumentRanking

    init(query: String) { ranking = DocumentRanking(query: query) }

    /// The standing of each hit's document.
    func callAsFunction(_ hits: [SearchHit<Row>], in database: Database) throws -> [DocumentStanding] {
        let documents = try Self.documents(hits.map(\.id), in: database)
        return hits.map { hit in
            guard let document = documents[hit.id] else { return DocumentStanding(factor: 1) }
            return DocumentStanding(
                factor: ranking.factor(of: document.candidate), content: document.content, signature: document.signature
            )
        }
    }

    /// What is known of a document.
    struct Known {
        var candidate: DocumentRanking.Candidate
        /// A number that documents of the same content share.
        var content: Int64?
        var signature: ContentSignature?
    }

    /// The places and titles of documents, and what tells those of nearly the same content.
    static func documents(_ ids: [Int64], in database: Database) throws -> [Int64: Known] {
        var documents: [Int64: Known] = [:]
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT parts.document, files.path, parts.entry, parts.line, files.hash, parts.signature,
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
            let signature: [UInt8]? = row["signature"]
            documents[id] = Known(
                candidate: candidate, content: hash.map { $0 &+ number },
                signature: signature.flatMap { ContentSignature($0) })
        }
        return documents
    }
}
