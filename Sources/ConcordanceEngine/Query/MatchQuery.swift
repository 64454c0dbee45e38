import ConcordanceFTS5
import ConcordanceSQLite

/// A query that a statement passes to one of our tables as an object, on the right of `MATCH`, without printing it.
///
/// SQLite restarts a table's scan for each row of an outer loop, and statements are executed repeatedly, so the
/// compiled query of each table is kept.
package final class MatchQuery: Sendable {
    /// The query itself.
    package let tree: QueryTree
    /// Limits the query to these rows; nil for all.
    package let rows: RowSet?
    /// Limits the query to rows whose values fulfil these conditions; empty for all.
    package let conditions: [StoredCondition]
    /// Receives the words that the index does not have.
    package let report: TypoReport?
    private let compiled = Locked<Compiled?>(nil)

    /// The pointer type under which SQLite passes queries.
    static let pointerType = PointerType<MatchQuery>("concordance query")

    private struct Compiled {
        let expression: QueryExpression
        let table: TableIdentity
        let column: Int?
    }

    package init(
        _ tree: QueryTree, in rows: RowSet? = nil, where conditions: [StoredCondition] = [], report: TypoReport? = nil
    ) {
        self.tree = tree
        self.rows = rows
        self.conditions = conditions
        self.report = report
    }

    /// The query as an argument of a statement.
    package var argument: PointerArgument { PointerArgument(self, type: Self.pointerType) }

    /// The query compiled for the table with this identity.
    func expression(
        for table: TableIdentity, column: Int?, compile: (QueryTree) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        let known = compiled.withLock { $0 }
        if let known, known.table === table, known.column == column { return known.expression }
        // The tokenizer may run code of the app, so no lock is held here.
        let expression = try compile(tree)
        compiled.withLock { $0 = Compiled(expression: expression, table: table, column: column) }
        return expression
    }
}

extension MatchQuery: Hashable {
    package static func == (left: MatchQuery, right: MatchQuery) -> Bool {
        left === right || left.rows === right.rows && left.conditions == right.conditions && left.tree == right.tree
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(tree) }
}

/// Identifies a table object of the process. Each has a tokenizer and columns of its own.
final class TableIdentity: Sendable {}
