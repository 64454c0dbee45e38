/// Up to 128 numbers of 32 bits, bit-packed; the few that are much bigger than the rest are patched ("patched frame of
/// reference", Zukowski, Héman, Nes and Boncz, Super-Scalar RAM-CPU Cache Compression, 2006).
///
///     head u8          bits 0...5: width, 0...32; bit 6: exceptions; bit 7: zero
///     exceptions u8    with bit 6: how many, 1...127
///     packed           the low `width` bits of each number
///     indexes u8       with bit 6: of each exception, in the block
///     highs varint     with bit 6: the bits above `width` of each exception
///
/// 128 numbers are packed in four lanes of 32: number i is number i / 4 of lane i % 4, and words of 32 bits of the four
/// lanes alternate, so that four numbers are unpacked at once. Fewer than 128 numbers are packed one after the other.
enum IntegerBlock {
    static let capacity = 128

    // MARK: - Encoding

    /// Appends 1...128 numbers.
    static func encode(_ values: UnsafeBufferPointer<UInt32>, into writer: ByteWriter) {
        let (width, exceptions) = bestWidth(values)
        writer.append(byte: UInt8(width) | (exceptions > 0 ? 0x40 : 0))
        if exceptions > 0 { writer.append(byte: UInt8(exceptions)) }
        if values.count == capacity {
            packLanes(values, width, into: writer)
        } else {
            packSequence(values, width, into: writer)
        }
        if exceptions > 0 { appendExceptions(values, width, exceptions, to: writer) }
    }

