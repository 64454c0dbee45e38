/// A text on its way through the word tokenizer: how far it has been read, and the open run of ASCII.
///
/// For ASCII characters UAX #29 comes down to this: letters, digits and underscores stay together; a dot or an
/// apostrophe between two letters or two digits does not separate them, nor does a colon between letters, nor a comma
/// or semicolon between digits. So the words of a block of bytes are the runs of one bit mask. From a character that is
/// not ASCII, WordBreaker continues with the full rules until the next one that is.
struct WordScan {
    private let text: UnsafeBufferPointer<UInt8>
    private let base: UnsafePointer<UInt8>
    private let sink: TokenSink
    private let emoji: Bool
    private let marksPlain: Bool
    /// Everything before it has been sent or belongs to the open run.
    private(set) var position = 0
    /// One while a run is open, otherwise zero: the bit that is carried from block to block.
    private var open: UInt64 = 0
    private var runStart = 0
    /// Whether the open run has a letter or digit, not only underscores, in the blocks before.
    private var runIsWord = false
    /// Whether the open run has a capital letter in the blocks before.
    private var runHasCapitals = false

    /// - Parameter marksPlain: Whether tokens of ASCII characters without capitals carry `TokenFlags.plain`.
    @inline(__always)
    init(
        text: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>, sink: TokenSink, emoji: Bool, marksPlain: Bool
    ) {
        self.text = text
        self.base = base
        self.sink = sink
        self.emoji = emoji
        self.marksPlain = marksPlain
    }

    /// Goes over the ASCII characters of the next block, and over the other characters that follow them. There must be
    /// text left; `tail` is room for a block.
    @inline(__always)
    mutating func passASCII(tail: UnsafeMutablePointer<UInt8>) -> Int32 {
        let (block, count) = ASCIIBlock.block(of: text, at: position, tail: tail)
        let masks = ASCIIBlock.wordMasks(of: block, withCapitals: marksPlain)
        let characters = masks.alphanumeric | masks.underscores
        // The last byte of a full block is read only as the successor of the one before.
        var length = min(count, ASCIIBlock.size &- 1)
        var isCut = false
        if masks.nonASCII != 0, masks.nonASCII.trailingZeroBitCount <= length {
            length = masks.nonASCII.trailingZeroBitCount
            isCut = true
            // The character before it may join it to a word.
            if length > 0, masks.middles >> UInt64(truncatingIfNeeded: length &- 1) & 1 == 1,
                (characters << 1 | open) >> UInt64(truncatingIfNeeded: length &- 1) & 1 == 1
            {
                length &-= 1
            }
        }
        let joined = joins(masks.middles & (characters << 1 | open) & characters >> 1, block)
        let code = pass(characters | joined, masks.alphanumeric, masks.capitals, length: length)
        return code != 0 || !isCut ? code : passOthers()
    }

    /// The middles, all between letters, digits or underscores, that do not separate words.
    @inline(__always)
    private func joins(_ middles: UInt64, _ block: UnsafePointer<UInt8>) -> UInt64 {
        var joins: UInt64 = 0
        var rest = middles
        while rest != 0 {
            let bit = rest & (0 &- rest)
            let index = rest.trailingZeroBitCount
            rest &= rest &- 1
            // The first byte of a block follows the text before the block.
            let before = index > 0 ? block[index &- 1] : base[position &- 1]
            let after = block[index &+ 1]
            let isNumber = before &- 0x30 < 10 && after &- 0x30 < 10
            let isWord = (before | 0x20) &- 0x61 < 26 && (after | 0x20) &- 0x61 < 26
            switch block[index] {
            case UInt8(ascii: "."), UInt8(ascii: "'"): if isNumber || isWord { joins |= bit }
            case UInt8(ascii: ":"): if isWord { joins |= bit }
            case UInt8(ascii: ","), UInt8(ascii: ";"): if isNumber { joins |= bit }
            default: break
            }
        }
        return joins
    }

    /// Goes over the first `length` bytes of a block; the masks tell what belongs to runs, what makes a run a word, and
    /// what is a capital letter.
    @inline(__always)
    private mutating func pass(_ runs: UInt64, _ alphanumeric: UInt64, _ capitals: UInt64, length: Int) -> Int32 {
        let inside = Self.lowest(length)
        // A bit for each place where a run begins or ends, in turn.
        var edges = (runs ^ (runs << 1 | open)) & inside
        var first = 0
        while edges != 0 {
            let edge = edges.trailingZeroBitCount
            edges &= edges &- 1
            if open == 0 {
                open = 1
                runStart = position &+ edge
                runIsWord = false
                runHasCapitals = false
                first = edge
            } else {
                open = 0
                let bits = Self.lowest(edge) & ~Self.lowest(first)
                if runIsWord || alphanumeric & bits != 0 {
                    let code = emit(to: position &+ edge, hasCapitals: runHasCapitals || capitals & bits != 0)
                    if code != 0 { return code }
                }
            }
        }
        if open != 0 {
            runIsWord = runIsWord || alphanumeric & inside & ~Self.lowest(first) != 0
            runHasCapitals = runHasCapitals || capitals & inside & ~Self.lowest(first) != 0
        }
        position &+= length
        return 0
    }

    /// The lowest bits, fewer than 64 of them.
    @inline(__always)
    private static func lowest(_ count: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: count) &- 1 }

    /// Goes over characters that are not ASCII, from the open run or the character before the position, and over the
    /// segments after them as long as they do not begin with ASCII.
    private mutating func passOthers() -> Int32 {
        let breaker = WordBreaker(text: text)
        var start = position
        var segment: WordBreaker.Segment
        if open != 0 {
            open = 0
            start = runStart
            segment = WordBreaker.Segment(end: position, isWord: runIsWord, isEmoji: false)
            breaker.extend(&segment, from: breaker.character(at: position &- 1))
        } else {
            // A mark belongs to the character before it, and if that is a space, to the spaces before that.
            if position > 0, text[position &- 1] < 0x80, breaker.character(at: position).property.isIgnored {
                start = position &- 1
                while start > 0, text[start] == 0x20, text[start &- 1] == 0x20 { start &-= 1 }
            }
            segment = breaker.segment(from: start)
        }
        while true {
            if segment.isWord || (segment.isEmoji && emoji) {
                let code = sink.emit(base + start, count: segment.end &- start, start: start, end: segment.end)
                if code != 0 { return code }
            }
            start = segment.end
            position = start
            guard start < text.count, text[start] >= 0x80 else { return 0 }
            segment = breaker.segment(from: start)
        }
    }

    /// Sends the run that is open at the end of the text, if one is.
    @inline(__always)
    mutating func finish() -> Int32 {
        open != 0 && runIsWord ? emit(to: position, hasCapitals: runHasCapitals) : 0
    }

    @inline(__always)
    private func emit(to end: Int, hasCapitals: Bool) -> Int32 {
        let flags: TokenFlags = marksPlain && !hasCapitals ? .plain : []
        return sink.emit(base + runStart, count: end &- runStart, flags: flags, start: runStart, end: end)
    }
}
