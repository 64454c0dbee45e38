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
/// SQL in a request is evaluated over the columns of the indexed table, under the name of that table. Matches are
/// ranked before it is evaluated, so it may be anything that SQLite accepts; FTS5's "unable to use function … in the
/// requested context" cannot occur.
public struct SearchRequest<Record: Sendable>: Sendable {
    /// The query.
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

/// Everything in a request except its query and the type of its records.
struct SearchParameters: Sendable {
    let definition: IndexDefinition
    /// The columns of the indexed table that a record is decoded from.
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
    var counting = SearchCounting.upTo(1000)
    /// The weight of the hits where searches are fused.
    var weight = 1.0
}

/// Which rows match a query of several words.
public enum SearchMatching: Hashable, Sendable {
    /// Rows with all of them.
    case all
    /// Rows with at least one. More words, and rarer ones, rank higher.
    case any
}

/// How far a search counts its matches.
public enum SearchCounting: Hashable, Sendable {
    /// Not at all: the page knows the total only if it holds the last match.
    case none
    /// Up to this number.
    case upTo(Int)
    /// All of them.
    case exact
}

extension SearchIndex {
    /// A search for text that a person has typed.
    ///
    /// - Parameters:
    ///   - text: The text, which may be anything.
    ///   - isTyping: Whether the last word may be the beginning of one.
    public func query(_ text: String, isTyping: Bool = true) -> SearchRequest<Record> {
        query(SearchQuery(text, for: definition, isTyping: isTyping))
    }

    /// A search for a query that a program has composed.
    public func query(_ query: SearchQuery) -> SearchRequest<Record> {
        let selection = (Record.self as? any TableRecord.Type)?.databaseSelection.map(\.sqlSelection)
        return SearchRequest(
            query, parameters: SearchParameters(definition: definition, selection: selection ?? [.allColumns]),
            decode: decode)
    }
}

// MARK: - Which rows

extension SearchRequest {
    /// Adds a condition over the columns of the indexed table, which hits must fulfil.
    ///
    /// ```swift
    /// request.filter("listID = \(list.id) AND dueDate < \(tomorrow)")
    /// request.filter(Column("listID").in(ids))
    /// ```
    /// Matches are tested in the order of relevance. If few rows pass, and an index of the table serves the condition,
    /// the search finds these rows first. Without such an index, a condition that few rows pass tests nearly every match.
    public func filter(_ predicate: some SQLExpressible) -> Self {
        with { $0.filter = $0.filter.map { $0 && predicate.sqlExpression } ?? predicate.sqlExpression }
    }

    /// Adds a condition in SQL.
    public func filter(_ predicate: SQL) -> Self { filter(predicate.sqlExpression) }

    /// Adds a condition over the properties of the record: `filter { $0.isCompleted == false }`.
    public func filter(_ predicate: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        filter(predicate(SourceColumns(table: parameters.definition.table)))
    }

    /// Sets whether rows must match all words and other parts of the query, or any of them. `OR` and exclusions keep
    /// their meaning.
    public func matching(_ matching: SearchMatching) -> Self { with { $0.matching = matching } }

    /// Drops words, one by one, as long as no row matches all of them; `SearchPage.droppedWords` lists them. One word,
    /// the exclusions and the filters always stay.
    public func relaxed(_ isRelaxed: Bool = true) -> Self { with { $0.isRelaxed = isRelaxed } }

    /// Sets the number of hits on a page, 20 by default. With 0, a page has totals and facets only.
    public func limit(_ count: Int) -> Self { with { $0.limit = max(count, 0) } }

    /// Asks for the hits after those of another page, or for the first ones with nil.
    ///
    /// The cursor must come from a page of the same search: the same index, query, order and grouping. Filters and
    /// limit may differ.
    ///
    /// Rows that change between two pages do not disturb the others: each row that nobody touches is seen exactly once,
    /// as long as the order of such rows among themselves stays the same. (Scores depend on the whole index and change
    /// with every write; the order hardly ever does.)
    public func after(_ cursor: SearchCursor?) -> Self { with { $0.cursor = cursor } }

}

// MARK: - In which order

extension SearchRequest {
    /// Replaces the order: the terms first, in turn, then relevance, then ids.
    ///
    /// ```swift
    /// request.order(Column("isCompleted"), SQL("dueDate IS NULL"), Column("dueDate").desc)
    /// ```
    /// Terms in SQL are expressions. `desc` reverses a term.
    public func order(_ terms: any SQLOrderingTerm...) -> Self {
        order(terms)
    }

    /// Replaces the order by these terms.
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

    /// Multiplies each score by the value of an expression. Repeated calls multiply by each of their expressions.
    ///
    /// ```swift
    /// // Half the score for every thirty days of age:
    /// request.boosted(by: "pow(0.5, (julianday('now') - julianday(createdAt)) / 30)")
    /// ```
    /// If the expression is NULL the score stays the same; a negative value counts as 0. Some builds of SQLite lack `pow`;
    /// `1 / (1 + (julianday('now') - julianday(createdAt)) / 30)` does without it.
    public func boosted(by factor: SQL) -> Self { boosted(by: factor.sqlExpression) }

    /// Multiplies each score by the value of an expression.
    public func boosted(by factor: some SQLExpressible) -> Self { with { $0.boosts.append(factor.sqlExpression) } }

    /// Multiplies each score by an expression over properties of the record: `boosted { $0.priority + 1 }`.
    public func boosted(by factor: (SourceColumns<Record>) -> some SQLExpressible) -> Self {
        boosted(by: factor(SourceColumns(table: parameters.definition.table)))
    }
}

// MARK: - What the page tells

extension SearchRequest {
    /// Sets how far matches are counted: up to 1000 by default.
    public func counting(_ counting: SearchCounting) -> Self { with { $0.counting = counting } }

    /// Has each hit explain its score: `SearchHit.explanation`.
    public func explained(_ isExplained: Bool = true) -> Self { with { $0.isExplained = isExplained } }

    /// The same search with its records transformed.
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
