import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// The rows that the text and values of a plan ask for.
struct PlanRequest {
    let flags: PlanFlags
    /// All MATCHes and patterns combined; nil if the plan has none.
    private(set) var expression: QueryExpression?
    /// The value of `rank MATCH`; nil for the table's setting.
    private(set) var rank: RankSpecification?
    /// The text after the asterisk of `MATCH '*...'`.
    private(set) var special: String?
    /// `rowid =`.
    private(set) var rowID: BorrowedValue?
    /// The rowids that can match.
    private(set) var bounds = Int64.min...Int64.max
    /// The set of rows that can match, from `rowid IN`, from queries that carry a set, and from `rowid =` beside values; nil for
    /// all.
    private(set) var rows: RowSet?
    /// Conditions on stored values; nil for none.
    private(set) var values: ValueFilter?
    /// The range of ranks, for rows in the order of rank; nil for all.
    private(set) var ranks: ClosedRange<Double>?
    /// Whether no row can match, because no rowid or no rank fulfils all conditions; without an expression where SQLite would
    /// ask FTS5 for no row, and see none of its errors.
    private(set) var isEmpty = false
    /// Whether nothing is to the right of a `rowid IN`.
    private(set) var listsNoRow = false
    /// Receive the words that the index does not have.
    private(set) var reports: [TypoReport] = []
    /// LIMIT plus OFFSET of the query; nil if it has no LIMIT.
    private(set) var limit: Int?

    init(_ plan: VirtualTablePlan, arguments: BorrowedValues, table: FullTextTable) throws {
        flags = PlanFlags(rawValue: plan.number)
        if try Self.listsNoRow(plan, arguments) {
            (isEmpty, listsNoRow) = (true, true)
            return
        }
        var lower = Int64.min
        var upper = Int64.max
        var firstRank: RankBound?
        var lastRank: RankBound?
        var offset = 0
        var rankText: BorrowedValue?
        var reader = PlanReader(plan)
        for value in arguments {
            guard let (argument, column) = reader.next() else { break }
            switch argument {
            case .match:
                try add(match: value, column: column, table)
                if special != nil { return }
            case .rank: rankText = value
            case .like: try add(pattern: value, .like, column, table)
            case .glob: try add(pattern: value, .glob, column, table)
            case .rowID:
                rowID = value
                if let value = value.rowID { (lower, upper) = (value, value) }
            case .lastRowID: upper = value.integer ?? upper
            case .firstRowID: lower = value.integer ?? lower
            case .rowIDs: restrict(to: try RowSet(rowIDsOf: value))
            case .firstRank: firstRank = RankBound(value)
            case .lastRank: lastRank = RankBound(value)
            case .limit: limit = Int(exactly: value.int64).flatMap { $0 < 0 ? nil : $0 }
            case .offset: offset = max(0, Int(clamping: value.int64))
            case .valueEqual: try restrict(column, table, value) { .oneOf([$0]) }
            case .valueLess: try restrict(column, table, value) { .range(from: nil, to: .excluding($0)) }
            case .valueLessOrEqual: try restrict(column, table, value) { .range(from: nil, to: .including($0)) }
            case .valueGreater: try restrict(column, table, value) { .range(from: .excluding($0), to: nil) }
            case .valueGreaterOrEqual: try restrict(column, table, value) { .range(from: .including($0), to: nil) }
            case .valueIn:
                var list: [StoredValue] = []
                try value.forEachElement { if !$0.isNull { list.append(StoredValue($0)) } }
                restrict(column, table, .oneOf(list))
            case .valueNull: restrict(column, table, .isNull)
            case .valueNotNull: restrict(column, table, .isNotNull)
            }
        }
        // A scan has no rank; an error of the query takes precedence.
        if expression != nil, let rankText { try set(rank: rankText) }
        if let limit { self.limit = limit.addingReportingOverflow(offset).overflow ? nil : limit + offset }
        isEmpty = isEmpty || lower > upper || rows?.count == 0
        set(ranks: firstRank, lastRank)
        if lower <= upper { bounds = lower...upper }
        // So that values are tested for this row only.
        if lower == upper, values != nil { restrict(to: RowSet([lower])) }
    }

    /// Whether a `rowid IN` has nothing to its right. SQLite asks FTS5 for one row of the list after the other, and does not
    /// even ask whether a query is one if there is none.
    private static func listsNoRow(_ plan: VirtualTablePlan, _ arguments: BorrowedValues) throws -> Bool {
        guard plan.withUTF8({ $0.contains(PlanArgument.rowIDs.rawValue) }) else { return false }
        var reader = PlanReader(plan)
        for value in arguments {
            guard let (argument, _) = reader.next() else { break }
            if argument == .rowIDs, try !value.containsElement(where: { !$0.isNull }) { return true }
        }
        return false
    }

