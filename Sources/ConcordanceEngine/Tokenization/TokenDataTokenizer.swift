import ConcordanceText

/// The tokens of another tokenizer up to their first NUL: what counts of them in a table with `tokendata=1`
/// (https://www.sqlite.org/fts5.html#the_tokendata_option).
final class TokenDataTokenizer: Tokenizer {
    /// The tokenizer whose tokens have data after a NUL.
    let wrapped: any Tokenizer
    private let filtered: FilteredTokenizer

    init(wrapping tokenizer: any Tokenizer) {
        wrapped = tokenizer
        filtered = FilteredTokenizer(tokenizer, [Filter()])
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        filtered.tokenize(text, for: reason, into: sink)
    }

    private final class Filter: TokenFilter {
        override func receive(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
            let count = token.firstIndex(of: 0) ?? token.count
            return emit(UnsafeBufferPointer(rebasing: token[..<count]), flags: flags, start: start, end: end)
        }
    }
}
