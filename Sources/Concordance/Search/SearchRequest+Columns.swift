import ConcordanceSQLite
import ConcordanceSearch

extension SearchRequest {
    /// Adds a condition over the properties of the record: `filter { $0.isCompleted == false }`.
    public func filter(_ predicate: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        filter(predicate(columns))
    }

    /// Replaces the order by properties of the record: `order { $0.isCompleted }`, or
    /// `order({ $0.isCompleted }, { $0.dueDate.desc })`.
    public func order(
        _ term: (SourceColumns<Record>) -> any SQLOrderingTerm,
        _ more: ((SourceColumns<Record>) -> any SQLOrderingTerm)...
    ) -> Self {
        order([term(columns)] + more.map { $0(columns) })
    }

    /// Multiplies each score by an expression over properties of the record: `boosted { $0.priority + 1 }`.
    public func boosted(by factor: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        boosted(by: factor(columns))
    }

    /// Groups the rows by an expression over properties of the record: `grouped { $0.listID }`.
    public func grouped(by expression: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        grouped(by: expression(columns))
    }

    private var columns: SourceColumns<Record> { SourceColumns() }
}

/// The columns of an indexed table, by the properties of its records or by name.
@dynamicMemberLookup
public struct SourceColumns<Record>: Sendable {
    /// The column with this name.
    public subscript(_ name: String) -> SQLExpression { SQLExpression(.column(name, alias: nil)) }
}

extension SourceColumns where Record: Decodable {
    /// The column that stores a property.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> TypedColumn<Value> {
        let coding = Record.self as? any RecordCoding.Type ?? PlainCoding.self
        do {
            let column = try KeyPathColumns.name(of: keyPath)
            return TypedColumn(name: column, coding: coding, sqlExpression: self[column])
        } catch {
            return TypedColumn(name: "", coding: coding, sqlExpression: SQLExpression(.invalid(error)))
        }
    }
}
