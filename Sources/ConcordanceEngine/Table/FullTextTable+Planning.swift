import ConcordanceSQLite

/// The order of the rows, which `bestIndex` passes to the cursor in addition to the values.
struct PlanFlags: OptionSet {
    let rawValue: Int32

    /// By rank.
    static let byRank = PlanFlags(rawValue: 0x20)
    /// By rowid.
    static let byRowID = PlanFlags(rawValue: 0x40)
    /// Descending.
    static let descending = PlanFlags(rawValue: 0x80)

    /// Rows with equal values by rank, which ascends.
    static let thenByRank = PlanFlags(rawValue: 0x200)
    /// Rows with equal values in descending order of rowids.
    static let thenByDescendingRowID = PlanFlags(rawValue: 0x400)

    /// By the VALUE column of that number.
    static func byValue(_ column: Int) -> PlanFlags { PlanFlags(rawValue: 0x100 | Int32(column) << 16) }

    /// The VALUE column that orders the rows; nil for none.
    var valueColumn: Int? { rawValue & 0x100 == 0 ? nil : Int(rawValue >> 16) }
}

/// The purpose of a value that a plan takes. Its letter stands in the plan's text, followed by the number of the column
/// if there is one.
enum PlanArgument: UInt8 {
    case match = 77  // "M"
    case rank = 114  // "r"
    case like = 76  // "L"
    case glob = 71  // "G"
    case rowID = 61  // "="
    case lastRowID = 60  // "<"
    case firstRowID = 62  // ">"
    case rowIDs = 73  // "I"
    case firstRank = 91  // "["
    case lastRank = 93  // "]"
    case limit = 108  // "l"
    case offset = 111  // "o"
    // Of VALUE columns.
    case valueEqual = 101  // "e"
    case valueLess = 97  // "a"
    case valueLessOrEqual = 98  // "b"
    case valueGreater = 99  // "c"
    case valueGreaterOrEqual = 100  // "d"
    case valueIn = 105  // "i"
    case valueNull = 110  // "n"
    case valueNotNull = 78  // "N"
}

extension FullTextTable {
    /// Chooses FTS5's plans, at FTS5's costs, so that joins are executed in the same order:
    ///
    ///     nothing 1,000,000; bounded on one side 750,000; on both 250,000; one rowid 10
    ///     MATCH       1,000; bounded on one side     750; on both     500; one rowid 100
    func bestIndex(_ index: inout VirtualTableIndex) throws {
        guard !content.isLocked else { throw failure("recursively defined fts5 content table") }
        var plan = PlanText()
        guard takeMatches(&index, &plan) else {
            // A MATCH that cannot be evaluated in this plan.
            index.estimatedCost = 1e50
            try index.setPlanText(plan.text)
            return
        }
        if !plan.has(.rowID) { takeBounds(&index, &plan) }
        if plan.has(.match) { takeValues(&index, &plan) }
        let flags = order(index, plan)
        index.planNumber = flags.rawValue
        if !plan.has(.rowID) {
            if flags.contains(.byRank) { takeRanks(&index, &plan) }
            if flags.contains(.byRank) || flags.valueColumn != nil { takeLimit(&index, &plan) }
        }
        setCost(&index, plan)
        try index.setPlanText(plan.text)
    }

    /// The text of the plan as it is composed.
    fileprivate struct PlanText {
        private(set) var text = ""
        private var seen: Set<PlanArgument> = []

        func has(_ argument: PlanArgument) -> Bool { seen.contains(argument) }

        mutating func append(_ argument: PlanArgument, column: Int? = nil) {
            seen.insert(argument)
            text.unicodeScalars.append(Unicode.Scalar(argument.rawValue))
            if let column { text += "\(column)" }
        }
    }

    /// Takes MATCH, patterns and rowids; false if a MATCH cannot be evaluated.
    ///
    /// The list of `rowid IN (...)` is taken as a whole if it restricts a MATCH. Otherwise SQLite asks for one row
    /// after the other.
    private func takeMatches(_ index: inout VirtualTableIndex, _ plan: inout PlanText) -> Bool {
        let hasMatch = index.constraints.contains(where: isMatch)
        var lists: [VirtualTableIndex.Constraint] = []
        for constraint in index.constraints {
            let column = constraint.column
            if isMatch(constraint) {
                guard constraint.isUsable, column >= 0 else { return false }
                if column == rankColumn {
                    if plan.has(.rank) { continue }
                    plan.append(.rank)
                } else {
                    plan.append(.match, column: column)
                }
                index.take(constraint, omit: true)
            } else if constraint.isUsable, let pattern = pattern(constraint) {
                plan.append(pattern, column: column)
                index.take(constraint)
            } else if constraint.isUsable, constraint.comparison == .equal, column < 0, !plan.has(.rowID) {
                if hasMatch, index.isList(constraint) {
                    lists.append(constraint)
                } else {
                    plan.append(.rowID)
                    index.take(constraint)
                }
            }
        }
        if let list = lists.first, !plan.has(.rowID) {
            plan.append(index.takeAllAtOnce(list) ? .rowIDs : .rowID)
            index.take(list)
        }
        return true
    }

    /// `rank = '...'` sets the rank function, as `rank MATCH` does.
    private func isMatch(_ constraint: VirtualTableIndex.Constraint) -> Bool {
        constraint.comparison == .match || constraint.comparison == .equal && constraint.column >= tableColumn
    }

    private func pattern(_ constraint: VirtualTableIndex.Constraint) -> PlanArgument? {
        guard let patterns, options.columns.indices.contains(constraint.column),
            !options.columns[constraint.column].isValue
        else { return nil }
        return switch constraint.comparison {
        case .glob: .glob
        case .like where patterns.servesLike: .like
        default: nil
        }
    }

