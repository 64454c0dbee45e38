/// The function that receives one token: its flags, its bytes, and where it stands in the text as byte offsets.
///
/// It is FTS5's `xToken` (https://www.sqlite.org/fts5.html#custom_tokenizers), so that our tokenizers serve SQLite
/// without an adapter. Zero means continue; any other value stops the tokenizer, which returns it.
public typealias TokenCallback =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?,
        _ flags: Int32,
        _ token: UnsafePointer<CChar>?,
        _ count: Int32,
        _ start: Int32,
        _ end: Int32
    ) -> Int32

/// The properties of a token besides its bytes; the values are FTS5's.
public struct TokenFlags: OptionSet, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The token stands at the position of the token before it: a synonym.
    public static let colocated = TokenFlags(rawValue: 1)

    /// The token is ASCII without capital letters, so folding leaves it as it is. `WordTokenizer` sets the flag for a
    /// folding filter, which removes it.
    static let plain = TokenFlags(rawValue: 1 << 30)
}

/// Why a text is tokenized; the values are FTS5's, which combines `query` with `prefix`.
public struct TokenizationReason: OptionSet, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A string of a query.
    public static let query = TokenizationReason(rawValue: 0x01)
    /// With `query`: the last token is the beginning of a word.
    public static let prefix = TokenizationReason(rawValue: 0x02)
    /// A text that enters the index or leaves it.
    public static let document = TokenizationReason(rawValue: 0x04)
    /// A text that an auxiliary function reads, such as highlight or snippet.
    public static let auxiliary = TokenizationReason(rawValue: 0x08)
    /// With `query`: words may have typos, so that they must also be known as they are written. Not in FTS5.
    package static let typos = TokenizationReason(rawValue: 0x10)
}

/// Where tokens go: a C function and its context. Emitting a token allocates nothing and touches no reference count.
public struct TokenSink {
    /// The first argument of `callback`.
    public let context: UnsafeMutableRawPointer?
    /// The function to call for each token.
    public let callback: TokenCallback

    /// Creates a sink that calls `callback` with `context`, which must exist as long as the sink is used.
    @inlinable
    public init(context: UnsafeMutableRawPointer?, callback: @escaping TokenCallback) {
        self.context = context
        self.callback = callback
    }

    /// Passes on one token of `count` bytes that stands at `start..<end` in the text; a nonzero result means stop.
    @inlinable @inline(__always)
    public func emit(
        _ token: UnsafePointer<UInt8>, count: Int, flags: TokenFlags = [], start: Int, end: Int
    ) -> Int32 {
        token.withMemoryRebound(to: CChar.self, capacity: count) {
            callback(
                context, flags.rawValue, $0, Int32(truncatingIfNeeded: count), Int32(truncatingIfNeeded: start),
                Int32(truncatingIfNeeded: end))
        }
    }

    /// Calls `body` with a sink for the tokens of a part of a text, which begins at `offset` in it: they are passed on as
    /// tokens of the text.
    func withOffsets(shiftedBy offset: Int, _ body: (TokenSink) -> Int32) -> Int32 {
        if offset == 0 { return body(self) }
        var shifted = (sink: self, offset: Int32(clamping: offset))
        return withUnsafeMutablePointer(to: &shifted) { shifted in
            body(
                TokenSink(context: shifted) { context, flags, token, count, start, end in
                    guard let context else { return 1 }
                    let (sink, offset) = context.assumingMemoryBound(to: (sink: TokenSink, offset: Int32).self).pointee
                    return sink.callback(sink.context, flags, token, count, start &+ offset, end &+ offset)
                })
        }
    }
}

/// Splits UTF-8 text into tokens.
///
/// A tokenizer has scratch memory of its own, is created once and used for many texts, one at a time. It takes any
/// bytes, invalid UTF-8 and NULs included, and allocates nothing per token once its scratch memory has grown.
public protocol Tokenizer: AnyObject, SendableMetatype {
    /// Sends the tokens of `text`, in order, to `sink`.
    ///
    /// - Returns: Zero, or the first nonzero value that the sink returned.
    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32
}
