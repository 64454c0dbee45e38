import TestSupport

@testable import ConcordanceEngine

/// Random values of stored columns, and pages of them.
struct ValueGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// What the values of a page are like.
    enum Kind: CaseIterable {
        case nulls, constant, small, spread, wide, extreme, reals, numbers, categories, texts, blobs, any
    }

    /// A document's values as they were given.
    enum Document: Equatable {
        case value(StoredValue)
        case list([StoredValue])

        /// What is read back: distinct, ascending, without NULL.
        var values: [StoredValue] {
            switch self {
            case .value(let value): value == .null ? [] : [value]
            case .list(let values): Set(values).filter { $0 != .null }.sorted()
            }
        }
    }

    static let edges: [StoredValue] = [
        .null, .integer(.min), .integer(.min + 1), .integer(-1), .integer(0), .integer(1), .integer(.max - 1),
        .integer(.max), .integer(1 << 53), .integer(1 << 53 + 1), .integer(1 - 1 << 53), .real(-.infinity),
        .real(.infinity), .real(0), .real(1), .real(-1), .real(0.5), .real(-0.5), .real(0x1p53), .real(0x1p53 + 2),
        .real(0x1p63), .real(-0x1p63), .real(-0x1.0000000000001p63), .real(0x1.fffffffffffffp62),
        .real(.leastNonzeroMagnitude), .real(-.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), .real(1e300),
        .text([]), .text([0]), .text([0x61]), .text([0x61, 0]), .text(Array("abcdefgh".utf8)),
        .text(Array("abcdefghi".utf8)), .text(Array("abcdefgi".utf8)), .text([0xFF, 0xFE]), .text(Array("日本語".utf8)),
        .blob([]), .blob([0]), .blob([0x61]), .blob([0xFF]), .blob(Array(repeating: 0xFF, count: 20)),
    ]

    mutating func kind() -> Kind { Kind.allCases.randomElement(using: &random) ?? .any }

    mutating func count() -> Int {
        [1, 1, 2, 3, 7, 8, 9, 63, 100, 1000, 4095, 4096].randomElement(using: &random) ?? 1
    }

    /// A page of documents whose values are of a kind; some have none, and with `hasLists` some have several.
    mutating func documents(_ kind: Kind, count: Int, hasLists: Bool) -> [Document] {
        let nullRate = [0, 0, 2, 20].randomElement(using: &random) ?? 0
        let base = Int64.random(in: .min ... .max, using: &random)
        return (0..<count).map { _ in
            if nullRate > 0, Int.random(in: 0..<nullRate, using: &random) == 0 {
                return hasLists && Bool.random(using: &random) ? .list([]) : .value(.null)
            }
            guard hasLists, Bool.random(using: &random) else { return .value(value(kind, near: base)) }
            let size = [0, 1, 2, 3, 10].randomElement(using: &random) ?? 1
            return .list((0..<size).map { _ in value(kind, near: base) })
        }
    }

    mutating func value(_ kind: Kind, near base: Int64 = 0) -> StoredValue {
        switch kind {
        case .nulls: .null
        case .constant: .integer(base)
        case .small: .integer(base / 2 + Int64.random(in: -5...5, using: &random))
        case .spread: .integer(base / 2 + Int64.random(in: -1_000_000...1_000_000, using: &random))
        // As far apart as offsets reach, and further.
        case .wide: .integer(base / 8 + Int64.random(in: 0...(1 << 32), using: &random))
        case .extreme: .integer([.min, .max, base, 0, base &+ 1, base &- 1].randomElement(using: &random) ?? 0)
        case .reals: .real(Double.random(in: -1e6...1e6, using: &random))
        case .numbers: number()
        case .categories: .text(Array("category \(Int.random(in: 0..<20, using: &random))".utf8))
        case .texts: .text(bytes())
        case .blobs: .blob(bytes())
        case .any: any()
        }
    }

    /// Integers and reals that are near each other, or equal.
    private mutating func number() -> StoredValue {
        let number = Int64.random(in: -20...20, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .integer(number)
        case 1: return .real(Double(number))
        default: return .real(Double(number) + 0.5)
        }
    }

    mutating func any() -> StoredValue {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: Self.edges.randomElement(using: &random) ?? .null
        case 1: .integer(Int64.random(in: .min ... .max, using: &random))
        case 2: .real(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)))
        case 3: .text(bytes())
        case 4: .blob(bytes())
        default: number()
        }
    }

    mutating func bytes() -> [UInt8] {
        let isLong = Int.random(in: 0..<200, using: &random) == 0
        let size = Int.random(in: isLong ? 0...20_000 : 0...12, using: &random)
        let letters: ClosedRange<UInt8> = Bool.random(using: &random) ? 97...98 : 0...255
        return (0..<size).map { _ in UInt8.random(in: letters, using: &random) }
    }
}

/// The page of these documents.
func encodedPage(of documents: [ValueGenerator.Document], by writer: ValuePageWriter = ValuePageWriter()) -> [UInt8] {
    writer.removeAll()
    for document in documents {
        switch document {
        case .value(let value): value.withView { writer.append(view: $0) }
        case .list(let values): writer.append(list: values)
        }
    }
    let bytes = ByteWriter()
    writer.encode(into: bytes)
    return bytes.array
}

/// Opens a page in memory that ends where the page does, so that the address sanitizer notices reads beyond it.
func withPage<Result>(_ bytes: [UInt8], count: Int, _ body: (ValuePage) throws -> Result) throws -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    let owner = Block(copying: UnsafeRawBufferPointer(start: nil, count: 0))
    return try body(try ValuePage(UnsafeRawBufferPointer(memory), in: owner, count: count))
}
