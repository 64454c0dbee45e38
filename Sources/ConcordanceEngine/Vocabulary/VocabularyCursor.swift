import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// The rows of a vocabulary: terms in the order of their bytes; columns, or rows and places, within a term.
///
/// It sees the index as it was when the cursor was opened.
final class VocabularyCursor: VirtualTableCursor {
    private let kind: VocabularyTable.Kind
    private let options: TableOptions
    /// The full-text table's cursor, and its statement, which keeps it open.
    private let source: any AuxiliaryHost
    private let statement: KeptStatement

    private let snapshot: Snapshot
    private var terms: MergedTerms
    private(set) var isAtEnd = true
    private var number: Int64 = 0

    /// Of a vocabulary of columns: rows and occurrences of the term, by column.
    private var counts: [ColumnCount] = []
    private var column = 0
    /// Of one of terms: how often the term occurs, once it was asked for.
    private var occurrences: Int64?
    /// Of one of places: the rest of the term's postings, and the places in the row.
    private var postings: LivePostings?
    private let places = GrowingBuffer<Position>()
    private var place = 0

    private struct ColumnCount {
        var rows: Int64 = 0
        var occurrences: Int64 = 0
    }

    init(_ table: VocabularyTable, _ source: any AuxiliaryHost, _ statement: KeptStatement) throws {
        kind = table.kind
        self.source = source
        self.statement = statement
        options = source.options
        snapshot = try source.snapshot
        terms = try MergedTerms(snapshot, from: nil, through: nil)
    }

    func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
        let parts = VocabularyTable.Plan(rawValue: plan.number)
        var index = 0
        func take(_ part: VocabularyTable.Plan) -> [UInt8]? {
            guard parts.contains(part) else { return nil }
            defer { index += 1 }
            return arguments[index].withUTF8 { Array($0) }
        }
        let term = take(.equal)
        let first = take(.lowerBound)
        let last = take(.upperBound)
        terms = try MergedTerms(snapshot, from: term ?? first, through: term ?? last)
        // FTS5 counts from 1, but for this.
        number = kind == .instance && options.detail == .none ? -1 : 0
        counts = []
        postings = nil
        places.removeAll()
        isAtEnd = false
        try next()
    }

    func next() throws {
        number += 1
        switch kind {
        case .row:
            occurrences = nil
            isAtEnd = try !terms.next()
        case .column: try advanceToColumn()
        case .instance: try advanceToPlace()
        }
    }

    // MARK: Columns

    private func advanceToColumn() throws {
        column += 1
        while true {
            while column < counts.count {
                if counts[column].rows > 0 { return }
                column += 1
            }
            guard try terms.next() else {
                isAtEnd = true
                return
            }
            try countColumns()
            column = 0
        }
    }

    private func countColumns() throws {
        counts = Array(repeating: ColumnCount(), count: max(1, options.columns.count))
        try snapshot.forEachLivePosting(terms.entries) { posting in
            if options.detail == .none {
                counts[0].rows += 1
                return
            }
            try posting.forEachColumn { column, count in
                guard column < counts.count else { throw corrupt("a posting is in a column that does not exist") }
                counts[Int(column)].rows += 1
                if options.detail == .full { counts[Int(column)].occurrences &+= Int64(count) }
            }
        }
    }

    // MARK: Places

    private func advanceToPlace() throws {
        place += 1
        while place >= places.count {
            guard try nextPosting() else {
                isAtEnd = true
                return
            }
            place = 0
        }
    }

    /// Goes to the next row of the term, or of the next term, and lists the places in it: where the index does not have
    /// them, each column counts as one, or the row.
    private func nextPosting() throws -> Bool {
        while try postings?.next() != true {
            guard try terms.next() else { return false }
            postings = try LivePostings(snapshot, terms.entries)
        }
        places.removeAll()
        switch options.detail {
        case .full: try postings?.readPositions(into: places)
        case .column: try postings?.forEachColumn { column, _ in places.append(Position(column: column, offset: 0)) }
        case .none: places.append(Position(column: 0, offset: 0))
        }
        return true
    }

    // MARK: Values

    func rowID() throws -> Int64 { number }

    func column(_ column: Int, into result: ResultContext) throws {
        if column == 0 {
            terms.key.withUnsafeBufferPointer { result.set(utf8: UnsafeBufferPointer(rebasing: $0.dropFirst())) }
            return
        }
        switch (kind, column) {
        case (.row, 1): result.set(Int64(terms.documentFrequency))
        case (.row, _): set(count: try countOccurrences(), result)
        case (.column, 1): if options.detail != .none { setName(ofColumn: self.column, result) }
        case (.column, 2): set(count: counts[self.column].rows, result)
        case (.column, _): set(count: counts[self.column].occurrences, result)
        case (.instance, _) where place >= places.count: break
        case (.instance, 1): result.set(postings?.rowID ?? 0)
        case (.instance, 2): if options.detail != .none { setName(ofColumn: Int(places.values[place].column), result) }
        case (.instance, _): if options.detail == .full { result.set(Int64(places.values[place].offset)) }
        }
    }

    /// What is not counted is NULL, as in FTS5.
    private func set(count: Int64, _ result: ResultContext) {
        if count > 0 { result.set(count) }
    }

    private func setName(ofColumn column: Int, _ result: ResultContext) {
        guard options.columns.indices.contains(column) else { return assertionFailure("a column too many") }
        result.set(options.columns[column].name)
    }

    private func countOccurrences() throws -> Int64 {
        guard options.detail == .full else { return 0 }
        if let occurrences { return occurrences }
        var count: Int64 = 0
        try snapshot.forEachLivePosting(terms.entries) { count &+= Int64(try $0.frequency) }
        occurrences = count
        return count
    }
}
