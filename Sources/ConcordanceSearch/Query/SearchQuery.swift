/// What to look for: words, phrases, fields, and how they are combined.
///
/// Any text that a person types is a query; see `init(_:isTyping:fields:tags:)` for the syntax:
///
/// ```swift
/// SearchQuery("get groc -milk")                       // get groc* -milk
/// SearchQuery("title:\"send weekly\" OR #weekend", for: reminderTexts)
/// ```
///
/// A program composes one from parts:
///
/// ```swift
/// let query = (SearchQuery.word("milk") || .phrase("send weekly").in("title")).excluding(.prefix("egg"))
/// ```
///
/// The description of a query shows how it was understood, and parses to the same query.
public struct SearchQuery: Hashable, Sendable {
    /// What to look for; nil for nothing, which no row matches, and for a query that is nested too deeply.
    package let root: Node?

    /// Whether the parts were nested more deeply than any engine accepts: compiling the query throws
    /// `SearchIndexError.queryTooDeep`, and so does compiling a query that contains it.
    let isTooDeep: Bool

    /// A query of these parts in normal form, which is the same for parts with the same structure: an `all` in an `all`
    /// is one, a part without a text is dropped, and so on. Parts that are nested more than 512 deep become a query
    /// that no search accepts.
    package init(_ root: Node?) {
        isTooDeep = root?.isTooDeep == true
        self.root = isTooDeep ? nil : root?.normalized
    }

    /// A query of the parts of `queries`.
    init(of queries: SearchQuery..., by root: ([Node?]) -> Node?) {
        let whole = queries.contains(where: \.isTooDeep) ? nil : root(queries.map(\.root))
        isTooDeep = queries.contains(where: \.isTooDeep) || whole?.isTooDeep == true
        self.root = isTooDeep ? nil : whole?.normalized
    }

    /// Whether the query looks for nothing.
    public var isEmpty: Bool { root == nil && !isTooDeep }
}

extension SearchQuery.Node {
    /// How deeply parts may be nested: everything that walks over them recurses.
    private static let depthLimit = 512

    fileprivate var isTooDeep: Bool { depth > Self.depthLimit }
}

// Limits of typed queries. They bound the time of parsing, of compiling and of the search itself.
extension SearchQuery {
    /// How many Unicode scalars of a typed text are read: more than anybody types. A longer text is cut between two
    /// words.
    static let textLimit = 16_384
    /// How many words and phrases of a text count: more than a page of prose has. The engine opens a cursor for each.
    static let termLimit = 1_024
    /// How many levels of parentheses count; deeper ones are ignored. FTS5's parser has a stack of 100 entries, and a
    /// typed pair of parentheses takes up to nine of them.
    static let depthLimit = 8
    /// How many scalars of a text without meaning are looked for as they are.
    static let literalLimit = 256
    /// How many words too short for trigrams count: each is looked for in the texts of the rows.
    static let shortWordLimit = 16
    /// How many words may have typos without saying so: a longer query is a text, and each such word takes a walk over
    /// all terms.
    static let similarWordLimit = 32
    /// The greatest distance of words near each other; SQLite reads the number into a C `int` without a check.
    static let distanceLimit = 1_000_000
    /// The default distance, the same as FTS5's.
    static let defaultDistance = 10
}
