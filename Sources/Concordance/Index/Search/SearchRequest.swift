/// A search of one index, as a value: what is looked for, which rows may be found, in which order, and what is told
/// about them.
///
/// Each method returns a changed copy; nothing runs until the request is given a database.
///
/// ```swift
/// let request = reminderTexts.query("get groc -milk")
///     .filter { $0.isCompleted == false }
///     .order { $0.dueDate }
///     .facet("listID")
///     .limit(20)
/// let page = try await dbPool.search(request)
/// let more = try await dbPool.search(request.after(page.next))
/// ```
///
/// Hits come in the order of relevance: by score, then by id. With an order, they come by its terms first.
///
/// SQL that a request is given is evaluated over the columns of the indexed table, which goes by its own name there.
/// What matches is ranked before any of it is evaluated, so it may hold whatever SQLite takes: FTS5's "unable to use
/// function … in the requested context" cannot arise.
public struct SearchRequest<Record: Sendable>: Sendable {
    /// What is looked for.
    public var query: SearchQuery
    var parameters: SearchParameters
    let decode: @Sendable (Row) throws -> Record

    init(_ query: SearchQuery, parameters: SearchParameters, decode: @escaping @Sendable (Row) throws -> Record) {
        self.query = query
        self.parameters = parameters
        self.decode = decode
    }

    func with(_ change: (inout SearchParameters) -> Void) -> Self {
        var copy = self
        change(&copy.parameters)
        return copy
    }
}

/// All of a request but its query and the type of its records.
struct SearchParameters: Sendable {
    let definition: IndexDefinition
    /// What is read of the indexed table for a record.
    let selection: [SQLSelection]
    var filter: SQLExpression?
    var orderings: [SQLOrdering] = []
    var boosts: [SQLExpression] = []
    var facets: [FacetRequest] = []
    var grouping: SQLExpression?
    var limit = 20
    var cursor: SearchCursor?
    var isExplained = false
    var isRelaxed = false
    var matching = SearchMatching.all
    var counting = SearchCounting.atLeast(1000)
    /// What the hits count where searches are fused.
    var weight = 1.0
}

/// Which rows match a query of several words.
public enum SearchMatching: Hashable, Sendable {
    /// Those with all of them.
    case all
    /// Those with one or more; the more and the rarer, the better.
    case any
}

/// How far the matches of a search are counted.
public enum SearchCounting: Hashable, Sendable {
    /// Not at all: the page knows the total only where it holds the last of them.
    case none
    /// Up to this number, and then no further.
    case atLeast(Int)
    /// All of them.
    case exact
}

extension SearchIndex {
    /// A search for what a person has typed.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - isTyping: Whether the last word may be the beginning of one.
    public func query(_ text: String, isTyping: Bool = true) -> SearchRequest<Record> {
        query(SearchQuery(text, for: definition, isTyping: isTyping))
    }

    /// A search for what a program has put together.
    public func query(_ query: SearchQuery) -> SearchRequest<Record> {
        let selection = (Record.self as? any TableRecord.Type)?.databaseSelection.map(\.sqlSelection)
        return SearchRequest(
            query, parameters: SearchParameters(definition: definition, selection: selection ?? [.allColumns]),
            decode: decode)
    }
}

// MARK: - Which rows

extension SearchRequest {
    /// The rows that fulfil a condition over the columns of the indexed table, and the conditions so far.
    ///
    /// ```swift
    /// request.filter("listID = \(list.id) AND dueDate < \(tomorrow)")
    /// request.filter(Column("listID").in(ids))
    /// ```
    /// Matches are looked up in the order of relevance. Where few rows pass, the search finds these first, if an index of
    /// the table serves the condition; without one, a condition that few rows pass costs a look at nearly every match.
    public func filter(_ predicate: some SQLExpressible) -> Self {
        with { $0.filter = $0.filter.map { $0 && predicate.sqlExpression } ?? predicate.sqlExpression }
    }

    /// The same, in SQL.
    public func filter(_ predicate: SQL) -> Self { filter(predicate.sqlExpression) }

    /// The rows that fulfil a condition over the properties of the record: `filter { $0.isCompleted == false }`.
    public func filter(_ predicate: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        filter(predicate(SourceColumns(table: parameters.definition.table)))
    }

    /// Whether rows have to match all words and other parts of the query, or any; `OR` and exclusions stay what they are.
    public func matching(_ matching: SearchMatching) -> Self { with { $0.matching = matching } }

    /// Where no row matches all words, those that keep the search from finding anything are dropped, one by one;
    /// `SearchPage.droppedWords` has them. One word stays, and so do exclusions and filters.
    public func relaxed(_ isRelaxed: Bool = true) -> Self { with { $0.isRelaxed = isRelaxed } }

