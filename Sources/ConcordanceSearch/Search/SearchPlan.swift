import ConcordanceSQLite

/// What answers the parts of a request: values that the index stores, or the indexed table.
///
/// ```swift
/// print(try await dbPool.explain(reminderTexts.query("week").filter("isCompleted = 0")))
/// // filter isCompleted = 0: the table
/// // order relevance: the index
/// ```
public struct SearchPlan: Hashable, Sendable, CustomStringConvertible {
    /// What answers a part of a request.
    package enum Source: String, Hashable, Sendable {
        /// The full-text index: words and their ranks.
        case index = "the index"
        /// Values that the index stores beside the words (``Value``).
        case values = "values of the index"
        /// The indexed table, whose rows are looked up.
        case table = "the table"
    }

    /// A part of a request.
    package struct Part: Hashable, Sendable {
        /// Its SQL, or the name of a facet.
        package let text: String
        /// What answers it.
        package let source: Source
    }

    /// The filters, one for each call of `filter`.
    package let filters: [Part]
    /// The order; `relevance` without one.
    package let order: Part
    /// The facets, by their names.
    package let facets: [Part]

    /// A line for each part.
    public var description: String {
        func lines(_ kind: String, _ parts: [Part]) -> [String] {
            parts.map { "\(kind) \($0.text): \($0.source.rawValue)" }
        }
        return (lines("filter", filters) + lines("order", [order]) + lines("facet", facets)).joined(separator: "\n")
    }
}

extension SearchRequest {
    /// Returns what answers the filters, the order and the facets, without running the search; see `SearchPlan`.
    ///
    /// - Throws: See `fetch(_:)`.
    public func plan(_ db: Database) throws -> SearchPlan {
        try db.reading(parameters.definition) { tables in
            try SearchContext(self, tables, in: db).sql.plan(in: db)
        }
    }
}

extension ConnectionReader {
    /// Returns what answers the filters, the order and the facets of a request; see `SearchPlan`.
    ///
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func explain<Record>(_ request: SearchRequest<Record>) throws -> SearchPlan {
        try reading([request.definition]) { try request.plan($0) }
    }

    /// Returns what answers the filters, the order and the facets of a request; see `SearchPlan`.
    public func explain<Record>(_ request: SearchRequest<Record>) async throws -> SearchPlan {
        try await reading([request.definition]) { try request.plan($0) }
    }
}
