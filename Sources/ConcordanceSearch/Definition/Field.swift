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

    /// Creates a field from the column of a property, with the column's name. A value that is not text is indexed as
    /// SQLite converts it to text: a number by its digits, a date as it is stored.
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

    /// Creates a field from the column of this name or, if `joined` or `computed` follows, a field of this name.
    public init(_ name: String, weight: Double = 1) {
        definition = FieldDefinition(name: name, source: .column(name), weight: weight)
    }

    /// Returns the field with the value of an SQL expression over the columns of the row as its text.
    ///
    /// ```swift
    /// SearchIndex("personTexts", of: Person.self, in: "people") {
    ///     Field("fullName").computed("firstName || ' ' || lastName")
    ///     Field("city").computed("json_extract(address, '$.city')")
    /// }
    /// ```
    ///
    /// - Parameter expression: SQL that has the same result for the same row, at any time and on any connection:
    ///   functions of your own must be pure, and must be added to every connection that writes to the table. It may
    ///   read the columns of its own row only, including subqueries over `json_each`; use `joined` for text of other
    ///   rows.
    public func computed(_ expression: String) -> Field { with { $0.source = .expression(expression) } }

    /// Returns the field as a column of the full-text table that is not searched.
    ///
    /// The index stores its text only if it keeps all texts (see `Content`). To filter by a column, use a `Value`.
    public func unindexed() -> Field { with { $0.isIndexed = false } }

    /// Returns the field as the one that `#word` in a typed query searches; if there are several, the first one counts.
    public func holdingTags() -> Field { with { $0.holdsTags = true } }

    /// Returns the field with an analyzer of its own.
    public func analyzed(by analyzer: Analyzer) -> Field { with { $0.analyzer = analyzer } }

    /// Returns the field as one in which only whole words match, not the beginnings of words.
    ///
    /// Set this for a long text: a half-typed word then matches in the other fields, such as the title, but not every
    /// text in which some word begins with it. Searches are also faster. The setting does not change the index.
    public func withoutPrefixes() -> Field { with { $0.matchesPrefixes = false } }

    /// Returns the field as one in which words match only without typos, for example for product names or codes. The
    /// setting does not change the index.
    public func withoutTypos() -> Field { with { $0.allowsTypos = false } }

    /// Returns the field under another name.
    public func named(_ name: String) -> Field { with { $0.name = name } }

    func with(_ change: (inout FieldDefinition) -> Void) -> Field {
        var copy = self
        change(&copy.definition)
        return copy
    }
}
