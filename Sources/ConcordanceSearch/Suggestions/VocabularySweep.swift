import ConcordanceSQLite
import ConcordanceText

/// What a vocabulary remembers of the rows that it has counted: enough to see which of them have changed.
struct CountedRows {
    /// The rowids, ascending.
    var ids: [Int64] = []
    /// A hash of the texts of each row.
    var hashes: [UInt32] = []
    /// How many counted texts no longer exist.
    var stale = 0
}

/// One pass over all rows of an index, in short batches between which others can use the connection; only new or
/// changed rows are counted.
///
/// The rows may change during the pass. Each is read in some state that it had; the next sweep finds changes to rows
/// already passed, since it runs when the change mark differs from that at the start of this one.
final class VocabularySweep {
    /// The change mark of the index when the sweep began.
    let mark: [UInt8]
    private(set) var rows = CountedRows()
    private(set) var isFinished = false
    /// How many rows were new or changed.
    private(set) var countedRows = 0
    let counter: WordCounter

    private let previous: CountedRows
    private var place = 0
    private var next: Int64 = .min
    private let sql: String
    private let fieldCount: Int

    /// How much of a longer text counts: its words are known from there.
    static let textLimit = 1 << 20
    /// How many bytes of texts a batch copies before it returns the connection.
    private static let batchSize = 1 << 20
    /// How long a batch takes at most, unless a single row takes longer.
    private static let batchTime = Duration.milliseconds(8)

    init(_ definition: IndexDefinition, mark: [UInt8], previous: CountedRows, maximumWordCount: Int) {
        self.mark = mark
        self.previous = previous
        rows.stale = previous.stale
        counter = WordCounter(maximumWordCount: maximumWordCount)
        let fields = definition.fields.filter(\.isIndexed).map(\.name.quotedDatabaseIdentifier)
        fieldCount = fields.count
        sql = """
            SELECT \((["rowid"] + fields).joined(separator: ", ")) FROM \(definition.name.quotedDatabaseIdentifier) \
            WHERE rowid >= ? ORDER BY rowid
            """
    }

    /// Reads on for a few milliseconds, and returns the texts to count.
    func readBatch(in db: Database) throws -> [[UInt8]] {
        let start = ContinuousClock.now
        let statement = try db.cachedStatement(sql: sql)
        try statement.setArguments([next])
        var texts: [[UInt8]] = []
        var size = 0
        while try statement.step() {
            let id = statement.int64(at: 0)
            if isNew(id, hash(statement)) {
                for field in 1..<1 + fieldCount {
                    statement.withBytes(at: field) { bytes in
                        texts.append(Array(bytes.prefix(Self.textLimit)))
                        size += min(bytes.count, Self.textLimit)
                    }
                }
            }
            guard id < .max else { break }
            next = id + 1
            if size >= Self.batchSize || ContinuousClock.now - start >= Self.batchTime { return texts }
        }
        rows.stale += previous.ids.count - place
        isFinished = true
        return texts
    }

    private func hash(_ statement: Statement) -> UInt32 {
        var hasher = Hasher()
        for field in 1..<1 + fieldCount {
            statement.withBytes(at: field) { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.textLimit)))
            }
        }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// Notes a row, and returns whether it has not been counted in this state.
    private func isNew(_ id: Int64, _ hash: UInt32) -> Bool {
        rows.ids.append(id)
        rows.hashes.append(hash)
        while place < previous.ids.count, previous.ids[place] < id {
            rows.stale += 1
            place += 1
        }
        if place < previous.ids.count, previous.ids[place] == id {
            place += 1
            if previous.hashes[place - 1] == hash { return false }
            rows.stale += 1
        }
        countedRows += 1
        return true
    }
}
