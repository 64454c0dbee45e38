import ConcordanceSQLite
import ConcordanceText

/// A search of one index, as a value: what to look for, which rows may be found, in which order, and what the page says
/// about them.
///
/// Each method returns a changed copy; nothing runs until the request is passed to a database.
///
/// ```swift
/// let request = reminderTexts.query("get groc -milk")
///     .filter { $0.isCompleted == false }
///     .order { $0.dueDate }
///     .facet("listID")
///     .limit(20)
/// let page = try await dbPool.search(request)
/// if let next = page.next { let more = try await dbPool.search(request.after(next)) }
/// ```
///
/// Hits come in order of relevance: by score, then by id. The terms of an order come before these. An empty query with
/// a filter, an order, a facet or groups finds all rows that pass; see `SearchIndex.all()`.
///
/// SQL in a request is evaluated over the columns of the indexed table, under that table's name. Matches are ranked
/// before it is evaluated, so it may be anything that SQLite accepts; FTS5's error "unable to use function … in the
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
    let selection: [SearchSelection]
    /// Conditions that must all hold.
    var filters: [SearchExpression] = []
    var orderings: [SearchOrdering] = []
    var boosts: [SearchExpression] = []
    var facets: [FacetRequest] = []
    var grouping: SearchExpression?
    var limit = 20
    var cursor: SearchCursor?
    var isExplained = false
    var isRelaxed = false
    var matching = SearchMatching.all
    var counting = SearchCounting.upTo(1000)
    var typos: SearchTypos
    /// Those in which the query is analyzed, of fields in several languages; none for all of them.
    var languages: [TextLanguage] = []
    /// Whether hits have their texts, and the page a cursor, which depends on these.
    var readsTexts = true
    /// The size of the first page, if this page stands for several.
    var firstLimit: Int?
    /// Whether an empty query finds all rows, whatever else the request says.
    var findsAll = false
    /// The weight of the hits when searches are fused.
    var weight = 1.0

    init(definition: IndexDefinition, selection: [SearchSelection]) {
        self.definition = definition
        self.selection = selection
        typos = definition.typos
    }

    /// If fewer rows than this are found, the search also looks for similar words.
    var roomLimit: Int { max(min(limit, firstLimit ?? limit), 1) }

    /// Whether an empty query finds all rows: if something says which of them, or in which order.
    var browses: Bool {
        findsAll || !filters.isEmpty || !orderings.isEmpty || !facets.isEmpty || grouping != nil
    }
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
    /// Do not count: a page has a total only if it is the first and holds all matches.
    case none
    /// Count up to this number.
    case upTo(Int)
    /// Count all of them.
    case exact
}

extension SearchIndex {
    /// Returns a request for text that a person has typed.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - isTyping: Whether the last word may be incomplete.
    public func query(_ text: String, isTyping: Bool = true) -> SearchRequest<Record> {
        query(SearchQuery(text, for: definition, isTyping: isTyping))
    }

    /// Returns a request for all rows, to be filtered, ordered and counted: what an app shows before anything is typed.
    ///
    /// ```swift
    /// let inFolder = noteTexts.all().filter("folderID = \(folder)").order(Column("modified").desc)
    /// let newest = try await dbPool.search(inFolder)
    /// // SELECT rowid FROM notes WHERE folderID = ? ORDER BY modified DESC, rowid LIMIT 21
    /// ```
    /// It reads the indexed table, whose own indexes serve the filter and the order. A search for an empty text with a
    /// filter, an order, a facet or groups does the same; without any of them, it finds nothing.
    public func all() -> SearchRequest<Record> {
        query(SearchQuery("", for: definition)).with { $0.findsAll = true }
    }

    /// Returns a request for a query that a program has composed.
    public func query(_ query: SearchQuery) -> SearchRequest<Record> {
        SearchRequest(
            query, parameters: SearchParameters(definition: definition, selection: selection), decode: decode)
    }
}

// MARK: - Which rows

extension SearchRequest {
    /// Adds a condition in SQL, over the columns of the indexed table, that hits must fulfil.
    ///
    /// ```swift
    /// request.filter("listID = \(list.id) AND dueDate < \(tomorrow)")
    /// ```
    /// Matches are tested in the order of relevance. If few rows pass, and an index of the table serves the condition,
    /// the search finds these rows first. Without such an index, a condition that few rows pass tests nearly every
    /// match.
    public func filter(_ predicate: SQL) -> Self { filter(predicate.searchExpression) }

