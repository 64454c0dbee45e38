/// What is looked for: words, phrases, fields, and how they go together.
///
/// What a person typed is one, whatever it is; see `init(_:isTyping:fields:tags:)` for what can be typed:
///
/// ```swift
/// SearchQuery("get groc -milk")                       // get groc* -milk
/// SearchQuery("title:\"send weekly\" OR #weekend", for: reminderTexts.definition)
/// ```
///
/// A program puts one together from parts:
///
/// ```swift
/// let query = (SearchQuery.word("milk") || .phrase("send weekly").in("title")).excluding(.prefix("egg"))
/// ```
///
/// Its description shows what was understood, and is read again as the same query.
public struct SearchQuery: Hashable, Sendable {
    /// What is looked for; nil for nothing, which no row matches, and for a query that is nested too deep.
    public let root: Node?

    /// Whether the parts were nested deeper than any engine goes: compiling the query throws
    /// `SearchIndexError.queryTooDeep`, and a query that is made of it is too deep as well.
    let isTooDeep: Bool

    /// A query of these parts, in the one form that parts with the same structure have: an `all` in an `all` is one, a
    /// part without a text is none, and so on. Parts that are nested more than 512 deep become a query that no search
    /// takes.
    public init(_ root: Node?) {
        isTooDeep = root?.isTooDeep == true
        self.root = isTooDeep ? nil : root?.normalized
    }

    /// A query of the parts of `queries`.
    init(of queries: SearchQuery..., by root: ([Node?]) -> Node?) {
        let whole = queries.contains(where: \.isTooDeep) ? nil : root(queries.map(\.root))
        isTooDeep = queries.contains(where: \.isTooDeep) || whole?.isTooDeep == true
        self.root = isTooDeep ? nil : whole?.normalized
    }

    /// Whether nothing is looked for.
    public var isEmpty: Bool { root == nil && !isTooDeep }
}

extension SearchQuery.Node {
    /// How deep parts may be nested: all that walks over them recurses.
    private static let depthLimit = 512

    fileprivate var isTooDeep: Bool { depth > Self.depthLimit }
}

// Limits of what is typed. They bound the time of parsing, of compiling and of the search itself.
extension SearchQuery {
    /// Unicode scalars of a typed text that are read: more than anybody types. A longer text is cut between two words.
    static let textLimit = 16_384
    /// Words and phrases of a text that count: more than a page of prose has. The engine opens a cursor for each.
    static let termLimit = 1_024
    /// How deep parentheses count; deeper ones are read as if they were not there. FTS5's parser has a stack of 100
    /// entries, and a pair of parentheses that was typed takes up to nine of them.
    static let depthLimit = 8
    /// Scalars of a text without a meaning that is looked for as it stands.
    static let literalLimit = 256
    /// Words too short for trigrams that count, together: each is looked for in the texts of the rows.
    static let shortWordLimit = 16
    /// Words that may have typos without saying so: a longer query is a text, and each takes a walk over all terms.
    static let similarWordLimit = 32
    /// The greatest distance of words that stand near each other; SQLite reads the number into a C `int` unchecked.
    static let distanceLimit = 1_000_000
    /// The distance where none is said; FTS5's own.
    static let defaultDistance = 10
}

extension SearchQuery {
    /// The words and phrases that are looked for, in the order of the query and as often as they stand in it, without
    /// those that are excluded.
    public var words: [String] { root?.words ?? [] }
}

extension SearchQuery.Node {
    fileprivate var words: [String] {
        switch kind {
        case .word(let text, _), .similar(let text, _), .phrase(let text, _): [text]
        case .near(let texts, _, _): texts
        case .fields(_, let child): child.words
        case .all(let parts), .any(let parts): parts.flatMap(\.words)
        case .excluding(let base, _): base?.words ?? []
        }
    }
}
