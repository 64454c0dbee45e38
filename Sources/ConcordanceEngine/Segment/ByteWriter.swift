/// Bytes that grow, with the codes that `ByteReader` reads.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    @inline(__always) var count: Int { bytes.count }
    @inline(__always) var isEmpty: Bool { bytes.isEmpty }

    @inline(__always)
    mutating func append(byte: UInt8) { bytes.append(byte) }

    @inline(__always)
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func append(varint value: Int) { append(varint: UInt64(bitPattern: Int64(value))) }

    @inline(__always)
    mutating func append(signed value: Int64) { append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }
    mutating func append(_ more: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: more) }
    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }
    mutating func append(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// A number of fixed width, little-endian.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(fixed value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