    /// Adds an expression as a condition: `filter(Column("listID").in(ids))`.
    public func filter(_ predicate: some SearchExpressible) -> Self {
        with { $0.filters.append(predicate.searchExpression) }
    }

    /// Sets whether rows must match all words and other parts of the query, or any of them. `OR` and exclusions keep
    /// their meaning.
    public func matching(_ matching: SearchMatching) -> Self { with { $0.matching = matching } }

    /// Restricts the languages in which the query is analyzed to these, of those that the index guesses or that its
    /// rows name. By default, a word is looked for by its stem in each of them.
    ///
    /// ```swift
    /// noteTexts.query("nationales").languages([.french])
    /// ```
    /// Rows in other languages are also found if they have the same stem or the word itself. A field whose analyzer has
    /// none of the languages is searched as it would be without them.
    public func languages(_ languages: [TextLanguage]) -> Self { with { $0.languages = languages } }

    /// Drops words, one by one, as long as no row matches all of them; `SearchPage.droppedWords` lists them. One word,
    /// the exclusions and the filters always stay.
    public func relaxed(_ isRelaxed: Bool = true) -> Self { with { $0.isRelaxed = isRelaxed } }

    /// Sets the number of hits on a page, 20 by default. With 0, a page has totals and facets only.
    public func limit(_ count: Int) -> Self { with { $0.limit = max(count, 0) } }

    /// Selects the hits after those of another page, or the first ones for nil.
    ///
    /// The cursor must come from a page of the same search: the same index, query, order and grouping. Filters and
    /// limit may differ.
    ///
    /// Rows that change between two pages do not disturb the others: each row that nobody changes is seen exactly once,
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
    public func order(_ terms: any SearchOrderingTerm...) -> Self {
        order(terms)
    }

    /// Replaces the order by these terms.
    public func order(_ terms: [any SearchOrderingTerm]) -> Self {
        with { $0.orderings = terms.map(\.searchOrdering) }
    }

    /// Replaces the order by an expression in SQL: `order("dueDate IS NULL")`.
    public func order(_ term: SQL) -> Self { order([term]) }

    /// Multiplies each score by the value of an expression. Repeated calls multiply by each of their expressions.
    ///
    /// ```swift
    /// // Half the score for every thirty days of age:
    /// request.boosted(by: "pow(0.5, (julianday('now') - julianday(createdAt)) / 30)")
    /// ```
    /// If the expression is NULL the score stays the same; a negative value counts as 0. Some builds of SQLite lack
    /// `pow`; `1 / (1 + (julianday('now') - julianday(createdAt)) / 30)` does without it.
    public func boosted(by factor: SQL) -> Self { boosted(by: factor.searchExpression) }

    /// Multiplies each score by the value of an expression.
    public func boosted(by factor: some SearchExpressible) -> Self {
        with { $0.boosts.append(factor.searchExpression) }
    }
}

// MARK: - What the page tells

extension SearchRequest {
    /// Sets how far matches are counted: up to 1000 by default.
    public func counting(_ counting: SearchCounting) -> Self { with { $0.counting = counting } }

    /// Sets whether each hit explains its score; see `SearchHit.explanation`.
    public func explained(_ isExplained: Bool = true) -> Self { with { $0.isExplained = isExplained } }

    /// The same search without the texts of its hits, and without a cursor, which depends on them: for more hits than are
    /// shown. `readTexts(of:_:)` reads the texts of those that are.
    package func withoutTexts() -> Self { with { $0.readsTexts = false } }

    /// Returns the request with its records transformed.
    ///
    /// ```swift
    /// enum Found: Sendable { case reminder(Reminder), list(RemindersList) }
    /// let page = try await dbPool.search(fusing: [
    ///     reminderTexts.query(text).map(Found.reminder), listTexts.query(text).map(Found.list),
    /// ])
    /// ```
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Record) throws -> T) -> SearchRequest<T> {
        SearchRequest<T>(query, parameters: parameters) { [decode] in try transform(decode($0)) }
    }
}
