/// A value that an index stores beside its texts, so that the engine can filter, sort and count by it: a column of the
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
/// Requests stay the same: the engine answers `filter`, `order` and `facet` by such a value automatically. FTS5 stores
/// no values: with `engine: .fts5`, `install` throws `SearchIndexError.invalidField`.
public struct Value<Record>: Sendable {
    var field: Field<Record>

    private init(_ field: Field<Record>) {
        self.field = field.with {
            $0.isIndexed = false
            $0.isValue = true
        }
    }

    /// Creates a value from the column of a property, with the column's name.
    ///
    /// - Parameter keyPath: A stored property of the record.
    public init<Property>(_ keyPath: KeyPath<Record, Property>) where Record: Decodable { self.init(Field(keyPath)) }

    /// Creates a value from the column of this name or, if `joined` or `computed` follows, a value of this name.
    public init(_ name: String) { self.init(Field(name)) }

    /// Returns the value, computed by an SQL expression over the columns of the row; see `Field.computed(_:)`.
    public func computed(_ expression: String) -> Value { Value(field.computed(expression)) }

    /// Returns the value, taken from related rows, of which each row may have several.
    ///
    /// - Parameters:
    ///   - table: The table with the values.
    ///   - column: Its column with the values.
    ///   - steps: The tables between, in order, starting from the index's table.
    public func joined(
        _ table: Relation.Step, _ column: KeyPath<RelatedColumns, RelatedColumn>, through steps: Relation.Step...
    ) -> Value {
        joined(Relation(steps: steps + [table], column: RelatedColumns()[keyPath: column].name))
    }

    /// Returns the value, taken from related rows, with the column given by name.
    public func joined(_ table: Relation.Step, _ column: String, through steps: Relation.Step...) -> Value {
        joined(Relation(steps: steps + [table], column: column))
    }

    /// The same value, taken from the rows that a relation leads to.
    package func joined(_ relation: Relation) -> Value { Value(field.joined(relation)) }

    /// Returns the value under another name.
    public func named(_ name: String) -> Value { Value(field.named(name)) }
}
