/// Bytes that grow, with the codes that `ByteReader` reads.
typealias ByteWriter = GrowingBuffer<UInt8>

extension GrowingBuffer<UInt8> {
    /// The bytes, until the next change.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(values) }

    /// A copy of the bytes.
    var array: [UInt8] { withExtendedLifetime(self) { Array(bytes) } }

    @inline(__always)
    func append(byte: UInt8) { append(byte) }

    @inline(__always)
    func append(varint value: UInt64) {
        if value < 0x80 { append(UInt8(truncatingIfNeeded: value)) } else { appendLong(value) }
    }

    private func appendLong(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    func append(varint value: Int) { append(varint: UInt64(bitPattern: Int64(value))) }

    @inline(__always)
    func append(signed value: Int64) { append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    @inline(__always)
    func append(_ more: UnsafeRawBufferPointer) {
        guard let source = more.baseAddress else { return }
        UnsafeMutableRawPointer(room(for: more.count)).copyMemory(from: source, byteCount: more.count)
    }

    func append(_ more: [UInt8]) { more.withUnsafeBytes { append($0) } }

    /// A number of fixed width, little-endian.
    @inline(__always)
    func append<Number: FixedWidthInteger>(fixed value: Number) {
        withUnsafeBytes(of: value.littleEndian) { append($0) }
    }
}
