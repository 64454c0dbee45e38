import CConcordanceSQLite
import ConcordanceText

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a text, or a range of its tokens, with marks around the stretches that a query's phrases cover.
///
/// The marks are where FTS5 3.40 puts them, with one difference: if the next stretch begins before the last one ends,
/// as can happen with overlapping tokens (trigrams), one pair of marks encloses both, and no byte is written twice.
struct MarkedText {
    private let text: UnsafeBufferPointer<UInt8>
    private let opening: UnsafeBufferPointer<UInt8>
    private let closing: UnsafeBufferPointer<UInt8>
    private var stretches: CoalescedInstances
    /// The numbers of the tokens to write; nil for all.
    private let range: Range<Int>?

    /// What is written so far.
    private(set) var output: [UInt8] = []
    private var token = 0
    /// The first byte of the text that is neither written nor skipped.
    private var position = 0
    /// Whether the opening mark of the current stretch is written.
    private var isInStretch = false
    /// Whether the closing mark is not written yet: the next stretch may continue where this one ends.
    private var owesClosing = false

    init(
        _ text: UnsafeBufferPointer<UInt8>, opening: UnsafeBufferPointer<UInt8>, closing: UnsafeBufferPointer<UInt8>,
        stretches: CoalescedInstances, range: Range<Int>? = nil
    ) {
        self.text = text
        self.opening = opening
        self.closing = closing
        self.stretches = stretches
        self.range = range
    }

    /// Goes over the text.
    mutating func write(tokenizer: any Tokenizer, on connection: OpaquePointer) throws {
        let text = text
        try withUnsafeMutablePointer(to: &self) { marked in
            try tokenizer.tokenize(
                text, for: .auxiliary,
                into: TokenSink(context: marked) { marked, flags, _, _, start, end in
                    guard let marked, !TokenFlags(rawValue: flags).contains(.colocated) else { return 0 }
                    marked.assumingMemoryBound(to: MarkedText.self).pointee.receive(start: Int(start), end: Int(end))
                    return 0
                }, on: connection)
        }
        settle()
    }

    /// Writes the rest of the text, after the last token.
    mutating func writeRest() { copy(upTo: text.count) }

    /// Writes something that is not part of the text.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { output.append(contentsOf: bytes) }

    private mutating func receive(start: Int, end: Int) {
        let number = token
        token += 1
        if let range {
            guard range.contains(number) else { return }
            if number == range.lowerBound, number > 0 { position = max(0, min(start, text.count)) }
        }
        if number == stretches.first { open(at: start) }
        if number == stretches.last {
            copy(upTo: end)
            isInStretch = false
            owesClosing = true
            stretches.next()
        }
        if let range, number == range.upperBound - 1 {
            settle()
            copy(upTo: end)
            if isInStretch { append(closing) }
            isInStretch = false
        }
    }

    private mutating func open(at start: Int) {
        isInStretch = true
        if owesClosing, start < position {
            owesClosing = false
            return
        }
        settle()
        copy(upTo: start)
        append(opening)
        // A token may begin before the end of one that is already written.
        position = max(position, min(start, text.count))
    }

    private mutating func settle() {
        if owesClosing { append(closing) }
        owesClosing = false
    }

    /// Writes the text up to `end`. As in SQLite, whose strings end at a NUL, what follows one in a piece is left out.
    private mutating func copy(upTo end: Int) {
        let end = min(end, text.count)
        guard position < end else { return }
        append(UnsafeBufferPointer(rebasing: text[position..<end]).untilNUL)
        position = end
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes before the first NUL: the text as SQLite's own functions see it.
    var untilNUL: UnsafeBufferPointer<UInt8> {
        guard let start = baseAddress, count > 0, let end = memchr(start, 0, count) else { return self }
        return UnsafeBufferPointer(start: start, count: UnsafeRawPointer(end) - UnsafeRawPointer(start))
    }
}
