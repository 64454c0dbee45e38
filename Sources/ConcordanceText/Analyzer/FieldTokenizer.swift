/// Several analyzers in one tokenizer: the marker at the beginning of a text says which of them splits it, in documents
/// and in the strings of queries alike; see `FieldMarker`.
package final class FieldTokenizer: Tokenizer {
    private let unmarked: any Tokenizer
    private let marked: [any Tokenizer]

    /// - Parameters:
    ///   - unmarked: The analyzer of texts without a marker, or with one that no analyzer has.
    ///   - marked: Those of the markers from 1 on.
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
        var sink = sink
        let rest = UnsafeBufferPointer(rebasing: text[FieldMarker.length...])
        // Tokens stand where they stand in the whole text, so that what lies between two offsets is cut out rightly.
        return withUnsafeMutablePointer(to: &sink) { sink in
            marked[number - 1].tokenize(
                rest, for: reason,
                into: TokenSink(context: sink) { sink, flags, token, count, start, end in
                    guard let sink = sink?.assumingMemoryBound(to: TokenSink.self) else { return 1 }
                    let shift = Int32(truncatingIfNeeded: FieldMarker.length)
                    return sink.pointee.callback(
                        sink.pointee.context, flags, token, count, start &+ shift, end &+ shift)
                })
        }
    }
}
