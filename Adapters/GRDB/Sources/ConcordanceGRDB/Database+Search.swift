import ConcordanceSearch
import ConcordanceSQLite
import GRDB

extension GRDB.Configuration {
    /// Has every connection know search indexes: the engine and tokenizers, for SQL of your own, and the triggers by which
    /// indexes follow the connection's changes at once.
    ///
    /// ```swift
    /// var configuration = Configuration()
    /// configuration.prepareSearch()
    /// let dbPool = try DatabasePool(path: path, configuration: configuration)
    /// ```
    /// Without it, connections get them when an index is installed, searched or verified; what the app writes before that
    /// is noted, and taken in by the next search. Call it after the call that gives an encrypted database its key.
    public mutating func prepareSearch() {
        prepareDatabase { db in
            try db.lend { try SearchSupport.enable(on: $0) }
        }
    }
}

extension GRDB.Database {
    /// Creates the index with all that belongs to it, or brings it up to date, in the open transaction or in one of its
    /// own. This takes as long as it takes; `install` of a queue or pool lets others write meanwhile.
    ///
    /// ```swift
    /// migrator.registerMigration("search") { db in try db.install(noteTexts) }
    /// ```
    public func install<Record>(_ index: SearchIndex<Record>) throws {
        try lend { try SearchSupport.database(of: $0).install(index) }
        clearSchemaCache()
    }

    /// Drops the index with all that belongs to it, and nothing else; does nothing where there is none.
    public func uninstall<Record>(_ index: SearchIndex<Record>) throws {
        try lend { try SearchSupport.database(of: $0).uninstall(index) }
        clearSchemaCache()
    }

    /// Runs a search, in the open transaction or in one of its own. In a write transaction it sees what the transaction has
    /// written.
    public func search<Record>(_ request: SearchRequest<Record>) throws -> SearchPage<Record> {
        try lend { try request.fetch(SearchSupport.database(of: $0)) }
    }

    /// Searches an index for what a person has typed.
    public func search<Record>(
        _ index: SearchIndex<Record>, _ text: String, limit: Int = 20
    ) throws -> SearchPage<Record> {
        try search(index.query(text).limit(limit))
    }
}

extension SearchRequest {
    /// An observation of what the search finds, to be started like any other of GRDB's.
    ///
    /// ```swift
    /// let observation = noteTexts.query("week").observation()
    /// for try await page in observation.values(in: dbPool) { notes = page.map(\.record) }
    /// ```
    /// It fetches after every transaction that GRDB sees, and notifies every time. `results(of:)` sees the commits of other
    /// processes too, and yields only pages that are different.
    public func observation() -> ValueObservation<ValueReducers.Fetch<SearchPage<Record>>> {
        ValueObservation.tracking(region: .fullDatabase) { try $0.search(self) }
    }
}
