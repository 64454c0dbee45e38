/// What is wrong with an index, or with the use of one.
public enum SearchIndexError: Error, Hashable, Sendable {
    /// The table that is to be indexed does not exist; `known` are those that do.
    case noSuchTable(String, index: String, known: [String])
    /// A field wants a column that its table does not have; `known` are those that it has.
    case noSuchColumn(String, table: String, index: String, known: [String])
    /// The rows of the table cannot be indexed; `reason` says why.
    case unsupportedTable(String, index: String, reason: String)
    /// A step of a relation is not one foreign key; `choices` are those that there are.
    case noForeignKey(from: String, to: String, field: String, index: String, choices: [String])
    /// No field of the index has this name; `known` are those that there are.
    case noSuchField(String, index: String, known: [String])
    /// A query is nested deeper than SQLite can parse.
    case queryTooDeep(index: String)
    /// The cursor is that of a search with another index, query, order or grouping.
    case foreignCursor(index: String)
    /// A number of the ranking, or the weight of a field, cannot be; `reason` says which and why.
    case invalidRanking(_ reason: String, index: String)
    /// The index is not in this database.
    case notInstalled(String)
    /// The index of that name in this database has another definition.
    case superseded(String)
}

extension SearchIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchTable(let table, let index, let known):
            "index \(index) wants table \(table), which does not exist; tables are: \(known.joined(separator: ", "))"
        case .noSuchColumn(let column, let table, let index, let known):
            "index \(index) wants column \(column) of table \(table), which has: \(known.joined(separator: ", "))"
        case .unsupportedTable(let table, let index, let reason):
            "index \(index) cannot be made over \(table): \(reason)"
        case .noForeignKey(let from, let to, let field, let index, let choices):
            "field \(field) of index \(index) goes from table \(from) to \(to), between which there is no single foreign "
                + "key; say which columns are equal with Step(\"\(to)\", on: …, equals: …): \(choices.joined(separator: "; "))"
        case .noSuchField(let field, let index, let known):
            "index \(index) has no field \(field); it has: \(known.joined(separator: ", "))"
        case .queryTooDeep(let index):
            "a query of index \(index) has too many alternatives and exclusions inside one another; put them side by side"
        case .foreignCursor(let index):
            "the cursor is not one of this search of index \(index); take that of a page with the same query, order and "
                + "grouping, or begin without one"
        case .invalidRanking(let reason, let index): "the ranking of index \(index) cannot work: \(reason)"
        case .notInstalled(let index):
            "index \(index) is not in this database; call install first"
        case .superseded(let index):
            "the database has an index \(index) with another definition; call install with the one that is to hold"
        }
    }
}
