import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation

/// The index of folders, as it is served.
final class FileSource: SearchedSource {
    let kind = "files"
    let connections: SourceConnections
    /// The tables in a state of the schema of a file: an index may be made anew with another analyzer or engine.
    private let known = Locked<(file: String?, schema: Int64, tables: [ServedTable])?>(nil)

    init(_ connections: SourceConnections) throws {
        self.connections = connections
        // Says what is wrong with the index before anybody asks.
        _ = try IndexFile(path: connections.path, isReadOnly: true)
    }

    func tables(in database: Database) throws -> [ServedTable] {
        let schema = try IndexFile.number(database, "PRAGMA schema_version")
        let file = database.configuration.label
        if let known = known.withLock({ $0 }), known.file == file, known.schema == schema { return known.tables }
        guard try IndexFile.number(database, "PRAGMA application_id") == IndexFile.applicationID else {
            throw IndexError.replaced(connections.path)
        }
        guard try IndexFile.number(database, "PRAGMA user_version") == IndexFile.version,
            let engine = try SearchEngine.keeping("documents", in: database)
        else { throw IndexError.older(connections.path) }
        let description = try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = 'analyzer'")
        let table = Self.table(engine, try description.map(IndexFile.analyzer) ?? .standard)
        known.withLock { $0 = (file, schema, [table]) }
        return [table]
    }

    private static func table(_ engine: SearchEngine, _ analyzer: Analyzer) -> ServedTable {
        ServedTable(
            name: "documents", label: "Documents", index: IndexFile.searchIndex(engine: engine, analyzer: analyzer),
            columns: ["title", "path", "author", "body"], titleColumn: "title",
            facets: [
                .init(name: "kind", label: "Kind", values: .texts),
                .init(name: "folder", label: "Folder", values: .texts),
                .init(name: "year", label: "Year", values: .numbers),
                .init(name: "language", label: "Language", values: .texts),
            ], sorts: DocumentOrder.allCases.map { .init(name: $0.rawValue, terms: $0.terms) },
            browsingOrder: DocumentOrder.newest.terms, keepsValues: engine == .concordance)
    }

    func status(in database: Database) throws -> SourceStatus {
        let documents = Int(try IndexFile.number(database, "SELECT count(*) FROM parts"))
        let isUnfinished = try IndexFile.number(database, "SELECT EXISTS (SELECT 1 FROM files WHERE complete = 0)") != 0
        let activity = activity()
        let state: SourceStatus.State =
            if activity?.isBusy ?? false { .indexing } else if isUnfinished, activity == nil { .interrupted } else {
                documents == 0 ? .empty : .ready
            }
        return SourceStatus(
            state: state, activity: activity, documents: documents,
            skipped: try IndexFile.skippedCount(database),
            roots: try String.fetchAll(database, sql: "SELECT path FROM roots ORDER BY path"),
            tableDocuments: ["documents": documents])
    }

    func activity() -> IndexActivity? { IndexLock.holder(of: connections.path) }

    private static let snippet = SnippetOptions(length: .words(40))

    func found(
        _ hit: SearchHit<Row>, words: [String], of table: ServedTable, in database: Database
    ) throws -> FoundDocument {
        let file: Int64? = hit.record["file"]
        let source = try Row.fetchOne(database, literal: "SELECT path, size, kind FROM files WHERE id = \(file)")
        let leftOut = MarkedWords.leftOut(in: hit.record["language"])
        func highlighter(_ field: String) throws -> Highlighter {
            try hit.highlighter(of: field, leavingOut: leftOut)
        }
        let body = try hit.text("body") ?? ""
        let snippet = LongTextSnippet(
            words: words.filter { !leftOut.contains($0.lowercased()) }, options: Self.snippet
        ).make(of: body, by: try highlighter("body"))
        let kind: String? = hit.record["kind"] ?? source?["kind"]
        var document = FoundDocument(
            id: hit.id,
            title: try highlighter("title").snippet(of: try hit.text("title") ?? "", Searcher.wholeTitle),
            snippet: snippet, score: hit.score,
            path: Self.path(of: hit.record["entry"], in: source?["path"]),
            kind: kind, size: source?["size"], modified: hit.record["modified"],
            line: Document.line(of: snippet, in: body, from: hit.record["line"], kind: kind),
            page: Document.page(of: snippet, in: body, from: hit.record["page"]),
            language: hit.record["language"])
        if let author = try hit.text("author"), !author.isEmpty {
            document.fields.append(("author", try highlighter("author").highlights(in: author)))
        }
        return document
    }

