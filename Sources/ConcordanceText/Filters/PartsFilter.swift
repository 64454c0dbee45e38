/// Splits tokens where punctuation joins words that people look for one by one: `rows.csv` is rows and csv,
/// `snake_case` is snake and case, `3.14` is 3 and 14.
///
/// UAX #29 does not break a word at a dot, a colon or an underscore between letters, or at a dot, comma or semicolon
/// between digits, so that file names and identifiers are one word each. In a document the whole token stands beside
/// its first part. The filter belongs directly after the tokenizer, where tokens are still the bytes of the text.
package final class PartsFilter: TokenFilter {
    package override init() {}

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard token.contains(where: Self.isJoiner) else { return emit(token, flags: flags, start: start, end: end) }
        // A token that has been folded to another length no longer tells where its parts stand.
        let isInPlace = token.count == end - start
        var flags = flags
        var partStart = 0
        var isFirst = true
        for index in 0...token.count {
            guard index == token.count || Self.isJoiner(token[index]) else { continue }
            if index > partStart {
                let part = UnsafeBufferPointer(rebasing: token[partStart..<index])
                let first = isInPlace ? start + partStart : start
                var code = emit(part, flags: flags, start: first, end: isInPlace ? start + index : end)
                if code == 0, isFirst, !isQuery { code = emit(token, flags: .colocated, start: first, end: end) }
                if code != 0 { return code }
                flags = []
                isFirst = false
            }
            partStart = index + 1
        }
        return 0
    }

    @inline(__always)
    private static func isJoiner(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"): true
        default: false
        }
    }
}
