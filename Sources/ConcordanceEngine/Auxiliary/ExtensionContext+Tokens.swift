import ConcordanceText

/// Tokens in memory that C functions may point into.
final class GivenTokens {
    private var tokens: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { removeAll() }

    /// Keeps a copy of a token, unless it already has one.
    func keep(_ bytes: some Collection<UInt8>) -> UnsafeBufferPointer<UInt8> {
        if let known = tokens.first(where: { $0.elementsEqual(bytes) }) { return UnsafeBufferPointer(known) }
        // A token without bytes also needs an address.
        let token = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = token.initialize(from: bytes)
        let given = UnsafeMutableBufferPointer(rebasing: token[..<bytes.count])
        tokens.append(given)
        return UnsafeBufferPointer(given)
    }

    func removeAll() {
        for token in tokens { token.deallocate() }
        tokens.removeAll()
    }
}

extension ExtensionContext {
    /// A token of a phrase of the query, as the tokenizer made it: `xQueryToken`.
    ///
    /// - Throws: SQLITE_RANGE if there is no such token.
    func queryToken(_ token: Int, ofPhrase phrase: Int) throws -> UnsafeBufferPointer<UInt8>? {
        tokens.keep(try queryTerm(token, ofPhrase: phrase).bytes)
    }

    private func queryTerm(_ token: Int, ofPhrase phrase: Int) throws -> QueryTerm {
        let phrases = phrases
        guard phrases.indices.contains(phrase), phrases[phrase].terms.indices.contains(token) else {
            throw Self.outOfRange
        }
        return phrases[phrase].terms[token]
    }

    /// The document's token at which an instance matches a token of its phrase: `xInstToken`. It is that of the query,
    /// unless the document can have another one there; then the text is tokenized. Nil if there is no text.
    ///
    /// - Throws: SQLITE_RANGE if there is no such instance or token.
    func instanceToken(_ token: Int, ofInstance index: Int) throws -> UnsafeBufferPointer<UInt8>? {
        try loadInstances()
        guard instances.merged.indices.contains(index) else { throw Self.outOfRange }
        let instance = instances.merged[index]
        let term = try queryTerm(token, ofPhrase: Int(instance.phrase))
        let isAnother = term.isPrefix || term.isForgiving || !term.synonyms.isEmpty || host.options.hasTokenData
        guard isAnother, let text = try text(ofColumn: Int(instance.position.column)) else {
            return term.isPrefix ? nil : tokens.keep(term.bytes)
        }
        var search = TokenSearch(term: term, place: Int(instance.position.offset) + token)
        let tokenizer = (host.tokenizer as? TokenDataTokenizer)?.wrapped ?? host.tokenizer
        try withUnsafeMutablePointer(to: &search) { search in
            try tokenizer.tokenize(
                text, for: .document, into: TokenSink(context: search, callback: TokenSearch.receive),
                on: host.connection)
        }
        return search.found.map { tokens.keep($0) }
    }

    /// Nil for an existing column; SQLITE_RANGE for any other.
    func checkColumn(_ column: Int) throws -> UnsafeBufferPointer<UInt8>? {
        guard host.options.columns.indices.contains(column) else { throw Self.outOfRange }
        return nil
    }
}

/// The token at a place of a text that a term matches.
private struct TokenSearch {
    let term: QueryTerm
    let place: Int
    private var current = -1
    private(set) var found: [UInt8]?

    init(term: QueryTerm, place: Int) {
        self.term = term
        self.place = place
    }

    static let receive: TokenCallback = { search, flags, token, count, _, _ in
        guard let search, let token, count >= 0 else { return 0 }
        search.assumingMemoryBound(to: TokenSearch.self).pointee.receive(
            UnsafeRawBufferPointer(start: token, count: Int(count)),
            isColocated: TokenFlags(rawValue: flags).contains(.colocated))
        return 0
    }

    private mutating func receive(_ token: UnsafeRawBufferPointer, isColocated: Bool) {
        if !isColocated { current += 1 }
        guard current == place, found == nil else { return }
        let known = UnsafeRawBufferPointer(rebasing: token[..<(token.firstIndex(of: 0) ?? token.endIndex)])
        if term.matches(token) || term.matches(known) { found = Array(token) }
    }
}
