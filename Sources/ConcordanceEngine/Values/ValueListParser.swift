/// Reads a text that is a JSON array of scalars (RFC 8259): strings, numbers, true, false and null. It is strict: what is
/// anything else, or not UTF-8, is no list.
struct ValueListParser {
    private let text: UnsafeBufferPointer<UInt8>
    private var offset = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The values in the order of the text, nulls included; nil if the text is not such an array.
    mutating func parse() -> [StoredValue]? {
        skipSpace()
        guard take("["), Self.isUTF8(text) else { return nil }
        var values: [StoredValue] = []
        skipSpace()
        if !take("]") {
            repeat {
                skipSpace()
                guard let value = scalar() else { return nil }
                values.append(value)
                skipSpace()
            } while take(",")
            guard take("]") else { return nil }
        }
        skipSpace()
        return offset == text.count ? values : nil
    }

    private mutating func scalar() -> StoredValue? {
        guard let byte = next else { return nil }
        switch byte {
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "t"): return take("true") ? .integer(1) : nil
        case UInt8(ascii: "f"): return take("false") ? .integer(0) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return nil
        }
    }

    // MARK: - Numbers

    /// An integer if it is written as one and fits, otherwise a real.
    private mutating func number() -> StoredValue? {
        let start = offset
        let isNegative = take("-")
        let digits = takeDigits()
        guard digits == 1 || digits > 1 && text[offset - digits] != UInt8(ascii: "0") else { return nil }
        let integer = integer(offset - digits..<offset, isNegative: isNegative)
        var isReal = false
        if take(".") {
            guard takeDigits() > 0 else { return nil }
            isReal = true
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard takeDigits() > 0 else { return nil }
            isReal = true
        }
        if !isReal, let integer { return .integer(integer) }
        let literal = UnsafeBufferPointer(rebasing: text[start..<offset])
        return Double(String(decoding: literal, as: UTF8.self)).map { .real($0) }
    }

    /// Nil if the number has more than 64 bits.
    private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for index in digits {
            let digit = Int64(text[index] & 0x0F)
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Downwards, since there is one more number below zero than above.
            let (sum, isTooLarge) = product.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !isTooLarge else { return nil }
            value = sum
        }
        return value
    }

    private mutating func takeDigits() -> Int {
        let start = offset
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        return offset - start
    }

    // MARK: - Strings

    private mutating func string() -> [UInt8]? {
        offset += 1
        var bytes: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return bytes
            case UInt8(ascii: "\\"):
                offset += 1
                guard takeEscape(into: &bytes) else { return nil }
            case 0..<0x20:
                return nil
            default:
                offset += 1
                bytes.append(byte)
            }
        }
        return nil
    }

    /// What follows a backslash.
    private mutating func takeEscape(into bytes: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "u"):
            guard let scalar = takeScalar() else { return false }
            bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        default: return false
        }
        return true
    }

    /// What follows `\u`: one code unit of UTF-16, or a pair of surrogates. One without the other is not a character.
    private mutating func takeScalar() -> Unicode.Scalar? {
        guard let first = takeCodeUnit() else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard take("\\u"), let second = takeCodeUnit(), UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x1_0000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF))
    }

    /// Four hexadecimal digits.
    private mutating func takeCodeUnit() -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next else { return nil }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    // MARK: - Bytes

    private var next: UInt8? { offset < text.count ? text[offset] : nil }

    /// Passes over `word` if it is next.
    private mutating func take(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard word.count <= text.count - offset,
                word.elementsEqual(UnsafeBufferPointer(rebasing: text[offset..<offset + word.count]))
            else { return false }
            offset += word.count
            return true
        }
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
    }

    private static func isUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(where: { $0 >= 0x80 }) else { return true }
        var bytes = text.makeIterator()
        var parser = UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
