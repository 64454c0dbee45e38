import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A page of values gives back what was written")
struct ValuePageTests {
    @Test(arguments: ValueGenerator.Kind.allCases, [false, true])
    func `values of any kind`(kind: ValueGenerator.Kind, hasLists: Bool) throws {
        let writer = ValuePageWriter()
        for seed: UInt64 in 0..<12 {
            var generator = ValueGenerator(seed: seed)
            let documents = generator.documents(kind, count: generator.count(), hasLists: hasLists)
            try withPage(encodedPage(of: documents, by: writer), count: documents.count) { page in
                expectSame(page, documents.map(\.values), "seed \(seed)")
            }
        }
    }

    private func expectSame(_ page: ValuePage, _ documents: [[StoredValue]], _ context: String) {
        #expect(page.count == documents.count, "\(context)")
        #expect(page.hasLists == documents.contains { $0.count > 1 }, "\(context)")
        #expect(page.leastCode == (documents.contains([]) ? 0 : 1), "\(context)")
        var isSame = true
        var greatest: UInt32 = 0
        for (index, values) in documents.enumerated() {
            isSame = isSame && page.values(at: index) == values
            var codes: [UInt32] = []
            page.forEachCode(at: index) { codes.append($0) }
            isSame = isSame && codes == Array(page.codes(at: index))
            isSame = isSame && codes.map(page.value) == (values.isEmpty ? [.null] : values)
            if !page.hasLists { isSame = isSame && codes == [page.code(at: index)] }
            greatest = max(greatest, codes.last ?? 0)
        }
        #expect(isSame, "\(context)")
        #expect(page.greatestCode == greatest, "\(context)")
        let all = Set(documents.joined()).sorted()
        let hasEqualValues = zip(all, all.dropFirst()).contains { $0.comparesEqual($1) }
        #expect(page.dictionary.hasEqualValues == hasEqualValues, "\(context)")
        let codes = all.map { page.codes(equalTo: $0) }
        let isAscending = zip(codes, codes.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
        #expect(isAscending, "\(context)")
    }

    @Test(arguments: ValueGenerator.Kind.allCases, [false, true])
    func `a range of values is a range of codes`(kind: ValueGenerator.Kind, hasLists: Bool) throws {
        for seed: UInt64 in 0..<6 {
            var generator = ValueGenerator(seed: 100 + seed)
            let count = Int.random(in: 1...60, using: &generator.random)
            let documents = generator.documents(kind, count: count, hasLists: hasLists)
            let present = documents.flatMap(\.values)
            try withPage(encodedPage(of: documents), count: count) { page in
                for _ in 0..<60 {
                    let lower = bound(present, using: &generator)
                    let upper = bound(present, using: &generator)
                    let codes = page.codes(from: lower, to: upper)
                    let value = lower?.value ?? .null
                    let equal = page.codes(equalTo: value)
                    var isSame = true
                    for index in 0..<count {
                        for code in page.codes(at: index) {
                            let candidate = page.value(code)
                            isSame = isSame && codes.contains(code) == matches(candidate, from: lower, to: upper)
                            isSame = isSame && codes.contains(code) == codes.holds(code)
                            let isEqual = value != .null && candidate.comparesEqual(value)
                            isSame = isSame && equal.contains(code) == isEqual
                        }
                    }
                    #expect(isSame, "seed \(seed), \(String(describing: lower)) to \(String(describing: upper))")
                }
            }
        }
    }

    /// A value of the page, or one that may be missing.
    private func bound(_ present: [StoredValue], using generator: inout ValueGenerator) -> ValueBound? {
        let isInclusive = Bool.random(using: &generator.random)
        switch Int.random(in: 0..<6, using: &generator.random) {
        case 0: return nil
        case 1: return ValueBound(value: generator.any(), isInclusive: isInclusive)
        case 2:
            // The same number as a value of the other kind.
            switch present.randomElement(using: &generator.random) {
            case .integer(let value): return ValueBound(value: .real(Double(value)), isInclusive: isInclusive)
            case .real(let value):
                return Int64(exactly: value).map { ValueBound(value: .integer($0), isInclusive: isInclusive) }
            default: return nil
            }
        default:
            return present.randomElement(using: &generator.random).map {
                ValueBound(value: $0, isInclusive: isInclusive)
            }
        }
    }

    /// What SQL says of `value >= lower AND value <= upper`, or without the equals signs.
    private func matches(_ value: StoredValue, from lower: ValueBound?, to upper: ValueBound?) -> Bool {
        guard value != .null, lower?.value != .null, upper?.value != .null else { return false }
        let low = lower.map { value.compared(to: $0.value) } ?? 1
        let high = upper.map { value.compared(to: $0.value) } ?? -1
        let isAboveLower = low > 0 || low == 0 && lower?.isInclusive == true
        return isAboveLower && (high < 0 || high == 0 && upper?.isInclusive == true)
    }

    @Test(arguments: 0..<40)
    func `a page is written again with other documents`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: 200 + seed)
        let (kind, count) = (generator.kind(), generator.count())
        let documents = generator.documents(kind, count: count, hasLists: Bool.random(using: &generator.random))
        let other = generator.documents(generator.kind(), count: count, hasLists: Bool.random(using: &generator.random))
        var expected = documents.map(\.values)
        var replacements: [Int: [StoredValue]] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &generator.random) {
            let index = Int.random(in: 0..<count, using: &generator.random)
            replacements[index] = other[index].values
            expected[index] = other[index].values
        }
        let bytes = try withPage(encodedPage(of: documents), count: count) { page in
            let writer = ValuePageWriter()
            writer.append(page, replacing: replacements)
            let bytes = ByteWriter()
            writer.encode(into: bytes)
            return bytes.array
        }
        let isSame = bytes == encodedPage(of: expected.map { .list($0) })
        #expect(isSame, "seed \(seed): not what the same documents are written as")
        try withPage(bytes, count: count) { expectSame($0, expected, "seed \(seed)") }
    }

    @Test
    func `takes few bytes`() {
        func size(_ values: [StoredValue]) -> Int { encodedPage(of: values.map { .value($0) }).count }
        #expect(size(Array(repeating: .null, count: 4096)) == 1)
        #expect(size(Array(repeating: .integer(7), count: 4096)) == 3)
        #expect(size([.integer(7)]) == 3)
        #expect(size([.text(Array("abc".utf8))]) == 6)
        // After packed codes at the end of a page there are up to 7 zeros. Flags are bits.
        #expect(size((0..<4096).map { .integer($0 % 2) }) <= 3 + 512 + 7)
        // Consecutive numbers: 12 bits each.
        #expect(size((0..<4096).map { .integer(1_000_000 + $0) }) <= 6 + 4096 * 12 / 8 + 7)
        // Few values far apart: a dictionary.
        #expect(size((0..<4096).map { .integer($0 % 4 * 1_000_000_000) }) == 2 + 4096 * 2 / 8 + 1 + 3 * 5)
        #expect(size((0..<4096).map { .text(Array("red \($0 % 8)".utf8)) }) == 2 + 4096 * 3 / 8 + 8 * 6)
    }

    @Test
    func `NaN is NULL, and there is one zero`() throws {
        let documents: [ValueGenerator.Document] = [.value(.real(.nan)), .value(.real(-0.0)), .value(.real(0))]
        try withPage(encodedPage(of: documents), count: 3) { page in
            #expect(page.values(at: 0) == [])
            #expect(page.code(at: 1) == page.code(at: 2))
            #expect(page.greatestCode == 1)
            guard case .real(let zero) = page.value(1) else { throw corrupt("no real") }
            #expect(zero.sign == .plus)
        }
    }

    @Test
    func `offsets go as far as codes do`() throws {
        for spread in [Int64(UInt32.max) - 3, Int64(UInt32.max) - 2, Int64(UInt32.max)] {
            for least in [Int64.min, -5, Int64.max - spread] {
                for nulls in [[], [ValueGenerator.Document.value(.null)]] {
                    let documents = nulls + [.value(.integer(least)), .value(.integer(least + spread))]
                    try withPage(encodedPage(of: documents), count: documents.count) { page in
                        expectSame(page, documents.map(\.values), "\(least) to \(least + spread)")
                        let codes = page.codes(from: .excluding(.integer(least)), to: nil)
                        #expect(codes.contains(page.greatestCode) && !codes.contains(1))
                    }
                }
            }
        }
    }
}
