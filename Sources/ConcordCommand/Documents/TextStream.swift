/// A stream of bytes as clean UTF-8: valid, with `\n` for every line end, and without control characters.
///
/// Pieces end between characters. Escape sequences of terminals are removed, overstruck characters (`_\u{8}x` in
/// formatted manual pages, with several backspaces after a wide one) become plain, and other controls become spaces.
final class TextStream: ByteStream {
    private let source: DecodedStream
    private var cleaner = TextCleaner()
    private var isFinished = false
    /// The last character, which a backspace at the beginning of the next piece would remove.
    private var tail: [UInt8] = []

    /// - Parameter beginning: The first bytes of the stream, from which the encoding is detected; `source` still
    ///   contains them.
    convenience init(_ source: any ByteStream, beginning: [UInt8]) throws {
        self.init(source, try TextEncoding.detect(beginning))
    }

    /// - Parameter detected: The encoding, and the length of a byte order mark.
    init(_ source: any ByteStream, _ detected: (encoding: TextEncoding, mark: Int)) {
        self.source = DecodedStream(source, detected)
    }

    /// The clean text of bytes that are UTF-8, or nearly so.
    static func clean(_ bytes: [UInt8]) -> [UInt8] {
        var cleaner = TextCleaner()
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        cleaner.clean(bytes, into: &output)
        cleaner.finish(into: &output)
        return output
    }

    func next() throws -> [UInt8]? {
        while !isFinished {
            var output = tail
            tail = []
            if let piece = try source.next() {
                output.reserveCapacity(piece.count + 16)
                cleaner.clean(piece, into: &output)
                tail = TextCleaner.lastCharacter(of: output)
                output.removeLast(tail.count)
            } else {
                isFinished = true
                cleaner.finish(into: &output)
            }
            if !output.isEmpty { return output }
        }
        return nil
    }
}

/// A stream of bytes in some encoding as UTF-8, otherwise unchanged. What is already UTF-8 may have invalid bytes.
final class DecodedStream: ByteStream {
    private let source: any ByteStream
    private let encoding: TextEncoding
    /// For a legacy encoding that iconv knows.
    private let converter: CharacterConverter?
    /// How many bytes of the byte order mark are yet to be dropped.
    private var mark: Int
    private var oddByte: UInt8?
    private var highSurrogate: UInt16?

    init(_ source: any ByteStream, _ detected: (encoding: TextEncoding, mark: Int)) {
        self.source = source
        (encoding, mark) = detected
        if case .legacy(let name) = encoding {
            converter =
                CharacterConverter(encoding: name)
                ?? CharacterConverter(encoding: EncodingGuess.western)
        } else {
            converter = nil
        }
    }

    func next() throws -> [UInt8]? {
        while var piece = try source.next() {
            if mark > 0 {
                let dropped = min(mark, piece.count)
                piece.removeFirst(dropped)
                mark -= dropped
            }
            let text = utf8(piece)
            if !text.isEmpty { return text }
        }
        var rest: [UInt8] = []
        converter?.finish(into: &rest)
        if oddByte != nil || highSurrogate != nil { rest = [0xEF, 0xBF, 0xBD] }
        (oddByte, highSurrogate) = (nil, nil)
        return rest.isEmpty ? nil : rest
    }

    private func utf8(_ piece: [UInt8]) -> [UInt8] {
        switch encoding {
        case .utf8: return piece
        case .utf16LittleEndian: return fromUTF16(piece) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: return fromUTF16(piece) { UInt16($1) | UInt16($0) << 8 }
        case .legacy:
            guard let converter else { return piece }
            var output: [UInt8] = []
            output.reserveCapacity(piece.count * 2)
            converter.convert(piece, into: &output)
            return output
        }
    }

    private func fromUTF16(_ piece: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count)
        for byte in piece {
            guard let first = oddByte else {
                oddByte = byte
                continue
            }
            oddByte = nil
            append(unit(first, byte), to: &output)
        }
        return output
    }

    private func append(_ unit: UInt16, to output: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
                if let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) {
                    output.append(contentsOf: bytes)
                }
                return
            }
            output.append(contentsOf: UTF8.encodedReplacementCharacter)
        }
        if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
        } else if let scalar = Unicode.Scalar(unit), let bytes = UTF8.encode(scalar) {
            output.append(contentsOf: bytes)
        } else {
            output.append(contentsOf: UTF8.encodedReplacementCharacter)
        }
    }
}

