import CConcordanceSQLite
import ConcordanceSQLite

/// `matchinfo(t [, format])`, FTS3's function (https://www.sqlite.org/fts3.html#matchinfo), which FTS5 does not have,
/// and programs written for FTS3 and FTS4 rank by. Its result is a blob of 32-bit integers in the byte order of the
/// machine; `format`, by default `pcx`, has a letter for each part:
///
///     p  phrases of the query                     1
///     c  columns                                  1
///     x  hits of a phrase in a column: in the     3 for each column of each phrase
///        row, in all rows, and rows with one
///     y  hits in the row                          1 for each column of each phrase
///     b  a bit for each column with a hit         (columns + 31) / 32 for each phrase
///     n  rows                                     1
///     a  mean number of tokens, rounded           1 for each column
///     l  tokens of the row                        1 for each column
///     s  the longest sequence of phrases that     1 for each column
///        stand one after the other, in order
enum MatchInformation {
    private static let defaultFormat = "pcx"

    static func call(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        guard arguments.count <= 1 else { throw failure("wrong number of arguments to function matchinfo()") }
        let format = arguments.isEmpty ? defaultFormat : arguments[0].string ?? defaultFormat
        var writer = Writer(context)
        for letter in format.unicodeScalars { try writer.append(letter) }
        writer.values.withUnsafeBytes { result.set(blob: $0) }
    }

    private struct Writer {
        private let context: ExtensionContext
        private(set) var values: [UInt32] = []
        private var phrases: Range<Int> { 0..<context.phraseCount }
        private var columns: Range<Int> { 0..<context.columnCount }

        init(_ context: ExtensionContext) { self.context = context }

        mutating func append(_ letter: Unicode.Scalar) throws {
            switch letter {
            case "p": append(phrases.count)
            case "c": append(columns.count)
            case "x": try appendHits()
            case "y": try appendRowHits()
            case "b": try appendColumnBits()
            case "n": append(try context.rowCount())
            case "a":
                let count = Double(try context.rowCount())
                for column in columns {
                    let isIndexed = context.host.options.columns[column].isIndexed
                    let mean = try isIndexed ? Double(context.totalSize(ofColumn: column)) / count : 0
                    append(Int(mean.rounded()))
                }
            case "l": for column in columns { append(Int(max(0, try context.size(ofColumn: column)))) }
            case "s": try appendSequences()
            default:
                throw failure("unrecognized matchinfo request: \(letter)")
            }
        }

        private mutating func append(_ value: Int) { values.append(UInt32(clamping: value)) }

        private mutating func appendRowHits() throws {
            for phrase in phrases { for count in try context.hits(ofPhrase: phrase) { append(count) } }
        }

        private mutating func appendColumnBits() throws {
            for phrase in phrases {
                var words = Array(repeating: UInt32(0), count: (columns.count + 31) / 32)
                for (column, count) in try context.hits(ofPhrase: phrase).enumerated() where count > 0 {
                    words[column / 32] |= 1 << UInt32(column % 32)
                }
                values += words
            }
        }

        private mutating func appendHits() throws {
            for phrase in phrases {
                let totals = try context.totals(ofPhrase: phrase)
                for (column, count) in try context.hits(ofPhrase: phrase).enumerated() {
                    append(count)
                    append(totals[column].hits)
                    append(totals[column].rows)
                }
            }
        }

        /// For each column, the length of the longest run of phrases that follow one another as in the query.
        private mutating func appendSequences() throws {
            try context.loadInstances()
            let instances = context.instances
            var longest = Array(repeating: 0, count: columns.count)
            // For each instance of the phrase before, the length of the longest sequence that ends with it.
            var before: [Int] = []
            for phrase in 0..<instances.phraseCount {
                let previous = instances.range(ofPhrase: phrase - 1)
                let size = phrase > 0 ? context.size(ofPhrase: phrase - 1) : 0
                var last = previous.lowerBound
                before = instances.range(ofPhrase: phrase).map { index in
                    let (column, offset) = instances.place(index)
                    func isBehind(_ other: Int) -> Bool {
                        let other = instances.place(other)
                        return (other.column, other.offset + size) < (column, offset)
                    }
                    while last < previous.upperBound, isBehind(last) { last += 1 }
                    let follows = last < previous.upperBound && instances.place(last) == (column, offset - size)
                    let length = follows ? before[last - previous.lowerBound] + 1 : 1
                    if columns.contains(column) { longest[column] = max(longest[column], length) }
                    return length
                }
            }
            for count in longest { append(count) }
        }
    }
}

/// The hits of a phrase in a column, over all rows.
struct PhraseTotal {
    var hits = 0
    var rows = 0
}

extension ExtensionContext {
    /// How often a phrase occurs in each column of the row.
    fileprivate func hits(ofPhrase phrase: Int) throws -> [Int] {
        try loadInstances()
        var counts = Array(repeating: 0, count: columnCount)
        for index in instances.range(ofPhrase: phrase) {
            let column = Int(instances.positions[index].column)
            if counts.indices.contains(column) { counts[column] += 1 }
        }
        return counts
    }

    /// The same over all rows, computed once for a query.
    fileprivate func totals(ofPhrase phrase: Int) throws -> [PhraseTotal] {
        if let known = phraseTotals[phrase] { return known }
        var totals = Array(repeating: PhraseTotal(), count: columnCount)
        var problem: (any Error)?
        _ = try PhraseRows(self, phrase: phrase).forEach { _, row in
            do {
                // The query of these rows has one phrase.
                for (column, count) in try ExtensionContext.of(row).hits(ofPhrase: 0).enumerated() where count > 0 {
                    totals[column].hits += count
                    totals[column].rows += 1
                }
                return SQLITE_OK
            } catch {
                problem = error
                return SQLITE_ERROR
            }
        }
        if let problem { throw problem }
        phraseTotals[phrase] = totals
        return totals
    }
}
