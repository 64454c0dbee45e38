import CSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// The auxiliary function that gives a query's `rank`, with the values of its arguments; both are found when they are
/// first needed.
struct RankFunction {
    let specification: RankSpecification
    private var function: AuxiliaryFunction?
    /// A statement that stands at its row, the arguments.
    private var arguments: KeptStatement?
    /// The values of that row.
    private var values: [OpaquePointer?] = []

    init(_ specification: RankSpecification) { self.specification = specification }

    /// The weights of the columns where the function is BM25 of ours; nil for any other.
    mutating func bm25Weights(_ table: FullTextTable) throws -> [Double]? {
        guard specification.function.equalsIgnoringASCIICase("bm25"),
            table.registry.isBuiltIn(function: specification.function)
        else { return nil }
        try evaluateArguments(table)
        return values.map { BorrowedValue($0).double }
    }

    /// Calls the function for the cursor's row.
    mutating func call(_ cursor: TableCursor, _ result: ResultContext) throws {
        let function = try find(cursor.table)
        values.withUnsafeBufferPointer { cursor.invoke(function, $0, into: result) }
    }

    /// Finds the function, and the values of its arguments.
    @discardableResult
    mutating func find(_ table: FullTextTable) throws -> AuxiliaryFunction {
        if let function { return function }
        try evaluateArguments(table)
        guard let found = table.registry.function(named: specification.function) else {
            throw failure("no such function: \(specification.function)")
        }
        function = found
        return found
    }

    private mutating func evaluateArguments(_ table: FullTextTable) throws {
        guard arguments == nil, !specification.arguments.isEmpty else { return }
        let statement = try KeptStatement(table.connection, "SELECT \(specification.arguments)")
        _ = try statement.step()
        arguments = statement
        values = (0..<statement.columnCount).map { statement.value(at: Int32(clamping: $0)).pointer }
    }
}
