import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import ConcordanceText
import Foundation

/// Why a database cannot be served, in words for the person who asked.
enum DatabaseSourceError: Error, Equatable, CustomStringConvertible {
    case missing(String)
    case unreadable(String, String)
    case nothingToSearch(String, [String])

    var description: String {
        switch self {
        case .missing(let path): "there is no file at \(path)"
        case .unreadable(let path, let why): "\(path) cannot be read: \(why)"
        case .nothingToSearch(let path, let reasons):
            "\(path) has no full-text table of FTS5 or Concordance that can be searched"
                + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
        }
    }
}

/// The full-text tables of any database, as they are served.
final class DatabaseSource: SearchedSource {
    let kind = "database"
    let connections: SourceConnections
    private let known = Locked<(file: String?, schema: Int64, tables: [DatabaseTable])?>(nil)

    init(_ connections: SourceConnections) throws {
        self.connections = connections
        let found = try connections.read { database in
            try (tables: self.databaseTables(in: database), problems: DatabaseTables.problems(in: database))
        }
        guard !found.tables.isEmpty else {
            throw DatabaseSourceError.nothingToSearch(connections.path, found.problems)
        }
    }

    func tables(in database: Database) throws -> [ServedTable] { try databaseTables(in: database).map(\.served) }

    private func databaseTables(in database: Database) throws -> [DatabaseTable] {
        let schema = try Int64.fetchOne(database, sql: "PRAGMA main.schema_version") ?? 0
        let file = database.configuration.label
        if let known = known.withLock({ $0 }), known.file == file, known.schema == schema { return known.tables }
        let tables = try DatabaseTables.all(in: database)
        known.withLock { $0 = (file, schema, tables) }
        return tables
    }

    func status(in database: Database) throws -> SourceStatus {
        var counts: [String: Int] = [:]
        for table in try databaseTables(in: database) { counts[table.served.name] = try table.count(in: database) }
        let documents = counts.values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        return SourceStatus(
            state: documents == 0 ? .empty : .ready, documents: documents, skipped: 0, roots: [], tableDocuments: counts
        )
    }

    private static let title = SnippetOptions(length: .characters(300))
    private static let titleOfText = SnippetOptions(length: .characters(80))
    private static let snippet = SnippetOptions(length: .words(40))
    /// Columns longer than this are no facts that stand beside a hit.
    private static let fieldBytes = 160
    private static let fieldCount = 12

    func found(
        _ hit: SearchHit<Row>, words: [String], of table: ServedTable, in database: Database
    ) throws -> FoundDocument {
        let texts = table.columns.filter { $0 != table.titleColumn }
        let isOnlyColumn = texts.isEmpty
        func highlighter(_ name: String) throws -> Highlighter {
            try hit.highlighter(of: name, leavingOut: MarkedWords.leftOut(in: nil))
        }
        let title = try highlighter(table.titleColumn)
            .snippet(of: hit.text(table.titleColumn) ?? "", isOnlyColumn ? Self.titleOfText : Self.title)
        // The column that says most of why the row was found.
        var best: (name: String, text: HighlightedText)?
        for name in isOnlyColumn ? [table.titleColumn] : texts {
            let text = LongTextSnippet(words: words, options: Self.snippet)
                .make(of: try hit.text(name) ?? "", by: try highlighter(name))
            if text.text.isEmpty { continue }
            if best.map({ $0.text.utf8Ranges.count < text.utf8Ranges.count }) ?? true { best = (name, text) }
        }
        var document = FoundDocument(
            id: hit.id, title: ServedText.unmarked(title),
            snippet: ServedText.unmarked(best?.text ?? HighlightedText("")),
            score: hit.score)
        for name in texts where name != best?.name && document.fields.count < Self.fieldCount {
            guard let text = try hit.text(name), !text.isEmpty, text.utf8.count <= Self.fieldBytes else { continue }
            document.fields.append((name, ServedText.unmarked(try highlighter(name).highlights(in: text))))
        }
        for facet in table.facets where document.fields.count < Self.fieldCount {
            guard let value = hit.record[facet.name], !value.isNull else { continue }
            let text = ServedText.text(value)
            if text.utf8.count <= Self.fieldBytes { document.fields.append((facet.name, HighlightedText(text))) }
        }
        return document
    }

    func document(_ id: Int64, from: String?, of table: ServedTable, in database: Database) throws -> DocumentPart? {
        guard let described = try databaseTables(in: database).first(where: { $0.served.name == table.name }) else {
            return nil
        }
        return try described.document(id, from: from, in: database)
    }

    func file(of id: Int64, in database: Database) throws -> String? { nil }

    func label(of value: DatabaseValue, _ facet: ServedTable.Facet) -> String {
        value.isNull ? "none" : ServedText.text(value)
    }
}

/// Texts of rows as people read them.
enum ServedText {
    static func text(_ value: DatabaseValue) -> String {
        switch value {
        case .null: ""
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let text): FieldMarker.removed(from: text)
        case .blob(let bytes): "\(byteCount(bytes.count)) of binary data"
        }
    }

    /// A text without the marker by which an index tells the analyzer of a field.
    static func unmarked(_ text: HighlightedText) -> HighlightedText {
        let plain = FieldMarker.removed(from: text.text)
        let removed = text.text.utf8.count - plain.utf8.count
        if removed == 0 { return text }
        let ranges = text.utf8Ranges.map { range in
            plain.utf8.index(
                plain.startIndex, offsetBy: max(range.lowerBound - removed, 0))..<plain.utf8.index(
                    plain.startIndex, offsetBy: max(range.upperBound - removed, 0))
        }
        return HighlightedText(plain, ranges: ranges)
    }
}
