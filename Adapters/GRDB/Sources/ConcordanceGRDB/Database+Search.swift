import ConcordanceSearch
import ConcordanceSQLite
import GRDB

extension GRDB.Configuration {
    /// Prepares every connection for search indexes: it gets the engine and the tokenizers, for your own SQL, and the
    /// triggers by which indexes follow the connection's changes at once.
    ///
    /// ```swift
    /// var configuration = Configuration()
    /// configuration.prepareSearch()
    /// let dbPool = try DatabasePool(path: path, configuration: configuration)
    /// ```
    /// Without it, connections get them when an index is installed, searched or verified. What the app writes before then
    /// is noted, and the next search adds it to the index. Call this after the call that sets an encrypted database's key.
    public mutating func prepareSearch() {
        prepareDatabase { db in
            try db.lend { try SearchSupport.enable(on: $0) }
        }
    }
}

extension GRDB.Database {
    /// Creates the index and everything that belongs to it, or brings it up to date, in the open transaction or in one of
    /// its own. No other connection can write until it is done; `install` of a queue or pool lets others write meanwhile.
    ///
    /// ```swift
    /// migrator.registerMigration("search") { db in try db.install(noteTexts) }
    /// ```
    public func install<Record>(_ index: SearchIndex<Record>) throws {
        try lend { try SearchSupport.database(of: $0).install(index) }
        clearSchemaCache()
    }

    /// Drops the index and everything that belongs to it, and nothing else. Does nothing if there is no such index.
    public func uninstall<Record>(_ index: SearchIndex<Record>) throws {
        try lend { try SearchSupport.database(of: $0).uninstall(index) }
        clearSchemaCache()
    }

    /// Runs a search, in the open transaction or in one of its own. In a write transaction it sees what the transaction has
    /// written.
    public func search<Record>(_ request: SearchRequest<Record>) throws -> SearchPage<Record> {
        try lend { try request.fetch(SearchSupport.database(of: $0)) }
    }

    /// Searches an index for what a person typed.
    public func search<Record>(
        _ index: SearchIndex<Record>, _ text: String, limit: Int = 20
    ) throws -> SearchPage<Record> {
        try search(index.query(text).limit(limit))
    }
}

extension SearchRequest {
    /// An observation of the search's results, which you start like any other of GRDB's observations.
    ///
    /// ```swift
    /// let observation = noteTexts.query("week").observation()
    /// for try await page in observation.values(in: dbPool) { notes = page.map(\.record) }
    /// ```
    /// It fetches after every transaction that GRDB sees, and notifies each time. `results(of:)` also sees the commits of
    /// other processes, and yields only pages that differ from the one before.
    public func observation() -> ValueObservation<ValueReducers.Fetch<SearchPage<Record>>> {
        ValueObservation.tracking(region: .fullDatabase) { try $0.search(self) }
    }
}
