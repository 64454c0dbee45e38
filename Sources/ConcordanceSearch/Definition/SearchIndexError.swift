import ConcordanceText

/// An error in the definition, the installation or the use of an index.
public enum SearchIndexError: Error, Hashable, Sendable {
    /// The definition as a whole is not valid: its name, prefix lengths or ranking, or it has no indexed field.
    case invalidIndex(String, reason: String)
    /// A field of the definition is not valid: its name, key path, weight, analyzer or relation.
    case invalidField(String, index: String, reason: String)
    /// The SQL of a computed field is not an expression over its row that always gives the same result.
    case invalidExpression(String, field: String, index: String, reason: String)

    /// A table of the definition does not exist; `known` lists the tables that do.
    case noSuchTable(String, index: String, known: [String])
    /// A table of the definition exists but cannot be followed; `reason` says why, and what to do.
    case unsupportedTable(String, index: String, reason: String)
    /// A field needs a column that its table does not have; `known` lists the columns that it has.
    case noSuchColumn(String, table: String, index: String, known: [String])
    /// No foreign key leads from one table of a relation to the next.
    case noForeignKey(from: String, to: String, field: String, index: String)
    /// Several foreign keys lead from one table of a relation to the next; each of `choices` is a step that names one
    /// of them.
    case ambiguousForeignKey(from: String, to: String, field: String, index: String, choices: [String])

    /// Something else in the database has a name that the index needs.
    case nameTaken(String, index: String)
    /// An index with that name is installed over another table, which still exists.
    case otherIndex(String, table: String)
    /// The connection cannot write to the database.
    case readOnly(index: String)
    /// The index is not in this database.
    case notInstalled(String)
    /// The index with that name in this database has another definition.
    case superseded(String)

    /// The index is damaged in the database; `reason` is the message of SQLite or of the engine.
    case damaged(String, reason: String)

    /// A number of the ranking, or the weight of a field, is not valid; `reason` says which and why.
    case invalidRanking(_ reason: String, index: String)
    /// No field of the index has this name; `known` lists the names of its fields.
    case noSuchField(String, index: String, known: [String])
    /// A query is nested deeper than the engine can evaluate, or than SQLite can parse its conditions.
    case queryTooDeep(index: String)
    /// The cursor comes from a search with another index, query, order or grouping.
    case foreignCursor(index: String)
    /// A search of an index over one table is used in a request for rows of another.
    case otherTable(String, index: String, indexed: String)
}

extension SearchIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidIndex(let index, let reason):
            "index \(index) is not valid: \(reason)"
        case .invalidField(let field, let index, let reason):
            "field \(field) of index \(index) is not valid: \(reason)"
        case .invalidExpression(let expression, let field, let index, let reason):
            "the expression of field \(field) of index \(index) cannot be used: \(reason): \(expression.prefix(200))"
        case .noSuchTable(let table, let index, let known):
            "index \(index) needs table \(table), which does not exist"
                + Self.hint(table, known, nothing: "the database has no tables; create them before the index")
        case .unsupportedTable(let table, let index, let reason):
            "index \(index) cannot follow \(table): \(reason)"
        case .noSuchColumn(let column, let table, let index, let known):
            "index \(index) needs column \(column) of table \(table), which does not exist"
                + Self.hint(column, known, nothing: "the table has no columns")
        case .noForeignKey(let from, let to, let field, let index):
            """
            field \(field) of index \(index) goes from table \(from) to \(to), and no foreign key connects the two; \
            say which columns are equal: Relation.Step("\(to)", on: "its column", equals: "a column of \(from)")
            """
        case .ambiguousForeignKey(let from, let to, let field, let index, let choices):
            """
            field \(field) of index \(index) goes from table \(from) to \(to), which several foreign keys connect; \
            say which one, instead of "\(to)": \(choices.joined(separator: ", or "))
            """
        case .nameTaken(let name, let index):
            """
            index \(index) needs the name \(name), which something else in the database has; choose another name for \
            the index, or drop what has that name
            """
        case .otherIndex(let index, let table):
            """
            index \(index) is already installed over table \(table); rename one of the two, or uninstall the one over \
            \(table) if it is no longer needed
            """
        case .readOnly(let index):
            "index \(index) cannot be installed on a read-only connection; use one that can write"
        case .invalidRanking(let reason, let index): "the ranking of index \(index) is not valid: \(reason)"
        case .otherTable(let table, let index, let indexed):
            "index \(index) is over table \(indexed), so it cannot match rows of \(table); join the subquery that matchesSQL(_:) returns"
        case .notInstalled(let index):
            "index \(index) is not in this database; call install first"
        case .superseded(let index):
            "index \(index) has another definition in the database; call install with the one that you want"
        case .damaged(let index, let reason):
            "index \(index) is damaged: \(reason); call rebuild, which builds it again from the "
                + "indexed table"
        case .noSuchField(let field, let index, let known):
            "index \(index) has no field \(field)" + Self.hint(field, known, nothing: "it has no fields")
        case .queryTooDeep(let index):
            "a query of index \(index) nests alternatives and exclusions too deeply; use fewer levels of parentheses"
        case .foreignCursor(let index):
            "the cursor does not belong to this search of index \(index); use one with the same query, order and "
                + "grouping, or start without a cursor"
        }
    }

    /// The most names that a message lists.
    private static let listLimit = 40

    /// The nearest existing name, and the list of names.
    private static func hint(_ name: String, _ known: [String], nothing: String) -> String {
        guard !known.isEmpty else { return "; " + nothing }
        let nearest = nearestName(to: name, in: known).map { "; did you mean \($0)?" } ?? ";"
        let more = known.count > listLimit ? " and \(known.count - listLimit) more" : ""
        return "\(nearest) There are: \(known.prefix(listLimit).joined(separator: ", "))\(more)"
    }

    /// The existing name with the smallest edit distance; nil if the edits would change more than a third of the name
    /// or, in short names, more than one transposition.
    static func nearestName(to name: String, in known: [String]) -> String? {
        let wanted = Array(name.lowercasedASCII.unicodeScalars.prefix(100))
        let limit = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
        let distances = known.map { ($0, editDistance(wanted, Array($0.lowercasedASCII.unicodeScalars.prefix(100)))) }
        return distances.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
    }

    /// The Levenshtein distance, computed one row of the table at a time.
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let substituted = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
