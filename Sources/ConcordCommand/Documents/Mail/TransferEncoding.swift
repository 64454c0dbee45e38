/// How the bytes of a message part are encoded as lines of text (RFC 2045, 6).
enum TransferEncoding {
    case plain, base64, quotedPrintable

    init(_ name: String?) {
        switch name?.trimmingSpaces().lowercased() {
        case "base64": self = .base64
        case "quoted-printable": self = .quotedPrintable
        default: self = .plain
        }
    }

    func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .plain: Array(bytes)
        case .base64: Self.base64(bytes)
        case .quotedPrintable: Self.quotedPrintable(bytes)
        }
    }

    /// Skips characters outside the alphabet, as the standard requires; padding does not end the data.
    static func base64(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            let value: UInt32
            switch byte {
            case 65...90: value = UInt32(byte) - 65
            case 97...122: value = UInt32(byte) - 71
            case 48...57: value = UInt32(byte) + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="):
                bits = 0
                count = 0
                continue
            default: continue
            }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return output
    }

    /// - Parameter isWord: Whether the bytes are an encoded word of a header, where `_` is a space.
    static func quotedPrintable(_ bytes: ArraySlice<UInt8>, isWord: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "_"), isWord {
                output.append(32)
            } else if byte != UInt8(ascii: "=") {
                output.append(byte)
            } else if at + 1 < bytes.endIndex, let high = hexadecimal(bytes[at]), let low = hexadecimal(bytes[at + 1]) {
                output.append(high << 4 | low)
                at += 2
            } else if let end = softBreak(bytes[at...]) {
                at = end
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Where the text continues after an equals sign that ends its line.
    private static func softBreak(_ bytes: ArraySlice<UInt8>) -> Int? {
        let end = bytes.firstIndex { $0 != 32 && $0 != 9 && $0 != 13 } ?? bytes.endIndex
        if end == bytes.endIndex { return end }
        return bytes[end] == 10 ? end + 1 : nil
    }

    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
