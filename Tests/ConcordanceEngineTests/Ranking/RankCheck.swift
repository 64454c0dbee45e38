import ConcordanceSQLite
import Testing

extension Database {
    /// Checks that the first rows of a query by rank are those by the function, called for each.
    func checkRank(_ query: String, by function: String, _ arguments: String, limit: Int) throws {
        let expected = try Row.fetchAll(
            self, sql: "SELECT rowid, \(function)(t, \(arguments)) FROM t WHERE t MATCH ? ORDER BY 2, 1 LIMIT \(limit)",
            arguments: [query])
        let found = try Row.fetchAll(
            self, sql: "SELECT rowid, rank FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank LIMIT \(limit)",
            arguments: [query, "\(function)(\(arguments))"])
        #expect(
            found.map(\.databaseValues) == expected.map(\.databaseValues),
            "\(query), \(function)(\(arguments)), \(limit)")
        #expect(!found.isEmpty, "\(query)")
    }
}
