/// Decodes arbitrary bytes as UTF-8 into numbers for filters. A scalar is itself; a byte that belongs to no well-formed
/// sequence is `invalidBase` plus its value, so that it passes through a filter unchanged.
enum UTF8Scalars {
    static let invalidBase: UInt32 = 0x11_0000

    /// The number of the scalar or byte at `index`, and its length in bytes.
    @inline(__always)
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
        let (scalar, length) = StrictUTF8.decode(bytes, at: index)
        return (scalar ?? invalidBase + UInt32(bytes[index]), length)
    }

    /// Writes `scalar` to `output` (up to four bytes) and returns the number of bytes.
    @inline(__always)
    static func encode(_ scalar: UInt32, to output: UnsafeMutablePointer<UInt8>) -> Int {
        guard scalar >= invalidBase else { return SQLiteUTF8.encode(scalar, to: output) }
        output[0] = UInt8(truncatingIfNeeded: scalar - invalidBase)
        return 1
    }
}
