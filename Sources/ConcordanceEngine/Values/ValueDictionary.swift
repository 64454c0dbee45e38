/// Which values the codes of a page represent; code 1 is the least one.
///
/// What is kept in memory: of integers that are no offsets 8 bytes each, since each is stored as what it is more than the
/// one before; of entries where each begins, 4 bytes. What the entries are stays in the page.
struct ValueDictionary {
    /// The greatest code.
    let greatestCode: UInt32
    /// Whether there is an integer next to a real that equals it: codes that SQLite has level in an order, and in one group.
    let hasEqualValues: Bool
    private let values: Values

    private enum Values {
        case nulls
        case offsets(least: Int64)
        case integers([Int64])
        case entries(UnsafeRawBufferPointer, starts: [UInt32])
    }

    /// No values.
    init() {
        greatestCode = 0
        hasEqualValues = false
        values = .nulls
    }

    // MARK: - Reading a page

    /// Integers from `least` on.
    init(offsetsFrom least: Int64, greatestCode: UInt32) throws {
        guard greatestCode > 0, greatestCode <= ValueForm.greatestCode,
            !least.addingReportingOverflow(Int64(greatestCode) - 1).overflow
        else { throw corrupt("the integers of a page of values are too far apart") }
        self.greatestCode = greatestCode
        hasEqualValues = false
        values = .offsets(least: least)
    }

    /// The least integer, signed varint; of each further one what it is more than the one before and 1, varint.
    init(integers reader: inout ByteReader, count: UInt32) throws {
        try Self.check(count, reader)
        var integers: [Int64] = []
        integers.reserveCapacity(Int(count))
        var last = try reader.signedVarint()
        integers.append(last)
        for _ in 1..<count {
            let gap = try reader.varint()
            guard gap < UInt64(bitPattern: Int64.max &- last) else { throw corrupt("an integer has more than 64 bits") }
            last = last &+ Int64(bitPattern: gap) &+ 1
            integers.append(last)
        }
        greatestCode = count
        hasEqualValues = false
        values = .integers(integers)
    }

    /// Entries of ascending values in `page`, which `reader` reads and which outlives the dictionary.
    init(entries reader: inout ByteReader, of page: UnsafeRawBufferPointer, count: UInt32) throws {
        try Self.check(count, reader)
        var starts: [UInt32] = []
        starts.reserveCapacity(Int(count))
        var last = ValueView.null
        var hasEqualValues = false
        for _ in 0..<count {
            guard let start = UInt32(exactly: reader.offset) else { throw corrupt("a page of values is too large") }
            starts.append(start)
            let value = try Self.readEntry(&reader)
            let order = last.compared(to: value)
            guard order < 0 || order == 0 && last.ordered(to: value) < 0 else {
                throw corrupt("the values of a page are not in order")
            }
            if order == 0 { hasEqualValues = true }
            last = value
        }
        greatestCode = count
        self.hasEqualValues = hasEqualValues
        values = .entries(page, starts: starts)
    }

    /// A value takes a byte at least.
    private static func check(_ count: UInt32, _ reader: ByteReader) throws {
        guard count > 0, count <= ValueForm.greatestCode, UInt64(count) <= UInt64(reader.remaining) else {
            throw corrupt("a page of values has more values than bytes")
        }
    }

    // MARK: - Entries

    /// A value, in place:
    ///
    ///     0 u8, signed varint                 an integer
    ///     1 u8, 8 bytes                       a real, its bits little-endian
    ///     2 + length << 1 varint, bytes       a text
    ///     3 + length << 1 varint, bytes       a blob
    private static func readEntry(_ reader: inout ByteReader) throws -> ValueView {
        let tag = try reader.varint()
        switch tag {
        case 0: return .integer(try reader.signedVarint())
        case 1:
            let value = Double(bitPattern: try reader.fixed(UInt64.self))
            guard !value.isNaN, value != 0 || value.sign == .plus else { throw corrupt("SQLite stores no such real") }
            return .real(value)
        default:
            let length = (tag - 2) >> 1
            guard length <= UInt64(reader.remaining) else { throw corrupt("a value is longer than its page") }
            let bytes = try reader.bytes(Int(truncatingIfNeeded: length))
            return tag & 1 == 0 ? .text(bytes) : .blob(bytes)
        }
    }

    /// Appends a value that is not NULL.
    static func append(_ value: ValueView, to writer: ByteWriter) {
        switch value {
        case .null: assertionFailure("NULL has no entry")
        case .integer(let integer):
            writer.append(byte: 0)
            writer.append(signed: integer)
        case .real(let real):
            writer.append(byte: 1)
            writer.append(fixed: real.bitPattern)
        case .text(let bytes):
            writer.append(varint: UInt64(bytes.count) << 1 + 2)
            writer.append(bytes)
        case .blob(let bytes):
            writer.append(varint: UInt64(bytes.count) << 1 + 3)
            writer.append(bytes)
        }
    }

    // MARK: - Looking up

    /// The value of a code, valid as long as the page; NULL for 0 and for unknown codes.
    func view(_ code: UInt32) -> ValueView {
        guard code > 0, code <= greatestCode else { return .null }
        // Dictionaries have no more values than memory has bytes.
        let index = Int(truncatingIfNeeded: code &- 1)
        switch values {
        case .nulls: return .null
        case .offsets(let least): return .integer(least &+ Int64(code) &- 1)
        case .integers(let integers): return .integer(integers[index])
        case .entries(let page, let starts):
            var reader = ByteReader(page, offset: Int(truncatingIfNeeded: starts[index]))
            // It was read once before.
            return (try? Self.readEntry(&reader)) ?? .null
        }
    }

    /// The first code for which `isBefore` is false, or the one behind the greatest; it is true up to there and false from
    /// there on. Codes from 1 on are asked about. Cost: the logarithm of how many there are.
    func firstCode(from first: UInt32 = 1, where isBefore: (ValueView) -> Bool) -> UInt32 {
        var low = max(first, 1)
        var high = max(low, greatestCode &+ 1)
        while low < high {
            let middle = low &+ (high &- low) / 2
            if isBefore(view(middle)) { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
