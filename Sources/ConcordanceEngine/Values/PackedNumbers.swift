/// Numbers of up to 32 bits, all of one width, packed one after the other, low bits first. Any of them is read in constant
/// time, by a load of eight bytes from the byte on that it begins in.
struct PackedNumbers {
    /// Nil if all numbers are 0, which take no bytes.
    private let start: UnsafeRawPointer?
    private let width: UInt64
    private let mask: UInt64

    /// The width that numbers up to `greatest` take.
    @inline(__always)
    static func width(of greatest: UInt32) -> Int { UInt32.bitWidth - greatest.leadingZeroBitCount }

    /// The number of bytes for this many numbers.
    static func size(count: Int, width: Int) -> UInt64 {
        // 32 bits and 59 bits at most: a count is one of values in memory.
        (UInt64(max(count, 0)) &* UInt64(max(width, 0)) &+ 7) / 8
    }

    /// The bytes from the first number on that reading the last one touches: up to 7 more than the numbers take.
    static func readableSize(count: Int, width: Int) -> UInt64 {
        guard count > 0, width > 0 else { return 0 }
        return UInt64(count &- 1) &* UInt64(width) / 8 &+ 8
    }

    /// Numbers of up to 32 bits, of which the first begins at `start`, which must be readable for `readableSize`.
    init(_ start: UnsafeRawPointer?, width: Int) {
        self.start = width > 0 ? start : nil
        self.width = UInt64(min(max(width, 0), 32))
        mask = 1 << self.width - 1
    }

    /// The number at an index below their count.
    @inline(__always)
    subscript(index: Int) -> UInt32 {
        guard let start else { return 0 }
        let bit = UInt64(truncatingIfNeeded: index) &* width
        let offset = Int(truncatingIfNeeded: bit &>> 3)
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return UInt32(truncatingIfNeeded: (word &>> (bit & 7)) & mask)
    }

    /// Appends numbers that are at most `width` bits wide.
    static func append(_ numbers: UnsafeBufferPointer<UInt32>, width: Int, to writer: ByteWriter) {
        guard width > 0, let size = Int(exactly: size(count: numbers.count, width: width)) else { return }
        var target = writer.room(for: size)
        var pending: UInt64 = 0
        var bits: UInt64 = 0
        for number in numbers {
            pending |= UInt64(number) &<< bits
            bits &+= UInt64(width)
            while bits >= 8 {
                target.initialize(to: UInt8(truncatingIfNeeded: pending))
                target += 1
                pending >>= 8
                bits &-= 8
            }
        }
        if bits > 0 { target.initialize(to: UInt8(truncatingIfNeeded: pending)) }
    }
}
