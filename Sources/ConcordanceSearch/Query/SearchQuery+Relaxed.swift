/// A query that finds something, and what was left out to make it do so.
struct RelaxedQuery: Hashable, Sendable {
    var query: SearchQuery
    /// The words and other parts that were left out, as they are typed, in the order of the query.
    var dropped: [String]

    /// How many rows of one word are counted: whether it has more says little.
    static let countLimit = 1_000
    /// How many words are dropped one by one; beyond these, the most frequent go at once. So it runs at most 153
    /// searches for one row, plus one for each word.
    static let wordLimit = 16
}

extension SearchQuery {
    /// The query without the words that keep it from finding anything; the query itself if it finds something, or
    /// nothing would help.
    ///
    /// The parts that must all match can be dropped; exclusions and at least one part stay. First it drops the parts
    /// that no row has by themselves. If that is not enough, it drops the part without which there are rows; of several
    /// such parts the most frequent one, which says least. If no single part is enough, it drops the most frequent one,
    /// and so on.
    ///
    /// - Parameters:
    ///   - compiled: Compiles a query of some of the parts.
    ///   - count: Counts the rows of a query, up to the given number.
    func relaxed(
        compiled: (SearchQuery) throws -> CompiledQuery, count: (CompiledQuery, Int) throws -> Int
    ) throws -> RelaxedQuery {
        let unchanged = RelaxedQuery(query: self, dropped: [])
        let relaxation = Relaxation(self)
        func found(_ kept: [Int], upTo limit: Int = 1) throws -> Int {
            try count(compiled(relaxation.query(of: kept)), limit)
        }
        guard relaxation.parts.count > 1, try found(Array(relaxation.parts.indices)) == 0 else {
            return unchanged
        }
        var silent: [Int] = []
        var rest: [(part: Int, count: Int)] = []
        for part in relaxation.parts.indices {
            let query = SearchQuery(relaxation.parts[part])
            if try compiled(query).phrases.isEmpty {
                silent.append(part)
            } else {
                let count = try found([part], upTo: RelaxedQuery.countLimit)
                if count > 0 { rest.append((part, count)) }
            }
        }
        if rest.isEmpty { return unchanged }
        // The most frequent first; of equally frequent ones, the last one typed.
        rest.sort { ($0.count, $0.part) > ($1.count, $1.part) }
        rest.removeFirst(max(0, rest.count - RelaxedQuery.wordLimit))
        var kept = rest.map(\.part)
        while kept.count > 1, try found(kept) == 0 {
            let enough = try kept.indices.first { index in
                var others = kept
                others.remove(at: index)
                return try found(others) > 0
            }
            kept.remove(at: enough ?? 0)
        }
        return relaxation.result(keeping: Set(kept).union(silent))
    }
}

/// A query split into what can be dropped and what stays.
private struct Relaxation {
    var parts: [SearchQuery.Node] = []
    var exclusions: [SearchQuery.Node] = []

    init(_ query: SearchQuery) {
        if case .excluding(let base, let others) = query.root?.kind {
            exclusions = others
            parts = Self.conjuncts(base)
        } else {
            parts = Self.conjuncts(query.root)
        }
    }

    private static func conjuncts(_ node: SearchQuery.Node?) -> [SearchQuery.Node] {
        if case .all(let parts) = node?.kind { return parts }
        return node.map { [$0] } ?? []
    }

    func query(of kept: some Sequence<Int>) -> SearchQuery {
        let base = SearchQuery.Node.all(kept.sorted().map { parts[$0] })
        return SearchQuery(exclusions.isEmpty ? base : .excluding(base, exclusions))
    }

    func result(keeping kept: Set<Int>) -> RelaxedQuery {
        let dropped = parts.indices.filter { !kept.contains($0) }.map { parts[$0].withoutPrefix.description }
        return RelaxedQuery(query: query(of: kept), dropped: dropped)
    }
}

extension SearchQuery.Node {
    /// The part with whole words. The person who typed a word need not be told that it was half typed.
    fileprivate var withoutPrefix: Self {
        switch kind {
        case .word(let text, _): .word(text, isPrefix: false)
        case .similar(let text, _): .similar(text, isPrefix: false)
        case .phrase(let text, _): .phrase(text, isPrefix: false)
        case .near(let texts, let distance, _): .near(texts, distance: distance, isPrefix: false)
        case .fields(let names, let part): .fields(names, part.withoutPrefix)
        case .any(let parts): .any(parts.map(\.withoutPrefix))
        case .all, .excluding: self
        }
    }
}
