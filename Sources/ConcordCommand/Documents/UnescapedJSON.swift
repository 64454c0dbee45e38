/// JSON as text: unchanged, except that the escapes in its strings are decoded, so that `caf\u00e9` is found. Lines
/// stay lines.
final class UnescapedJSON: ByteStream {
    private let source: any ByteStream
    /// The bytes of an unfinished escape.
    private var pending: [UInt8] = []
    private var isInsideString = false
    private var highSurrogate: UInt16?

    init(_ source: any ByteStream) { self.source = source }

    func next() throws -> [UInt8]? {
        while let piece = try source.next() {
            var output: [UInt8] = []
            output.reserveCapacity(piece.count)
            for byte in piece { take(byte, into: &output) }
            if !output.isEmpty { return TextStream.clean(output) }
        }
        guard !pending.isEmpty else { return nil }
        defer { pending = [] }
        return pending
    }

    private func take(_ byte: UInt8, into output: inout [UInt8]) {
        guard pending.isEmpty else {
            pending.append(byte)
            return takeEscape(into: &output)
        }
        if byte == UInt8(ascii: "\\"), isInsideString {
            pending = [byte]
            return
        }
        // In JSON, a string does not continue after a line end.
        if byte == UInt8(ascii: "\"") { isInsideString.toggle() } else if byte == 10 { isInsideString = false }
        highSurrogate = nil
        output.append(byte)
    }

    private func takeEscape(into output: inout [UInt8]) {
        guard pending.count > 1 else { return }
        if pending[1] == UInt8(ascii: "u") {
            guard pending.count == 6 else { return }
            takeUnit(UInt16(String(decoding: pending[2...], as: UTF8.self), radix: 16), into: &output)
        } else {
            highSurrogate = nil
            // Line ends in a string are not line ends of the file.
            output.append("nrtbf".utf8.contains(pending[1]) ? 32 : pending[1])
        }
        pending = []
    }

    private func takeUnit(_ unit: UInt16?, into output: inout [UInt8]) {
        let high = highSurrogate
        highSurrogate = nil
        guard let unit else {
            output += pending
            return
        }
        if let high, UTF16.isTrailSurrogate(unit) {
            let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
            output += Unicode.Scalar(value).map { Array(String(Character($0)).utf8) } ?? []
        } else if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
        } else if let scalar = Unicode.Scalar(UInt32(unit)) {
            output += scalar.value < 32 ? [32] : Array(String(Character(scalar)).utf8)
        }
    }
}
