import ConcordanceSQLite

/// What `bestIndex` tells the cursor besides the values: the order of the rows.
struct PlanFlags: OptionSet {
    let rawValue: Int32

    /// By rank.
    static let byRank = PlanFlags(rawValue: 0x20)
    /// By rowid.
    static let byRowID = PlanFlags(rawValue: 0x40)
    /// From the largest to the smallest.
    static let descending = PlanFlags(rawValue: 0x80)
}

/// What a value that a plan takes is for; the letters are those of the plan's text, each followed by the number of the
/// column where it has one.
enum PlanArgument: UInt8 {
    case match = 77  // "M"
    case rank = 114  // "r"
    case like = 76  // "L"
    case glob = 71  // "G"
    case rowID = 61  // "="
    case lastRowID = 60  // "<"
    case firstRowID = 62  // ">"
    case limit = 108  // "l"
    case offset = 111  // "o"
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
        index.planNumber = order(index, plan).rawValue
        takeLimit(&index, &plan)
        setCost(&index, plan)
        try index.setPlanText(plan.text)
    }

    /// The plan's text as it is written.
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

    /// Takes MATCH, patterns and a rowid; false where a MATCH cannot be had.
    private func takeMatches(_ index: inout VirtualTableIndex, _ plan: inout PlanText) -> Bool {
        for constraint in index.constraints {
            let column = constraint.column
            let isMatch =
                constraint.comparison == .match || constraint.comparison == .equal && column >= tableColumn
            if isMatch {
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
                plan.append(.rowID)
                index.take(constraint)
            }
        }
        return true
    }

    private func pattern(_ constraint: VirtualTableIndex.Constraint) -> PlanArgument? {
        guard let patterns, options.columns.indices.contains(constraint.column) else { return nil }
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

    private func order(_ index: VirtualTableIndex, _ plan: PlanText) -> PlanFlags {
        guard index.orderBy.count == 1, let term = index.orderBy.first else { return [] }
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

    /// Has LIMIT and OFFSET told to a query for the best rows, which computes so many at first, and more if it is asked:
    /// SQLite goes on to count the rows itself.
    private func takeLimit(_ index: inout VirtualTableIndex, _ plan: inout PlanText) {
        guard PlanFlags(rawValue: index.planNumber).contains(.byRank), !plan.has(.rowID) else { return }
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
        if plan.has(.rowID) {
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
