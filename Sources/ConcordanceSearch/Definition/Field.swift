/// One searchable text of an index: a column of the table, text of related rows, or the value of an expression.
///
/// ```swift
/// SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
///     Field(\.title, weight: 10)
///     Field("notes").analyzed(by: .english)
///     Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
///     Field("city").computed("json_extract(address, '$.city')")
///     Field(\.dueDate).unindexed()
/// }
/// ```
public struct Field<Record>: Sendable {
    var definition: FieldDefinition

    /// The column of a property, under the column's name. A value that is not text is indexed as SQLite converts it to
    /// text: a number by its digits, a date as it is stored.
    ///
    /// - Parameters:
    ///   - keyPath: A stored property of the record.
    ///   - weight: How much a match in the field counts; 1 by default.
    public init<Value>(_ keyPath: KeyPath<Record, Value>, weight: Double = 1) where Record: Decodable {
        do {
            let column = try KeyPathColumns.name(of: keyPath)
            definition = FieldDefinition(name: column, source: .column(column), weight: weight)
        } catch {
            definition = FieldDefinition(name: "\(keyPath)", source: .invalid(error), weight: weight)
        }
    }

    /// The column of this name or, followed by `joined` or `computed`, a field of this name.
    public init(_ name: String, weight: Double = 1) {
        definition = FieldDefinition(name: name, source: .column(name), weight: weight)
    }

    /// The same field with the value of an SQL expression over the columns of the row as its text.
    ///
    /// ```swift
    /// SearchIndex("personTexts", of: Person.self, in: "people") {
    ///     Field("fullName").computed("firstName || ' ' || lastName")
    ///     Field("city").computed("json_extract(address, '$.city')")
    /// }
    /// ```
    ///
    /// - Parameter expression: SQL that gives the same result for the same row, at any time and on any connection:
    ///   functions of your own must be pure, and must be added to every connection that writes to the table. It may
    ///   read the columns of its own row only, including subqueries over `json_each`; use `joined` for text of other
    ///   rows.
    public func computed(_ expression: String) -> Field { with { $0.source = .expression(expression) } }

    /// The same field, stored with the row but not searched.
    public func unindexed() -> Field { with { $0.isIndexed = false } }

    /// The same field, as the one that `#word` in a typed query searches; if there are several, the first.
    public func holdingTags() -> Field { with { $0.holdsTags = true } }

    /// The same field with an analyzer of its own.
    public func analyzed(by analyzer: Analyzer) -> Field { with { $0.analyzer = analyzer } }

    /// The same field, in which only whole words match, not their beginnings.
    ///
    /// A half-typed word then matches in short fields, such as a title, and not some word of a long one, which also
    /// makes the search faster. The setting does not change the index.
    public func withoutPrefixes() -> Field { with { $0.matchesPrefixes = false } }

    /// The same field, in which words match only without typos: product names, say, or codes. The setting does not
    /// change the index.
    public func withoutTypos() -> Field { with { $0.allowsTypos = false } }

    /// The same field under another name.
    public func named(_ name: String) -> Field { with { $0.name = name } }

    func with(_ change: (inout FieldDefinition) -> Void) -> Field {
        var copy = self
        change(&copy.definition)
        return copy
    }
}
