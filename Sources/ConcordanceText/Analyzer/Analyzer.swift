/// How a text becomes the tokens that are indexed and looked for: a tokenizer, and filters that its tokens pass
/// through, the first filter first.
///
/// It is a value that prints to a descriptor and parses from one, so the `tokenize=` text of a table is enough to build
/// the same analyzer in any process:
///
/// ```swift
/// let analyzer = Analyzer(.words(), .fold, .latin, .elision(.french), .stop(.english), .porter)
/// analyzer.description    // words fold latin elision fr stop en porter
/// let same = try Analyzer(components: ["words", "fold", "latin", "elision", "fr", "stop", "en", "porter"])
/// ```
///
/// Filters that fold characters and stand beside each other (`fold`, `case`, `turkish`, `nfkc`, `diacritics`, `latin`,
/// `width`, `kana`, `ignorables`, `german`, `scandinavian`) work as one, in one pass and in an order of their own.
public struct Analyzer: Hashable, Sendable {
    /// What splits the text.
    public var tokenizer: TokenizerSpecification
    /// What the tokens pass through.
    public var filters: [Filter]

    /// A tokenizer and the filters behind it.
    public init(_ tokenizer: TokenizerSpecification = .words(), _ filters: Filter...) {
        self.init(tokenizer, filters: filters)
    }

    /// The same with the filters in an array.
    public init(_ tokenizer: TokenizerSpecification = .words(), filters: [Filter]) {
        self.tokenizer = tokenizer
        self.filters = filters
    }

    /// The same analyzer with more filters at its end.
    public func appending(_ filters: Filter...) -> Analyzer {
        Analyzer(tokenizer, filters: self.filters + filters)
    }

    /// A tokenizer of this kind, with scratch memory of its own.
    ///
    /// Word lists (stop words, synonyms) pass through the filters that stand before them, so that `été` in a list meets
    /// `ete` behind `fold`.
    public func makeTokenizer() -> any Tokenizer { makeTokenizer(appending: []) }

    /// The same with filters of your own at the end.
    public func makeTokenizer(appending custom: [TokenFilter]) -> any Tokenizer {
        var machines: [TokenFilter] = []
        var cjk: CJKFilter.Options = []
        // Makes the tokens of lists as they are behind the machines so far, which it shares: nothing is built twice.
        let plainSource = tokenizer.makeTokenizer()
        var cutsWords = false
        var rest = filters[...]
        while let filter = rest.popFirst() {
            if filter.isGrams {
                // Pieces of pieces would be without end.
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

    /// Takes the filters at the front that fold characters; what they fold, as one.
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
    /// The tokens of one word or phrase of a list; synonyms left out.
    package func listTokens(_ text: String) -> [String] {
        tokens(in: text, for: .query).filter { !$0.isColocated }.map(\.text)
    }
}
