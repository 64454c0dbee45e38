import ConcordanceSQLite

/// The definition of a full-text index that follows a table automatically: what can be searched in the table, and how.
///
/// ```swift
/// struct Reminder: Codable, Identifiable, Sendable {
///     var id: Int64
///     var title: String
///     var notes: String
///     var isCompleted: Bool
/// }
///
/// let reminderTexts = SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
///     Field(\.title, weight: 10)
///     Field(\.notes, weight: 5)
///     Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
///     Analysis(.standard)
/// }
/// try await dbPool.install(reminderTexts)
/// let page = try await dbPool.search(reminderTexts, "get groc -milk", limit: 20)
/// ```
///
/// A definition is a value and touches no database. `install` checks it against the existing tables, and throws for a
/// name that does not exist or a key path without a column.
public struct SearchIndex<Record: Sendable>: Sendable {
    /// What the index holds, without the type of its records.
    package internal(set) var definition: IndexDefinition
    let selection: [SearchSelection]
    let decode: @Sendable (Row) throws -> Record

    package init(
        _ name: String, table: String, engine: SearchEngine, elements: [IndexElement<Record>],
        selection: [SearchSelection] = [.allColumns], decode: @escaping @Sendable (Row) throws -> Record
    ) {
        definition = IndexDefinition(name: name, table: table, engine: engine, elements: elements.map(\.part))
        self.selection = selection
        self.decode = decode
    }

    /// Creates an index over a table whose rows a function decodes into records, for libraries that have records of
    /// their own.
    ///
    /// - Parameters:
    ///   - name: The name of the index, which is the name of its full-text table in the database.
    ///   - record: The type of the records.
    ///   - table: The table with the rows. A key path stands for the column of its coding key.
    ///   - engine: The full-text engine that stores the index.
    ///   - decode: Returns the record for a row with all columns of the table.
    ///   - content: Fields, in the order of the full-text table's columns; `Analysis`, `Ranking`, `Content` and
    ///     `QueryRules` to replace the defaults.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        decodedBy decode: @escaping @Sendable (Row) throws -> Record,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) {
        self.init(name, table: table, engine: engine, elements: content(), decode: decode)
    }

    /// Creates an index over a table whose rows are not decoded into records.
    public init(
        _ name: String, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record == Row {
        self.init(name, table: table, engine: engine, elements: content()) { $0 }
    }
}
