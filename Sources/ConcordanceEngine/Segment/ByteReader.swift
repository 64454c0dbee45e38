/// Reads numbers and bytes from stored bytes, which may be damaged: every read is checked against the end and throws
/// `corrupt` beyond it. The bytes must outlive the reader.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    /// How many bytes are read.
    private(set) var offset: Int

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0) {
        self.bytes = bytes
        self.offset = min(max(offset, 0), bytes.count)
    }

    @inline(__always) var isAtEnd: Bool { offset == bytes.count }
    @inline(__always) var remaining: Int { bytes.count &- offset }

    @inline(__always)
    mutating func byte() throws -> UInt8 {
        guard offset < bytes.count else { throw Self.truncated }
        defer { offset &+= 1 }
        return bytes.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// A number in groups of seven bits, the low ones first (LEB128); at most ten bytes.
    @inline(__always)
    mutating func varint() throws -> UInt64 {
        let first = try byte()
        return first < 0x80 ? UInt64(first) : try longVarint(first)
    }

    private mutating func longVarint(_ first: UInt8) throws -> UInt64 {
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let next = try byte()
            // The tenth byte has room for one bit.
            guard shift < 63 || next <= 1 else { throw corrupt("a number has more than 64 bits") }
            value |= UInt64(next & 0x7F) &<< shift
            if next < 0x80 { return value }
            shift &+= 7
        }
    }

    /// The byte `distance` bytes further on, which there must be.
    @inline(__always)
    func peekByte(behind distance: Int = 0) -> UInt8 { bytes.load(fromByteOffset: offset &+ distance, as: UInt8.self) }

    /// Eight bytes, `behind` bytes further on, and which of them end varints: the highest bit of each. They must be there.
    @inline(__always)
    func peekVarints(behind distance: Int) -> (bytes: UInt64, ends: UInt64) {
        let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ distance, as: UInt64.self))
        return (next, ~next & 0x8080_8080_8080_8080)
    }

    /// The varint at the beginning of eight bytes, which ends at the lowest bit of `ends`; that must not be 0. Joins groups of
    /// seven bits in pairs, then those of fourteen, then those of 28.
    @inline(__always)
    static func firstVarint(_ bytes: UInt64, ends: UInt64) -> UInt64 {
        var value = bytes & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) &>> 1
        value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) &>> 2
        return value & 0x0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) &>> 4
    }

    /// Skips this many bytes, which must exist.
    @inline(__always)
    mutating func skip(_ count: Int) { offset &+= count }

    /// A number that must be at most `limit`.
    @inline(__always)
    mutating func varint(atMost limit: Int) throws -> Int {
        let value = try varint()
        guard value <= UInt64(max(limit, 0)) else { throw corrupt("a number is too large for its place") }
        return Int(truncatingIfNeeded: value)
    }

    @inline(__always)
    mutating func uint32() throws -> UInt32 {
        let value = try varint()
        guard value <= UInt64(UInt32.max) else { throw corrupt("a number has more than 32 bits") }
        return UInt32(truncatingIfNeeded: value)
    }

    /// A number with a sign: 0, -1, 1, -2, ... are stored as 0, 1, 2, 3, ...
    @inline(__always)
    mutating func signedVarint() throws -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// The next bytes, in place.
    @inline(__always)
    mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw Self.truncated }
        defer { offset &+= count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset &+ count])
    }

    /// The bytes from `start` to the offset.
    func bytesRead(from start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[min(max(start, 0), offset)..<offset])
    }

    /// A number of fixed width, little-endian.
    @inline(__always)
    mutating func fixed<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
        guard remaining >= MemoryLayout<Number>.size else { throw Self.truncated }
        defer { offset &+= MemoryLayout<Number>.size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    private static var truncated: Error { corrupt("a block of the index ends too early") }
}
