/// Reduces English words to their stems (Porter 1980), as FTS5's `porter` does.
package final class PorterFilter: TokenFilter {
    private let word = UnsafeMutablePointer<UInt8>.allocate(capacity: PorterStemmer.stemmedLengths.upperBound)

    deinit { word.deallocate() }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let base = token.baseAddress, PorterStemmer.stemmedLengths.contains(token.count) else {
            return emit(token, flags: flags, start: start, end: end)
        }
        word.update(from: base, count: token.count)
        let stem = UnsafeBufferPointer(
            start: UnsafePointer(word), count: PorterStemmer.stem(word, count: token.count))
        return emit(stem, flags: flags, start: start, end: end)
    }
}
