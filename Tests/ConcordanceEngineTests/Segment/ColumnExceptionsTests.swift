import TestSupport
import Testing

@testable import ConcordanceEngine

/// Exceptions of blocks of postings, in both of their forms.
@Suite("Exceptions of a block")
struct ColumnExceptionsTests {
    /// A posting: the index in its block, and its columns.
    private typealias Exception = (index: Int, pairs: [ColumnFrequency])

    private static let columnCounts = [1, 2, 3, 17, 2000]

    @Test(arguments: columnCounts)
    func `are read as they were written`(columnCount: Int) throws {
        var random = SeededGenerator(seed: UInt64(columnCount))
        for size in [1, 2, 60, 127, 128] {
            for count in [0, 1, 3, 4, 5, 60, 127, 128] where count <= size {
                let expected = Self.exceptions(count, of: size, columnCount, &random)
                let writer = Self.writer(expected, columnCount)
                let bytes = ByteWriter()
                writer.encode(into: bytes)
                let flag: UInt8 =
                    count == 0 ? 0 : count < 4 ? PostingsBlock.hasExceptions : PostingsBlock.hasPackedExceptions
                #expect(writer.flag == flag)
                try Self.expect(expected, in: bytes, flag, size: size, columnCount)
            }
        }
    }

    @Test(arguments: columnCounts)
    func `are read as varints, however many, as earlier builds wrote them`(columnCount: Int) throws {
        var random = SeededGenerator(seed: UInt64(columnCount) + 1)
        for count in [4, 60, 128] {
            let expected = Self.exceptions(count, of: 128, columnCount, &random)
            let bytes = ByteWriter()
            bytes.append(byte: UInt8(count))
            var next = 0
            for exception in expected {
                bytes.append(byte: UInt8(exception.index - next))
                exception.pairs.withUnsafeBufferPointer {
                    ColumnPairs.encode($0, columnCount: columnCount, into: bytes)
                }
                next = exception.index + 1
            }
            try Self.expect(expected, in: bytes, PostingsBlock.hasExceptions, size: 128, columnCount)
        }
    }

    @Test
    func `take at most half as many bytes, in two columns, when they are packed`() {
        // As in lists of short prefixes: a fifth of the texts have the prefix in the title as well.
        let expected = (0..<25).map { index -> Exception in
            let inBody = ColumnFrequency(column: 1, count: UInt32(1 + index % 4))
            return (index * 5, [ColumnFrequency(column: 0, count: 1), inBody])
        }
        let packed = ByteWriter()
        Self.writer(expected, 2).encode(into: packed)
        #expect(packed.count * 2 <= 1 + 25 * 2)
    }

    @Test
    func `with damage are an error, or columns that add up to the frequency`() throws {
        var random = SeededGenerator(seed: 9)
        var (errors, results) = (0, 0)
        for round in 0..<4000 {
            let columnCount = Self.columnCounts[round % 5]
            let count = Int.random(in: 1...40, using: &random)
            let expected = Self.exceptions(count, of: 128, columnCount, &random)
            let writer = Self.writer(expected, columnCount)
            let intact = ByteWriter()
            writer.encode(into: intact)
            var bytes = intact.array
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
            var frequencies = Self.frequencies(expected, size: 128)
            if round % 8 == 0 { frequencies = frequencies.map { max($0 / 2, 1) } }
            let flag = round % 16 == 1 ? UInt8.random(in: 0...15, using: &random) : writer.flag
            do {
                try Self.read(bytes, flag, frequencies, columnCount) { _, columns, frequency in
                    #expect(columns.reduce(0) { $0 + UInt64($1.count) } == UInt64(frequency))
                    #expect(columns.allSatisfy { $0.column < columnCount && $0.count > 0 })
                    #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.column < $1.column })
                }
                results += 1
            } catch { errors += 1 }
        }
        #expect(errors > 100)
        #expect(results > 100)
    }

    // MARK: - Samples

    private static func exceptions(
        _ count: Int, of size: Int, _ columnCount: Int, _ random: inout SeededGenerator
    ) -> [Exception] {
        (0..<size).shuffled(using: &random).prefix(count).sorted().map { index in
            var columns: Set<UInt32> = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                columns.insert(UInt32.random(in: 0..<UInt32(columnCount), using: &random))
            }
            let most: UInt32 = [1, 3, 9, 100_000].randomElement(using: &random) ?? 1
            return (
                index,
                columns.sorted().map {
                    ColumnFrequency(column: $0, count: UInt32.random(in: 1...most, using: &random))
                }
            )
        }
    }

    private static func writer(_ exceptions: [Exception], _ columnCount: Int) -> ColumnExceptionsWriter {
        let writer = ColumnExceptionsWriter(columnCount: columnCount)
        writer.append([ColumnFrequency(column: 0, count: 1)], gap: 0)
        writer.removeAll()
        var next = 0
        for exception in exceptions {
            writer.append(exception.pairs, gap: exception.index - next)
            next = exception.index + 1
        }
        return writer
    }

    /// Those of a block of this size: 1 where there is no exception.
    private static func frequencies(_ exceptions: [Exception], size: Int) -> [UInt32] {
        var result = Array(repeating: UInt32(1), count: size)
        for exception in exceptions { result[exception.index] = exception.pairs.reduce(0) { $0 + $1.count } }
        return result
    }

    /// Calls `body` with each exception that is read: its index, its columns, its frequency. Returns how many bytes they took.
    @discardableResult
    private static func read(
        _ bytes: [UInt8], _ flag: UInt8, _ frequencies: [UInt32], _ columnCount: Int,
        _ body: (Int, [ColumnFrequency], UInt32) -> Void
    ) throws -> Int {
        let exceptions = ColumnExceptions(columnCount: columnCount)
        let padded = bytes + Array(repeating: 0xFF, count: Block.padding)
        return try padded.withUnsafeBytes { padded in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: padded[..<bytes.count]))
            try frequencies.withUnsafeBufferPointer { try exceptions.read(&reader, flag, frequencies: $0) }
            #expect(frequencies.indices.filter { !exceptions.isAtHome($0) } == Array(exceptions.indexes))
            for index in exceptions.indexes {
                var columns: [ColumnFrequency] = []
                exceptions.forEachColumn(at: index, frequency: frequencies[index]) {
                    columns.append(ColumnFrequency(column: $0, count: $1))
                }
                body(index, columns, frequencies[index])
            }
            return reader.offset
        }
    }

    private static func expect(
        _ expected: [Exception], in bytes: ByteWriter, _ flag: UInt8, size: Int, _ columnCount: Int
    ) throws {
        var found: [Exception] = []
        let end = try read(bytes.array, flag, frequencies(expected, size: size), columnCount) { index, columns, _ in
            found.append((index, columns))
        }
        #expect(end == bytes.count)
        #expect(found.map(\.index) == expected.map(\.index))
        #expect(found.map(\.pairs) == expected.map(\.pairs))
    }
}

extension ColumnExceptionsWriter {
    fileprivate func append(_ pairs: [ColumnFrequency], gap: Int) {
        pairs.withUnsafeBufferPointer { append($0, gap: gap) }
    }
}
