// Filters that look at what an apostrophe joins.

/// The apostrophes that stand between letters: ', ’ (U+2019) and those that are typed for it: ‘ (U+2018), ʻ (U+02BB) and
/// ʼ (U+02BC), which Ukrainian prefers.
enum Apostrophe {
    /// Whether an apostrophe may begin with the byte.
    @inline(__always)
    static func begins(_ byte: UInt8) -> Bool { byte == 0x27 || byte == 0xE2 || byte == 0xCA }

    /// The length of the apostrophe at `index`; zero if there is none.
    @inline(__always)
    static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch bytes[index] {
        case 0x27: return 1
        case 0xCA: return index + 1 < bytes.count && (bytes[index + 1] == 0xBB || bytes[index + 1] == 0xBC) ? 2 : 0
        case 0xE2: return index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] | 1 == 0x99 ? 3 : 0
        default: return 0
        }
    }
}

/// Cuts off an elided article or pronoun: l'avion becomes avion. The token keeps the place of the whole word. In a
/// document the article is also found there.
package final class ElisionFilter: TokenFilter {
    private let articles: TokenTable
    private let longest: Int

    /// - Parameter articles: What may stand before the apostrophe, in lower case.
    package init(articles: some Sequence<String>) {
        var table = TokenTable()
        for article in articles { table.insert(article) }
        self.articles = table
        longest = articles.reduce(0) { max($0, $1.utf8.count) }
    }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        for index in 0..<min(token.count, longest + 1) {
            let apostrophe = Apostrophe.length(token, at: index)
            if apostrophe == 0 { continue }
            let rest = index + apostrophe
            let article = UnsafeBufferPointer(rebasing: token[..<index])
            guard rest < token.count, isArticle(article) else { break }
            let code = emit(UnsafeBufferPointer(rebasing: token[rest...]), flags: flags, start: start, end: end)
            return code != 0 || isQuery ? code : emit(article, flags: flags.union(.colocated), start: start, end: end)
        }
        return emit(token, flags: flags, start: start, end: end)
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

/// Cuts off the English possessive: dog's and dogs' become dog and dogs. In a document the s is also found there, for
/// people who type a space instead of the apostrophe.
package final class PossessiveFilter: TokenFilter {
    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard token.count > 2, token[token.count - 1] | 0x20 == 0x73 else {
            return emit(token, flags: flags, start: start, end: end)
        }
        var count = token.count
        if token[count - 2] == 0x27 {
            count -= 2
        } else if count > 4, Apostrophe.length(token, at: count - 4) == 3 {
            count -= 4
        } else if count > 3, Apostrophe.length(token, at: count - 3) == 2 {
            count -= 3
        }
        let code = emit(UnsafeBufferPointer(rebasing: token[..<count]), flags: flags, start: start, end: end)
        guard code == 0, count < token.count, !isQuery else { return code }
        return emit(
            UnsafeBufferPointer(rebasing: token[(token.count - 1)...]), flags: flags.union(.colocated), start: start,
            end: end)
    }
}

/// Removes apostrophes within words: O'Brien is found as obrien and, in a document, by o and by brien.
package final class ApostropheFilter: TokenFilter {
    /// What an apostrophe means.
    package enum Meaning: Sendable {
        /// It stands within a word.
        case joins
        /// What follows it is an ending, as in Turkish: Ankara'nın is a form of Ankara.
        case ends
    }

    private let meaning: Meaning
    @exclusivity(unchecked) private var joined = TokenBuffer()

    /// A filter for languages in which apostrophes have this meaning.
    package init(_ meaning: Meaning = .joins) { self.meaning = meaning }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard token.contains(where: Apostrophe.begins) else { return emit(token, flags: flags, start: start, end: end) }
        let isInPlace = token.count == end - start
        joined.count = 0
        var headCount: Int?
        var index = 0
        while index < token.count {
            let apostrophe = Apostrophe.length(token, at: index)
            if apostrophe == 0 {
                joined.append(token[index])
            } else if headCount == nil {
                headCount = joined.count
            }
            index += max(apostrophe, 1)
        }
        guard let headCount, joined.count > 0 else { return emit(token, flags: flags, start: start, end: end) }
        var code: Int32
        if meaning == .ends, headCount > 0 {
            let head = UnsafeBufferPointer(rebasing: joined.contents[..<headCount])
            code = emit(head, flags: flags, start: start, end: isInPlace ? start + headCount : end)
        } else {
            code = emit(joined.contents, flags: flags, start: start, end: end)
        }
        // People who type a space instead of the apostrophe look for each part.
        return code != 0 || isQuery ? code : emitParts(of: token, flags.union(.colocated), start: start, end: end)
    }

    private func emitParts(
        of token: UnsafeBufferPointer<UInt8>, _ flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        var partStart = 0
        var index = 0
        while index <= token.count {
            let apostrophe = index < token.count ? Apostrophe.length(token, at: index) : 1
            if apostrophe > 0 {
                let isHead = partStart == 0 && meaning == .ends
                if index > partStart, !isHead {
                    let part = UnsafeBufferPointer(rebasing: token[partStart..<index])
                    let code = emit(part, flags: flags, start: start, end: end)
                    if code != 0 { return code }
                }
                partStart = index + apostrophe
            }
            index += max(apostrophe, 1)
        }
        return 0
    }
}
