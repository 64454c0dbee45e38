/// Tokens of one document that are added to `PendingTerms` together, since what they touch there is all over memory: reads
/// that do not wait for one another overlap.
final class TokenBatch {
    struct Token {
        var hash: UInt64
        /// Where its bytes are in `bytes`.
        var start: UInt32
        var count: UInt32
        var column: UInt32
        var offset: UInt32
    }

    /// Enough for many reads to overlap, and few enough for the processor's first cache.
    static let capacity = 64
    /// Of tokens twice as long as usual.
    private static let byteLimit = capacity * 16

    private let tokens = GrowingBuffer<Token>(capacity: capacity)
    private let bytes = GrowingBuffer<UInt8>(capacity: 2 * byteLimit)

    var count: Int { tokens.count }

    /// Whether the tokens are to be added before another one comes.
    @inline(__always)
    var isFull: Bool { tokens.count >= Self.capacity || bytes.count >= Self.byteLimit }

    /// Appends a copy of a token.
    @inline(__always)
    func append(_ token: UnsafeBufferPointer<UInt8>, hash: UInt64, column: UInt32, offset: UInt32) {
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(contentsOf: token)
        tokens.append(
            Token(
                hash: hash, start: start, count: UInt32(truncatingIfNeeded: token.count), column: column,
                offset: offset))
    }

    func removeAll() {
        tokens.removeAll()
        bytes.removeAll()
    }

    @inline(__always)
    subscript(index: Int) -> Token { tokens.values[index] }

    /// The bytes of a token, until the next change.
    @inline(__always)
    func bytes(of token: Token) -> UnsafeBufferPointer<UInt8> {
        let start = Int(token.start)
        return UnsafeBufferPointer(rebasing: bytes.values[start..<start &+ Int(token.count)])
    }
}
