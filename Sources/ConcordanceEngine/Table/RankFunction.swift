import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// The auxiliary function that gives a query's `rank`, with the values of its arguments; both are found when they are
/// first needed.
struct RankFunction {
    let specification: RankSpecification
    private var function: AuxiliaryFunction?
    /// A statement positioned at its row, which has the arguments.
    private var arguments: KeptStatement?
    /// The values of that row.
    private var values: [OpaquePointer?] = []

    init(_ specification: RankSpecification) { self.specification = specification }

    /// The ranking that the engine computes itself; nil for other functions, and where the index does not have the places
    /// of hits that the ranking counts.
    mutating func ranking(_ table: FullTextTable) throws -> Ranking? {
        guard table.registry.isBuiltIn(function: specification.function) else { return nil }
        // The arguments are literals, and to evaluate them costs as much as the query of a rare word.
        if let known = table.lastRanking, known.specification == specification { return known.ranking }
        let ranking = try evaluateRanking(table)
        table.lastRanking = (specification, ranking)
        return ranking
    }

    private mutating func evaluateRanking(_ table: FullTextTable) throws -> Ranking? {
        if specification.function.equalsIgnoringASCIICase("bm25") {
            try evaluateArguments(table)
            return Ranking(weights: values.map { BorrowedValue($0).double })
        }
        guard specification.function.equalsIgnoringASCIICase(ConcordanceRanking.name) else { return nil }
        try evaluateArguments(table)
        let columnCount = table.options.columns.count
        return values.withUnsafeBufferPointer { values in
            let arguments = RankArguments(values.baseAddress, count: Int32(clamping: values.count))
            if arguments.parameters.hasBonus, table.options.detail != .full { return nil }
            return Ranking(
                parameters: arguments.parameters,
                weights: (0..<columnCount).map { arguments.weight(ofColumn: Int32(clamping: $0)) },
                fieldB: arguments.isFieldwise(columnCount: columnCount)
                    ? (0..<columnCount).map { arguments.fieldB(ofColumn: $0, columnCount: columnCount) } : nil)
        }
    }

    /// Calls the function for the cursor's row.
    mutating func call(_ cursor: TableCursor, _ result: ResultContext) throws {
        let function = try find(cursor.table)
        try values.withUnsafeBufferPointer { values in
            let arguments = BorrowedValues(values)
            if try cursor.setScore(inPlaceOf: ObjectIdentifier(function), arguments, result) { return }
            try cursor.invoke(function, arguments, into: result)
        }
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
