// Readers of the tables that Scripts/unicode/packed_tables.py packs. A table is a literal in read-only memory that
// consists of base-64 digits, each a byte from 0x30 ("0") to 0x6F ("o"). Records have a fixed width and are sorted, so
// that a lookup is a binary search that decodes only what it compares.

/// A string of base-64 digits.
struct PackedDigits {
    private let text: StaticString

    init(_ text: StaticString) { self.text = text }

    var count: Int { text.utf8CodeUnitCount }

    /// The number in the `width` digits from `index` on, the most significant first.
    @inline(__always)
    func number(at index: Int, width: Int) -> UInt32 {
        let base = text.utf8Start
        var value: UInt32 = 0
        for offset in 0..<width { value = value << 6 | UInt32(base[index + offset] &- 0x30) }
        return value
    }

    /// The index of the last record of `width` digits whose first number (four digits) is not above `key`.
    @inline(__always)
    func lastRecord(notAbove key: UInt32, width: Int) -> Int? {
        var low = 0
        var high = count / width
        while low < high {
            let middle = (low + high) / 2
            if number(at: middle * width, width: 4) <= key { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? (low - 1) * width : nil
    }
}

extension PackedDigits {
    /// Whether a record lies in `range`. A record begins with a code point (four digits) or, with `areRanges`, with a
    /// first and a last one (four digits each).
    func hasRecord(in range: ClosedRange<UInt32>, width: Int, areRanges: Bool) -> Bool {
        guard let record = lastRecord(notAbove: range.upperBound, width: width) else { return false }
        return number(at: record + (areRanges ? 4 : 0), width: 4) >= range.lowerBound
    }
}

/// Code points to sequences of code points. A record: code point (4 digits), place in the pool (3), length (1).
struct PackedMapping {
    private let records: PackedDigits
    private let pool: PackedDigits

    init(_ records: StaticString, pool: StaticString) {
        self.records = PackedDigits(records)
        self.pool = PackedDigits(pool)
    }

    func contains(_ scalar: UInt32) -> Bool { record(of: scalar) != nil }

    /// Whether anything in `range` maps to something.
    func maps(in range: ClosedRange<UInt32>) -> Bool { records.hasRecord(in: range, width: 8, areRanges: false) }

    private func record(of scalar: UInt32) -> Int? {
        guard let record = records.lastRecord(notAbove: scalar, width: 8),
            records.number(at: record, width: 4) == scalar
        else { return nil }
        return record
    }

    /// Appends what `scalar` maps to; returns false and appends nothing if it has no mapping.
    func append(_ scalar: UInt32, to output: inout [UInt32]) -> Bool {
        guard let record = record(of: scalar) else { return false }
        let place = Int(records.number(at: record + 4, width: 3))
        for index in place..<place + Int(records.number(at: record + 7, width: 1)) {
            output.append(pool.number(at: index * 4, width: 4))
        }
        return true
    }
}

/// A set of code points. A record: first (4 digits), last (4).
struct PackedRanges {
    private let records: PackedDigits

    init(_ records: StaticString) { self.records = PackedDigits(records) }

    func intersects(_ range: ClosedRange<UInt32>) -> Bool { records.hasRecord(in: range, width: 8, areRanges: true) }

    func contains(_ scalar: UInt32) -> Bool {
        guard let record = records.lastRecord(notAbove: scalar, width: 8) else { return false }
        return scalar <= records.number(at: record + 4, width: 4)
    }
}

/// Canonical combining classes. A record: first code point (4 digits), last (4), class (2).
struct PackedClasses {
    private let records: PackedDigits

    init(_ records: StaticString) { self.records = PackedDigits(records) }

    func intersects(_ range: ClosedRange<UInt32>) -> Bool { records.hasRecord(in: range, width: 10, areRanges: true) }

    func value(_ scalar: UInt32) -> UInt8 {
        guard let record = records.lastRecord(notAbove: scalar, width: 10),
            scalar <= records.number(at: record + 4, width: 4)
        else { return 0 }
        return UInt8(truncatingIfNeeded: records.number(at: record + 8, width: 2))
    }
}

/// Pairs of code points and the primary composite of each. A record: first (4 digits), second (4), composite (4);
/// sorted by first, then second.
struct PackedPairs {
    private let records: PackedDigits

    init(_ records: StaticString) { self.records = PackedDigits(records) }

    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        guard var record = records.lastRecord(notAbove: first, width: 12) else { return nil }
        // At most 19 composites begin with one character.
        while record >= 0, records.number(at: record, width: 4) == first {
            if records.number(at: record + 4, width: 4) == second { return records.number(at: record + 8, width: 4) }
            record -= 12
        }
        return nil
    }
}
