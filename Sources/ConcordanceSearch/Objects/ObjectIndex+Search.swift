extension ObjectIndex {
    /// Returns a request for what a person has typed. Filters, orders and facets use the columns of the table
    /// `objects`, which are `object_id` and the fields.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - isTyping: Whether the last word may be incomplete.
    public func query(_ text: String, isTyping: Bool = true) -> SearchRequest<SearchObject> {
        definition.query(text, isTyping: isTyping)
    }

    /// Returns a request for a query that a program has composed.
    public func query(_ query: SearchQuery) -> SearchRequest<SearchObject> { definition.query(query) }

    /// Searches for what a person has typed.
    ///
    /// ```swift
    /// let page = try await index.search("she shel")
    /// let ids = page.hits.map(\.record.id)
    /// ```
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func search(_ text: String, limit: Int = 20) throws -> SearchPage<SearchObject> {
        try search(query(text).limit(limit))
    }

    /// Searches for what a person has typed; cancelled with its task.
    public func search(_ text: String, limit: Int = 20) async throws -> SearchPage<SearchObject> {
        try await search(query(text).limit(limit))
    }

    /// Runs a request, in one read transaction.
    public func search(_ request: SearchRequest<SearchObject>) throws -> SearchPage<SearchObject> {
        try database.search(request)
    }

    /// Runs a request, in one read transaction; cancelled with its task.
    public func search(_ request: SearchRequest<SearchObject>) async throws -> SearchPage<SearchObject> {
        try await database.search(request)
    }

    /// Returns a sequence of the pages of a request, at once and after every change of the index that changes them, by
    /// whatever process; see `LiveResults`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - interval: How often to look for changes by others; never if nil.
    public func results(
        of request: SearchRequest<SearchObject>, pollingEvery interval: Duration? = .milliseconds(100)
    ) -> LiveResults<SearchObject> {
        database.results(of: request, pollingEvery: interval)
    }

    /// Returns completions of a partly typed query; see `ConnectionReader.suggestions(for:in:limit:)`.
    public func suggestions(for text: String, limit: Int = 8) throws -> [Suggestion] {
        try database.suggestions(for: text, in: definition, limit: limit)
    }

    /// Returns completions of a partly typed query; cancelled with its task.
    public func suggestions(for text: String, limit: Int = 8) async throws -> [Suggestion] {
        try await database.suggestions(for: text, in: definition, limit: limit)
    }

    /// Returns the query that was probably meant; nil if no better one is known. See
    /// `ConnectionReader.didYouMean(_:in:isTyping:)`.
    public func didYouMean(_ text: String) throws -> QueryCorrection? {
        try database.didYouMean(text, in: definition)
    }

    /// Returns the query that was probably meant; cancelled with its task.
    public func didYouMean(_ text: String) async throws -> QueryCorrection? {
        try await database.didYouMean(text, in: definition)
    }
}
