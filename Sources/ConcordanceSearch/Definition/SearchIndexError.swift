import ConcordanceText

/// What is wrong with an index, or with the use of one.
public enum SearchIndexError: Error, Hashable, Sendable {
    /// The definition as a whole cannot be: its name, its lengths of prefixes, its ranking, no indexed field.
    case invalidIndex(String, reason: String)
    /// A field of the definition cannot be: its name, its key path, weight, analyzer or relation.
    case invalidField(String, index: String, reason: String)
    /// The SQL of a computed field is not an expression over its row that always gives the same.
    case invalidExpression(String, field: String, index: String, reason: String)

    /// A table of the definition does not exist; `known` are those that do.
    case noSuchTable(String, index: String, known: [String])
    /// A table of the definition exists, and cannot be followed; `reason` says why, and what to do.
    case unsupportedTable(String, index: String, reason: String)
    /// A field wants a column that its table does not have; `known` are those that it has.
    case noSuchColumn(String, table: String, index: String, known: [String])
    /// No foreign key leads from one table of a relation to the next.
    case noForeignKey(from: String, to: String, field: String, index: String)
    /// Several foreign keys lead from one table of a relation to the next; `choices` are the steps that name one each.
    case ambiguousForeignKey(from: String, to: String, field: String, index: String, choices: [String])

    /// The database has something of a name that the index needs, and it does not belong to this index.
    case nameTaken(String, index: String)
    /// An index of that name is installed over another table, which still exists.
    case otherIndex(String, table: String)
    /// The connection cannot write to the database.
    case readOnly(index: String)
    /// The index is not in this database.
    case notInstalled(String)
    /// The index of that name in this database has another definition.
    case superseded(String)

    /// What the database holds of the index is damaged; `reason` is what SQLite or the engine says.
    case damaged(String, reason: String)

    /// A number of the ranking, or the weight of a field, cannot be; `reason` says which and why.
    case invalidRanking(_ reason: String, index: String)
    /// No field of the index has this name; `known` are those that there are.
    case noSuchField(String, index: String, known: [String])
    /// A query is nested deeper than the engine can evaluate, or than SQLite can parse its conditions.
    case queryTooDeep(index: String)
    /// The cursor is that of a search with another index, query, order or grouping.
    case foreignCursor(index: String)
    /// A search of an index over one table stands in a request for rows of another.
    case otherTable(String, index: String, indexed: String)
}

extension SearchIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidIndex(let index, let reason):
            "index \(index) cannot be: \(reason)"
        case .invalidField(let field, let index, let reason):
            "field \(field) of index \(index) cannot be: \(reason)"
        case .invalidExpression(let expression, let field, let index, let reason):
            "the expression of field \(field) of index \(index) cannot be used: \(reason): \(expression.prefix(200))"
        case .noSuchTable(let table, let index, let known):
            "index \(index) wants table \(table), which does not exist"
                + Self.hint(table, known, nothing: "the database has no tables; create them before the index")
        case .unsupportedTable(let table, let index, let reason):
            "index \(index) cannot follow \(table): \(reason)"
        case .noSuchColumn(let column, let table, let index, let known):
            "index \(index) wants column \(column) of table \(table), which does not exist"
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
            index \(index) needs the name \(name), which the database uses for something else; choose another name for \
            the index, or drop what has the name
            """
        case .otherIndex(let index, let table):
            """
            an index \(index) over table \(table) is installed; give one of the two another name, or uninstall the one over \
            \(table) if it is no longer needed
            """
        case .readOnly(let index):
            "index \(index) cannot be installed, since the connection cannot write; use one that can"
        case .invalidRanking(let reason, let index): "the ranking of index \(index) cannot work: \(reason)"
        case .otherTable(let table, let index, let indexed):
            "index \(index) is over table \(indexed), and cannot say which rows of \(table) match; use matchesSQL and join"
        case .notInstalled(let index):
            "index \(index) is not in this database; call install first"
        case .superseded(let index):
            "the database has an index \(index) with another definition; call install with the one that is to hold"
        case .damaged(let index, let reason):
            "what the database holds of index \(index) is damaged: \(reason); call rebuild, which makes it anew from the "
                + "indexed table"
        case .noSuchField(let field, let index, let known):
            "index \(index) has no field \(field)" + Self.hint(field, known, nothing: "it has no fields")
        case .queryTooDeep(let index):
            "a query of index \(index) has too many alternatives and exclusions inside one another; put them side by side"
        case .foreignCursor(let index):
            "the cursor is not one of this search of index \(index); take that of a page with the same query, order and "
                + "grouping, or begin without one"
        }
    }

    /// How many names a message lists at most.
    private static let listLimit = 40

    /// The nearest of the names that exist, and the names.
    private static func hint(_ name: String, _ known: [String], nothing: String) -> String {
        guard !known.isEmpty else { return "; " + nothing }
        let nearest = nearestName(to: name, in: known).map { "; did you mean \($0)?" } ?? ";"
        let more = known.count > listLimit ? " and \(known.count - listLimit) more" : ""
        return "\(nearest) There are: \(known.prefix(listLimit).joined(separator: ", "))\(more)"
    }

    /// The name that fewest edits make of another one; nil where they would change more than a third of it, or of short
    /// names more than two neighbours in the wrong order do.
    static func nearestName(to name: String, in known: [String]) -> String? {
        let wanted = Array(name.lowercasedASCII.unicodeScalars.prefix(100))
        let limit = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
        let distances = known.map { ($0, editDistance(wanted, Array($0.lowercasedASCII.unicodeScalars.prefix(100)))) }
        return distances.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
    }

    /// Levenshtein's distance, a row of the table at a time.
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
