/// A value that an index keeps beside its texts, so that searches filter, sort and count by it in the engine: a column of the
/// table, values of related rows, or the value of an expression.
///
/// ```swift
/// SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
///     Field(\.title)
///     Value(\.dueDate)
///     Value("tags").joined("tags", \.title, through: "reminderTags")
///     Value("year").computed("CAST(strftime('%Y', dueDate) AS INTEGER)")
/// }
/// ```
///
/// Nothing else of a search changes: `filter`, `order` and `facet` by such a value go to the engine by themselves. An index that
/// FTS5 keeps has no values: `SearchIndexError.invalidField`.
public struct Value<Record>: Sendable {
    var field: Field<Record>

    private init(_ field: Field<Record>) {
        self.field = field.with {
            $0.isIndexed = false
            $0.isValue = true
        }
    }

    /// The column of a property, under the column's name.
    ///
    /// - Parameter keyPath: A stored property of the record.
    public init<Property>(_ keyPath: KeyPath<Record, Property>) where Record: Decodable { self.init(Field(keyPath)) }

    /// The column of this name; or, with `joined` or `computed` behind it, a value of this name.
    public init(_ name: String) { self.init(Field(name)) }

    /// The same with the value of a SQL expression over the columns of the row, as `Field.computed(_:)` has it.
    public func computed(_ expression: String) -> Value { Value(field.computed(expression)) }

    /// The same with the values of related rows, of which each row may have several.
    ///
    /// - Parameters:
    ///   - table: The table with the values.
    ///   - column: Its column with the values.
    ///   - steps: The tables between, in the order from the index's table.
    public func joined(
        _ table: Relation.Step, _ column: KeyPath<RelatedColumns, RelatedColumn>, through steps: Relation.Step...
    ) -> Value {
        joined(Relation(steps: steps + [table], column: RelatedColumns()[keyPath: column].name))
    }

    /// The same with the values of related rows, their column by its name.
    public func joined(_ table: Relation.Step, _ column: String, through steps: Relation.Step...) -> Value {
        joined(Relation(steps: steps + [table], column: column))
    }

    /// The same with the values of the rows that a relation leads to.
    public func joined(_ relation: Relation) -> Value { Value(field.joined(relation)) }

    /// The same under another name.
    public func named(_ name: String) -> Value { Value(field.named(name)) }
}
