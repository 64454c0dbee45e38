import TestSupport

/// A word of a query that may have typos, in lower-case letters and digits.
package struct TypedWord: Equatable, Sendable, Codable {
    package enum Tolerance: String, Equatable, Sendable, Codable {
        case exact = ""
        case automatic = "~"
        case one = "~1"
        case two = "~2"
    }

    var word: String
    /// What the table's tokenizer makes of the word.
    var token: String
    var tolerance: Tolerance
    /// Whether words that begin with it are found.
    var isPrefix = false
    /// The columns in which it is looked for; empty for all.
    var columns: [String] = []

    /// The word in the language of MATCH.
    var expression: String {
        let names = columns.map { "\"\($0)\"" }.joined(separator: " ")
        return (columns.isEmpty ? "" : "{\(names)} : ") + word + tolerance.rawValue + (isPrefix ? "*" : "")
    }

    /// The most terms besides the token itself that the engine looks for, and their greatest length in bytes.
    private static let (variantLimit, lengthLimit) = (64, 200)

    /// The terms of a vocabulary that are found, by definition; nil if there are more or longer ones than the engine
    /// looks for.
    func terms(in vocabulary: [String]) -> [String]? {
        var terms: [String] = []
        var variantCount = 0
        for term in vocabulary {
            let isExact = isPrefix ? term.utf8.starts(with: token.utf8) : term.utf8.elementsEqual(token.utf8)
            guard isExact || hasFewTypos(term) else { continue }
            terms.append(term)
            if isExact { continue }
            variantCount += 1
            if variantCount > Self.variantLimit || term.utf8.count > Self.lengthLimit { return nil }
        }
        return terms
    }

    private var limit: Int {
        let count = token.unicodeScalars.count
        return switch tolerance {
        case .exact: 0
        case .automatic: count < 4 ? 0 : count < 8 ? 1 : 2
        case .one: 1
        case .two: 2
        }
    }

    private func hasFewTypos(_ term: String) -> Bool {
        let (count, limit) = (token.unicodeScalars.count, limit)
        guard limit > 0 else { return false }
        // No longer or shorter one has as few typos.
        let scalars = Array(term.unicodeScalars.prefix(count + limit + 1))
        let lengths = max(1, count - limit)...count + limit
        guard isPrefix else { return lengths.contains(scalars.count) && typoCount(token, of: term) <= limit }
        return lengths.contains { length in
            length <= scalars.count
                && typoCount(token, of: String(String.UnicodeScalarView(scalars.prefix(length)))) <= limit
        }
    }
}

/// A query for one or two words that may have typos. FTS5 has no such queries, but it has a vocabulary, in which brute
/// force finds similar words.
package struct SimilarQuery: Equatable, Sendable, Codable {
    package enum Operation: String, Equatable, Sendable, Codable {
        case and = "AND"
        case or = "OR"
        case not = "NOT"

        /// The same of two selections of rows.
        fileprivate var ofSelections: String {
            switch self {
            case .and: "INTERSECT"
            case .or: "UNION"
            case .not: "EXCEPT"
            }
        }
    }

    var words: [TypedWord]
    /// Between two words.
    var operation = Operation.and

    /// The engine's statement.
    package var sql: String {
        let expression = words.map(\.expression).joined(separator: " \(operation.rawValue) ")
        return "SELECT rowid FROM t WHERE t MATCH \(expression.sqlLiteral)"
    }

    /// The statement that gives FTS5's list of all terms.
    static let vocabularySQL = "SELECT term FROM vrow"

    /// FTS5's statement, by its list of all terms; nil if the engine does not look for all similar ones.
    func sql(vocabulary: [String]) -> String? {
        var selections: [String] = []
        for word in words {
            guard let terms = word.terms(in: vocabulary) else { return nil }
            let columns = word.columns.map(\.sqlLiteral).joined(separator: ", ")
            selections.append(
                "SELECT DISTINCT doc FROM vinstance WHERE term IN (\(terms.map(\.sqlLiteral).joined(separator: ", ")))"
                    + (columns.isEmpty ? "" : " AND col IN (\(columns))"))
        }
        return selections.joined(separator: " \(operation.ofSelections) ")
    }
}
