import ConcordanceText

/// Finds the instances of a query's phrases in a row: in the index if it has positions, otherwise by tokenizing the
/// texts.
struct InstanceFinder {
    private let context: ExtensionContext

    init(_ context: ExtensionContext) { self.context = context }

    func find(into instances: RowInstances) throws {
        instances.removeAll()
        guard let query = context.host.query, context.phraseCount > 0 else { return }
        if context.host.options.detail == .full {
            let document = try context.indexedDocument()
            let positions = GrowingBuffer<Position>()
            for phrase in 0..<context.phraseCount {
                try query.instances(at: document, ofPhrase: phrase, into: positions)
                try instances.append(positions.values)
            }
        } else {
            for positions in try positionsInTexts(query) { try instances.append(positions) }
        }
        instances.merge()
        try check(instances.merged.last?.position)
    }

    /// Functions use columns as indexes of arrays, so the last one must be one of the table's.
    private func check(_ last: Position?) throws {
        guard let last, last.column >= context.columnCount else { return }
        throw corrupt("an instance is in column \(last.column), which does not exist")
    }

    /// The columns of each phrase, as positions with the offset 0; from the index if it stores columns.
    func findColumns(into columns: RowInstances) throws {
        columns.removeAll()
        guard let query = context.host.query else { return }
        let document = try context.indexedDocument()
        var frequencies: [ColumnFrequency] = []
        for phrase in 0..<context.phraseCount {
            try query.columns(at: document, ofPhrase: phrase, into: &frequencies)
            try columns.append(frequencies.map { Position(column: $0.column, offset: 0) })
            try check(frequencies.last.map { Position(column: $0.column, offset: 0) })
        }
    }

    /// Without positions in the index, no phrase has several tokens. Each token of the texts is compared with those of
    /// the phrases that count in this row.
    private func positionsInTexts(_ query: BoundQuery) throws -> [[Position]] {
        let document = try context.indexedDocument()
        var search = TermSearch(phrases: context.phrases)
        var frequencies: [ColumnFrequency] = []
        for phrase in context.phrases.indices {
            try query.columns(at: document, ofPhrase: phrase, into: &frequencies)
            search.isCounted[phrase] = !frequencies.isEmpty
        }
        for column in 0..<context.columnCount where context.host.options.columns[column].isIndexed {
            guard let text = try context.text(ofColumn: column) else { continue }
            search.start(column: column)
            try withUnsafeMutablePointer(to: &search) { search in
                try context.host.tokenizer.tokenize(
                    text, for: .document,
                    into: TokenSink(context: search) { search, flags, token, count, _, _ in
                        guard let search, let token, count >= 0 else { return 0 }
                        search.assumingMemoryBound(to: TermSearch.self).pointee.receive(
                            UnsafeRawBufferPointer(
                                start: token, count: min(Int(count), PendingTerms.maximumTokenLength)),
                            isColocated: TokenFlags(rawValue: flags).contains(.colocated))
                        return 0
                    }, on: context.host.connection)
            }
            try RowInstances.check(search.count)
        }
        return search.positions
    }
}

/// The places of phrases of one token each in a text.
private struct TermSearch {
    private let phrases: [QueryPhrase]
    /// The phrases whose matches in the row count.
    var isCounted: [Bool]
    private(set) var positions: [[Position]]
    /// How many there are. Those behind the limit are only counted.
    private(set) var count = 0
    private var column: UInt32 = 0
    private var offset: UInt32 = .max

    init(phrases: [QueryPhrase]) {
        self.phrases = phrases
        isCounted = Array(repeating: false, count: phrases.count)
        positions = Array(repeating: [], count: phrases.count)
    }

    mutating func start(column: Int) {
        self.column = UInt32(clamping: column)
        offset = .max
    }

    mutating func receive(_ token: UnsafeRawBufferPointer, isColocated: Bool) {
        if !isColocated { offset &+= 1 }
        let position = Position(column: column, offset: offset)
        for (number, phrase) in phrases.enumerated() where isCounted[number] {
            if let columns = phrase.columns, !columns.contains(Int(column)) { continue }
            // A place counts for each token there, as in FTS5.
            guard let term = phrase.terms.first, term.matches(token) else { continue }
            count += 1
            if count <= RowInstances.limit { positions[number].append(position) }
        }
    }
}

extension QueryTerm {
    /// Whether a token is the term or one of its synonyms, or begins with one if a beginning is enough.
    func matches(_ token: UnsafeRawBufferPointer) -> Bool {
        Self.matches(bytes, token, isPrefix) || synonyms.contains { Self.matches($0, token, isPrefix) }
    }

    private static func matches(_ bytes: [UInt8], _ token: UnsafeRawBufferPointer, _ isPrefix: Bool) -> Bool {
        guard isPrefix ? bytes.count <= token.count : bytes.count == token.count else { return false }
        return zip(bytes, token).allSatisfy { $0 == $1 }
    }
}
