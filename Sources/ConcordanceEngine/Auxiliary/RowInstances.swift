import CConcordanceSQLite
import ConcordanceSQLite

/// Where the phrases of a query occur in one row, in memory that stays until the next row: C iterators point into it.
///
///     positions   phrase 0, ascending | phrase 1 | ...
///     starts      of each phrase in `positions`, and the end
///     merged      (position, phrase), ascending: the instances as `xInst` numbers them
final class RowInstances {
    private(set) var positions = UnsafeMutableBufferPointer<Position>.allocate(capacity: 16)
    private var starts: [Int] = [0]
    private(set) var count = 0
    private(set) var merged: [Instance] = []

    struct Instance {
        var position: Position
        var phrase: Int32
    }

    deinit { positions.deallocate() }

    /// Forgets the row.
    func removeAll() {
        count = 0
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
        merged.removeAll(keepingCapacity: true)
    }

    /// The most instances of a row, for which 200 MB are allocated.
    static let limit = 1 << 22

    /// - Throws: SQLITE_TOOBIG if there are more instances than `limit`: a query may repeat a word, and a text, too.
    static func check(_ count: Int) throws {
        guard count > limit else { return }
        throw DatabaseError(
            resultCode: .SQLITE_TOOBIG, message: "the phrases of the query occur more than \(limit) times in a row",
            advice: "Leave out words that the query repeats.")
    }

    /// Adds the next phrase, whose positions ascend.
    ///
    /// - Throws: SQLITE_TOOBIG if there are more instances than `limit`.
    func append(_ new: some Collection<Position>) throws {
        try Self.check(count + new.count)
        if count + new.count > positions.count { grow(to: count + new.count) }
        for position in new {
            positions[count] = position
            count += 1
        }
        starts.append(count)
    }

    private func grow(to capacity: Int) {
        let larger = UnsafeMutableBufferPointer<Position>.allocate(capacity: max(capacity, 2 * positions.count))
        for index in 0..<count { larger.initializeElement(at: index, to: positions[index]) }
        positions.deallocate()
        positions = larger
    }

    /// Numbers the instances of all phrases by place, and those at one place by phrase.
    func merge() {
        for phrase in 0..<phraseCount {
            for index in range(ofPhrase: phrase) {
                merged.append(Instance(position: positions[index], phrase: Int32(truncatingIfNeeded: phrase)))
            }
        }
        if phraseCount > 1 {
            merged.sort { ($0.position.rawValue, $0.phrase) < ($1.position.rawValue, $1.phrase) }
        }
    }

    var phraseCount: Int { starts.count - 1 }

    /// The place of an instance in `positions`.
    func place(_ index: Int) -> (column: Int, offset: Int) {
        (Int(positions[index].column), Int(positions[index].offset))
    }

    /// The positions of a phrase; empty for a phrase that does not exist.
    func range(ofPhrase phrase: Int) -> Range<Int> {
        guard phrase >= 0, phrase < phraseCount else { return 0..<0 }
        return starts[phrase]..<starts[phrase + 1]
    }

    /// The instances of one column, in `merged`.
    func range(ofColumn column: Int) -> Range<Int> {
        guard let column = UInt32(exactly: column), column < .max else { return 0..<0 }
        let first = Position(column: column, offset: 0)
        let behind = Position(column: column + 1, offset: 0)
        return firstInstance(from: first.rawValue)..<firstInstance(from: behind.rawValue)
    }

    /// The first instance whose position is not less.
    func firstInstance(from position: UInt64) -> Int {
        var low = 0
        var high = merged.count
        while low < high {
            let middle = (low + high) / 2
            if merged[middle].position.rawValue < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
