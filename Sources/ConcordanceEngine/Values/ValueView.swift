/// A value whose bytes belong to another: to a page, an array, or SQLite. It is valid as long as they are.
enum ValueView {
    case null
    case integer(Int64)
    /// Never NaN or -0.0: `init(real:)` ensures that.
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    /// A real as SQLite stores it: NaN is NULL, and there is one zero.
    @inline(__always)
    init(real value: Double) { self = value.isNaN ? .null : .real(value == 0 ? 0 : value) }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Negative, 0 or positive if SQLite sorts the value before, equal to or after another one: by kind NULL, numbers,
    /// texts, blobs; numbers by what they are exactly, texts and blobs by their bytes.
    func compared(to other: ValueView) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.integer(let left), .real(let right)): Self.compare(left, right)
        case (.real(let left), .integer(let right)): -Self.compare(right, left)
        case (.real(let left), .real(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)): Self.compare(left, right)
        default: kind - other.kind
        }
    }

    /// The same, but an integer is before the real that equals it, so that only what is the same is 0.
    func ordered(to other: ValueView) -> Int {
        let order = compared(to: other)
        guard order == 0 else { return order }
        switch (self, other) {
        case (.integer, .real): return -1
        case (.real, .integer): return 1
        default: return 0
        }
    }

    private var kind: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    /// Compares without rounding either, as SQLite does (`sqlite3IntFloatCompare`).
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        guard real >= -0x1p63, real < 0x1p63 else { return real > 0 ? -1 : 1 }
        let whole = Int64(real)
        if integer != whole { return integer < whole ? -1 : 1 }
        // `whole` was made of a real, and becomes it again.
        let fraction = real - Double(whole)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }

    /// Compares by bytes, eight at a time.
    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let shared = min(left.count, right.count)
        var offset = 0
        while shared &- offset >= 8 {
            let first = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let second = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if first != second { return first < second ? -1 : 1 }
            offset &+= 8
        }
        while offset < shared {
            let difference = Int(left[offset]) - Int(right[offset])
            if difference != 0 { return difference }
            offset &+= 1
        }
        return left.count - right.count
    }
}
