import ConcordanceSQLite
import ConcordanceSearch

// Swift finds a type's operators only in modules that a file imports whole, and Concordance exports these types one by one.

extension SQL {
    /// Returns one text followed by the other.
    public static func + (left: SQL, right: SQL) -> SQL {
        var both = left
        both.append(right)
        return both
    }
}

// A file that imports ConcordanceSearch, too, sees that module's operators as well, and the compiler prefers those.
extension SearchQuery {
    /// Returns a query for rows that match both. An empty query is ignored.
    @_disfavoredOverload
    public static func && (left: SearchQuery, right: SearchQuery) -> SearchQuery { both(left, right) }

    /// Returns a query for rows that match one or both. An empty query is ignored.
    @_disfavoredOverload
    public static func || (left: SearchQuery, right: SearchQuery) -> SearchQuery { either(left, right) }

    /// Returns a query for rows that do not match.
    @_disfavoredOverload
    public static prefix func ! (query: SearchQuery) -> SearchQuery { not(query) }
}
