extension ObjectIndex {
    /// A search for what a person has typed, to be refined: filters, orders and facets have the columns of the table
    /// `objects`, which are `object_id` and those of the fields.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - isTyping: Whether the last word may be the beginning of one.
    public func query(_ text: String, isTyping: Bool = true) -> SearchRequest<SearchObject> {
        definition.query(text, isTyping: isTyping)
    }

    /// A search for what a program has put together.
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

    /// Runs a search, in one read transaction.
    public func search(_ request: SearchRequest<SearchObject>) throws -> SearchPage<SearchObject> {
        try database.search(request)
    }

    /// Runs a search, in one read transaction; cancelled with its task.
    public func search(_ request: SearchRequest<SearchObject>) async throws -> SearchPage<SearchObject> {
        try await database.search(request)
    }

    /// What a search finds, at once and after every change of the index, by whatever process; see `LiveResults`.
    ///
    /// - Parameters:
    ///   - request: The search.
    ///   - interval: How often to look for changes by others; nil never.
    public func results(
        of request: SearchRequest<SearchObject>, pollingEvery interval: Duration? = .milliseconds(100)
    ) -> LiveResults<SearchObject> {
        database.results(of: request, pollingEvery: interval)
    }

    /// How a begun query may go on; see `ConnectionReader.suggestions(for:in:limit:)`.
    public func suggestions(for text: String, limit: Int = 8) throws -> [Suggestion] {
        try database.suggestions(for: text, in: definition, limit: limit)
    }

    /// How a begun query may go on; cancelled with its task.
    public func suggestions(for text: String, limit: Int = 8) async throws -> [Suggestion] {
        try await database.suggestions(for: text, in: definition, limit: limit)
    }

    /// The query that was probably meant; nil where nothing better is known. See
    /// `ConnectionReader.didYouMean(_:in:isTyping:)`.
    public func didYouMean(_ text: String) throws -> QueryCorrection? {
        try database.didYouMean(text, in: definition)
    }

    /// The query that was probably meant; cancelled with its task.
    public func didYouMean(_ text: String) async throws -> QueryCorrection? {
        try await database.didYouMean(text, in: definition)
    }
}
