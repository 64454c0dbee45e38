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
    /// Room for tokens of 16 bytes, twice the usual length.
    private static let byteCapacity = capacity * 16

    private let tokens: UnsafeMutablePointer<Token> = .allocate(capacity: capacity)
    private let bytes: UnsafeMutablePointer<UInt8> = .allocate(capacity: byteCapacity)
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var byteCount = 0

    deinit {
        tokens.deallocate()
        bytes.deallocate()
    }

    /// Appends a copy of a token; false if there is no room for it.
    @inline(__always)
    func append(_ token: UnsafeBufferPointer<UInt8>, hash: UInt64, column: UInt32, offset: UInt32) -> Bool {
        guard count < Self.capacity, token.count <= Self.byteCapacity &- byteCount else { return false }
        if let source = token.baseAddress { (bytes + byteCount).initialize(from: source, count: token.count) }
        (tokens + count).initialize(
            to: Token(
                hash: hash, start: UInt32(truncatingIfNeeded: byteCount),
                count: UInt32(truncatingIfNeeded: token.count), column: column, offset: offset))
        count &+= 1
        byteCount &+= token.count
        return true
    }

    func removeAll() {
        count = 0
        byteCount = 0
    }

    @inline(__always)
    subscript(index: Int) -> Token { tokens[index] }

    /// The bytes of a token, until the next change.
    @inline(__always)
    func bytes(of token: Token) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(token.start), count: Int(token.count))
    }
}