    /// SQLite checks the rowids again, so that `<` can be taken as `<=`.
    private func takeBounds(_ index: inout VirtualTableIndex, _ plan: inout PlanText) {
        for constraint in index.constraints where constraint.column < 0 && constraint.isUsable {
            let argument: PlanArgument
            switch constraint.comparison {
            case .less, .lessOrEqual: argument = .lastRowID
            case .greater, .greaterOrEqual: argument = .firstRowID
            default: continue
            }
            guard !plan.has(argument) else { continue }
            plan.append(argument)
            index.take(constraint)
        }
    }

    /// Conditions on VALUE columns: the engine has these values, and compares texts by their bytes.
    private func takeValues(_ index: inout VirtualTableIndex, _ plan: inout PlanText) {
        for constraint in index.constraints
        where constraint.isUsable && valueColumns.contains(constraint.column) {
            let argument: PlanArgument
            switch constraint.comparison {
            case .equal: argument = index.isList(constraint) ? .valueIn : .valueEqual
            case .less: argument = .valueLess
            case .lessOrEqual: argument = .valueLessOrEqual
            case .greater: argument = .valueGreater
            case .greaterOrEqual: argument = .valueGreaterOrEqual
            case .isNull: argument = .valueNull
            case .isNotNull: argument = .valueNotNull
            default: continue
            }
            guard index.collation(of: constraint)?.equalsIgnoringASCIICase("binary") ?? true else { continue }
            if argument == .valueIn, !index.takeAllAtOnce(constraint) { continue }
            plan.append(argument, column: constraint.column)
            index.take(constraint, omit: true)
        }
    }

    /// `rank` may be followed by `rowid`: rows with equal ranks come in ascending order of rowids, even if ranks
    /// descend.
    private func order(_ index: VirtualTableIndex, _ plan: PlanText) -> PlanFlags {
        let terms = Array(index.orderBy)
        guard let term = terms.first, terms.count <= 3 else { return [] }
        if plan.has(.match), !plan.has(.rowID), valueColumns.contains(term.column) { return valueOrder(index, terms) }
        guard terms.count <= 2 else { return [] }
        if terms.count == 2 {
            // FTS5's function finds no positions there and returns 0 for all rows, which come in the order of their
            // rowids.
            guard content.hasTexts || options.detail == .full else { return [] }
            guard term.column == rankColumn, terms[1].column == -1, !terms[1].isDescending else { return [] }
        }
        var flags: PlanFlags
        switch term.column {
        case rankColumn where plan.has(.match): flags = .byRank
        case -1: flags = .byRowID
        default: return []
        }
        index.isOrdered = true
        if term.isDescending { flags.insert(.descending) }
        return flags
    }

    /// A VALUE column, perhaps followed by `rank`, and by `rowid`, which may descend if it follows the column.
    private func valueOrder(_ index: VirtualTableIndex, _ terms: [VirtualTableIndex.OrderTerm]) -> PlanFlags {
        // Groups are made of equal columns, and the several values of a row differ from what its column is.
        guard index.distinctness == .sorted, terms[0].column < 1 << 15 else { return [] }
        let rest = terms.dropFirst().map(\.column)
        guard [[], [-1], [rankColumn], [rankColumn, -1]].contains(rest) else { return [] }
        let descends = terms.dropFirst().contains { $0.isDescending }
        guard !descends || rest == [-1] else { return [] }
        index.isOrdered = true
        var flags = PlanFlags.byValue(terms[0].column)
        if rest.first == rankColumn { flags.insert(.thenByRank) }
        if descends { flags.insert(.thenByDescendingRowID) }
        if terms[0].isDescending { flags.insert(.descending) }
        return flags
    }

    /// Limits ranked rows to a range of ranks. SQLite checks the ranks again, so `<` can be taken as `<=`. For a row
    /// value such as `(rank, rowid) > (?, ?)` it offers the first comparison, `rank >= ?`.
    private func takeRanks(_ index: inout VirtualTableIndex, _ plan: inout PlanText) {
        for constraint in index.constraints where constraint.column == rankColumn && constraint.isUsable {
            let argument: PlanArgument
            switch constraint.comparison {
            case .less, .lessOrEqual: argument = .lastRank
            case .greater, .greaterOrEqual: argument = .firstRank
            default: continue
            }
            guard !plan.has(argument) else { continue }
            plan.append(argument)
            index.take(constraint)
        }
    }

    /// Passes LIMIT and OFFSET to a query for the best rows, which computes as many at first, and more if they are
    /// read. SQLite still counts the rows itself.
    private func takeLimit(_ index: inout VirtualTableIndex, _ plan: inout PlanText) {
        for constraint in index.constraints where constraint.isUsable {
            switch constraint.comparison {
            case .limit: plan.append(.limit)
            case .offset: plan.append(.offset)
            default: continue
            }
            index.take(constraint)
        }
    }

    private func setCost(_ index: inout VirtualTableIndex, _ plan: PlanText) {
        let isMatch = plan.has(.match)
        if plan.has(.rowID) || plan.has(.rowIDs) {
            index.estimatedCost = isMatch ? 100 : 10
            if !isMatch { index.isUnique = true }
        } else if plan.has(.firstRowID) && plan.has(.lastRowID) {
            index.estimatedCost = isMatch ? 500 : 250_000
        } else if plan.has(.firstRowID) || plan.has(.lastRowID) {
            index.estimatedCost = isMatch ? 750 : 750_000
        } else {
            index.estimatedCost = isMatch ? 1000 : 1_000_000
        }
    }
}
