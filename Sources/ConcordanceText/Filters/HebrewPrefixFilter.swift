/// Finds Hebrew words without the particles that are prefixed to them: in a document, בבית (in a house) and הבית (the
/// house) are also בית. A query looks for what was typed, since nothing tells a particle from a word's own first
/// letter.
package final class HebrewPrefixFilter: TokenFilter {
    // The second bytes of the particles.
    private static let and: UInt8 = 0x95  // ו
    private static let when: UInt8 = 0x9B  // כ, before ש
    private static let that: UInt8 = 0xA9  // ש
    private static let the: UInt8 = 0x94  // ה

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let code = emit(token, flags: flags, start: start, end: end)
        guard code == 0, !isQuery, token.count >= 6, token[0] == 0xD7 else { return code }
        var letter = 0
        /// Removes `count` letters and emits the rest if it has at least `least` letters.
        func take(_ count: Int, leaving least: Int = 3) -> Int32 {
            letter += count
            guard token.count >= 2 * (letter + least) else { return 0 }
            return emit(
                UnsafeBufferPointer(rebasing: token[(2 * letter)...]), flags: flags.union(.colocated), start: start,
                end: end)
        }
        var result: Int32 = 0
        if Self.letter(token, letter) == Self.and { result = take(1) }
        if result == 0, Self.letter(token, letter) == Self.when, Self.letter(token, letter + 1) == Self.that {
            result = take(2)
        } else if result == 0, Self.letter(token, letter) == Self.that {
            result = take(1)
        }
        if result == 0, let byte = Self.letter(token, letter), Self.isPreposition(byte) { result = take(1) }
        if result == 0, Self.letter(token, letter) == Self.the { result = take(1, leaving: 2) }
        return result
    }

    /// Whether it is מ (from), ל (to), ב (in) or כ (as).
    @inline(__always)
    private static func isPreposition(_ byte: UInt8) -> Bool {
        byte == 0x9E || byte == 0x9C || byte == 0x91 || byte == 0x9B
    }

    /// The second byte of the Hebrew letter at `index`; nil if there is none.
    @inline(__always)
    private static func letter(_ token: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8? {
        2 * index + 1 < token.count && token[2 * index] == 0xD7 ? token[2 * index + 1] : nil
    }
}
