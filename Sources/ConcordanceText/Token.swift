/// One token, as a visitor sees it. `bytes` is valid until the visitor returns.
public struct Token {
    /// The token as it is indexed: folded, stemmed, transliterated.
    public let bytes: UnsafeBufferPointer<UInt8>
    /// The place of the token in the text, in UTF-8 bytes.
    public let range: Range<Int>
    /// The flags of the token: whether it is colocated.
    public let flags: TokenFlags
    /// The number of the token in its text, from zero; a colocated token has its predecessor's.
    public let position: Int

    /// Whether it stands at the position of the token before it, as a synonym does.
    public var isColocated: Bool { flags.contains(.colocated) }
    /// The token as a string; invalid UTF-8 is repaired with U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A token with memory of its own.
public struct TokenCopy: Hashable, Sendable, CustomStringConvertible {
    /// The token as it is indexed; invalid UTF-8 is repaired with U+FFFD.
    public var text: String
    /// The place of the token in the text, in UTF-8 bytes.
    public var range: Range<Int>
    /// The number of the token in its text, from zero; a colocated token has its predecessor's.
    public var position: Int
    /// Whether it stands at the position of the token before it, as a synonym does.
    public var isColocated: Bool

    /// A token with these properties, for comparing with those of a tokenizer.
    package init(_ text: String, range: Range<Int>, position: Int, isColocated: Bool = false) {
        self.text = text
        self.range = range
        self.position = position
        self.isColocated = isColocated
    }

    public var description: String { "\(text)[\(range.lowerBound)..<\(range.upperBound)]@\(position)" }
}

extension Tokenizer {
    /// Calls `body` with each token of `text`; stops at the first error and throws it.
    public func forEachToken(
        in text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason = .document, _ body: (Token) throws -> Void
    ) throws {
        try withoutActuallyEscaping(body) { body in
            var visit = Visit(body: body)
            _ = withUnsafeMutablePointer(to: &visit) { visit in
                tokenize(
                    text, for: reason,
                    into: TokenSink(context: visit) { context, flags, token, count, start, end in
                        guard let context, let token else { return 0 }
                        return context.assumingMemoryBound(to: Visit.self).pointee
                            .receive(flags, token, count, start, end)
                    })
            }
            if let error = visit.error { throw error }
        }
    }

    /// Returns the tokens of a string.
    public func tokens(in text: String, for reason: TokenizationReason = .document) -> [TokenCopy] {
        var tokens: [TokenCopy] = []
        var text = text
        text.withUTF8 { utf8 in
            // The visitor throws nothing.
            try? forEachToken(in: utf8, for: reason) { token in
                tokens.append(
                    TokenCopy(
                        token.text, range: token.range, position: token.position, isColocated: token.isColocated))
            }
        }
        return tokens
    }
}

private struct Visit {
    let body: (Token) throws -> Void
    var position = -1
    var error: (any Error)?

    init(body: @escaping (Token) throws -> Void) { self.body = body }

    mutating func receive(
        _ flags: Int32, _ token: UnsafePointer<CChar>, _ count: Int32, _ start: Int32, _ end: Int32
    ) -> Int32 {
        let flags = TokenFlags(rawValue: flags)
        if !flags.contains(.colocated) || position < 0 { position += 1 }
        return token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
            do {
                try body(
                    Token(
                        bytes: UnsafeBufferPointer(start: bytes, count: Int(count)),
                        range: Int(start)..<max(Int(start), Int(end)), flags: flags, position: position))
                return 0
            } catch {
                self.error = error
                return 1
            }
        }
    }
}
