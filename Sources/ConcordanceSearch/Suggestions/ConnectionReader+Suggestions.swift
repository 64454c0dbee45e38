import ConcordanceText

extension ConnectionReader {
    /// Returns completions of the last word of a partly typed query: words that the index finds together with the words
    /// before it, the most frequent first.
    ///
    /// ```swift
    /// for suggestion in try await dbPool.suggestions(for: "get gro", in: reminderTexts) {
    ///     print(suggestion.text)      // get groceries
    /// }
    /// // SELECT 1 FROM "reminderTexts" WHERE "reminderTexts" MATCH '"get" AND "groceries"' LIMIT 1
    /// ```
    ///
    /// If at most 200 rows match the words before it, completions are counted in those rows, otherwise in all rows.
    /// Words are suggested as people wrote them, `Großmann`, even if the index has `grossmann`, stems or trigrams.
    /// There are no suggestions if the text ends with a space, or in scripts without spaces between words.
    ///
    /// The words come from the texts in the index. The first call reads them all (about two seconds for 80 MB); call
    /// `prepareSuggestions(for:)` beforehand at a convenient time. Later calls include what has been committed since:
    /// at once if reading the texts takes less than 25 ms (some 10 MB), otherwise after a background thread has read
    /// them, which it does in at most a tenth of the time. Words that no longer exist are never suggested. The call
    /// never writes, and reads in steps of a few milliseconds, so that writers do not wait.
    ///
    /// - Parameters:
    ///   - text: The text typed so far.
    ///   - index: The index whose words complete it.
    ///   - limit: The most suggestions to return.
    /// - Throws: `SearchIndexError.notInstalled`; `DatabaseError`.
    public func suggestions<Record>(
        for text: String, in index: SearchIndex<Record>, limit: Int = 8
    ) throws -> [Suggestion] {
        let definition = index.definition
        SearchSupport.enable(on: self)
        let dictionary = try IndexVocabulary.of(definition, for: self).dictionary(for: self)
        return try read { db in
            try SuggestionSearch(definition, dictionary, in: db).suggestions(for: text, limit: limit)
        }
    }

    /// Returns completions of the last word of a partly typed query; see the synchronous `suggestions(for:in:limit:)`.
    public func suggestions<Record>(
        for text: String, in index: SearchIndex<Record>, limit: Int = 8
    ) async throws -> [Suggestion] {
        let definition = index.definition
        SearchSupport.enable(on: self)
        let vocabulary = IndexVocabulary.of(definition, for: self)
        return try await vocabulary.run { isCancelled in
            let dictionary = try vocabulary.dictionary(for: self, isCancelled: isCancelled)
            return try self.read { db in
                try SuggestionSearch(definition, dictionary, in: db).suggestions(for: text, limit: limit)
            }
        }
    }

    /// Returns the query that was probably meant; nil if no better one is known.
    ///
    /// ```swift
    /// let correction = try await dbPool.didYouMean("title:grocreies -\"skim mlik\"", in: reminderTexts)
    /// correction?.text        // title:groceries -"skim milk"
    /// ```
    ///
    /// It corrects words that the index does not find, or finds rarely, if a likely typo turns them into a word a
    /// hundred times as frequent. If words that exist find nothing together, it corrects the one that was most likely
    /// mistyped. A correction is one word, or two, of the texts, and the corrected query finds something. See
    /// `suggestions(for:in:limit:)` for when the words are read from the texts, and how current they are.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - index: The index whose words are taken to be right.
    ///   - isTyping: Whether the last word may be half typed, as in `query`. A half-typed word is corrected only if no
    ///     word begins with it.
    /// - Throws: `SearchIndexError.notInstalled`; `DatabaseError`.
    public func didYouMean<Record>(
        _ text: String, in index: SearchIndex<Record>, isTyping: Bool = true
    ) throws -> QueryCorrection? {
        try correction(
            of: SearchQuery(text, for: index.definition, isTyping: isTyping),
            written: SearchQuery(text, for: index.definition, isTyping: false), in: index)
    }

    /// Returns the query that was probably meant; see the synchronous `didYouMean(_:in:isTyping:)`.
    public func didYouMean<Record>(
        _ text: String, in index: SearchIndex<Record>, isTyping: Bool = true
    ) async throws -> QueryCorrection? {
        try await correction(
            of: SearchQuery(text, for: index.definition, isTyping: isTyping),
            written: SearchQuery(text, for: index.definition, isTyping: false), in: index)
    }

    /// Returns the query that was probably meant instead of `query`; see `didYouMean(_:in:isTyping:)`.
    public func didYouMean<Record>(
        _ query: SearchQuery, in index: SearchIndex<Record>
    ) throws -> QueryCorrection? {
        try correction(of: query, written: query, in: index)
    }

    private func correction<Record>(
        of query: SearchQuery, written: SearchQuery, in index: SearchIndex<Record>
    ) throws -> QueryCorrection? {
        let definition = index.definition
        SearchSupport.enable(on: self)
        let dictionary = try IndexVocabulary.of(definition, for: self).dictionary(for: self)
        return try read { db in
            var corrector = QueryCorrector(definition, dictionary, in: db)
            return try corrector.correct(query, written: written)
        }
    }

    /// Returns the query that was probably meant instead of `query`; see `didYouMean(_:in:isTyping:)`.
    public func didYouMean<Record>(
        _ query: SearchQuery, in index: SearchIndex<Record>
    ) async throws -> QueryCorrection? {
        try await correction(of: query, written: query, in: index)
    }

    private func correction<Record>(
        of query: SearchQuery, written: SearchQuery, in index: SearchIndex<Record>
    ) async throws -> QueryCorrection? {
        let definition = index.definition
        SearchSupport.enable(on: self)
        let vocabulary = IndexVocabulary.of(definition, for: self)
        return try await vocabulary.run { isCancelled in
            let dictionary = try vocabulary.dictionary(for: self, isCancelled: isCancelled)
            return try self.read { db in
                var corrector = QueryCorrector(definition, dictionary, in: db)
                return try corrector.correct(query, written: written)
            }
        }
    }

    /// Reads the words of an index, so that the first suggestion need not wait. After a cancelled call, the next one
    /// continues where it stopped.
    ///
    /// - Throws: `SearchIndexError.notInstalled`; `DatabaseError`; `CancellationError`.
    public func prepareSuggestions<Record>(for index: SearchIndex<Record>) async throws {
        SearchSupport.enable(on: self)
        let vocabulary = IndexVocabulary.of(index.definition, for: self)
        try await vocabulary.run { isCancelled in
            _ = try vocabulary.dictionary(for: self, isCancelled: isCancelled)
        }
    }
}
