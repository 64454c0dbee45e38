/// An end of a range of values.
struct ValueBound: Hashable, Sendable {
    var value: StoredValue
    /// Whether the value itself, and what compares equal to it, is in the range.
    var isInclusive: Bool

    static func including(_ value: StoredValue) -> ValueBound { ValueBound(value: value, isInclusive: true) }
    static func excluding(_ value: StoredValue) -> ValueBound { ValueBound(value: value, isInclusive: false) }
}

extension Range<UInt32> {
    /// Whether a code is in the range, by one comparison: `contains` has two and a branch.
    @inline(__always)
    func holds(_ code: UInt32) -> Bool { code &- lowerBound < upperBound &- lowerBound }
}

extension ValuePage {
    // MARK: - Values of codes

    /// The value of a code, copied; NULL for 0.
    func value(_ code: UInt32) -> StoredValue { StoredValue(dictionary.view(code)) }

    /// The value of a code, in place, valid as long as the page.
    func view(_ code: UInt32) -> ValueView { dictionary.view(code) }

    // MARK: - Codes of values

    /// The codes of values in a range; without a bound, from the least value on, or up to the greatest. NULL is in no range,
    /// and a range with NULL as a bound is empty, as in SQL. Cost: the logarithm of how many values there are.
    func codes(from lower: ValueBound?, to upper: ValueBound?) -> Range<UInt32> {
        if lower?.value == .null || upper?.value == .null { return 1..<1 }
        let first = lower.map { firstCode(from: 1, $0.value, isBehindEquals: !$0.isInclusive) } ?? 1
        let end = upper.map { firstCode(from: first, $0.value, isBehindEquals: $0.isInclusive) } ?? greatestCode &+ 1
        return first..<max(first, end)
    }

    /// The first code, from another one on, whose value is not before `value`, or is after what compares equal to it.
    private func firstCode(from first: UInt32, _ value: StoredValue, isBehindEquals: Bool) -> UInt32 {
        value.withView { value in
            dictionary.firstCode(from: first) { view in
                let order = view.compared(to: value)
                return order < 0 || isBehindEquals && order == 0
            }
        }
    }

    /// The codes of what compares equal to a value: none, one, or those of an integer and a real. NULL equals nothing, as
    /// in SQL; its code is 0.
    func codes(equalTo value: StoredValue) -> Range<UInt32> {
        value.withView { value in
            guard !value.isNull else { return 1..<1 }
            let first = dictionary.firstCode { $0.compared(to: value) < 0 }
            var end = first
            while end <= greatestCode, dictionary.view(end).compared(to: value) == 0 { end &+= 1 }
            return first..<end
        }
    }

    // MARK: - Values of documents

    /// The values of a document, ascending; empty if it has none.
    func values(at index: Int) -> [StoredValue] {
        codes(at: index).compactMap { $0 == 0 ? nil : value($0) }
    }
}
