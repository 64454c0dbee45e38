extension ConnectionReader {
    /// Searches an index for what a person has typed.
    ///
    /// ```swift
    /// let page = try await dbPool.search(reminderTexts, "get groc -milk")
    /// ```
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func search<Record>(
        _ index: SearchIndex<Record>, _ text: String, limit: Int = 20
    ) throws -> SearchPage<Record> { try search(index.query(text).limit(limit)) }

    /// Searches an index for what a person has typed; cancelled with its task.
    public func search<Record>(
        _ index: SearchIndex<Record>, _ text: String, limit: Int = 20
    ) async throws -> SearchPage<Record> { try await search(index.query(text).limit(limit)) }

    /// Runs a request, in one read transaction.
    ///
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func search<Record>(_ request: SearchRequest<Record>) throws -> SearchPage<Record> {
        try reading([request.definition]) { try request.fetch($0) }
    }

    /// Runs a request, in one read transaction; cancelled with its task.
    public func search<Record>(_ request: SearchRequest<Record>) async throws -> SearchPage<Record> {
        try await reading([request.definition]) { try request.fetch($0) }
    }
}
