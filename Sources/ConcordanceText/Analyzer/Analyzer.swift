/// How text becomes the tokens that an index holds and a query looks up: a tokenizer, and filters that its tokens pass
/// through in order.
///
/// An analyzer is a value that prints to a descriptor and parses from one, so any process can build it from the
/// `tokenize=` text of a table:
///
/// ```swift
/// let analyzer = Analyzer(.words(), .fold, .latin, .elision(.french), .stop(.english), .porter)
/// analyzer.description    // words fold latin elision fr stop en porter
/// let same = try Analyzer(components: ["words", "fold", "latin", "elision", "fr", "stop", "en", "porter"])
/// ```
///
/// Consecutive filters that fold characters (`fold`, `case`, `turkish`, `nfkc`, `diacritics`, `latin`, `width`, `kana`,
/// `ignorables`, `german`, `scandinavian`, `scripts`, `simplified`, `japanese`) work as one, in a single pass and in an
/// order of their own.
public struct Analyzer: Hashable, Sendable {
    /// The tokenizer, which splits the text.
    public var tokenizer: TokenizerSpecification
    /// The filters, in the order in which tokens pass through them.
    public var filters: [Filter]

    /// Creates an analyzer with a tokenizer and the filters that follow it.
    public init(_ tokenizer: TokenizerSpecification = .words(), _ filters: Filter...) {
        self.init(tokenizer, filters: filters)
    }

    /// Creates an analyzer with a tokenizer and an array of filters.
    public init(_ tokenizer: TokenizerSpecification = .words(), filters: [Filter]) {
        self.tokenizer = tokenizer
        self.filters = filters
    }

    /// Returns the analyzer with more filters at its end.
    public func appending(_ filters: Filter...) -> Analyzer {
        Analyzer(tokenizer, filters: self.filters + filters)
    }

    /// Creates a tokenizer that works as the analyzer says, with scratch memory of its own.
    ///
    /// The words of lists (stop words, synonyms) pass through the filters before the list's, so after `fold`, `été` in
    /// a list matches `ete`.
    public func makeTokenizer() -> any Tokenizer { makeTokenizer(appending: []) }

    /// Creates a tokenizer with filters of your own at the end.
    public func makeTokenizer(appending custom: [TokenFilter]) -> any Tokenizer {
        var machines: [TokenFilter] = []
        var cjk: CJKFilter.Options = []
        // Filters analyze the words of their lists with it and the machines so far, so nothing is built twice.
        let plainSource = tokenizer.makeTokenizer()
        var cutsWords = false
        var rest = filters[...]
        while let filter = rest.popFirst() {
            if filter.isGrams {
                // Pieces are not cut into pieces again.
                if cutsWords { continue }
                cutsWords = true
            }
            if let part = filter.folding {
                let folding = Self.takeFoldings(&rest).union(part)
                machines.append(FoldingFilter(folding))
            } else if let part = filter.cjk {
                cjk.formUnion(part)
                if rest.first?.cjk != nil { continue }
                machines.append(CJKFilter(cjk))
                cjk = []
            } else {
                let behind = filter.foldsBehind ? Self.takeFoldings(&rest) : []
                machines.append(filter.makeMachine(after: FilteredTokenizer(plainSource, machines), folding: behind))
            }
        }
        machines += custom
        let source: any Tokenizer =
            if case .words(let options) = tokenizer, machines.first(where: { !($0 is PartsFilter) }) is FoldingFilter {
                WordTokenizer(options, marksPlain: true)
            } else {
                plainSource
            }
        return machines.isEmpty ? source : FilteredTokenizer(source, machines)
    }

    /// Removes the filters at the front that fold characters, and returns what they fold together.
    private static func takeFoldings(_ filters: inout ArraySlice<Filter>) -> Folding {
        var all: Folding = []
        while let folding = filters.first?.folding {
            all.formUnion(folding)
            filters.removeFirst()
        }
        return all
    }
}

extension Tokenizer {
    /// The tokens of a word or phrase of a list, without synonyms.
    package func listTokens(_ text: String) -> [String] {
        tokens(in: text, for: .query).filter { !$0.isColocated }.map(\.text)
    }
}
