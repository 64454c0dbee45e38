/// Chooses the matches that a snippet shows: those that say most within a stretch of its length.
///
/// More different phrases win; then more matches; then the earlier stretch. A stretch is measured from the beginning of
/// its first match to the end of its last one, in words or characters.
struct SnippetChoice {
    /// How much of the query a stretch contains.
    struct Score: Comparable {
        var phrases = 0
        var matches = 0

        static func < (one: Score, other: Score) -> Bool {
            (one.phrases, one.matches) < (other.phrases, other.matches)
        }
    }

    /// In order.
    private var matches: [TextMatch]
    /// By match: where it begins and ends, counted in words or characters.
    private var spans: [(start: Int, end: Int)]
    private let length: Int
    private var shown: Set<Int> = []

    init(_ matches: [TextMatch], in utf8: UnsafeBufferPointer<UInt8>, length: SnippetOptions.Length) {
        self.matches = matches
        switch length {
        case .words(let count):
            self.length = count
            spans = Self.spans(of: matches) { WordPlaces.count(at: $0, in: utf8) }
        case .characters(let count):
            self.length = count
            spans = Self.spans(of: matches) { Self.scalarCounts(at: $0, in: utf8) }
        }
    }

    /// The best stretch among the matches that have not been chosen yet, and its score; nil if none are left.
    mutating func next() -> (range: Range<Int>, score: Score)? {
        var counts: [Int: Int] = [:]
        var score = Score()
        var best: (range: Range<Int>, score: Score, last: Int)?
        var last = 0
        var end = 0
        for first in matches.indices {
            if last < first { (last, end) = (first, 0) }
            while last < matches.count, last == first || spans[last].end - spans[first].start <= length {
                let match = matches[last]
                counts[match.phrase, default: 0] += 1
                if counts[match.phrase] == 1, !shown.contains(match.phrase) { score.phrases += 1 }
                score.matches += 1
                end = max(end, match.range.upperBound)
                last += 1
            }
            if best.map({ $0.score < score }) ?? true {
                best = (matches[first].range.lowerBound..<end, score, last)
            }
            let phrase = matches[first].phrase
            counts[phrase, default: 1] -= 1
            if counts[phrase] == 0, !shown.contains(phrase) { score.phrases -= 1 }
            score.matches -= 1
        }
        guard let best else { return nil }
        remove(best.range)
        return (best.range, best.score)
    }

    /// Removes the matches that a chosen stretch shows.
    private mutating func remove(_ range: Range<Int>) {
        let left = matches.indices.filter { !range.overlaps(matches[$0].range) }
        for match in matches where range.overlaps(match.range) { shown.insert(match.phrase) }
        spans = left.map { spans[$0] }
        matches = left.map { matches[$0] }
    }

    /// - Parameter count: Counts words or characters at sorted positions.
    private static func spans(
        of matches: [TextMatch], _ count: ([Int]) -> [(before: Int, upTo: Int)]
    ) -> [(start: Int, end: Int)] {
        var spans = Array(repeating: (start: 0, end: 0), count: matches.count)
        // One match fits, however long it is.
        guard matches.count > 1 else { return spans }
        let positions = matches.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        let order = positions.indices.sorted { positions[$0] < positions[$1] }
        for (index, count) in zip(order, count(order.map { positions[$0] })) {
            if index.isMultiple(of: 2) {
                spans[index / 2].start = count.before
            } else {
                spans[index / 2].end = count.upTo
            }
        }
        return spans
    }

    /// The number of characters before each of the sorted positions. Counts scalars, which are never fewer than
    /// characters.
    private static func scalarCounts(
        at positions: [Int], in utf8: UnsafeBufferPointer<UInt8>
    ) -> [(before: Int, upTo: Int)] {
        var position = 0
        var count = 0
        return positions.map { target in
            while position < min(target, utf8.count) {
                if utf8[position] & 0xC0 != 0x80 { count += 1 }
                position += 1
            }
            return (count, count)
        }
    }
}

/// Counts words up to places in a text.
private struct WordPlaces {
    private let positions: UnsafeBufferPointer<Int>
    private let counts: UnsafeMutablePointer<(before: Int, upTo: Int)>
    private var next = 0
    private var words = 0

    /// For each of the sorted positions: how many words end at or before it (`before`), and how many begin before it
    /// (`upTo`). Words are counted from somewhere before the first position.
    static func count(at positions: [Int], in utf8: UnsafeBufferPointer<UInt8>) -> [(before: Int, upTo: Int)] {
        guard let first = positions.first, let last = positions.last else { return [] }
        // Words end at spaces, so the words from there on are those of the whole text.
        var start = min(first, utf8.count)
        while start > 0, utf8[start - 1] > 0x20 { start -= 1 }
        return [(before: Int, upTo: Int)](unsafeUninitializedCapacity: positions.count) { counts, initialized in
            guard let base = counts.baseAddress else { return }
            base.initialize(repeating: (0, 0), count: positions.count)
            initialized = positions.count
            positions.map { $0 - start }.withUnsafeBufferPointer { positions in
                var counter = WordPlaces(positions: positions, counts: base)
                counter.run(UnsafeBufferPointer(rebasing: utf8[start..<max(start, min(last + 64, utf8.count))]))
            }
        }
    }

    private init(positions: UnsafeBufferPointer<Int>, counts: UnsafeMutablePointer<(before: Int, upTo: Int)>) {
        self.positions = positions
        self.counts = counts
    }

    private mutating func run(_ text: UnsafeBufferPointer<UInt8>) {
        _ = withUnsafeMutablePointer(to: &self) { counter in
            WordTokenizer().tokenize(
                text, for: .document,
                into: TokenSink(context: counter) { context, _, _, _, start, end in
                    guard let context else { return 1 }
                    return context.assumingMemoryBound(to: WordPlaces.self).pointee.pass(Int(start), Int(end))
                })
        }
        while next < positions.count { settle(before: words, upTo: words) }
    }

    private mutating func pass(_ start: Int, _ end: Int) -> Int32 {
        while next < positions.count, positions[next] <= start { settle(before: words, upTo: words) }
        while next < positions.count, positions[next] < end { settle(before: words, upTo: words + 1) }
        words += 1
        return next < positions.count ? 0 : 1
    }

    private mutating func settle(before: Int, upTo: Int) {
        counts[next] = (before, upTo)
        next += 1
    }
}
