// Filters that look at one token at a time and keep, drop or cut it.

/// Drops the tokens of a list.
public final class StopFilter: TokenFilter {
    private let words: TokenTable
    @exclusivity(unchecked) private var positions = PositionKeeper()

    /// - Parameter words: The words as tokens, folded as the tokens are that arrive.
    public init(words: some Sequence<String>) {
        var table = TokenTable()
        for word in words { table.insert(word) }
        self.words = table
    }

    public override func begin() { positions.reset() }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let flags = positions.flags(flags, keep: words.find(token) == nil) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// Lets each distinct token of a text pass once: a text becomes the set of its words. Phrases and the number of times
/// that a word occurs are lost.
public final class UniqueFilter: TokenFilter {
    @exclusivity(unchecked) private var seen = TokenTable()
    @exclusivity(unchecked) private var positions = PositionKeeper()

    public override func begin() {
        seen.removeAll()
        positions.reset()
    }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let flags = positions.flags(flags, keep: seen.insert(token).isNew) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// Drops tokens of fewer or more characters (Unicode scalars) than a range has.
public final class LengthFilter: TokenFilter {
    private let range: ClosedRange<Int>
    @exclusivity(unchecked) private var positions = PositionKeeper()

    /// A filter that passes on tokens with a number of characters in `range`.
    public init(_ range: ClosedRange<Int>) { self.range = range }

    public override func begin() { positions.reset() }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        var length = 0
        for byte in token where byte & 0xC0 != 0x80 { length += 1 }
        guard let flags = positions.flags(flags, keep: range.contains(length)) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// The apostrophes that stand between letters: ' and ’ (U+2019).
enum Apostrophe {
    /// The length of the apostrophe at `index`; zero where there is none.
    @inline(__always)
    static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        if bytes[index] == 0x27 { return 1 }
        guard bytes[index] == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] == 0x99
        else { return 0 }
        return 3
    }
}

/// Cuts an elided article or pronoun off: l'avion becomes avion. The token still stands where the whole word stands.
public final class ElisionFilter: TokenFilter {
    private let articles: TokenTable
    private let longest: Int

    /// - Parameter articles: What may stand before the apostrophe, in small letters.
    public init(articles: some Sequence<String>) {
        var table = TokenTable()
        for article in articles { table.insert(article) }
        self.articles = table
        longest = articles.reduce(0) { max($0, $1.utf8.count) }
    }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        emit(cut(token), flags: flags, start: start, end: end)
    }

    private func cut(_ token: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        for index in 0..<min(token.count, longest + 1) {
            let apostrophe = Apostrophe.length(token, at: index)
            if apostrophe == 0 { continue }
            let rest = index + apostrophe
            guard rest < token.count, isArticle(UnsafeBufferPointer(rebasing: token[..<index])) else { return token }
            return UnsafeBufferPointer(rebasing: token[rest...])
        }
        return token
    }

    /// In any ASCII case, so that the filter works before and after folding.
    private func isArticle(_ prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        if articles.find(prefix) != nil { return true }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: prefix.count) { small in
            for (index, byte) in prefix.enumerated() {
                small[index] = byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte
            }
            return articles.find(UnsafeBufferPointer(small)) != nil
        }
    }
}

/// Cuts the English possessive off: dog's and dogs' become dog and dogs.
public final class PossessiveFilter: TokenFilter {
    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        var count = token.count
        if count > 2, token[count - 1] | 0x20 == 0x73 {
            if token[count - 2] == 0x27 {
                count -= 2
            } else if count > 4, Apostrophe.length(token, at: count - 4) == 3 {
                count -= 4
            }
        }
        return emit(UnsafeBufferPointer(rebasing: token[..<count]), flags: flags, start: start, end: end)
    }
}