    /// `all.zip/inner/a.txt` for what lies in a file.
    private static func path(of entry: String?, in file: String?) -> String? {
        file.map { file in entry.map { "\(file)/\($0)" } ?? file }
    }

    func document(_ id: Int64, from: String?, of table: ServedTable, in database: Database) throws -> DocumentPart? {
        var part = id
        if let from {
            // Another part of the same file.
            guard let other = Int64(from),
                try Int.fetchOne(
                    database,
                    literal: """
                        SELECT 1 FROM parts JOIN parts AS first ON first.file = parts.file
                        WHERE parts.document = \(other) AND first.document = \(id)
                        """) != nil
            else { throw HTTPProblem(400, "from is what 'next' of the part before said; leave it out for the first") }
            part = other
        }
        let row = try Row.fetchOne(
            database,
            literal: """
                SELECT documents.title, documents.body, files.path, files.size, parts.kind, parts.modified, parts.line,
                  parts.page, parts.file, parts.entry, parts.language
                FROM documents JOIN parts ON parts.document = documents.rowid JOIN files ON files.id = parts.file
                WHERE documents.rowid = \(part)
                """)
        guard let row, let file: Int64 = row["file"] else { return nil }
        let title: String = row["title"] ?? ""
        // Parts of one text have one title, and follow each other.
        let next = try Int64.fetchOne(
            database,
            literal: """
                SELECT documents.rowid FROM documents WHERE rowid =
                  (SELECT min(document) FROM parts WHERE file = \(file) AND document > \(part)) AND title = \(title)
                """)
        return DocumentPart(
            id: id, title: title, columns: [.init(name: "body", text: row["body"] ?? "", isTruncated: next != nil)],
            path: Self.path(of: row["entry"], in: row["path"]), kind: row["kind"], size: row["size"],
            modified: row["modified"], line: row["line"], page: row["page"], language: row["language"],
            next: next.map(String.init))
    }

    func file(of id: Int64, in database: Database) throws -> String? {
        try String.fetchOne(
            database, literal: "SELECT path FROM files JOIN parts ON parts.file = files.id WHERE document = \(id)")
    }

    func standings(for query: String) -> (@Sendable ([SearchHit<Row>], Database) throws -> [DocumentStanding])? {
        DocumentStandings(query: query).callAsFunction
    }

    func label(of value: DatabaseValue, _ facet: ServedTable.Facet) -> String {
        guard case .text(let text) = value else { return value.isNull ? "unknown" : ServedText.text(value) }
        switch facet.name {
        case "kind": return DocumentKind(rawValue: text)?.label ?? text
        case "language": return DocumentLanguage.name(text)
        case "folder": return text.split(separator: "/").suffix(2).joined(separator: "/")
        default: return text
        }
    }
}

extension DocumentKind {
    /// What people call documents of the kind.
    fileprivate var label: String {
        switch self.rawValue {
        case "text": "Text"
        case "markdown": "Markdown"
        case "html": "Web pages"
        case "man": "Manual pages"
        case "code": "Source code"
        case "jsonl": "JSON Lines"
        case "csv": "Tables"
        case "pdf": "PDF"
        case "json": "JSON"
        case "xml": "XML"
        case "rst": "reStructuredText"
        case "asciidoc": "AsciiDoc"
        case "latex": "LaTeX"
        case "mail", "subtitles", "org": rawValue.capitalized
        case "document", "spreadsheet", "presentation", "book", "archive", "notebook", "contact", "calendar", "log",
            "image":
            rawValue.capitalized + "s"
        case let other: other.prefix(1).uppercased() + other.dropFirst()
        }
    }
}
