import ConcordanceSQLite

extension DatabaseReader {
    /// Returns a sequence of what `fetch` returns, at once and after every commit that changes it; see `LiveValues`.
    ///
    /// ```swift
    /// for try await count in dbPool.values(of: { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }) {
    ///     print(count ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: How often to look for changes by other connections and processes (`PRAGMA data_version`); never if
    ///     nil. Changes by this queue or pool are always reported at once.
    ///   - fetch: Reads a value, in one transaction, outside the cooperative pool.
    public func values<Value: Sendable & Equatable>(
        pollingEvery interval: Duration? = .milliseconds(100),
        of fetch: @escaping @Sendable (Database) throws -> Value
    ) -> LiveValues<Value> {
        LiveValues(reader: self, interval: interval, fetch: fetch, isDuplicate: ==)
    }

    /// Returns a sequence of what `fetch` returns, at once and after every commit that changes it; `isDuplicate` tells
    /// whether two values are the same. See `LiveValues`.
    ///
    /// - Parameters:
    ///   - interval: How often to look for changes by other connections and processes; never if nil.
    ///   - isDuplicate: Whether the second value need not be yielded after the first.
    ///   - fetch: Reads a value, in one transaction, outside the cooperative pool.
    public func values<Value: Sendable>(
        pollingEvery interval: Duration? = .milliseconds(100),
        removingDuplicatesBy isDuplicate: @escaping @Sendable (Value, Value) -> Bool,
        of fetch: @escaping @Sendable (Database) throws -> Value
    ) -> LiveValues<Value> {
        LiveValues(reader: self, interval: interval, fetch: fetch, isDuplicate: isDuplicate)
    }
}

extension ConnectionReader {
    /// Returns a sequence of the pages of a search, at once and after every commit that changes them; see
    /// `LiveResults`.
    ///
    /// ```swift
    /// for try await page in dbPool.results(of: reminderTexts.query("week")) {
    ///     show(page)
    /// }
    /// ```
    ///
    /// Every change of what the page shows counts: of the index, of related rows, of rows that a filter reads, and a
    /// new installation of the index.
    ///
    /// - Parameters:
    ///   - request: The search; see `SearchRequest.fetch(_:)` for what it throws.
    ///   - interval: How often to look for changes by other connections and processes; never if nil.
    public func results<Record>(
        of request: SearchRequest<Record>, pollingEvery interval: Duration? = .milliseconds(100)
    ) -> LiveResults<Record> {
        SearchSupport.enable(on: self)
        return LiveResults(request, reader: self, interval: interval)
    }
}
