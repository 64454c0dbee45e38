/// Numbers from zero on in sixteen bits: eight of exponent and eight of mantissa, as `Float` has them. Codes ascend with
/// the numbers, and neighbours differ by less than half a percent.
enum FloatCode {
    /// The greatest code whose number is at most `number`.
    @inline(__always)
    static func floor(_ number: Float) -> UInt16 { UInt16(truncatingIfNeeded: number.bitPattern &>> 15) }

    /// The least code whose number is at least `number`.
    @inline(__always)
    static func ceiling(_ number: Float) -> UInt16 {
        let code = floor(number)
        return value(code) < number ? code &+ 1 : code
    }

    @inline(__always)
    static func value(_ code: UInt16) -> Float { Float(bitPattern: UInt32(code) &<< 15) }

    /// The numbers of four codes, the first of which is in the lowest bits.
    @inline(__always)
    static func values(_ codes: UInt64) -> SIMD4<Float> {
        let codes = unsafeBitCast(codes.littleEndian, to: SIMD4<UInt16>.self)
        return unsafeBitCast(SIMD4<UInt32>(truncatingIfNeeded: codes) &<< 15, to: SIMD4<Float>.self)
    }

    /// The codes of four numbers, rounded down.
    static func floors(_ numbers: SIMD4<Float>) -> UInt64 { codes(numbers, floor) }

    /// The codes of four numbers, rounded up.
    static func ceilings(_ numbers: SIMD4<Float>) -> UInt64 { codes(numbers, ceiling) }

    private static func codes(_ numbers: SIMD4<Float>, _ code: (Float) -> UInt16) -> UInt64 {
        (0..<4).reduce(0) { $0 | UInt64(code(numbers[$1])) &<< UInt64(16 &* $1) }
    }

    /// The greatest code whose number is at most a length.
    @inline(__always)
    static func floor(length: UInt32) -> UInt16 {
        // `Float` would round what has more than 24 bits, and up as well as down.
        floor(Float(length < 1 << 24 ? length : length & ~0xFF))
    }

    /// The length that `floor` made a code of, rounded down.
    @inline(__always)
    static func length(_ code: UInt16) -> UInt32 {
        let length = value(code)
        return length < 0x1p32 ? UInt32(length) : .max
    }
}
