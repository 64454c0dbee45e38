/// A value of a stored column, as SQLite has it.
///
/// SQLite has no NaN and one zero: `real(.nan)` is `null`, and `real(-0.0)` is `real(0.0)`, in every comparison and
/// wherever a value is stored.
enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, which may be invalid.
    case text([UInt8])
    case blob([UInt8])

    /// A copy of a value that another one owns.
    init(_ view: ValueView) {
        switch view {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let bytes): self = .text(Array(bytes))
        case .blob(let bytes): self = .blob(Array(bytes))
        }
    }

    /// Gives `body` the value without a copy; it is valid during the call.
    @inline(__always)
    func withView<Result>(_ body: (ValueView) throws -> Result) rethrows -> Result {
        switch self {
        case .null: try body(.null)
        case .integer(let value): try body(.integer(value))
        case .real(let value): try body(ValueView(real: value))
        case .text(let bytes): try bytes.withUnsafeBytes { try body(.text($0)) }
        case .blob(let bytes): try bytes.withUnsafeBytes { try body(.blob($0)) }
        }
    }
}

extension StoredValue: Comparable {
    static func == (left: StoredValue, right: StoredValue) -> Bool {
        left.withView { left in right.withView { left.ordered(to: $0) == 0 } }
    }

    /// SQLite's order, an integer before the real that equals it.
    static func < (left: StoredValue, right: StoredValue) -> Bool {
        left.withView { left in right.withView { left.ordered(to: $0) < 0 } }
    }

    /// Negative, 0 or positive if SQLite sorts the value before, equal to or after another one: 1 is equal to 1.0.
    func compared(to other: StoredValue) -> Int {
        withView { view in other.withView { view.compared(to: $0) } }
    }

    /// Whether SQLite has the values level in an order, as it has 1 and 1.0, or two NULLs.
    func comparesEqual(_ other: StoredValue) -> Bool { compared(to: other) == 0 }

    func hash(into hasher: inout Hasher) {
        withView { view in
            switch view {
            case .null: hasher.combine(0 as UInt8)
            case .integer(let value):
                hasher.combine(1 as UInt8)
                hasher.combine(value)
            case .real(let value):
                hasher.combine(2 as UInt8)
                hasher.combine(value)
            case .text(let bytes):
                hasher.combine(3 as UInt8)
                hasher.combine(bytes: bytes)
            case .blob(let bytes):
                hasher.combine(4 as UInt8)
                hasher.combine(bytes: bytes)
            }
        }
    }
}
