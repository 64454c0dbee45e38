import CConcordanceSQLite
import ConcordanceText

/// Passes on only tokens that cannot make FTS5 read outside the text or the token.
///
/// FTS5 trusts a tokenizer: `highlight` copies whatever bytes are between a token's offsets. Offsets that go back are
/// passed on, since a synonym may stand for several words, and FTS5 can handle them.
struct TokenGate {
    private let textCount: Int32
    private let sink: TokenSink
    /// FTS5's result, if it was not zero.
    private var code: Int32 = SQLITE_OK
    private var fault: String?

    /// Tokenizes a text of `count` bytes; returns the result for FTS5.
    ///
    /// - Throws: The tokenizer's own error; `FTS5Error.invalidToken` or `tokenizerFailed`.
    static func tokenize(
        _ text: UnsafePointer<CChar>?, _ count: Int32, for tokenization: FTS5Tokenization,
        with tokenizer: any FTS5Tokenizer, named name: @autoclosure () -> String, into sink: TokenSink
    ) throws -> Int32 {
        var gate = TokenGate(textCount: count, sink: sink)
        let code = withUnsafeMutablePointer(to: &gate) { gate in
            tokenizer.tokenize(context: gate, tokenization: tokenization, pText: text, nText: count) {
                gate, flags, token, count, start, end in
                guard let gate else { return SQLITE_MISUSE }
                return gate.assumingMemoryBound(to: TokenGate.self).pointee.receive(flags, token, count, start, end)
            }
        }
        return try gate.verdict(on: code, of: name())
    }

    private init(textCount: Int32, sink: TokenSink) {
        self.textCount = textCount
        self.sink = sink
    }

    private mutating func receive(
        _ flags: Int32, _ token: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32, _ end: Int32
    ) -> Int32 {
        // A tokenizer that continues after a stop is ignored.
        guard code == SQLITE_OK, fault == nil else { return code == SQLITE_OK ? SQLITE_ERROR : code }
        guard count >= 0, token != nil || count == 0 else {
            fault = "\(count) bytes at \(token.debugDescription)"
            return SQLITE_ERROR
        }
        guard 0 <= start, start <= end, end <= textCount else {
            fault = "it is at \(start)..<\(end) in a text of \(textCount) bytes"
            return SQLITE_ERROR
        }
        // FTS5 has no use for a token without bytes.
        guard let token, count > 0 else { return SQLITE_OK }
        code = sink.callback(sink.context, flags, token, count, start, end)
        return code
    }

    private func verdict(on result: Int32, of name: @autoclosure () -> String) throws -> Int32 {
        if code != SQLITE_OK { return code }
        if let fault { throw FTS5Error.invalidToken(tokenizer: name(), reason: fault) }
        if result == SQLITE_OK { return SQLITE_OK }
        // Its own error is already waiting. Otherwise the code is all there is; and codes that are not errors, such as
        // SQLITE_ROW, must not reach SQLite as the result of a statement.
        if result == SQLITE_ERROR, let error = TokenizerThread.current?.takeError() { throw error }
        throw FTS5Error.tokenizerFailed(name(), code: result)
    }
}
