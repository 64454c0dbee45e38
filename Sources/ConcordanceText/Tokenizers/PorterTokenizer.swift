/// Stems the tokens of another tokenizer, as FTS5's `porter` does with its parent; see
/// https://www.sqlite.org/fts5.html#porter_tokenizer.
///
/// Flags and offsets pass through unchanged, as do tokens whose length `PorterStemmer` does not stem.
package final class PorterTokenizer: Tokenizer {
    /// What SQLite calls the tokenizer.
    package static let name = "porter"

    /// The tokenizer whose tokens are stemmed.
    package let parent: any Tokenizer

    /// A tokenizer that stems the tokens of `parent`, which must not be used elsewhere.
    package init(wrapping parent: any Tokenizer = Unicode61Tokenizer()) { self.parent = parent }

    /// Reads the parent's name and options from FTS5's arguments, such as `["ascii", "tokenchars", "-"]`; no arguments
    /// mean `unicode61`.
    ///
    /// - Throws: `TokenizerError` for what SQLite refuses.
    package convenience init(arguments: [String]) throws(TokenizerError) {
        let parent = arguments.isEmpty ? .unicode61() : try TokenizerSpecification(components: arguments)
        self.init(wrapping: parent.makeTokenizer())
    }

    package func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PorterStemmer.stemmedLengths.upperBound) { memory in
            guard let word = memory.baseAddress else { return 0 }
            var stage = Stage(word: word, sink: sink)
            return withUnsafeMutablePointer(to: &stage) { stage in
                parent.tokenize(text, for: reason, into: TokenSink(context: stage, callback: Stage.receive))
            }
        }
    }

    /// The context of the sink that stems the parent's tokens.
    private struct Stage {
        let word: UnsafeMutablePointer<UInt8>
        let sink: TokenSink

        static let receive: TokenCallback = { context, flags, token, count, start, end in
            guard let context, let token else { return 0 }
            let stage = UnsafePointer(context.assumingMemoryBound(to: Stage.self))
            let count = Int(count)
            guard PorterStemmer.stemmedLengths.contains(count) else {
                return stage.pointee.sink.callback(
                    stage.pointee.sink.context, flags, token, Int32(truncatingIfNeeded: count), start, end)
            }
            let word = stage.pointee.word
            UnsafeMutableRawPointer(word).copyMemory(from: token, byteCount: count)
            let stem = PorterStemmer.stem(word, count: count)
            return stage.pointee.sink.emit(
                word, count: stem, flags: TokenFlags(rawValue: flags), start: Int(start), end: Int(end))
        }
    }
}
