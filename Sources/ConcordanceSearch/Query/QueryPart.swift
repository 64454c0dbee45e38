import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite

/// What a part of a query requires of a row of the full-text table: that it matches the tree and fulfils all
/// conditions.
struct QueryPart {
    /// A condition for SQLite, and the depth of its parentheses.
    struct Condition {
        var sql: SQL
        var nesting = 0
    }

    /// What the engine is asked.
    var tree: QueryTree?
    var conditions: [Condition] = []
    /// Whether some field's analyzer makes no token of the words: beside other words they need not match.
    var isOptional = false

    /// A condition that no row fulfils.
    static let nothing = QueryPart(conditions: [Condition(sql: "0")])

    /// How deep the parentheses of a condition may be nested: each takes two or three of the 100 entries of the stack
    /// of SQLite's parser, and the subquery inside up to twenty.
    static let conditionNestingLimit = 24
}

/// A query is nested more deeply than the engine or SQLite accepts.
struct QueryTooDeep: Error {}

/// The full-text table that a query is for.
struct MatchedTable {
    let name: String
    /// The engine that stores it.
    let engine: SearchEngine
    /// Receives the words of the query that the index does not have.
    let report = TypoReport()

    /// `"index" MATCH ?`
    func matches(_ tree: QueryTree, where conditions: [StoredCondition] = []) throws(QueryTooDeep) -> SQL {
        "\(identifier: name) MATCH \(try engine.argument(for: tree, where: conditions, report))"
    }
}

// How parts combine, for rows of one table.
extension QueryPart {
    /// Rows that fulfil all parts, optional ones only if there are no others; nil without parts.
    static func all(_ parts: [QueryPart]) -> QueryPart? {
        let needed = parts.filter { !$0.isOptional }
        let parts = needed.isEmpty ? parts : needed
        guard parts.count > 1 else { return parts.first }
        return QueryPart(
            tree: tree(of: parts.compactMap(\.tree), QueryTree.all), conditions: parts.flatMap(\.conditions),
            isOptional: needed.isEmpty)
    }

    /// Several trees as one; nil without trees.
    private static func tree(of trees: [QueryTree], _ join: ([QueryTree]) -> QueryTree) -> QueryTree? {
        trees.isEmpty ? nil : join(trees)
    }

    /// Rows that fulfil at least one part; nil without parts.
    ///
    /// - Parameter isOptional: Whether the whole is optional; nil to derive it: it is if one of the parts is.
    static func any(
        _ parts: [QueryPart], in table: MatchedTable, isOptional: Bool? = nil
    ) throws(QueryTooDeep) -> QueryPart? {
        guard let first = parts.first else { return nil }
        var whole = parts.count > 1 ? QueryPart() : first
        whole.isOptional = isOptional ?? parts.contains(where: \.isOptional)
        if parts.count == 1 { return whole }
        whole.tree = tree(of: parts.filter(\.conditions.isEmpty).compactMap(\.tree), QueryTree.any)
        let others = parts.filter { !$0.conditions.isEmpty }
        if others.isEmpty { return whole }
        // Beside other alternatives a MATCH must be in a subquery.
        var alternatives: [Condition] = []
        if let tree = whole.tree { alternatives.append(try QueryPart(tree: tree).condition(in: table)) }
        for part in others { alternatives.append(try part.condition(in: table)) }
        whole.tree = nil
        whole.conditions = [try Condition(alternatives, joinedBy: " OR ")]
        return whole
    }

    /// Rows of this part, or all rows if it asks for nothing, that fulfil none of the others.
    func excluding(_ others: [QueryPart], in table: MatchedTable) throws(QueryTooDeep) -> QueryPart {
        var result = self
        let trees = others.filter(\.conditions.isEmpty).compactMap(\.tree)
        if let unwanted = Self.tree(of: trees, QueryTree.any) {
            if let wanted = tree {
                result.tree = wanted.excluding(unwanted)
            } else {
                result.conditions.append(try QueryPart(tree: unwanted).condition(in: table).negated)
            }
        }
        for part in others where !part.conditions.isEmpty {
            result.conditions.append(try part.condition(in: table).negated)
        }
        return result
    }

    /// The whole part as a condition that is valid anywhere.
    func condition(in table: MatchedTable) throws(QueryTooDeep) -> Condition {
        guard let tree else { return try Condition(conditions, joinedBy: " AND ") }
        let name: SQL = "\(identifier: table.name)"
        let match = Condition(
            sql: "\(name).rowid IN (SELECT rowid FROM \(name) WHERE \(try table.matches(tree)))")
        return try Condition([match] + conditions, joinedBy: " AND ")
    }
}

extension QueryPart.Condition {
    /// How many conditions are written side by side. SQLite turns them into a tree whose height is their number, and
    /// allows 1,000 levels.
    private static let breadth = 64

    /// Several conditions, in parentheses unless there is only one.
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