    private mutating func set(ranks first: RankBound?, _ last: RankBound?) {
        var lower = -Double.infinity
        var upper = Double.infinity
        switch first {
        case .number(let number): lower = number
        case .null, .aboveNumbers: isEmpty = true
        case nil: break
        }
        switch last {
        case .number(let number): upper = number
        case .null: isEmpty = true
        case .aboveNumbers, nil: break
        }
        if lower > upper { isEmpty = true }
        if !isEmpty, first != nil || last != nil { ranks = lower...upper }
    }

    private mutating func add(match value: BorrowedValue, column: Int, _ table: FullTextTable) throws {
        let compiler = QueryCompiler(options: table.options, tokenizer: table.tokenizer, connection: table.connection)
        let column = column < table.options.columns.count ? column : nil
        if let query = value.object(MatchQuery.pointerType) {
            if let rows = query.rows { restrict(to: rows) }
            if !query.conditions.isEmpty { restrict(try ValueFilter(query.conditions, table.options)) }
            if let report = query.report { reports.append(report) }
            return add(
                try query.expression(for: table.identity, column: column) {
                    try compiler.compile($0, column: column)
                })
        }
        guard !value.isPointer else {
            throw failure("the query is an object that only another function or module can read")
        }
        func read(_ text: UnsafeBufferPointer<UInt8>) throws {
            if text.first == UInt8(ascii: "*") {
                special = String(decoding: text.dropFirst(), as: UTF8.self)
                return
            }
            add(try compiler.compile(text, column: column))
        }
        if let text = table.locales?.text(in: value) { try read(text) } else { try value.withUTF8(read) }
    }

    /// No comparison with NULL holds.
    private mutating func restrict(
        _ column: Int, _ table: FullTextTable, _ value: BorrowedValue, _ test: (StoredValue) -> ValueCondition.Test
    ) throws {
        if value.isNull { isEmpty = true } else { restrict(column, table, test(StoredValue(value))) }
    }

    private mutating func restrict(_ column: Int, _ table: FullTextTable, _ test: ValueCondition.Test) {
        guard let number = table.valueColumns.firstIndex(of: column) else { return }
        var filter = values ?? ValueFilter()
        filter.add(bound: ValueCondition(column: number, test: test))
        values = filter
    }

    private mutating func restrict(_ filter: ValueFilter) {
        var all = values ?? ValueFilter()
        all.add(filter)
        values = all
    }

    private mutating func restrict(to rows: RowSet) {
        self.rows = self.rows?.intersection(rows) ?? rows
    }

    private mutating func add(
        pattern value: BorrowedValue, _ operator: PatternOperator, _ column: Int, _ table: FullTextTable
    ) throws {
        let expression = try value.withUTF8 {
            try QueryExpression(
                pattern: $0, operator: `operator`, column: column, detail: table.options.detail,
                tokenizer: table.tokenizer)
        }
        if let expression { add(expression) }
    }

    private mutating func add(_ expression: QueryExpression) {
        self.expression = self.expression?.and(expression) ?? expression
    }

    private mutating func set(rank value: BorrowedValue) throws {
        let text = value.string ?? ""
        guard let rank = RankSpecification(parsing: text) else {
            throw failure("parse error in rank function: \(text)")
        }
        self.rank = rank
    }
}

/// A value with which `rank` is compared.
private enum RankBound {
    case number(Double)
    /// A text or a blob, which is greater than any number.
    case aboveNumbers
    /// No comparison with NULL holds.
    case null

    init(_ value: BorrowedValue) {
        switch value.type {
        case SQLITE_INTEGER, SQLITE_FLOAT: self = .number(value.double)
        case SQLITE_NULL: self = .null
        default: self = .aboveNumbers
        }
    }
}

extension RowSet {
    /// The rowids on the right-hand side of an IN that SQLite passes as a whole.
    fileprivate convenience init(rowIDsOf list: BorrowedValue) throws {
        var rowIDs: [Int64] = []
        try list.forEachElement { if let rowID = $0.rowID { rowIDs.append(rowID) } }
        self.init(rowIDs)
    }
}

/// Reads a plan's text.
private struct PlanReader {
    private var rest: ArraySlice<UInt8>

    init(_ plan: VirtualTablePlan) { rest = plan.withUTF8 { Array($0)[...] } }

    /// The next argument and the number after it; 0 if there is none.
    mutating func next() -> (PlanArgument, column: Int)? {
        guard let argument = rest.popFirst().flatMap(PlanArgument.init(rawValue:)) else { return nil }
        var column = 0
        while let digit = rest.first, DeclarationScanner.isDigit(digit) {
            column = column * 10 + Int(digit - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        return (argument, column)
    }
}