    private static func appendExceptions(
        _ values: UnsafeBufferPointer<UInt32>, _ width: UInt32, _ count: Int, to writer: ByteWriter
    ) {
        let limit: UInt32 = (1 << width) &- 1
        // Which they are is hard to predict, so there is no branch for it.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { indexes in
            var size = 0
            for index in 0..<values.count {
                indexes[size] = UInt8(truncatingIfNeeded: index)
                size &+= values[index] > limit ? 1 : 0
            }
            writer.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(indexes)[..<count]))
            for index in indexes[..<count] { writer.append(varint: UInt64(values[Int(index)] >> width)) }
        }
    }

    /// The width that takes the fewest bytes, and the number of its exceptions.
    private static func bestWidth(_ values: UnsafeBufferPointer<UInt32>) -> (width: UInt32, exceptions: Int) {
        var all: UInt32 = 0
        for value in values { all |= value }
        let highest = 32 - all.leadingZeroBitCount
        // Little to gain: an exception takes two bytes, and time to decode.
        guard values.count >= 8, highest > 2 else { return (UInt32(highest), 0) }
        // For each width, the bytes of what is above it: one for each exception, and those of a width seven bits greater.
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 32 + 7) { highs in
            for width in highest..<highest + 7 { highs[width] = 0 }
            var best = (width: UInt32(highest), exceptions: 0)
            var bestSize = (values.count * highest + 7) / 8
            for width in stride(from: highest - 1, through: 0, by: -1) {
                let exceptions = count(values, above: UInt32(width))
                highs[width] = exceptions + highs[width + 7]
                let size = 1 + exceptions + highs[width]
                // Smaller widths have no fewer exceptions.
                if exceptions > capacity - 1 || size >= bestSize { break }
                let packed = (values.count * width + 7) / 8
                guard packed + size < bestSize else { continue }
                bestSize = packed + size
                best = (UInt32(width), exceptions)
            }
            return best
        }
    }

    /// How many numbers have more bits than `width`, below 32. The highest bit tells, without a comparison, so that the compiler
    /// looks at several numbers at once.
    private static func count(_ values: UnsafeBufferPointer<UInt32>, above width: UInt32) -> Int {
        let limit: UInt32 = (1 << width) &- 1
        var count: UInt32 = 0
        for value in values { count &+= (value | (limit &- value)) &>> 31 }
        return Int(count)
    }

    private static func packLanes(_ values: UnsafeBufferPointer<UInt32>, _ width: UInt32, into writer: ByteWriter) {
        guard width > 0 else { return }
        let mask = SIMD4(repeating: UInt32.max &>> (32 &- width))
        let source = UnsafeRawBufferPointer(values)
        var target = UnsafeMutableRawPointer(writer.room(for: Int(width) * 16))
        var words = SIMD4<UInt32>.zero
        var bits: UInt32 = 0
        for row in 0..<32 {
            let row = source.loadUnaligned(fromByteOffset: row &* 16, as: SIMD4<UInt32>.self) & mask
            words |= row &<< SIMD4(repeating: bits)
            bits &+= width
            guard bits >= 32 else { continue }
            target.storeBytes(of: littleEndian(words), as: SIMD4<UInt32>.self)
            target += 16
            bits &-= 32
            // What is left of the row, in two steps, since a shift by 32 would be none.
            words = (row &>> SIMD4(repeating: width &- bits &- 1)) &>> SIMD4(repeating: 1)
        }
    }

    private static func packSequence(
        _ values: UnsafeBufferPointer<UInt32>, _ width: UInt32, into writer: ByteWriter
    ) {
        let mask: UInt64 = (1 << UInt64(width)) &- 1
        var target = UnsafeMutableRawPointer(writer.room(for: (values.count * Int(width) + 7) / 8))
        var pending: UInt64 = 0
        var bits: UInt64 = 0
        for value in values {
            pending |= (UInt64(value) & mask) &<< bits
            bits &+= UInt64(width)
            guard bits >= 32 else { continue }
            target.storeBytes(of: UInt32(truncatingIfNeeded: pending).littleEndian, as: UInt32.self)
            target += 4
            pending >>= 32
            bits &-= 32
        }
        while bits > 0 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: pending), as: UInt8.self)
            target += 1
            pending >>= 8
            bits = bits > 8 ? bits &- 8 : 0
        }
    }

    // MARK: - Decoding

    /// Reads `count` numbers, 1...128, into `result`, which has room for 128. The bytes after the reader's end must be
    /// readable for `Block.padding`.
    @inline(__always)
    static func decode(_ reader: inout ByteReader, count: Int, into result: UnsafeMutablePointer<UInt32>) throws {
        let head = try reader.byte()
        let width = UInt32(head & 0x3F)
        let exceptions = head & 0x40 != 0 ? Int(try reader.byte()) : 0
        guard head < 0x80, width <= 32, exceptions <= count else {
            throw corrupt("a block of numbers has no such form")
        }
        if count == capacity {
            let packed = try reader.bytes(Int(width) &* 16)
            unpackLanes(packed.baseAddress, width, into: result)
        } else {
            let packed = try reader.bytes((count &* Int(width) &+ 7) / 8)
            unpackSequence(packed.baseAddress, width, count, into: result)
        }
        if exceptions > 0 { try patch(&reader, exceptions, width, count, result) }
    }

    /// Passes over a block of `count` numbers.
    static func skip(_ reader: inout ByteReader, count: Int) throws {
        let head = try reader.byte()
        let width = Int(head & 0x3F)
        let exceptions = head & 0x40 != 0 ? Int(try reader.byte()) : 0
        guard head < 0x80, width <= 32 else { throw corrupt("a block of numbers has no such form") }
        _ = try reader.bytes(count == capacity ? width * 16 : (count * width + 7) / 8)
        _ = try reader.bytes(exceptions)
        for _ in 0..<exceptions { _ = try reader.varint() }
    }

    @inline(never)
    private static func patch(
        _ reader: inout ByteReader, _ exceptions: Int, _ width: UInt32, _ count: Int,
        _ result: UnsafeMutablePointer<UInt32>
    ) throws {
        let indexes = try reader.bytes(exceptions)
        for index in indexes {
            let high = try reader.varint()
            guard Int(index) < count, width < 32, high >> UInt64(32 &- width) == 0 else {
                throw corrupt("a block of numbers has an impossible exception")
            }
            result[Int(index)] |= UInt32(truncatingIfNeeded: high) &<< width
        }
    }

    @inline(never)
    private static func unpackLanes(
        _ packed: UnsafeRawPointer?, _ width: UInt32, into result: UnsafeMutablePointer<UInt32>
    ) {
        guard width > 0, let packed else { return result.update(repeating: 0, count: capacity) }
        let output = UnsafeMutableRawPointer(result)
        // For each width that is frequent, code of its own, whose shifts are constants.
        switch width {
        case 1: unpackLanes(packed, ofWidth: 1, into: output)
        case 2: unpackLanes(packed, ofWidth: 2, into: output)
        case 3: unpackLanes(packed, ofWidth: 3, into: output)
        case 4: unpackLanes(packed, ofWidth: 4, into: output)
        case 5: unpackLanes(packed, ofWidth: 5, into: output)
        case 6: unpackLanes(packed, ofWidth: 6, into: output)
        case 7: unpackLanes(packed, ofWidth: 7, into: output)
        case 8: unpackLanes(packed, ofWidth: 8, into: output)
        case 9: unpackLanes(packed, ofWidth: 9, into: output)
        case 10: unpackLanes(packed, ofWidth: 10, into: output)
        case 11: unpackLanes(packed, ofWidth: 11, into: output)
        case 12: unpackLanes(packed, ofWidth: 12, into: output)
        case 13: unpackLanes(packed, ofWidth: 13, into: output)
        case 14: unpackLanes(packed, ofWidth: 14, into: output)
        case 15: unpackLanes(packed, ofWidth: 15, into: output)
        case 16: unpackLanes(packed, ofWidth: 16, into: output)
        default: unpackLanes(packed, ofWidth: width, into: output)
        }
    }

    /// Without a loop, which compilers do not unroll, so that its shifts would not be constants.
    @inline(__always)
    private static func unpackLanes(
        _ packed: UnsafeRawPointer, ofWidth width: UInt32, into output: UnsafeMutableRawPointer
    ) {
        unpackRows(0, packed, width, output)
        unpackRows(8, packed, width, output)
        unpackRows(16, packed, width, output)
        unpackRows(24, packed, width, output)
    }

    @inline(__always)
    private static func unpackRows(
        _ row: UInt32, _ packed: UnsafeRawPointer, _ width: UInt32, _ output: UnsafeMutableRawPointer
    ) {
        unpackRow(row, packed, width, output)
        unpackRow(row + 1, packed, width, output)
        unpackRow(row + 2, packed, width, output)
        unpackRow(row + 3, packed, width, output)
        unpackRow(row + 4, packed, width, output)
        unpackRow(row + 5, packed, width, output)
        unpackRow(row + 6, packed, width, output)
        unpackRow(row + 7, packed, width, output)
    }

    @inline(__always)
    private static func unpackRow(
        _ row: UInt32, _ packed: UnsafeRawPointer, _ width: UInt32, _ output: UnsafeMutableRawPointer
    ) {
        let bit = row &* width
        let (word, shift) = (Int(bit &>> 5) &* 16, bit & 31)
        let low = littleEndian(packed.loadUnaligned(fromByteOffset: word, as: SIMD4<UInt32>.self))
        let high = littleEndian(packed.loadUnaligned(fromByteOffset: word &+ 16, as: SIMD4<UInt32>.self))
        // The high part moves left by 32 - shift in two steps, since a shift by 32 would be none.
        let value =
            low &>> SIMD4(repeating: shift) | (high &<< SIMD4(repeating: 31 &- shift)) &<< SIMD4(repeating: 1)
        let mask = SIMD4<UInt32>(repeating: UInt32.max &>> (32 &- width))
        output.storeBytes(of: value & mask, toByteOffset: Int(row) &* 16, as: SIMD4<UInt32>.self)
    }

    @inline(__always)
    private static func littleEndian(_ value: SIMD4<UInt32>) -> SIMD4<UInt32> {
        #if _endian(little)
            value
        #else
            SIMD4(value[0].littleEndian, value[1].littleEndian, value[2].littleEndian, value[3].littleEndian)
        #endif
    }

    @inline(__always)
    private static func unpackSequence(
        _ packed: UnsafeRawPointer?, _ width: UInt32, _ count: Int, into result: UnsafeMutablePointer<UInt32>
    ) {
        guard width > 0, let packed else {
            result.update(repeating: 0, count: count)
            return
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        var bit = 0
        for index in 0..<count {
            let word = UInt64(littleEndian: packed.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
            result[index] = UInt32(truncatingIfNeeded: (word &>> UInt64(truncatingIfNeeded: bit & 7)) & mask)
            bit &+= Int(width)
        }
    }
}
