/// What a part of a query asks of a row of the full-text table: that it matches the pattern and fulfils all conditions.
struct QueryPart {
    /// What the engine is asked, and how deep its parentheses go.
    struct Pattern {
        var pattern: FTS5Pattern
        var nesting = 0
    }

    /// What SQL is asked, and how deep its parentheses go.
    struct Condition {
        var sql: SQL
        var nesting = 0
    }

    var pattern: Pattern?
    var conditions: [Condition] = []
    /// Whether the analyzer of some field makes nothing of the words: beside others they need not be found.
    var isOptional = false

    /// What no row fulfils.
    static let nothing = QueryPart(conditions: [Condition(sql: "0")])

    /// Parentheses in parentheses of a pattern: each takes three of the 100 entries of the stack that FTS5's parser has,
    /// and a phrase in fields of its own up to eight.
    static let patternNestingLimit = 29
    /// Parentheses in parentheses of a condition: each takes two or three of the 100 entries of the stack that SQLite's
    /// parser has, and the subquery inside up to twenty.
    static let conditionNestingLimit = 24
}

/// A query is nested deeper than the engine or SQLite can parse.
struct QueryTooDeep: Error {}

extension QueryPart.Pattern {
    /// Several patterns by an operator; nil for none.
    init?(_ patterns: [Self], joinedBy join: ([FTS5Pattern]) -> FTS5Pattern) throws(QueryTooDeep) {
        guard let first = patterns.first else { return nil }
        if patterns.count == 1 {
            self = first
        } else {
            let nesting = patterns.reduce(first.nesting) { max($0, $1.nesting) }
            try self.init(join(patterns.map(\.pattern)), around: nesting)
        }
    }

    /// A pattern around others.
    init(_ pattern: FTS5Pattern, around nesting: Int) throws(QueryTooDeep) {
        guard nesting < QueryPart.patternNestingLimit else { throw QueryTooDeep() }
        self.init(pattern: pattern, nesting: nesting + 1)
    }
}

// How parts go together, for rows of one table.
extension QueryPart {
    /// Rows that fulfil all parts, the optional ones only if there are no others; nil for no part.
    static func all(_ parts: [QueryPart]) throws(QueryTooDeep) -> QueryPart? {
        let needed = parts.filter { !$0.isOptional }
        let parts = needed.isEmpty ? parts : needed
        guard parts.count > 1 else { return parts.first }
        return QueryPart(
            pattern: try Pattern(parts.compactMap(\.pattern), joinedBy: FTS5Pattern.all),
            conditions: parts.flatMap(\.conditions), isOptional: needed.isEmpty)
    }

    /// Rows that fulfil one part or more; nil for no part.
    ///
    /// - Parameter isOptional: Whether the whole is optional; nil if it is where one of the parts is.
    static func any(
        _ parts: [QueryPart], in table: String, isOptional: Bool? = nil
    ) throws(QueryTooDeep) -> QueryPart? {
        guard let first = parts.first else { return nil }
        var whole = parts.count > 1 ? QueryPart() : first
        whole.isOptional = isOptional ?? parts.contains(where: \.isOptional)
        if parts.count == 1 { return whole }
        whole.pattern = try Pattern(
            parts.filter(\.conditions.isEmpty).compactMap(\.pattern), joinedBy: FTS5Pattern.any)
        let others = parts.filter { !$0.conditions.isEmpty }
        if others.isEmpty { return whole }
        // A MATCH can stand beside other alternatives in a subquery only.
        var alternatives: [Condition] = []
        if let pattern = whole.pattern { alternatives.append(try QueryPart(pattern: pattern).condition(in: table)) }
        for part in others { alternatives.append(try part.condition(in: table)) }
        whole.pattern = nil
        whole.conditions = [try Condition(alternatives, joinedBy: " OR ")]
        return whole
    }

    /// Rows of this part, or all rows if it asks for nothing, that fulfil none of the others.
    func excluding(_ others: [QueryPart], in table: String) throws(QueryTooDeep) -> QueryPart {
        var result = self
        let patterns = others.filter(\.conditions.isEmpty).compactMap(\.pattern)
        if let unwanted = try Pattern(patterns, joinedBy: FTS5Pattern.any) {
            if let wanted = pattern {
                result.pattern = try Pattern(
                    wanted.pattern.not(unwanted.pattern), around: max(wanted.nesting, unwanted.nesting))
            } else {
                result.conditions.append(try QueryPart(pattern: unwanted).condition(in: table).negated)
            }
        }
        for part in others where !part.conditions.isEmpty {
            result.conditions.append(try part.condition(in: table).negated)
        }
        return result
    }

    /// The whole as a condition that can stand anywhere.
    func condition(in table: String) throws(QueryTooDeep) -> Condition {
        guard let pattern else { return try Condition(conditions, joinedBy: " AND ") }
        let table: SQL = "\(identifier: table)"
        let match = Condition(
            sql: "\(table).rowid IN (SELECT rowid FROM \(table) WHERE \(table) MATCH \(pattern.pattern))")
        return try Condition([match] + conditions, joinedBy: " AND ")
    }
}

extension QueryPart.Condition {
    /// How many conditions stand side by side. SQLite makes a tree of them that is as high as they are many, and of
    /// which it allows 1,000 levels.
    private static let breadth = 64

    /// Several conditions, in parentheses unless there is one only.
    init(_ conditions: [Self], joinedBy word: SQL) throws(QueryTooDeep) {
        if let first = conditions.first, conditions.count == 1 {
            self = first
            return
        }
        var rest = conditions[...]
        var groups: [Self] = []
        while !rest.isEmpty {
            let group = rest.prefix(Self.breadth)
            rest = rest.dropFirst(Self.breadth)
            let nesting = group.reduce(0) { max($0, $1.nesting) }
            guard nesting < QueryPart.conditionNestingLimit else { throw QueryTooDeep() }
            groups.append(Self(sql: "(\(group.map(\.sql).joined(separator: word)))", nesting: nesting + 1))
        }
        try self.init(groups, joinedBy: word)
    }

    fileprivate var negated: Self { Self(sql: "NOT \(sql)", nesting: nesting + 1) }
}
