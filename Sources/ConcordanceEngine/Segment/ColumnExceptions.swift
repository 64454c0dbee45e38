/// The columns of the exceptions of a block, the postings that are not in its home column alone. A `PostingsBlock` has them in
/// one of two forms.
///
/// If they are few:
///
///     u8: how many; for each, u8: postings between it and the exception before, varints: `ColumnPairs`
///
/// If they are `packedLimit` or more, which takes half of the space where most are in two columns:
///
///     u8: how many; `IntegerBlock`: of each, postings between it and the exception before; varint: how many numbers their
///     `ColumnPairs` have, less one each; `IntegerBlock`s of 128 and a last of fewer: these numbers
struct ColumnExceptions: ~Copyable {
    /// From this many on they are packed.
    static let packedLimit = 4

    private let columnCount: Int
    /// Where the pairs of each posting of the block begin in `pairs`, counted from 1; 0 for those in the home column alone.
    private let starts = FixedBuffer(repeating: UInt32(0), count: IntegerBlock.capacity)
    private let pairs = GrowingBuffer<ColumnFrequency>()
    private let places = GrowingBuffer<Int>(capacity: IntegerBlock.capacity)
    /// Postings between exceptions.
    private let gaps = FixedBuffer(repeating: UInt32(0), count: IntegerBlock.capacity)
    private let numbers = GrowingBuffer<UInt32>(capacity: IntegerBlock.capacity)

    init(columnCount: Int) { self.columnCount = columnCount }

    // MARK: - Reading

    /// Reads those of a block with these frequencies.
    func read(_ input: inout ByteReader, _ flags: UInt8, frequencies: UnsafeBufferPointer<UInt32>) throws {
        starts.start.update(repeating: 0, count: frequencies.count)
        pairs.removeAll()
        places.removeAll()
        switch flags & (PostingsBlock.hasExceptions | PostingsBlock.hasPackedExceptions) {
        case 0: return
        case PostingsBlock.hasExceptions: try readFew(&input, frequencies)
        case PostingsBlock.hasPackedExceptions: try readPacked(&input, frequencies)
        default: throw corrupt("a block of postings has an unknown form")
        }
    }

    /// Reads that of the only posting of a dictionary's term.
    func readSingle(_ input: inout ByteReader, frequency: UInt32) throws {
        pairs.removeAll()
        places.removeAll()
        add(0)
        try ColumnPairs.decode(&input, frequency: frequency, columnCount: columnCount) {
            pairs.append(ColumnFrequency(column: $0, count: $1))
        }
    }

    /// Notes that the only posting of a dictionary's term is in its home column alone.
    @inline(__always)
    func setSingleAtHome() {
        starts[0] = 0
        places.removeAll()
    }

    /// Notes that the next pairs are those of this posting.
    @inline(__always)
    private func add(_ index: Int) {
        starts[index] = UInt32(truncatingIfNeeded: pairs.count &+ 1)
        places.append(index)
    }

    private func readFew(_ input: inout ByteReader, _ frequencies: UnsafeBufferPointer<UInt32>) throws {
        var index = 0
        for _ in 0..<(try input.byte()) {
            index &+= Int(try input.byte())
            guard index < frequencies.count else { throw Self.mismatch }
            add(index)
            try ColumnPairs.decode(&input, frequency: frequencies[index], columnCount: columnCount) {
                pairs.append(ColumnFrequency(column: $0, count: $1))
            }
            index &+= 1
        }
    }

