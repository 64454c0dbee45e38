/// The part of Unicode where a byte is a character.
enum ASCII {
    /// The byte, with A to Z turned into a to z.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether the byte is 0 to 9, A to Z or a to z.
    @inline(__always)
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
}
