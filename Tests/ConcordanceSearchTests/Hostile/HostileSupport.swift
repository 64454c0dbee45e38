import Concordance
import ConcordanceFTS5
import Foundation
import Testing

/// Notes with labels, and every call that an app makes about their index.
enum HostileNotes {
    struct Note: Codable, Identifiable, Sendable {
        var id: Int64
        var title: String?
        var body: String?
    }

    static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
        CREATE TABLE labels(id INTEGER PRIMARY KEY, noteID INTEGER REFERENCES notes(id) ON DELETE CASCADE, name TEXT);
        CREATE TABLE private(secret TEXT); INSERT INTO private VALUES ('kept');
        """

    static let rows = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO notes SELECT i, 'common title' || i, 'common body word' || (i % 7) FROM n;
        INSERT INTO labels SELECT id, id, 'label' || (id % 3) FROM notes;
        """

    static let index = SearchIndex("noteTexts", of: Note.self, in: "notes") {
        Field(\.title, weight: 3)
        Field(\.body)
        Field("labels").joined("labels", \.name, separator: ",")
        Analysis(.standard)
    }

    static func queue(
        _ configuration: Configuration = Configuration(), path: String = ":memory:"
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: schema + rows) }
        return queue
    }

    /// A connection that may write to shadow tables.
    static var unguarded: Configuration {
        var configuration = Configuration()
        configuration.defensive = false
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Whether an error is one that callers can distinguish.
    static func isTyped(_ error: any Error) -> Bool {
        error is SearchIndexError || error is DatabaseError || error is FTS5Error || error is CancellationError
    }

    /// Every public call that reads, with the error that it threw.
    static func readEverything(_ reader: some DatabaseReader) -> [(call: String, error: any Error)] {
        var errors: [(String, any Error)] = []
        func call(_ name: String, _ body: () throws -> Void) {
            do { try body() } catch { errors.append((name, error)) }
        }
        let full = index.query("common -qqq").facet("labels").facet("title").explained().relaxed()
            .boosted(by: "length(title)").order { $0.title }.counting(.exact)
        call("search") { _ = try reader.search(index, "common wor") }
        call("search with everything") {
            for hit in try reader.search(full).hits {
                _ = (hit.highlights(\.title).html(), try hit.snippet("labels").ansi())
            }
        }
        call("search for nothing") { _ = try reader.search(index, "") }
        call("search for exclusions") { _ = try reader.search(index, "-common") }
        call("matches in SQL") {
            try reader.read { db in
                _ = try Int.fetchOne(db, literal: "SELECT count(*) FROM \(index.query("common").matchesSQL(db))")
            }
        }
        call("state") { _ = try reader.indexState(of: index) }
        call("suggestions") { _ = try reader.suggestions(for: "common ti", in: index) }
        call("correction") { _ = try reader.didYouMean("comon titel1", in: index) }
        return errors
    }
}
