import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The rows of one execution of a plan over a full-text table.
///
/// A query of the index sees the rows as they were when it began, whatever the connection writes meanwhile. A text is
/// read when it is asked for, from the content as it is then.
final class TableCursor: VirtualTableCursor {
    let table: FullTextTable
    /// The number by which auxiliary functions find the cursor.
    private(set) var id: Int64 = 0

    /// Where the rows come from.
    enum Plan {
        /// `filter` has not been called yet.
        case none
        /// `MATCH '*...'`: one row, with one number.
        case special(Int64)
        /// Matches by rowid.
        case matches
        /// Matches in the order of a ranking of the engine, computed as they are read.
        case ranked
        /// The rows that match, by a stored value.
        case valued
        /// Matches in the order of another function's values, sorted by a statement over this table.
        case sorted
        /// Content rows by rowid, or one of them.
        case content(ContentStore.Access)
        /// Rows of a table without content.
        case documents
    }

    @exclusivity(unchecked) var plan = Plan.none
    @exclusivity(unchecked) private(set) var isAtEnd = true
    /// The rowid of the row, unless it is one of `window`.
    private var currentRowID: Int64 = 0
    /// The document of the row; nil if it is not known yet, or if the row is one of `window`.
    private var currentDocument: DocumentReference?
    private var contentRow: KeptStatement?
    private var contentAccess = ContentStore.Access.lookup
    @exclusivity(unchecked) private var isContentAtRow = false

    private(set) var snapshotInUse: Snapshot?
    private(set) var query: BoundQuery?
    private var matches: MatchCursor?
    /// The matches that `matches` has found. SQLite steps over them by itself, unless something is kept for the current
    /// row.
    @exclusivity(unchecked) private var window = MatchWindow()
    @exclusivity(unchecked) private var ranked: RankedRows?
    /// What scores the rows in place of a function that is called for them.
    @exclusivity(unchecked) private var scores: RowScores? {
        didSet { scoresInUse = scores.map(Unmanaged.passUnretained) }
    }
    /// The same object, which calls for each row use without counting references.
    @exclusivity(unchecked) private var scoresInUse: Unmanaged<RowScores>?
    private var valued: ValueOrderedRows?
    private var valuedThenRanked: ValueThenRankRows?
    private var sorter: KeptStatement?
    private var isSorterOpen = false
    private var scan: DocumentScan?
    /// The rowids that the plan asks for and whether they descend, for the source of a sorter.
    private(set) var bounds = Int64.min...Int64.max
    private(set) var isDescending = false
    /// The table's counters when the plan began.
    @exclusivity(unchecked) private var changeCount = 0
    private var rollbackCount = 0
    /// The function of the `rank` column.
    var rank = RankFunction(.bm25)

    /// Properties of the table, copied here since they are read for each row.
    private let tableColumn: Int
    private let rankColumn: Int
    private let hasTexts: Bool
    private let isContentless: Bool

    init(_ table: FullTextTable) {
        self.table = table
        tableColumn = table.tableColumn
        rankColumn = table.rankColumn
        hasTexts = table.content.hasTexts
        isContentless = table.options.content == .none
        id = table.registry.cursors.add(self)
        table.add(window.run)
    }

    deinit {
        close()
        table.registry.cursors.remove(id)
        table.calledCursor.forget(id)
        table.remove(window.run)
        window.deallocate()
    }

    var run: UnsafeMutablePointer<VirtualTableRun>? { window.run }

    var hasPlan: Bool {
        if case .none = plan { false } else { true }
    }

    /// Releases everything that a plan has made.
    private func close() {
        context?.reset()
        isSorterOpen = false
        if let contentRow { table.content.giveBack(contentRow, contentAccess) }
        contentRow = nil
        contentAccess = .lookup
        isContentAtRow = false
        sorter = nil
        ranked = nil
        scores = nil
        window.removeAll()
        matches = nil
        valued = nil
        valuedThenRanked = nil
        scan = nil
        query = nil
        snapshotInUse = nil
        currentDocument = nil
        plan = .none
        isAtEnd = true
    }

    // MARK: - Starting plans

