/// Splits tokens where punctuation joins words that people look for one by one: `rows.csv` is rows and csv, `snake_case`
/// is snake and case. Numbers such as 3.14 stay whole.
///
/// UAX #29 does not break a word at a dot, a colon or an underscore between letters, so that names of files and of things
/// in programs are one word each. The filter stands right after the tokenizer, as long as tokens are the bytes of the
/// text.
public final class PartsFilter: TokenFilter {
    public override init() {}

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard token.contains(where: Self.isJoiner) else { return emit(token, flags: flags, start: start, end: end) }
        // A token that has been folded to another length no longer says where its parts stand.
        let isInPlace = token.count == end - start
        var flags = flags
        var partStart = 0
        for index in 0...token.count {
            guard index == token.count || Self.splits(token, at: index) else { continue }
            if index > partStart {
                let part = UnsafeBufferPointer(rebasing: token[partStart..<index])
                let result = emit(
                    part, flags: flags, start: isInPlace ? start + partStart : start,
                    end: isInPlace ? start + index : end)
                if result != 0 { return result }
                flags = []
            }
            partStart = index + 1
        }
        return 0
    }

    @inline(__always)
    private static func isJoiner(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    /// Whether a part ends before `index`.
    private static func splits(_ token: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard isJoiner(token[index]) else { return false }
        guard index > 0, index + 1 < token.count else { return true }
        return !(isDigit(token[index - 1]) && isDigit(token[index + 1]))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
