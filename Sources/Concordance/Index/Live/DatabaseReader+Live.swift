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
