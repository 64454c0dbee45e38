/// UTF-8 as the Unicode Standard defines it (table 3-7).
enum StrictUTF8 {
    /// The character at `position`, and its length in bytes; nil and 1 if the bytes there are not well-formed.
    @inline(__always)
    static func decode(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32?, length: Int) {
        let lead = text[position]
        if lead < 0x80 { return (UInt32(lead), 1) }
        let left = text.count - position
        func payload(_ index: Int) -> UInt32? {
            let byte = text[position + index]
            return byte & 0xC0 == 0x80 ? UInt32(byte & 0x3F) : nil
        }
        switch lead {
        case 0xC2...0xDF:
            guard left >= 2, let second = payload(1) else { break }
            return (UInt32(lead & 0x1F) << 6 | second, 2)
        case 0xE0...0xEF:
            guard left >= 3, let second = payload(1), let third = payload(2) else { break }
            let scalar = UInt32(lead & 0x0F) << 12 | second << 6 | third
            if scalar >= 0x800, scalar & 0xF800 != 0xD800 { return (scalar, 3) }
        case 0xF0...0xF4:
            guard left >= 4, let second = payload(1), let third = payload(2), let fourth = payload(3) else { break }
            let scalar = UInt32(lead & 0x07) << 18 | second << 12 | third << 6 | fourth
            if scalar >= 0x1_0000, scalar <= 0x10_FFFF { return (scalar, 4) }
        default: break
        }
        return (nil, 1)
    }
}
