// Filters that look at one token at a time.

/// Drops the tokens of a list.
package final class StopFilter: TokenFilter {
    private let words: TokenTable
    @exclusivity(unchecked) private var positions = PositionKeeper()

    /// - Parameter words: The words as tokens, folded like the tokens that the filter receives.
    package init(words: some Sequence<String>) {
        var table = TokenTable()
        for word in words { table.insert(word) }
        self.words = table
    }

    package override func begin() { positions.reset() }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let flags = positions.flags(flags, keep: words.find(token) == nil) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// Passes on each distinct token of a text once: a text becomes the set of its words. Phrases, and how often a word
/// occurs, are lost.
package final class UniqueFilter: TokenFilter {
    @exclusivity(unchecked) private var seen = TokenTable()
    @exclusivity(unchecked) private var positions = PositionKeeper()

    package override func begin() {
        seen.removeAll()
        positions.reset()
    }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let flags = positions.flags(flags, keep: seen.insert(token).isNew) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// Drops tokens whose number of characters (Unicode scalars) is outside a range.
package final class LengthFilter: TokenFilter {
    private let range: ClosedRange<Int>
    @exclusivity(unchecked) private var positions = PositionKeeper()

    /// A filter that passes on tokens whose number of characters is in `range`.
    package init(_ range: ClosedRange<Int>) { self.range = range }

    package override func begin() { positions.reset() }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        var length = 0
        for byte in token where byte & 0xC0 != 0x80 { length += 1 }
        guard let flags = positions.flags(flags, keep: range.contains(length)) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }
}

/// Tells words apart by their accents for people who type them: đường finds đường, and duong, which was written without
/// accents, but not dương; duong finds all three. A half-typed word such as ngươi finds người, too: many people type the
/// tone last.
///
/// In a document a word with accents stands beside the one without, which has a mark behind it. Words that Vietnamese
/// spells in two ways are one (`VietnameseSpelling`).
package final class AccentFilter: TokenFilter {
    private static let mark: StaticString = "~"

    @exclusivity(unchecked) private var folder: TokenFolder
    @exclusivity(unchecked) private var marked = TokenBuffer()
    @exclusivity(unchecked) private var spelled = TokenBuffer()

    /// - Parameter folding: The folding that removes the accents.
    package init(_ folding: Folding) { folder = TokenFolder(folding) }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let flags = flags.subtracting(.plain)
        if reason.contains(.prefix) { return sendHalfTyped(token, flags: flags, start: start, end: end) }
        let isSpelled = VietnameseSpelling.rewrite(token, to: &spelled)
        return send(isSpelled ? spelled.contents : token, flags: flags, start: start, end: end)
    }

    /// Sends a word as it is typed so far, as it is indexed if that is all of it and, if it may still get a tone, without accents.
    /// As prefixes they find what goes on, the mark included.
    private func sendHalfTyped(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        var code = emit(token, flags: flags, start: start, end: end)
        if code == 0, VietnameseSpelling.rewrite(token, to: &spelled) {
            code = emit(spelled.contents, flags: flags.union(.colocated), start: start, end: end)
        }
        guard code == 0, VietnameseSpelling.mayGetTone(token) else { return code }
        let plain = folder.fold(token)
        if plain.isEmpty || plain.elementsEqual(token) { return 0 }
        return emit(plain, flags: flags.union(.colocated), start: start, end: end)
    }

    private func send(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
        let code = emit(token, flags: flags, start: start, end: end)
        if code != 0 { return code }
        let plain = folder.fold(token)
        if plain.isEmpty { return 0 }
        let hasAccents = !plain.elementsEqual(token)
        if !isQuery, !hasAccents { return 0 }
        guard hasAccents != isQuery, let base = plain.baseAddress else {
            return emit(plain, flags: flags.union(.colocated), start: start, end: end)
        }
        marked.count = 0
        marked.append(base, count: plain.count)
        marked.append(Self.mark)
        return emit(marked.contents, flags: flags.union(.colocated), start: start, end: end)
    }
}