    func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
        guard !table.content.isLocked else { throw failure("recursively defined fts5 content table") }
        try table.checkUsable()
        close()
        changeCount = table.changeCount
        rollbackCount = table.rollbackCount
        if let source = table.sortSource {
            table.sortSource = nil
            return try start(sourceOf: source)
        }
        let request = try PlanRequest(plan, arguments: arguments, table: table)
        bounds = request.bounds
        isDescending = request.flags.contains(.descending)
        if let special = request.special { return try start(special: special) }
        if let expression = request.expression {
            return try start(expression, request)
        }
        // FTS5 does not scan such a table for no row, either, but is not even asked for those of an empty list.
        if !request.listsNoRow { try checkScanning() }
        if request.isEmpty {
            self.plan = .matches
            return
        }
        try startScan(request)
    }

    private func start(special: String) throws {
        let words = special.split(separator: " ")
        let name = words.first.map { String($0) } ?? ""
        switch name.lowercasedASCII {
        case "id":
            // FTS5's vocabulary tables ask so, and look the cursor up in what FTS5 has freed.
            guard !table.registry.isFTS5Gone || words.dropFirst().first == "concordance" else {
                throw failure("sqlite3_close has removed SQLite's module fts5; open another connection")
            }
            plan = .special(id)
        // FTS5 counts the blocks that it reads; the index counts none.
        case "reads": plan = .special(0)
        default: throw failure("unknown special query: \(name)")
        }
        currentRowID = 0
        isAtEnd = false
    }

    private func start(_ expression: QueryExpression, _ request: PlanRequest) throws {
        rank = RankFunction(try request.rank ?? table.settings.rank)
        let snapshot = try table.index.snapshot()
        let query = try BoundQuery(
            expression, snapshot: snapshot, rows: request.rows, values: request.values, work: table.work)
        for report in request.reports { report.note(expression, bound: query.expression) }
        snapshotInUse = snapshot
        self.query = query
        let needsOrder = request.rowID == nil && !request.isEmpty
        // No order is needed for one row or none, but an unknown function is still an error.
        if request.flags.contains(.byRank), !needsOrder { try rank.find(table) }
        if request.isEmpty {
            plan = .matches
            return
        }
        if request.flags.contains(.byRank), needsOrder {
            try startByRank(query, request)
        } else if let column = request.flags.valueColumn, needsOrder {
            try startByValue(query, column, request)
        } else {
            try startMatches(query)
        }
        try next()
    }

    private func startMatches(_ query: BoundQuery) throws {
        plan = .matches
        isAtEnd = false
        matches = try query.makeMatches(descending: isDescending, rowIDs: bounds)
    }

    private func startByValue(_ query: BoundQuery, _ column: Int, _ request: PlanRequest) throws {
        guard let number = table.valueColumns.firstIndex(of: column) else { throw failure("no such VALUE column") }
        plan = .valued
        isAtEnd = false
        let ranking = request.flags.contains(.thenByRank) ? try rank.ranking(table) : nil
        if request.flags.contains(.thenByRank), ranking == nil {
            return try startSorter(by: "\(table.options.columns[column].name.quotedDatabaseIdentifier) \(direction), ")
        }
        let rows = try ValueOrderedRows(
            query, column: number, descending: isDescending,
            descendingRowIDs: request.flags.contains(.thenByDescendingRowID), rowIDs: bounds, limit: request.limit)
        guard let ranking else { return valued = rows }
        let (bounds, limit, constantLength) = (bounds, request.limit, table.constantLength)
        valuedThenRanked = ValueThenRankRows(query, column: number, descending: isDescending, rows: rows) {
            try RankedCursor(bound: $0, ranking: ranking, limit: limit, rowIDs: bounds, constantLength: constantLength)
        }
    }

    /// Rows by a ranking of the engine are computed as they are read. Any other function is called for all matches.
    private func startByRank(_ query: BoundQuery, _ request: PlanRequest) throws {
        isAtEnd = false
        if let ranking = try rank.ranking(table) {
            let cursor = try RankedCursor(
                bound: query, ranking: ranking, limit: request.limit, order: isDescending ? .descending : .ascending,
                rowIDs: bounds, ranks: request.ranks, constantLength: table.constantLength,
                defersCounting: !table.ranksAreRead)
            table.ranksAreRead = false
            ranked = RankedRows(cursor, window.run)
            plan = .ranked
        } else {
            try startSorter(thenBy: direction)
        }
    }

    private var direction: String { isDescending ? "DESC" : "ASC" }

    private func startSorter(by first: String = "", thenBy direction: String = "ASC") throws {
        sorter = try KeptStatement(table.connection, sortingSQL(first, direction), access: .anything)
        plan = .sorted
    }

    /// Makes the rows of a sorter those of this cursor's query.
    private func sortingSQL(_ first: String, _ direction: String) -> String {
        let name = table.name.quotedDatabaseIdentifier
        let arguments = rank.specification.arguments.isEmpty ? "" : ", \(rank.specification.arguments)"
        let value = "\(rank.specification.function.quotedDatabaseIdentifier)(\(name)\(arguments))"
        return "SELECT rowid FROM \(table.schema.quotedDatabaseIdentifier).\(name) "
            + "ORDER BY \(first)\(value) \(direction), rowid"
    }

    private func start(sourceOf cursor: TableCursor) throws {
        guard let query = cursor.query else { return assertionFailure("the order of no query") }
        snapshotInUse = cursor.snapshotInUse
        self.query = query
        bounds = cursor.bounds
        isDescending = false
        try startMatches(query)
        try next()
    }

    /// Without content, the rows of a scan are those whose lengths the table stores.
    private func checkScanning() throws {
        guard table.content.hasRows || table.options.storesColumnSizes else {
            throw failure("\(table.name): table does not support scanning")
        }
    }

    private func startScan(_ request: PlanRequest) throws {
        guard table.content.hasRows else { return try startDocumentScan(request) }
        let access: ContentStore.Access =
            request.rowID != nil ? .lookup : isDescending ? .descending : .ascending
        let statement = try table.content.take(access)
        contentRow = statement
        contentAccess = access
        if let rowID = request.rowID {
            try statement.bind(rowID, at: 1)
        } else {
            try statement.bind(isDescending ? bounds.upperBound : bounds.lowerBound, at: 1)
            try statement.bind(isDescending ? bounds.lowerBound : bounds.upperBound, at: 2)
        }
        plan = .content(access)
        isAtEnd = false
        try next()
    }

    private func startDocumentScan(_ request: PlanRequest) throws {
        plan = .documents
        isAtEnd = false
        if let rowID = request.rowID {
            // A rowid that is no integer is no row's. One row is looked up where it is, so that pending rows need not
            // be written for it: triggers ask for one row after another.
            guard let rowID = rowID.rowID, try table.index.contains(rowID) else { return isAtEnd = true }
            currentRowID = rowID
            return
        }
        let snapshot = try table.index.snapshot()
        snapshotInUse = snapshot
        scan = try DocumentScan(snapshot, rowIDs: bounds, descending: isDescending)
        try next()
    }

    // MARK: - Rows

    func next() throws {
        if !hasTableChanged, window.step() {
            isContentAtRow = false
            if context != nil { rowDidChange() }
            return
        }
        try expectingRollback { repeat { try advance() } while try !isAtEnd && hasTableChanged && isGone }
        if hasTableChanged { window.stop() }
    }

    /// Calls `body`. If it reads rows of a transaction that has been rolled back since, the error says so.
    private func expectingRollback<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT && table.rollbackCount != rollbackCount
        {
            throw DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK, message: "abort due to ROLLBACK")
        }
    }

    /// Whether the connection has written to the table since the query began.
    private var hasTableChanged: Bool { table.changeCount != changeCount }

    /// Whether the row has been deleted since, so that its text is gone. A scan of the content does not reach such
    /// rows.
    private var isGone: Bool {
        get throws {
            if case .content = plan { return false }
            return try !table.index.contains(rowID())
        }
    }

    private func advance() throws {
        isContentAtRow = false
        currentDocument = nil
        switch plan {
        case .none, .special: isAtEnd = true
        case .matches:
            guard let matches, try window.next(matches) else {
                isAtEnd = true
                break
            }
        case .ranked:
            guard let ranked, try ranked.next() else {
                isAtEnd = true
                break
            }
        case .valued:
            if let valued, let row = try valued.next() {
                currentRowID = row.rowID
                currentDocument = row.document
            } else if let (rowID, document) = try valuedThenRanked?.next() {
                currentRowID = rowID
                currentDocument = document
            } else {
                isAtEnd = true
            }
        case .sorted: try nextSorted()
        case .content: try nextContentRow()
        case .documents:
            if let (document, rowID) = try scan?.next() {
                currentDocument = document
                currentRowID = rowID
            } else {
                isAtEnd = true
            }
        }
        rowDidChange()
    }

    private func nextSorted() throws {
        guard let sorter else { return isAtEnd = true }
        // The first step executes the whole query: the cursor that it opens takes this one's rows.
        if !isSorterOpen { table.sortSource = self }
        defer { table.sortSource = nil }
        guard try sorter.step() else { return isAtEnd = true }
        isSorterOpen = true
        currentRowID = sorter.int64(at: 0)
    }

    private func nextContentRow() throws {
        guard let contentRow, try table.content.step(contentRow) else { return isAtEnd = true }
        isContentAtRow = true
        currentRowID = contentRow.int64(at: 0)
    }

    func rowID() throws -> Int64 {
        if let ranked { return ranked.current.rowID }
        return window.isEmpty ? currentRowID : try expectingRollback { try window.rowID() }
    }

    /// The document of the row in the snapshot; nil if the index lacks a row of the content.
    func findDocument() throws -> DocumentReference? {
        if let currentDocument { return currentDocument }
        if let ranked { return ranked.current.document }
        if !window.isEmpty { return DocumentReference(segment: window.segment, document: window.document) }
        let snapshot = try snapshot
        currentDocument = try snapshot.find(rowID: currentRowID)
        return currentDocument
    }

    /// The snapshot of the query; in a scan of the content it is made at its first use.
    var snapshot: Snapshot {
        get throws {
            if let snapshotInUse { return snapshotInUse }
            let snapshot = try table.index.snapshot()
            snapshotInUse = snapshot
            return snapshot
        }
    }

    // MARK: - Columns

    func column(_ column: Int, into result: ResultContext) throws {
        if case .special(let number) = plan {
            if column == tableColumn { result.set(number) }
        } else if column == tableColumn {
            result.set(id)
        } else if column == rankColumn {
            // An UPDATE reads all columns, this one for nothing.
            if !result.isUnchangedColumn { try setRank(result) }
        } else if let number = storedValue(column) {
            if !result.isUnchangedColumn { try setValue(number, result) }
        } else if hasTexts, !(isContentless && result.isUnchangedColumn), let texts = try contentStatement() {
            result.set(texts.value(at: Int32(clamping: column + 1)))
        }
    }

    /// The number of a VALUE column whose value is that of the index: where the table has no content of its own.
    private func storedValue(_ column: Int) -> Int? {
        isContentless ? table.valueColumns.firstIndex(of: column) : nil
    }

    /// Several values are the text of a JSON array.
    private func setValue(_ number: Int, _ result: ResultContext) throws {
        guard let reference = try findDocument() else { return }
        let values = try snapshot.segments[reference.segment].values.values(of: Int(reference.document), column: number)
        if values.count > 1 {
            ValueList(values).json.withUnsafeBufferPointer { result.set(utf8: $0) }
        } else {
            values.first?.withView { $0.set(result) }
        }
    }

    private func setRank(_ result: ResultContext) throws {
        guard query != nil else { return }
        if let ranked {
            table.ranksAreRead = true
            result.set(try expectingRollback { try ranked.rank() })
        } else {
            try rank.call(self, result)
        }
    }

    /// The statement at the row's content; nil if the content source has no such row.
    func contentStatement() throws -> KeptStatement? {
        if isContentAtRow, let contentRow { return contentRow }
        window.stop()
        let statement = try contentRow ?? table.content.take(.lookup)
        contentRow = statement
        statement.reset()
        try statement.bind(try rowID(), at: 1)
        guard try table.content.step(statement) else {
            try table.content.missRow()
            return nil
        }
        isContentAtRow = true
        return statement
    }

    // MARK: - Auxiliary functions

    /// The row as auxiliary functions see it; made for the first of them.
    @exclusivity(unchecked) private var context: ExtensionContext?

    private func rowDidChange() { context?.rowDidChange() }

    /// Calls an auxiliary function, which leaves its result or an error in `result`. Only if `setScore` does not know the result.
    func invoke(
        _ function: AuxiliaryFunction, _ arguments: BorrowedValues, into result: ResultContext
    ) throws {
        window.stop()
        let context = context ?? ExtensionContext(host: self)
        self.context = context
        context.call(function, arguments.pointers, into: result)
    }

    /// Leaves the value of the row in `result` if it is known without calling the function.
    @inline(__always)
    func setScore(
        inPlaceOf function: ObjectIdentifier, _ arguments: BorrowedValues, _ result: ResultContext
    ) throws -> Bool {
        guard let scoresInUse else { return false }
        return try scoresInUse._withUnsafeGuaranteedRef { scores in
            guard scores.are(of: function, arguments), let score = try score(scores) else { return false }
            result.set(-1.0 * score)
            return true
        }
    }

    /// The score of the row; nil if the index lacks it.
    @inline(__always)
    private func score(_ scores: RowScores) throws -> Double? {
        if !window.isEmpty, let score = scores.score(inPart: window.number, at: window.run.pointee.index) {
            return score
        }
        return try expectingRollback {
            if !window.isEmpty {
                table.work.scoredRows &+= window.documents.count
                return try scores.compute(window)
            }
            return try findDocument().map { try scores.score($0) }
        }
    }

    func score(with scorer: DocumentScorer, inPlaceOf function: AuxiliaryFunction) {
        scores = RowScores(scorer, function)
    }
}
