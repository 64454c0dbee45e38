import CConcordanceSQLite
import ConcordanceText

extension FTS5Tokenizer {
    /// Calls `body` with each token of `text`, which may be any bytes; stops at the first error and throws it.
    ///
    /// - Throws: The errors of `body`; the errors of a tokenizer in Swift; `FTS5Error`.
    public func forEachToken(
        in text: UnsafeBufferPointer<UInt8>, for tokenization: FTS5Tokenization = .document,
        _ body: (Token) throws -> Void
    ) throws {
        let name = String(describing: Self.self)
        try TokenizerDepth.descend(name) { _ in
            let adapter = TokenizerAdapter(self, name: name)
            try adapter.forEachToken(in: text, for: tokenization, body)
            if let error = adapter.error { throw error }
        }
    }

    /// Returns the tokens of a string.
    ///
    /// - Throws: The errors of a tokenizer in Swift; `FTS5Error`.
    public func tokens(in text: String, for tokenization: FTS5Tokenization = .document) throws -> [TokenCopy] {
        var tokens: [TokenCopy] = []
        var text = text
        try text.withUTF8 { utf8 in
            try forEachToken(in: utf8, for: tokenization) { token in
                tokens.append(
                    TokenCopy(
                        token.text, range: token.range, position: token.position, isColocated: token.isColocated))
            }
        }
        return tokens
    }
}

/// An FTS5 tokenizer with the interface of module ConcordanceText.
private final class TokenizerAdapter: Tokenizer {
    private let tokenizer: any FTS5Tokenizer
    private let name: String
    /// Why the last tokenization failed.
    private(set) var error: (any Error)?

    init(_ tokenizer: any FTS5Tokenizer, name: String) {
        self.tokenizer = tokenizer
        self.name = name
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        do {
            return try text.withMemoryRebound(to: CChar.self) { text in
                try TokenGate.tokenize(
                    text.baseAddress, Int32(clamping: text.count), for: reason, with: tokenizer, named: name, into: sink
                )
            }
        } catch {
            self.error = error
            return SQLITE_ERROR
        }
    }
}
