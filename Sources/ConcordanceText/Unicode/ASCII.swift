/// The part of Unicode where a byte is a character.
package enum ASCII {
    /// The byte, with A to Z turned into a to z.
    @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether the byte is 0 to 9, A to Z or a to z.
    @inline(__always)
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
}

extension String {
    /// The string with A to Z in lower case and the rest unchanged.
    package var lowercasedASCII: String { String(decoding: utf8.map { ASCII.lowercased($0) }, as: UTF8.self) }

    /// Whether the two differ at most in the case of A to Z, as names in SQL are compared.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
