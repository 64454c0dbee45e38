/// A JSON value that prints on one line, with its members in the given order.
enum JSONText: Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null
    case array([JSONText])
    case object([(String, JSONText)])

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text in UTF-8.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .string(let text): Self.write(text, to: &bytes)
        case .integer(let value): bytes += String(value).utf8
        // JSON has no infinity and no NaN.
        case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.1.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Escapes what JSON demands, and the controls that a terminal would obey.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            var place = 0
            while place < utf8.count {
                let byte = utf8[place]
                // U+0080 to U+009F are C2 80 to C2 9F.
                let isControl =
                    byte < 0x20 || byte == 0x7F
                    || byte == 0xC2 && place + 1 < utf8.count && (0x80..<0xA0).contains(utf8[place + 1])
                guard isControl || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                    place += 1
                    continue
                }
                bytes += utf8[start..<place]
                let length = byte == 0xC2 ? 2 : 1
                escape(utf8[place + length - 1], to: &bytes)
                place += length
                start = place
            }
            bytes += utf8[start...]
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// - Parameter byte: The character, which is below U+00A0.
    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            let digits = String(byte, radix: 16)
            bytes += "u".utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
            bytes += digits.utf8
        }
    }
}
