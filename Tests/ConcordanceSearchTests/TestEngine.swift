import Concordance
import ConcordanceSearch
import Foundation
import Testing

/// The engine of all indexes in these tests that name none: the default, or that of the variable CONCORDANCE_ENGINE, by
/// which `./test` runs them all with the other engine too.
enum TestEngine {
    static let current: SearchEngine =
        ProcessInfo.processInfo.environment["CONCORDANCE_ENGINE"] == "fts5" ? .fts5 : .concordance
    static var other: SearchEngine { current == .fts5 ? .concordance : .fts5 }
    /// The SQL of a full-text table that keeps no texts, after tokenizer and prefixes.
    static var contentOptions: String {
        current == .fts5 ? "" : " content='', contentless_delete=1, source=1,"
    }
    /// As SQL calls it.
    static var moduleName: String { current == .fts5 ? "fts5" : "concordance" }
}

// Swift prefers a function without a defaulted argument to one that has it.
extension SearchIndex {
    init(
        _ name: String, of record: Record.Type, in table: String,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: Decodable {
        self.init(name, of: record, in: table, engine: TestEngine.current, content: content)
    }

    init(
        _ name: String, of record: Record.Type, in table: String,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord {
        self.init(name, of: record, in: table, engine: TestEngine.current, content: content)
    }

    init(
        _ name: String, of record: Record.Type, in table: String,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord & Decodable {
        self.init(name, of: record, in: table, engine: TestEngine.current, content: content)
    }

    init(
        _ name: String, of record: Record.Type,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord & TableRecord & Decodable {
        self.init(name, of: record, engine: TestEngine.current, content: content)
    }

    init(_ name: String, in table: String, @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>])
    where Record == Row {
        self.init(name, in: table, engine: TestEngine.current, content: content)
    }
}

extension ObjectIndex {
    convenience init(
        path: String, configuration: Configuration = Configuration(),
        @SearchIndexBuilder<SearchObject> content: () -> [IndexElement<SearchObject>]
    ) throws {
        try self.init(path: path, configuration: configuration, engine: TestEngine.current, content: content)
    }

    static func open(
        path: String, configuration: Configuration = Configuration(),
        @SearchIndexBuilder<SearchObject> content: () -> [IndexElement<SearchObject>]
    ) async throws -> ObjectIndex {
        try await open(path: path, configuration: configuration, engine: TestEngine.current, content: content)
    }
}

@Suite("The engine of these tests")
struct TestEngineTests {
    @Test func `is that of all their indexes`() throws {
        #expect(SearchIndex("x", in: "y") { Field("a") }.definition.engine == TestEngine.current)
        #expect(ManyNotes.index.definition.engine == TestEngine.current)
        #expect(HostileNotes.index.definition.engine == TestEngine.current)
    }
}
