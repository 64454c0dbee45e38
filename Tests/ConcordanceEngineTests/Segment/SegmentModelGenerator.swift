import TestSupport

@testable import ConcordanceEngine

/// Random segments of many shapes.
struct SegmentModelGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func shape() -> IndexShape {
        IndexShape(
            columnCount: [1, 2, 3, 7, 17, 40].randomElement(using: &random)!,
            hasPositions: Int.random(in: 0..<4, using: &random) > 0,
            prefixes: [[], [1], [1, 2, 3]].randomElement(using: &random)!)
    }

    mutating func model() -> SegmentModel {
        let shape = shape()
        let count = [0, 1, 2, 60, 127, 128, 129, 256, 700, 5000].randomElement(using: &random) ?? 1
        return model(shape, rowIDs: rowIDs(count))
    }

    mutating func model(_ shape: IndexShape, rowIDs: [Int64]) -> SegmentModel {
        var model = SegmentModel(shape: shape)
        model.documents = rowIDs.map { rowID in
            let isEmpty = Int.random(in: 0..<10, using: &random) == 0
            return SegmentModel.Document(
                rowID: rowID,
                columnLengths: (0..<shape.columnCount).map { _ in isEmpty ? 0 : skewed(100_000) },
                fingerprint: UInt32.random(in: 0...UInt32.max, using: &random))
        }
        for key in keys(shape) {
            let adjustment =
                Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: -9000...9000, using: &random) : 0
            var term = SegmentModel.Term(key: key, adjustment: adjustment, postings: [])
            term.postings = postings(shape, hasPositions: model.hasPositions(term), documents: rowIDs.count)
            if term.postings.isEmpty && adjustment == 0 { continue }
            model.terms.append(term)
        }
        return model
    }

    /// Ascending; dense, sparse, negative, or at the ends.
    mutating func rowIDs(_ count: Int) -> [Int64] {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (0..<count).map { Int64($0) + 1 }
        case 1: return (0..<count).map { Int64.max - Int64(count - 1 - $0) }
        case 2: return (0..<count).map { Int64.min + Int64($0) }
        case 3:
            var row = Int64.random(in: -1_000_000...1000, using: &random)
            return (0..<count).map { _ in
                row += 1 + Int64(skewed(5000))
                return row
            }
        default:
            var rows: Set<Int64> = count > 1 ? [.min, .max] : []
            while rows.count < count { rows.insert(Int64.random(in: .min ... .max, using: &random)) }
            return rows.sorted()
        }
    }

    /// Ascending.
    private mutating func keys(_ shape: IndexShape) -> [[UInt8]] {
        var keys: Set<[UInt8]> = []
        for _ in 0..<[0, 1, 5, 40, 200].randomElement(using: &random)! {
            let list = UInt8.random(in: 0...UInt8(shape.prefixes.count), using: &random)
            var size = Int.random(in: 0...12, using: &random)
            if Int.random(in: 0..<60, using: &random) == 0 { size = Int.random(in: 200...32_000, using: &random) }
            let letters: ClosedRange<UInt8> = Bool.random(using: &random) ? 97...99 : 0...255
            keys.insert([list] + (0..<size).map { _ in UInt8.random(in: letters, using: &random) })
        }
        return keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private mutating func postings(_ shape: IndexShape, hasPositions: Bool, documents: Int) -> [SegmentModel.Posting] {
        let wanted = [0, 1, 1, 2, 3, 20, 127, 128, 129, 256, 257, 5000].randomElement(using: &random)!
        var chosen: Set<UInt32> = []
        for _ in 0..<min(wanted, documents) {
            chosen.insert(UInt32.random(in: 0..<UInt32(documents), using: &random))
        }
        let highest: UInt32 = [1, 3, 20, wanted < 20 ? 5000 : 40].randomElement(using: &random)!
        let home = UInt32.random(in: 0..<UInt32(shape.columnCount), using: &random)
        let isMixed = Bool.random(using: &random)
        return chosen.sorted().map { document in
            var columns: Set<UInt32> = [home]
            if isMixed && Int.random(in: 0..<4, using: &random) == 0 {
                columns = Set(
                    (0...Int.random(in: 0..<shape.columnCount, using: &random)).map { _ in
                        UInt32.random(in: 0..<UInt32(shape.columnCount), using: &random)
                    })
            }
            var posting = SegmentModel.Posting(document: document, columns: [], positions: [])
            for column in columns.sorted() {
                let count = 1 + skewed(highest) % highest
                posting.columns.append(ColumnFrequency(column: column, count: count))
                guard hasPositions else { continue }
                var offset: UInt32 = 0
                for _ in 0..<count {
                    offset += skewed(3000)
                    posting.positions.append(Position(column: column, offset: offset))
                    offset += 1
                }
            }
            return posting
        }
    }

    /// Mostly small.
    private mutating func skewed(_ limit: UInt32) -> UInt32 {
        let scale = UInt32.random(in: 0...limit, using: &random) >> UInt32.random(in: 0..<17, using: &random)
        return UInt32.random(in: 0...scale, using: &random)
    }
}
