/// One pass over the tokens of a text, which finds every place where a phrase stands.
///
/// Tokens of one position come one after another, colocated ones after the first. They are gathered into the set of
/// places that this position can fill; then all phrases in progress advance at once. The phrases bound the memory, and
/// nothing is allocated until something is found.
struct MatchScan {
    /// A phrase that was found, and where.
    struct Found {
        var phrase: Int
        /// Positions of tokens.
        var first: Int
        var last: Int
        /// Bytes of the text.
        var start: Int
        var end: Int
    }

    /// Receives a phrase that was found; false ends the scan.
    typealias Visitor = (Found) -> Bool

    private let table: Unmanaged<PhraseTable>
    private let text: UnsafeBufferPointer<UInt8>
    private let endsAfterThreeCharacters: Bool
    private let visit: Visitor

    /// The places that have been reached, up to the position before this one.
    private let state: UnsafeMutablePointer<UInt64>
    /// The places that the tokens of this position can fill.
    private let reached: UnsafeMutablePointer<UInt64>
    /// Where tokens of the last positions begin, by position modulo the size, a power of two.
    private let starts: UnsafeMutablePointer<Int>
    private let startMask: Int
    private let wordCount: Int

    private var position = -1
    private var isUnderWay = false
    private var hasReached = false
    private var start = 0
    private var end = 0

    /// Calls `visit` with each phrase that stands in the text, in the order of their ends.
    static func run(
        _ table: PhraseTable, in text: UnsafeBufferPointer<UInt8>, by tokenizer: any Tokenizer, isTrigram: Bool,
        _ visit: Visitor
    ) {
        guard !table.isEmpty, !text.isEmpty else { return }
        var ringSize = 1
        while ringSize < table.longestPhrase { ringSize *= 2 }
        defer { withExtendedLifetime(table) {} }
        withoutActuallyEscaping(visit) { visit in
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: table.wordCount * 2) { sets in
                withUnsafeTemporaryAllocation(of: Int.self, capacity: ringSize) { ring in
                    guard let sets = sets.baseAddress, let ring = ring.baseAddress else { return }
                    sets.initialize(repeating: 0, count: table.wordCount * 2)
                    ring.initialize(repeating: 0, count: ringSize)
                    var scan = MatchScan(
                        table: table, text: text, isTrigram: isTrigram, sets: sets, ring: ring, ringSize: ringSize,
                        visit: visit)
                    scan.run(tokenizer)
                }
            }
        }
    }

    private init(
        table: PhraseTable, text: UnsafeBufferPointer<UInt8>, isTrigram: Bool, sets: UnsafeMutablePointer<UInt64>,
        ring: UnsafeMutablePointer<Int>, ringSize: Int, visit: @escaping Visitor
    ) {
        self.table = .passUnretained(table)
        self.text = text
        endsAfterThreeCharacters = isTrigram
        self.visit = visit
        state = sets
        reached = sets + table.wordCount
        starts = ring
        startMask = ringSize - 1
        wordCount = table.wordCount
    }

    private mutating func run(_ tokenizer: any Tokenizer) {
        let text = text
        let code = withUnsafeMutablePointer(to: &self) { scan in
            // Texts are tokenized as for auxiliary functions.
            tokenizer.tokenize(
                text, for: .auxiliary,
                into: TokenSink(context: scan) { context, flags, token, count, start, end in
                    guard let context, let token else { return 0 }
                    return context.assumingMemoryBound(to: MatchScan.self).pointee
                        .receive(flags, token, Int(count), start: Int(start), end: Int(end))
                })
        }
        if code == 0 { _ = finishPosition() }
    }

    @inline(__always)
    private mutating func receive(
        _ flags: Int32, _ token: UnsafePointer<CChar>, _ count: Int, start: Int, end: Int
    ) -> Int32 {
        if flags & TokenFlags.colocated.rawValue == 0 || position < 0 {
            if !finishPosition() { return 1 }
            position &+= 1
        }
        let found = token.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            table._withUnsafeGuaranteedRef { $0.addPlaces(of: bytes, count: count, to: reached) }
        }
        if found {
            self.start = hasReached ? min(self.start, start) : start
            self.end = hasReached ? max(self.end, end) : end
            hasReached = true
        }
        return 0
    }

    /// Advances all phrases by the tokens of the position; false if the visitor ends the scan.
    @inline(__always)
    private mutating func finishPosition() -> Bool {
        guard hasReached else {
            if isUnderWay {
                state.update(repeating: 0, count: wordCount)
                isUnderWay = false
            }
            return true
        }
        return advance()
    }

    private mutating func advance() -> Bool {
        starts[position & startMask] = start
        isUnderWay = false
        hasReached = false
        var carry: UInt64 = 0
        return table._withUnsafeGuaranteedRef { table in
            for word in 0..<wordCount {
                let old = state[word]
                let new = (old << 1 | carry | table.starts[word]) & reached[word]
                carry = old >> 63
                state[word] = new
                reached[word] = 0
                isUnderWay = isUnderWay || new != 0
                var hits = new & table.ends[word]
                while hits != 0 {
                    let place = table.places[word * 64 + hits.trailingZeroBitCount]
                    hits &= hits - 1
                    if !report(place) { return false }
                }
            }
            return true
        }
    }

    private func report(_ place: PhraseTable.Place) -> Bool {
        let first = position - Int(place.length) + 1
        let start = min(max(starts[first & startMask], 0), text.count)
        var end = min(max(self.end, start), text.count)
        // A token of SQLite's trigram ends where its folded characters would end; the match ends where the characters
        // themselves do.
        if endsAfterThreeCharacters { end = endOfThreeCharacters(from: self.start) }
        return visit(
            Found(phrase: Int(place.phrase), first: first, last: position, start: start, end: max(start, end)))
    }

    private func endOfThreeCharacters(from start: Int) -> Int {
        var end = start
        for _ in 0..<3 where end < text.count {
            end += 1
            while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        }
        return end
    }
}
