import ConcordanceSQLite

/// A facet that a search counts.
struct FacetRequest: Sendable {
    enum Source: Sendable {
        /// A value of the row.
        case expression(SearchExpression)
        /// The values of related rows, by the index's field.
        case field(String)
    }

    let name: String
    let source: Source
    let limit: Int
}

/// The number of matches of a search for each value of a column or field.
public struct SearchFacet: Hashable, Sendable {
    /// A value and the number of matches that have it.
    public struct Bucket: Hashable, Sendable {
        /// The value; NULL for matches without one.
        public let value: DatabaseValue
        /// The number of matching rows that have it.
        public let count: Int
    }

    /// The name of the facet in the request.
    public let name: String
    /// The values, up to the requested limit: most frequent first, equally frequent ones in ascending order.
    public let buckets: [Bucket]
    /// The number of different values, counting NULL.
    public let valueCount: Int

    /// Returns the number of matches with a value; nil if it is not among the buckets.
    public func count(of value: some DatabaseValueConvertible) -> Int? {
        let value = value.databaseValue
        return buckets.first { $0.value == value }?.count
    }
}

extension SearchRequest {
    /// Counts all matches, not only those of the page, by the values of a column, or by the related texts of a field.
    ///
    /// ```swift
    /// let page = try await dbPool.search(reminderTexts.query("week").facet("listID").facet("tags"))
    /// for bucket in page.facet("tags")?.buckets ?? [] { print(bucket.value, bucket.count) }
    /// ```
    /// A field that joins related rows has a bucket for each of their texts (a row with two tags counts in both), and
    /// NULL for rows without any. A computed field has a bucket for each of its texts.
    ///
    /// - Parameters:
    ///   - name: A joined or computed field of the index, or else a column of the indexed table.
    ///   - limit: The most values to return.
    public func facet(_ name: String, limit: Int = 10) -> Self {
        let isField: Bool =
            switch parameters.definition.field(name)?.source {
            case .related, .expression: true
            case .column, .invalid, nil: false
            }
        let source = isField ? FacetRequest.Source.field(name) : .expression(.column(name))
        return adding(FacetRequest(name: name, source: source, limit: max(limit, 0)))
    }

    /// Counts all matches by the values of an expression: `facet("year", by: "strftime('%Y', dueDate)")`.
    public func facet(_ name: String, by expression: SQL, limit: Int = 10) -> Self {
        facet(name, by: expression.searchExpression, limit: limit)
    }

    /// Counts all matches by the values of an expression.
    public func facet(_ name: String, by expression: some SearchExpressible, limit: Int = 10) -> Self {
        adding(FacetRequest(name: name, source: .expression(expression.searchExpression), limit: max(limit, 0)))
    }

    /// Counts all matches by a property of the record; the facet has the name of its column.
    public func facet<Value>(_ keyPath: KeyPath<Record, Value>, limit: Int = 10) -> Self where Record: Decodable {
        do {
            let column = try KeyPathColumns.name(of: keyPath)
            return facet(column, by: SearchExpression.column(column), limit: limit)
        } catch {
            return facet("\(keyPath)", by: SearchExpression.invalid(error), limit: limit)
        }
    }

    /// Groups the rows with the same value of an expression. The page has the best hit of each group, with the number
    /// of rows in the group.
    ///
    /// Groups come in the order of their best hits; NULL is a group of its own.
    public func grouped(by expression: some SearchExpressible) -> Self {
        with { $0.grouping = expression.searchExpression }
    }

    /// Groups the rows with the same value of an expression in SQL: `grouped(by: "strftime('%Y', dueDate)")`.
    public func grouped(by expression: SQL) -> Self { grouped(by: expression.searchExpression) }

    private func adding(_ facet: FacetRequest) -> Self { with { $0.facets.append(facet) } }
}