    /// At most `count` hits a page; 20 unless it is said. With 0 a page holds totals and facets only.
    public func limit(_ count: Int) -> Self { with { $0.limit = max(count, 0) } }

    /// The hits after those of another page; nil for the first ones.
    ///
    /// The cursor is that of a page of the same search: the same index, query, order and grouping. Filters and limit may
    /// change.
    ///
    /// Rows that change between two pages do not disturb the others: of rows that nobody touches, each is seen once, as
    /// long as their order among themselves stays. (Scores depend on the whole index, so that they change with every
    /// write, the order hardly ever.)
    public func after(_ cursor: SearchCursor?) -> Self { with { $0.cursor = cursor } }

}

// MARK: - In which order

extension SearchRequest {
    /// Replaces the order: the terms first, in turn, then relevance, then ids.
    ///
    /// ```swift
    /// request.order(Column("isCompleted"), SQL("dueDate IS NULL"), Column("dueDate").desc)
    /// ```
    /// Terms in SQL are expressions; what comes down instead of up says so with `desc`.
    public func order(_ terms: any SQLOrderingTerm...) -> Self {
        order(terms)
    }

    /// Replaces the order by any number of terms.
    public func order(_ terms: [any SQLOrderingTerm]) -> Self { with { $0.orderings = terms.map(\.sqlOrdering) } }

    /// Replaces the order by an expression in SQL: `order("dueDate IS NULL")`.
    public func order(_ term: SQL) -> Self { order([term]) }

    /// Replaces the order by properties of the record: `order { $0.isCompleted }`, or
    /// `order({ $0.isCompleted }, { $0.dueDate.desc })`.
    public func order(
        _ term: (SourceColumns<Record>) -> any SQLOrderingTerm,
        _ more: ((SourceColumns<Record>) -> any SQLOrderingTerm)...
    ) -> Self {
        let columns = SourceColumns<Record>(table: parameters.definition.table)
        let terms = [term(columns)] + more.map { $0(columns) }
        return order(terms)
    }

    /// Multiplies each score by the value of an expression; by several, where it is called several times.
    ///
    /// ```swift
    /// // Half the score for every thirty days of age:
    /// request.boosted(by: "pow(0.5, (julianday('now') - julianday(createdAt)) / 30)")
    /// ```
    /// Where the expression is NULL the score stays; a negative value counts as 0. Some builds of SQLite lack `pow`;
    /// `1 / (1 + (julianday('now') - julianday(createdAt)) / 30)` does without.
    public func boosted(by factor: SQL) -> Self { boosted(by: factor.sqlExpression) }

    /// Multiplies each score by the value of an expression.
    public func boosted(by factor: some SQLExpressible) -> Self { with { $0.boosts.append(factor.sqlExpression) } }

    /// Multiplies each score by an expression over properties of the record: `boosted { $0.priority + 1 }`.
    public func boosted(by factor: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        boosted(by: factor(SourceColumns(table: parameters.definition.table)))
    }
}

// MARK: - What is told

extension SearchRequest {
    /// How far matches are counted; at least 1000 unless it is said.
    public func counting(_ counting: SearchCounting) -> Self { with { $0.counting = counting } }

    /// Each hit tells how its score came about: `SearchHit.explanation`.
    public func explained(_ isExplained: Bool = true) -> Self { with { $0.isExplained = isExplained } }

    /// The same search, whose records are turned into something else.
    ///
    /// ```swift
    /// enum Found: Sendable { case reminder(Reminder), list(RemindersList) }
    /// let page = try dbPool.search(fusing: [
    ///     reminderTexts.query(text).map(Found.reminder), listTexts.query(text).map(Found.list),
    /// ])
    /// ```
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Record) throws -> T) -> SearchRequest<T> {
        SearchRequest<T>(query, parameters: parameters) { [decode] in try transform(decode($0)) }
    }
}

/// The columns of an indexed table, by the properties of its records or by name.
@dynamicMemberLookup
public struct SourceColumns<Record>: Sendable {
    let table: String

    /// The column with this name.
    public subscript(_ name: String) -> SQLExpression { SQLExpression(.column(name, alias: nil)) }
}

extension SourceColumns where Record: Decodable {
    /// The column that a property is stored in.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> TypedColumn<Value> {
        let coding = Record.self as? any RecordCoding.Type ?? PlainCoding.self
        do {
            let column = try KeyPathColumns.name(of: keyPath)
            return TypedColumn(name: column, coding: coding, sqlExpression: self[column])
        } catch {
            return TypedColumn(name: "", coding: coding, sqlExpression: SQLExpression(.invalid(error)))
        }
    }
}
