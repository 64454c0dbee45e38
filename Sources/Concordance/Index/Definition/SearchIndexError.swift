/// What is wrong with an index, or with the use of one.
public enum SearchIndexError: Error, Hashable, Sendable {
    /// The table that is to be indexed does not exist; `known` are those that do.
    case noSuchTable(String, index: String, known: [String])
    /// A field wants a column that its table does not have; `known` are those that it has.
    case noSuchColumn(String, table: String, index: String, known: [String])
    /// No field of the index has this name; `known` are those that there are.
    case noSuchField(String, index: String, known: [String])
    /// The index is not in this database.
    case notInstalled(String)
}

extension SearchIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchTable(let table, let index, let known):
            "index \(index) wants table \(table), which does not exist; tables are: \(known.joined(separator: ", "))"
        case .noSuchColumn(let column, let table, let index, let known):
            "index \(index) wants column \(column) of table \(table), which has: \(known.joined(separator: ", "))"
        case .noSuchField(let field, let index, let known):
            "index \(index) has no field \(field); it has: \(known.joined(separator: ", "))"
        case .notInstalled(let index):
            "index \(index) is not in this database; call install first"
        }
    }
}