/// Makes clean text of bytes that are UTF-8, or nearly so, which may come in pieces.
struct TextCleaner {
    /// Bytes that cannot be interpreted before more come: part of a character or of an escape sequence, or a carriage
    /// return.
    private var pending: [UInt8] = []
    /// Anything longer than this is not an escape sequence.
    private static let longestEscape = 64

    mutating func clean(_ bytes: [UInt8], into output: inout [UInt8]) {
        if pending.isEmpty {
            bytes.withUnsafeBufferPointer { run($0, atEnd: false, into: &output) }
        } else {
            let joined = pending + bytes
            pending.removeAll(keepingCapacity: true)
            joined.withUnsafeBufferPointer { run($0, atEnd: false, into: &output) }
        }
    }

    mutating func finish(into output: inout [UInt8]) {
        let rest = pending
        pending.removeAll()
        rest.withUnsafeBufferPointer { run($0, atEnd: true, into: &output) }
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, atEnd: Bool, into output: inout [UInt8]) {
        var at = 0
        while at < bytes.count {
            let start = at
            while at < bytes.count, Self.isPlain(bytes[at]) { at += 1 }
            if at > start { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<at])) }
            guard at < bytes.count else { return }
            guard let length = special(bytes, at: at, atEnd: atEnd, into: &output) else {
                pending.append(contentsOf: bytes[at...])
                return
            }
            at += length
        }
    }

    /// Printable ASCII, tab and line feed: copied as they are.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool { (byte >= 32 && byte < 127) || byte == 10 || byte == 9 }

    /// Handles bytes that are not plain; returns how many, or nil if it needs more bytes to decide.
    private func special(
        _ bytes: UnsafeBufferPointer<UInt8>, at: Int, atEnd: Bool, into output: inout [UInt8]
    ) -> Int? {
        let byte = bytes[at]
        if byte >= 0x80 { return character(bytes, at: at, atEnd: atEnd, into: &output) }
        switch byte {
        case 13:
            guard at + 1 < bytes.count || atEnd else { return nil }
            output.append(10)
            return at + 1 < bytes.count && bytes[at + 1] == 10 ? 2 : 1
        case 12:
            output.append(10)
            return 1
        case 8:
            let end = bytes[at...].firstIndex { $0 != 8 } ?? bytes.count
            guard end < bytes.count || atEnd else { return nil }
            output.removeLast(Self.lastCharacter(of: output).count)
            return end - at
        case 27: return escapeLength(bytes, at: at, atEnd: atEnd)
        default:
            output.append(32)
            return 1
        }
    }

    private func character(
        _ bytes: UnsafeBufferPointer<UInt8>, at: Int, atEnd: Bool, into output: inout [UInt8]
    ) -> Int? {
        switch UTF8Sequence(bytes, at: at) {
        case .valid(let length):
            // U+0080 to U+009F are controls, too: U+009B begins an escape sequence.
            if bytes[at] == 0xC2, bytes[at + 1] < 0xA0 {
                output.append(32)
            } else {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[at..<at + length]))
            }
            return length
        case .incomplete where !atEnd: return nil
        case .incomplete, .invalid:
            output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return 1
        }
    }

    /// `ESC [ parameters letter` (ECMA-48, 5.4); a lone escape is one byte.
    private func escapeLength(_ bytes: UnsafeBufferPointer<UInt8>, at: Int, atEnd: Bool) -> Int? {
        guard at + 1 < bytes.count else { return atEnd ? 1 : nil }
        guard bytes[at + 1] == UInt8(ascii: "[") else { return 1 }
        var end = at + 2
        while end < bytes.count, end - at < Self.longestEscape, (0x20...0x3F).contains(bytes[end]) { end += 1 }
        if end == bytes.count { return atEnd ? end - at : nil }
        return (0x40...0x7E).contains(bytes[end]) ? end - at + 1 : 1
    }

    /// The bytes of the last character, unless it is a line end.
    static func lastCharacter(of text: [UInt8]) -> [UInt8] {
        guard let last = text.last, last != 10 else { return [] }
        let start = text.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        return Array(text[start...])
    }
}
