/// Several analyzers in one tokenizer: the marker at the beginning of a text says which of them applies, in documents
/// and in the strings of queries alike. See `FieldMarker`.
package final class FieldTokenizer: Tokenizer {
    private let unmarked: any Tokenizer
    private let marked: [any Tokenizer]

    /// - Parameters:
    ///   - unmarked: The analyzer for texts without a marker, or with a marker that no analyzer has.
    ///   - marked: The analyzers for markers 1, 2, and so on.
    package init(_ unmarked: Analyzer, marked: [Analyzer]) {
        self.unmarked = unmarked.makeTokenizer()
        self.marked = marked.map { $0.makeTokenizer() }
    }

    package func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        guard let number = FieldMarker.number(of: text), number <= marked.count else {
            return unmarked.tokenize(text, for: reason, into: sink)
        }
        let rest = UnsafeBufferPointer(rebasing: text[FieldMarker.length...])
        // Offsets are those in the whole text, so that callers can cut ranges out of it.
        return sink.withOffsets(shiftedBy: FieldMarker.length) {
            marked[number - 1].tokenize(rest, for: reason, into: $0)
        }
    }
}