    private func readPacked(_ input: inout ByteReader, _ frequencies: UnsafeBufferPointer<UInt32>) throws {
        let count = Int(try input.byte())
        guard count > 0, count <= frequencies.count else { throw Self.mismatch }
        try IntegerBlock.decode(&input, count: count, into: gaps.start)
        // A column has two numbers at most.
        let size = count &+ (try input.varint(atMost: count &* (2 &* columnCount &- 1)))
        numbers.removeAll()
        for start in stride(from: 0, to: size, by: IntegerBlock.capacity) {
            let room = numbers.room(for: IntegerBlock.capacity)
            try IntegerBlock.decode(&input, count: min(size &- start, IntegerBlock.capacity), into: room)
        }
        let numbers = numbers.values
        var (index, place) = (0, 0)
        for gap in UnsafeBufferPointer(start: gaps.start, count: count) {
            index &+= Int(gap)
            guard index < frequencies.count else { throw Self.mismatch }
            add(index)
            try ColumnPairs.decode(frequency: frequencies[index], columnCount: columnCount) {
                guard place < size else { throw Self.mismatch }
                defer { place &+= 1 }
                return UInt64(numbers[place])
            } _: {
                pairs.append(ColumnFrequency(column: $0, count: $1))
            }
            index &+= 1
        }
        guard place == size else { throw Self.mismatch }
    }

    private static var mismatch: any Error { corrupt("the columns of a block of postings do not match the block") }

    /// The indexes in the block of those that were read, ascending.
    @inline(__always)
    var indexes: UnsafeBufferPointer<Int> { places.values }

    /// Whether a posting is in the home column alone.
    @inline(__always)
    func isAtHome(_ index: Int) -> Bool { starts[index] == 0 }

    /// Calls `body` with each column of a posting that is not in the home column alone.
    ///
    /// - Parameter frequency: That of the posting, which was passed when it was read.
    @inline(__always)
    func forEachColumn(
        at index: Int, frequency: UInt32, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) rethrows {
        let pairs = pairs.values
        var place = Int(starts[index]) &- 1
        var rest = frequency
        while rest > 0 {
            let pair = pairs[place]
            try body(pair.column, pair.count)
            rest &-= pair.count
            place &+= 1
        }
    }
}

/// Writes the exceptions of a block in the form that `ColumnExceptions` reads.
struct ColumnExceptionsWriter {
    private let columnCount: Int
    private let gaps = GrowingBuffer<UInt32>(capacity: IntegerBlock.capacity)
    /// The numbers of `ColumnPairs`.
    private let numbers = GrowingBuffer<UInt32>(capacity: IntegerBlock.capacity)
    /// How many numbers each exception has.
    private let sizes = GrowingBuffer<UInt32>(capacity: IntegerBlock.capacity)

    init(columnCount: Int) { self.columnCount = columnCount }

    /// Begins a block.
    func removeAll() {
        gaps.removeAll()
        numbers.removeAll()
        sizes.removeAll()
    }

    /// Adds an exception.
    ///
    /// - Parameter gap: The number of postings between it and the exception before.
    func append(_ pairs: UnsafeBufferPointer<ColumnFrequency>, gap: Int) {
        gaps.append(UInt32(truncatingIfNeeded: gap))
        let before = numbers.count
        ColumnPairs.encode(pairs, columnCount: columnCount) { numbers.append($0) }
        sizes.append(UInt32(truncatingIfNeeded: numbers.count &- before))
    }

    /// The flag of a `PostingsBlock` with the exceptions that were added.
    var flag: UInt8 {
        if gaps.isEmpty { return 0 }
        return gaps.count < ColumnExceptions.packedLimit
            ? PostingsBlock.hasExceptions : PostingsBlock.hasPackedExceptions
    }

    /// Appends the exceptions that were added; nothing if there are none.
    func encode(into block: ByteWriter) {
        if gaps.isEmpty { return }
        block.append(byte: UInt8(gaps.count))
        let numbers = numbers.values
        guard gaps.count >= ColumnExceptions.packedLimit else {
            var place = 0
            for (gap, size) in zip(gaps.values, sizes.values) {
                block.append(byte: UInt8(gap))
                for number in numbers[place..<place + Int(size)] { block.append(varint: UInt64(number)) }
                place += Int(size)
            }
            return
        }
        IntegerBlock.encode(gaps.values, into: block)
        block.append(varint: numbers.count - gaps.count)
        for start in stride(from: 0, to: numbers.count, by: IntegerBlock.capacity) {
            let end = min(start + IntegerBlock.capacity, numbers.count)
            IntegerBlock.encode(UnsafeBufferPointer(rebasing: numbers[start..<end]), into: block)
        }
    }
}
