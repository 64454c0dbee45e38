/// A text on its way to the sink: how far it has been read, its folded form so far, and the open token.
///
/// The folded text is written contiguously, including what stands between tokens, so that a token is a stretch of it
/// and a block of bytes is folded without asking where tokens begin:
///
///     text     F o o , _ B ä r s        position: how far the text is read
///     scratch  f o o , _ b a r s        out: where the next folded byte goes
///                        ^ tokenBytes
///
/// When the scratch memory is full, the open token is moved to the front and everything before it is discarded; the
/// memory grows if that token fills more than half of it. All of the state fits in registers, since everything is
/// inlined.
struct TokenStream {
    /// The room that remains after `out` whenever text is folded: for a block and a character.
    static let slack = ASCIIBlock.size + 8

    private let sink: TokenSink
    private(set) var position = 0
    private(set) var out: UnsafeMutablePointer<UInt8>
    /// How far `out` may go before `makeRoom` is needed.
    private(set) var limit: UnsafeMutablePointer<UInt8>
    /// One while a token is open, otherwise zero: the bit that is carried from block to block.
    private var open: UInt64 = 0
    private var tokenStart = 0
    private var tokenBytes: UnsafeMutablePointer<UInt8>

    @inline(__always)
    init(sink: TokenSink, scratch: borrowing ByteBuffer) {
        self.sink = sink
        out = scratch.start
        tokenBytes = out
        limit = out + (scratch.capacity - Self.slack)
    }

    @inline(__always)
    var isOpen: Bool { open != 0 }

    @inline(__always)
    var isFull: Bool { out > limit }

    /// Makes room after `out`.
    @inline(never)
    mutating func makeRoom(in scratch: inout ByteBuffer) {
        let kept = isOpen ? out - tokenBytes : 0
        scratch.start.update(from: tokenBytes, count: kept)
        if kept > scratch.capacity / 2 { scratch.reserve(2 * scratch.capacity, keeping: kept) }
        tokenBytes = scratch.start
        out = tokenBytes + kept
        limit = scratch.start + (scratch.capacity - Self.slack)
    }

    /// Goes over the first `length` bytes of a block, which are characters of one byte and already written at `out`;
    /// the mask has those that belong to tokens.
    @inline(__always)
    mutating func pass(_ mask: UInt64, length: Int) -> Int32 {
        // A bit for each place where a token begins or ends, in turn.
        var edges = mask ^ (mask << 1 | open)
        if length < ASCIIBlock.size { edges &= 1 << UInt64(truncatingIfNeeded: length) &- 1 }
        if isOpen, edges != 0 {
            let code = close(at: edges.trailingZeroBitCount)
            if code != 0 { return code }
            edges &= edges &- 1
        }
        while edges != 0 {
            let start = edges.trailingZeroBitCount
            edges &= edges &- 1
            tokenStart = position &+ start
            tokenBytes = out + start
            if edges == 0 {
                open = 1
                break
            }
            let code = close(at: edges.trailingZeroBitCount)
            if code != 0 { return code }
            edges &= edges &- 1
        }
        position &+= length
        out += length
        return 0
    }

    /// Goes over one character that belongs to a token and has been folded to `count` bytes at `out`.
    @inline(__always)
    mutating func passTokenCharacter(length: Int, folded count: Int) {
        if !isOpen {
            open = 1
            tokenStart = position
            tokenBytes = out
        }
        position &+= length
        out += count
    }

    /// Goes over one character that belongs to no token.
    @inline(__always)
    mutating func passSeparator(length: Int) -> Int32 {
        let code = finish()
        position &+= length
        return code
    }

    /// Sends the token that is open, if one is.
    @inline(__always)
    mutating func finish() -> Int32 { isOpen ? close(at: 0) : 0 }

    /// Sends the open token, which ends `distance` bytes after the position.
    @inline(__always)
    private mutating func close(at distance: Int) -> Int32 {
        open = 0
        return sink.emit(
            tokenBytes, count: out - tokenBytes &+ distance, start: tokenStart, end: position &+ distance)
    }
}
