/// How often a term occurs in which columns of one document, where the frequency is known and not all of it is in the
/// column that most documents have it in. Pairs, ascending by column, until they amount to the frequency, as numbers:
///
///     gap << 3 | code     gap = column - previous column - 1 (the previous of the first is -1)
///                         code 0: the rest of the frequency; 1...6: the count; 7: 7 + the next number
///
/// What is left after the last column but one is in the last, which needs no pair.
enum ColumnPairs {
    /// Calls `body` with each number.
    @inline(__always)
    static func encode(
        _ pairs: UnsafeBufferPointer<ColumnFrequency>, columnCount: Int, _ body: (UInt32) -> Void
    ) {
        var next: UInt32 = 0
        for index in pairs.indices {
            let pair = pairs[index]
            let isLast = index == pairs.count - 1
            if isLast && index > 0 && Int(next) == columnCount - 1 { return }
            let code = isLast ? 0 : min(pair.count, 7)
            body((pair.column - next) << 3 | code)
            if code == 7 { body(pair.count - 7) }
            next = pair.column + 1
        }
    }

    /// Appends the numbers as varints.
    static func encode(
        _ pairs: UnsafeBufferPointer<ColumnFrequency>, columnCount: Int, into writer: ByteWriter
    ) {
        encode(pairs, columnCount: columnCount) { writer.append(varint: UInt64($0)) }
    }

    /// Calls `body` for each pair.
    ///
    /// - Parameter number: Returns the next number.
    @inline(__always)
    static func decode(
        frequency: UInt32, columnCount: Int, _ number: () throws -> UInt64,
        _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        var rest = frequency
        var next = 0
        while true {
            if next > 0, next == columnCount &- 1 { return try body(UInt32(truncatingIfNeeded: next), rest) }
            let head = try number()
            let gap = head >> 3
            guard gap < UInt64(max(columnCount &- next, 0)) else { throw corrupt("a posting has too many columns") }
            let column = UInt32(truncatingIfNeeded: UInt64(next) &+ gap)
            var count = head & 7
            if count == 0 { return try body(column, rest) }
            if count == 7 { count = min(try number(), UInt64(UInt32.max)) &+ 7 }
            guard count < UInt64(rest) else {
                throw corrupt("the columns of a posting add up to more than its frequency")
            }
            try body(column, UInt32(truncatingIfNeeded: count))
            rest &-= UInt32(truncatingIfNeeded: count)
            next = Int(column) &+ 1
        }
    }

    /// The same of numbers that are stored as varints.
    @inline(__always)
    static func decode(
        _ reader: inout ByteReader, frequency: UInt32, columnCount: Int,
        _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        try decode(frequency: frequency, columnCount: columnCount, { try reader.varint() }, body)
    }
}
