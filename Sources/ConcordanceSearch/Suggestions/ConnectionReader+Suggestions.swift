import ConcordanceText

extension ConnectionReader {
    /// How a begun query may go on: its last word completed, by words that the index finds together with the words before
    /// it, the most frequent first.
    ///
    /// ```swift
    /// for suggestion in try await dbPool.suggestions(for: "get gro", in: reminderTexts) {
    ///     print(suggestion.text)      // get groceries
    /// }
    /// // SELECT 1 FROM "reminderTexts" WHERE "reminderTexts" MATCH '"get" AND "groceries"' LIMIT 1
    /// ```
    ///
    /// Where at most 200 rows match the words before, the frequency is that in those rows; else that in all rows. Words
    /// are as people wrote them, `Großmann`, also where the index has `grossmann`, stems or trigrams. There are none where
    /// the text ends with a space, and none for scripts without spaces between words.
    ///
    /// The words come from the texts in the index. The first call reads them all (about two seconds for 80 MB); call
    /// `prepareSuggestions(for:)` at a time that suits. Later calls see what has been committed meanwhile: at once where
    /// looking through the texts takes less than 25 ms (some 10 MB), else after the background has done it, which takes a
    /// tenth of the time. Words that are gone are not suggested in any case. It never writes, and reads in steps of some
    /// milliseconds, so that writers do not wait.
    ///
    /// - Parameters:
    ///   - text: What was typed so far.
    ///   - index: The index whose words complete it.
    ///   - limit: At most so many.
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

    /// How a begun query may go on; see the synchronous `suggestions(for:in:limit:)`.
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

    /// The query that was probably meant; nil where nothing better is known.
    ///
    /// ```swift
    /// let correction = try await dbPool.didYouMean("title:grocreies -\"skim mlik\"", in: reminderTexts)
    /// correction?.text        // title:groceries -"skim milk"
    /// ```
    ///
    /// Only words are corrected that the index does not find, or hardly ever beside a word a hundred times as frequent
    /// that a likely mistake makes of them; and, where words that exist find nothing together, the one that was most
    /// likely mistyped. The correction is a word, or two words, of the texts, and the corrected query finds something.
    /// When the words are read from the texts, and how current they are, see `suggestions(for:in:limit:)`.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - index: The index whose words are right.
    ///   - isTyping: Whether the last word may be half typed, as `query` takes it. A correction is offered for it once
    ///     nothing is found that begins so.
    /// - Throws: `SearchIndexError.notInstalled`; `DatabaseError`.
    public func didYouMean<Record>(
        _ text: String, in index: SearchIndex<Record>, isTyping: Bool = true
    ) throws -> QueryCorrection? {
        try correction(
            of: SearchQuery(text, for: index.definition, isTyping: isTyping),
            written: SearchQuery(text, for: index.definition, isTyping: false), in: index)
    }

    /// The query that was probably meant; see the synchronous `didYouMean(_:in:isTyping:)`.
    public func didYouMean<Record>(
        _ text: String, in index: SearchIndex<Record>, isTyping: Bool = true
    ) async throws -> QueryCorrection? {
        try await correction(
            of: SearchQuery(text, for: index.definition, isTyping: isTyping),
            written: SearchQuery(text, for: index.definition, isTyping: false), in: index)
    }

    /// The query that was probably meant instead of `query`; see `didYouMean(_:in:isTyping:)`.
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

    /// The query that was probably meant instead of `query`; see `didYouMean(_:in:isTyping:)`.
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

    /// Reads the words of an index, so that the first suggestion does not have to wait for it. A cancelled call is taken
    /// up where it stopped by the next one.
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
