/// A map from code points to small numbers in three stages of static arrays, as Scripts/unicode/swift_tables.py lays it
/// out: stage 1 has an entry per 1024 code points, a block of stage 2 one per 16, a block of stage 3 one per code
/// point.
///
/// A lookup costs three dependent loads from the binary's data; the arrays need no initialization in an optimized
/// build. Beyond the end of stage 1, and beyond U+10FFFF, every value is 0.
protocol CodePointTrie {
    associatedtype Stage1: FixedWidthInteger
    associatedtype Stage2: FixedWidthInteger
    associatedtype Stage3: FixedWidthInteger

    static var stage1: [Stage1] { get }
    static var stage2: [Stage2] { get }
    static var stage3: [Stage3] { get }
}

extension CodePointTrie {
    /// The value of the code point.
    @inline(__always)
    static func value(of codePoint: UInt32) -> Int {
        stage1.withUnsafeBufferPointer { stage1 in
            let first = Int(truncatingIfNeeded: codePoint >> 10)
            guard first < stage1.count else { return 0 }
            // The generator keeps every index that a stage holds inside the next stage.
            let second = Int(truncatingIfNeeded: stage1[first]) << 6 | Int(truncatingIfNeeded: codePoint >> 4) & 63
            let third = stage2.withUnsafeBufferPointer { Int(truncatingIfNeeded: $0[second]) } << 4
            return stage3.withUnsafeBufferPointer {
                Int(truncatingIfNeeded: $0[third | Int(truncatingIfNeeded: codePoint) & 15])
            }
        }
    }
}
