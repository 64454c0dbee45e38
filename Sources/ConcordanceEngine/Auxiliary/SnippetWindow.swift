import ConcordanceText

/// Chooses a snippet's place as FTS5 does: of the windows that begin at an instance, moved so that it is in their
/// middle, and those that begin with the sentence of an instance, the one with the highest score. The first instance of
/// each phrase in a window counts 1000, each further one 1; a sentence's beginning 100, the text's 120.
struct SnippetWindow {
    private let context: ExtensionContext
    private let tokenCount: Int
    /// The column of the best window so far.
    private(set) var column: Int
    /// Its first token.
    private(set) var start = 0
    /// How many tokens that column has; nil if no window has a match.
    private(set) var columnSize: Int?
    private var bestScore = 0
    private var isSeen: [Bool]
    /// What is wrong with the last column; errors of earlier columns are forgotten, as in FTS5.
    private var failure: (any Error)?

    init(_ context: ExtensionContext, tokenCount: Int, column: Int) {
        self.context = context
        self.tokenCount = tokenCount
        self.column = column
        isSeen = Array(repeating: false, count: context.phraseCount)
    }

    mutating func consider(column: Int) throws {
        failure = nil
        try context.loadInstances()
        let sentences = try SentenceStarts.find(context, column: column)
        let size = Int(try context.size(ofColumn: column))
        for index in context.instances.range(ofColumn: column) {
            let offset = Int(context.instances.merged[index].position.offset)
            guard offset <= size else {
                failure = corrupt("an instance is after the end of its column")
                return
            }
            let window = score(column: column, from: offset)
            take(window.score, column: column, start: middle(window, size: size), size: size)
            if size > tokenCount, let sentence = sentences.last(notAfter: offset), sentence < offset {
                let bonus = sentence == 0 ? 120 : 100
                take(
                    score(column: column, from: sentence).score + bonus, column: column, start: sentence, size: size)
            }
        }
    }

    /// Throws the error found in the last column considered.
    func finish() throws {
        if let failure { throw failure }
    }

    private mutating func take(_ score: Int, column: Int, start: Int, size: Int) {
        guard score > bestScore else { return }
        bestScore = score
        self.column = column
        self.start = start
        columnSize = size == 0 ? nil : size
    }

    private struct Score {
        var score = 0
        /// The first token of the first instance in the window, and the one after the last instance.
        var first = -1
        var end = 0
    }

    private mutating func score(column: Int, from start: Int) -> Score {
        for phrase in isSeen.indices { isSeen[phrase] = false }
        var result = Score()
        let instances = context.instances
        let first = instances.firstInstance(
            from: Position(column: UInt32(clamping: column), offset: UInt32(clamping: start)).rawValue)
        for instance in instances.merged[first...] {
            let offset = Int(instance.position.offset)
            let phrase = Int(instance.phrase)
            guard instance.position.column == column, offset < start + tokenCount else { break }
            result.score += isSeen[phrase] ? 1 : 1000
            isSeen[phrase] = true
            if result.first < 0 { result.first = offset }
            result.end = offset + context.size(ofPhrase: phrase)
        }
        return result
    }

    /// Where a window must begin for its instances to be in the middle, as far as the text allows.
    private func middle(_ window: Score, size: Int) -> Int {
        let centered = window.first - (tokenCount - (window.end - window.first)) / 2
        return max(0, min(centered, size - tokenCount))
    }
}

/// The tokens with which sentences begin: the first, and those after a full stop or a colon and white space.
private struct SentenceStarts {
    private let text: UnsafeBufferPointer<UInt8>
    private var token = 0
    private var starts: [Int] = []

    private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    static func find(_ context: ExtensionContext, column: Int) throws -> SentenceStarts {
        guard let text = try context.text(ofColumn: column) else {
            return SentenceStarts(UnsafeBufferPointer(start: nil, count: 0))
        }
        var sentences = SentenceStarts(text)
        try withUnsafeMutablePointer(to: &sentences) { sentences in
            try context.host.tokenizer.tokenize(
                text, for: .auxiliary,
                into: TokenSink(context: sentences) { sentences, flags, _, _, start, _ in
                    guard let sentences, !TokenFlags(rawValue: flags).contains(.colocated) else { return 0 }
                    sentences.assumingMemoryBound(to: SentenceStarts.self).pointee.receive(start: Int(start))
                    return 0
                }, on: context.host.connection)
        }
        return sentences
    }

    private mutating func receive(start: Int) {
        if token == 0 || isSentence(at: start) { starts.append(token) }
        token += 1
    }

    private func isSentence(at start: Int) -> Bool {
        var index = min(start, text.count) - 1
        while index >= 0, [0x20, 0x09, 0x0A, 0x0D].contains(text[index]) { index -= 1 }
        // There must be white space between, and something before it.
        guard index >= 0, index < start - 1 else { return false }
        return text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ":")
    }

    /// The last beginning at or before a token, or the first one if there is none; nil in a text without tokens.
    func last(notAfter token: Int) -> Int? {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= token { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? starts[low - 1] : starts.first
    }
}
