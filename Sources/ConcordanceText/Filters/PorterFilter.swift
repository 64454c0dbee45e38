/// Reduces English words to their stems (Porter 1980), as FTS5's `porter` does.
public final class PorterFilter: TokenFilter {
    private var word = TokenBuffer()

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let base = token.baseAddress else { return 0 }
        word.count = 0
        word.append(base, count: token.count)
        let count = PorterStemmer.stem(word.base, count: word.count)
        return emit(
            UnsafeBufferPointer(start: UnsafePointer(word.base), count: count), flags: flags, start: start, end: end)
    }
}
