#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SpellingDictionary {
    /// What somebody who typed a word may have meant.
    public struct Correction: Hashable, Sendable {
        /// The word as it is written most often; two words, with a space between them, if the space was missing.
        public var text: String
        /// How often it was counted; for two words, the count of the rarer one.
        package var count: Int
        /// How many edits lead to it: characters deleted, inserted or substituted, and neighbours swapped.
        package var distance: Int
        /// How unlikely the mistakes are, in bits: a missing letter costs about 3, a substituted one 9.
        package var cost: Double
        /// How likely it is that this was meant, in bits: of two corrections whose scores differ by one, the higher is
        /// twice as likely.
        package var score: Double
    }

    /// Returns what was probably meant, the likeliest first: words of the dictionary within two edits (one for words of
    /// fewer than five characters), and pairs of words that were typed without a space.
    ///
    /// Corrections are scored by their counts and by the likelihood of the mistakes. The word itself is never among
    /// them, whether the dictionary has it or not. A word of more than 60 characters has no corrections.
    ///
    /// - Parameters:
    ///   - word: What was typed.
    ///   - limit: The greatest number of corrections.
    public func corrections(of word: String, limit: Int = 5) -> [Correction] {
        corrections(of: word, limit: limit, costs: .standard)
    }

    func corrections(of word: String, limit: Int, costs: EditCosts) -> [Correction] {
        var key = SpellingKey()
        guard limit > 0, key.make(word), !isEmpty else { return [] }
        let search = CorrectionSearch(
            key.scalars, edits: Self.allowedEdits(key.scalars.count), limit: min(limit, 1000), costs: costs,
            total: trie.total)
        return search.run(trie, splitting: key.bytes, in: self)
    }

    /// How many edits a word of this many characters may be away from what was meant.
    static func allowedEdits(_ length: Int) -> Int { length < 5 ? 1 : 2 }
}

/// One walk over a trie that collects the best corrections of a word.
struct CorrectionSearch {
    private let automaton: EditAutomaton
    private let edits: Int
    private let limit: Int
    private let costs: EditCosts
    private let total: Double
    private var alignment: EditAlignment
    /// The best candidates so far, the best first.
    private var best: [Candidate] = []
    /// The score that a candidate must reach: any score until there are `limit` candidates.
    private var threshold = -Double.infinity

    private struct Candidate {
        var score: Double
        var cost: Double
        var count: Int
        var edits: Int
        var text: String
    }

    init(_ typed: [UInt32], edits: Int, limit: Int, costs: EditCosts, total: Int) {
        automaton = EditAutomaton(typed)
        self.edits = edits
        self.limit = limit
        self.costs = costs
        self.total = Double(max(total, 1))
        alignment = EditAlignment(typed: typed, costs: costs)
    }

    consuming func run(
        _ trie: WordTrie, splitting key: [UInt8], in dictionary: SpellingDictionary
    ) -> [SpellingDictionary.Correction] {
        addSplits(of: key, in: dictionary)
        trie.bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: SpellingKey.maximumLength + 4) { letters in
                guard let base = bytes.baseAddress, let letters = letters.baseAddress else { return }
                // Words within one edit come first: their scores prune most of the second walk.
                for limit in 1...edits {
                    walk(
                        base, from: 0, to: bytes.count, automaton.start(limit: limit), limit, letters, depth: 0)
                }
            }
        }
        return best.map {
            SpellingDictionary.Correction(
                text: $0.text, count: $0.count, distance: $0.edits, cost: $0.cost, score: $0.score)
        }
    }

    /// Visits siblings. `letters` has the characters of the key so far, never more than `SpellingKey.maximumLength`.
    private mutating func walk(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, _ state: EditAutomaton.State, _ limit: Int,
        _ letters: UnsafeMutablePointer<UInt32>, depth: Int
    ) {
        var offset = start
        while offset < end {
            let node = WordTrie.Node(bytes, at: offset)
            offset = node.end
            var next = state
            var length = depth
            var place = node.label
            while place < node.labelEnd, !next.isDead {
                let letter = Self.letter(bytes, &place)
                next = automaton.step(next, letter, limit: limit)
                letters[length] = letter
                length = length &+ 1
            }
            if next.isDead { continue }
            place = node.labelEnd
            if node.isWord {
                let word = WordTrie.Word(bytes, of: node)
                place = word.end
                // Each walk takes only the words that the one before could not reach.
                if automaton.edits(next, limit: limit) == limit {
                    add(word, edits: limit, UnsafeBufferPointer(start: letters, count: length), bytes)
                }
            }
            guard node.hasChildren else { continue }
            if rarity(CountBound.bits(bytes[place])) - costs.least(limit) < threshold { continue }
            walk(bytes, from: place &+ 1, to: node.end, next, limit, letters, depth: length)
        }
    }

    /// Reads one character of a label, which is well-formed UTF-8.
    @inline(__always)
    private static func letter(_ bytes: UnsafePointer<UInt8>, _ place: inout Int) -> UInt32 {
        let first = bytes[place]
        place = place &+ 1
        if first < 0x80 { return UInt32(first) }
        let count = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        var scalar = UInt32(first) & (0x3F >> UInt32(count))
        for _ in 0..<count {
            scalar = scalar << 6 | UInt32(bytes[place] & 0x3F)
            place = place &+ 1
        }
        return scalar
    }

    private mutating func add(
        _ word: WordTrie.Word, edits: Int, _ letters: UnsafeBufferPointer<UInt32>, _ bytes: UnsafePointer<UInt8>
    ) {
        let prior = rarity(log2(Double(word.count)))
        if prior - costs.least(edits) < threshold { return }
        let cost = alignment.cost(of: letters) + (edits > 1 ? costs.second : 0)
        let score = prior - cost
        if score < threshold { return }
        var key = ""
        for letter in letters { key.unicodeScalars.append(Unicode.Scalar(letter) ?? "\u{FFFD}") }
        let text = key.withUTF8 { WordTrie.written(word, key: $0, bytes) }
        insert(Candidate(score: score, cost: cost, count: word.count, edits: edits, text: text))
    }

    /// What a word's frequency adds to its score, given the bits of its count.
    @inline(__always)
    private func rarity(_ bits: Double) -> Double { costs.rarity * bits }

    /// Adds the pairs of known words of which `key` consists.
    private mutating func addSplits(of key: [UInt8], in dictionary: SpellingDictionary) {
        key.withUnsafeBufferPointer { key in
            for index in key.indices.dropFirst() where key[index] & 0xC0 != 0x80 {
                guard let left = dictionary.entry(key: UnsafeBufferPointer(rebasing: key[..<index])),
                    let right = dictionary.entry(key: UnsafeBufferPointer(rebasing: key[index...]))
                else { continue }
                // The chance of the two together, in occurrences: count × count / all.
                let bits = log2(Double(left.count)) + log2(Double(right.count)) - log2(total)
                insert(
                    Candidate(
                        score: rarity(bits) - costs.space, cost: costs.space, count: min(left.count, right.count),
                        edits: 1,
                        text: "\(left.word) \(right.word)"))
            }
        }
    }

    private mutating func insert(_ candidate: Candidate) {
        if best.count == limit, let last = best.last, !Self.isBefore(candidate, last) { return }
        var place = best.count
        while place > 0, Self.isBefore(candidate, best[place - 1]) { place -= 1 }
        best.insert(candidate, at: place)
        if best.count > limit { best.removeLast() }
        if best.count == limit, let last = best.last { threshold = last.score }
    }

    private static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        if left.count != right.count { return left.count > right.count }
        return left.text < right.text
    }
}
