import ConcordanceSQLite

extension DatabaseReader {
    /// What `fetch` finds, at once and after every commit that changes it; see `LiveValues`.
    ///
    /// ```swift
    /// for try await count in dbPool.values(of: { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }) {
    ///     print(count ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: How often to look for changes by other connections and processes (`PRAGMA data_version`); nil
    ///     never. Changes by this queue or pool are told at once in any case.
    ///   - fetch: Reads in one transaction, outside of the cooperative pool.
    public func values<Value: Sendable & Equatable>(
        pollingEvery interval: Duration? = .milliseconds(100),
        of fetch: @escaping @Sendable (Database) throws -> Value
    ) -> LiveValues<Value> {
        LiveValues(reader: self, interval: interval, fetch: fetch, isDuplicate: ==)
    }

    /// What `fetch` finds, at once and after every commit that changes it, where `isDuplicate` tells whether two values
    /// are the same; see `LiveValues`.
    ///
    /// - Parameters:
    ///   - interval: How often to look for changes by other connections and processes; nil never.
    ///   - isDuplicate: Whether the second value need not be yielded after the first.
    ///   - fetch: Reads in one transaction, outside of the cooperative pool.
    public func values<Value: Sendable>(
        pollingEvery interval: Duration? = .milliseconds(100),
        removingDuplicatesBy isDuplicate: @escaping @Sendable (Value, Value) -> Bool,
        of fetch: @escaping @Sendable (Database) throws -> Value
    ) -> LiveValues<Value> {
        LiveValues(reader: self, interval: interval, fetch: fetch, isDuplicate: isDuplicate)
    }
}

extension ConnectionReader {
    /// What a search finds, at once and after every commit that changes it; see `LiveResults`.
    ///
    /// ```swift
    /// for try await page in dbPool.results(of: reminderTexts.query("week")) {
    ///     show(page)
    /// }
    /// ```
    ///
    /// Everything that the page shows counts: the index, rows of related tables, those that a filter reads, and an index
    /// that is installed anew.
    ///
    /// - Parameters:
    ///   - request: The search; see `SearchRequest.fetch(_:)` for what it throws.
    ///   - interval: How often to look for changes by other connections and processes; nil never.
    public func results<Record>(
        of request: SearchRequest<Record>, pollingEvery interval: Duration? = .milliseconds(100)
    ) -> LiveResults<Record> {
        SearchSupport.enable(on: self)
        return LiveResults(request, reader: self, interval: interval)
    }
}
