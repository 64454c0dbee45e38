/// Creates the iterators of a query for one segment.
struct SegmentSearch {
    private let expression: QueryExpression
    private let segment: Segment
    /// What is known of phrases whose rows have been counted.
    private let counted: (QueryPhrase) -> CountedPhrase?

    init(
        _ expression: QueryExpression, segment: Segment,
        counted: @escaping (QueryPhrase) -> CountedPhrase? = { _ in nil }
    ) {
        self.expression = expression
        self.segment = segment
        self.counted = counted
    }

    /// The documents that match the query.
    func iterator() throws -> DocumentIterator {
        try expression.root.map(iterator) ?? DocumentIterator()
    }

    private func iterator(_ node: QueryNode) throws -> DocumentIterator {
        switch node {
        case .nothing: return DocumentIterator()
        case .near(let group):
            guard group.phrases.count == 1, let hits = counted(expression.phrases[group.number])?.hits(in: segment)
            else { return try leaf(group) }
            return DocumentSetIterator(hits.makeDocumentSet())
        case .and(let nodes):
            return try all(nodes, isPlain: isPlain) { _, node in try iterator(node) }.map(ConjunctionIterator.init)
                ?? DocumentIterator()
        case .or(let nodes): return DisjunctionIterator(try nodes.map(iterator))
        case .not(let left, let right):
            return DifferenceIterator(try iterator(left), without: try iterator(right))
        }
    }

    /// The documents that match a group of phrases.
    ///
    /// - Parameter known: Iterators to use for some of the terms, by phrase.
    func leaf(_ group: NearGroup, known: [[LeafIterator?]]? = nil) throws -> LeafIterator {
        let phrases = group.phrases.map { expression.phrases[$0] }
        guard phrases.count != 1 else { return try leaf(phrases[0], known: known?[0]) }
        let leaves = try all(phrases, isPlain: { $0.terms.allSatisfy(\.isToken) }) {
            try leaf($1, isPart: true, known: known?[$0])
        }
        return leaves.map {
            NearIterator(
                $0, lengths: phrases.map(\.terms.count), distance: group.distance, reader: segment.reader)
        } ?? LeafIterator()
    }

    /// The documents that match one phrase by itself.
    ///
    /// - Parameters:
    ///   - isPart: Whether the phrase's positions are needed in every document.
    ///   - known: Iterators to use for some of the terms.
    func leaf(_ phrase: QueryPhrase, isPart: Bool = false, known: [LeafIterator?]? = nil) throws -> LeafIterator {
        let columns = ColumnFilter(phrase.columns, columnCount: segment.shape.columnCount)
        if phrase.terms.isEmpty || phrase.columns?.columns.isEmpty == true { return LeafIterator() }
        if phrase.terms.count == 1, !phrase.isInitial {
            if let leaf = known?[0] { return leaf }
            return try postings(phrase.terms[0], columns, usesLists: !isPart, comparesPlaces: comparesPlaces)
        }
        // A stored list counts each term at a position.
        let countsTerms = phrase.terms.count == 1 && !isPart && phrase.terms[0].listKey(segment.shape) != nil
        let terms = try all(phrase.terms, isPlain: \.isToken) { index, term in
            try known?[index]
                ?? postings(term, columns, usesLists: false, comparesPlaces: comparesPlaces && !countsTerms)
        }
        return terms.map { PhraseIterator($0, isInitial: phrase.isInitial, shares: expression.prefixCount) }
            ?? LeafIterator()
    }

    /// Creates the members of what matches only where all of them match, the plain ones first; nil if one has no documents. So
    /// in a segment without one of the words, the terms of a prefix are not looked for.
    private func all<Part, Member: DocumentIterator>(
        _ parts: [Part], isPlain: (Part) -> Bool, _ make: (Int, Part) throws -> Member
    ) throws -> [Member]? {
        var members: [Member?] = parts.map { _ in nil }
        for wantsPlain in [true, false] {
            for (index, part) in parts.enumerated() where isPlain(part) == wantsPlain {
                let member = try make(index, part)
                if member.cost == 0 { return nil }
                members[index] = member
            }
        }
        return members.compactMap(\.self)
    }

    /// Whether a node is a group of tokens.
    private func isPlain(_ node: QueryNode) -> Bool {
        guard case .near(let group) = node else { return false }
        return group.phrases.allSatisfy { expression.phrases[$0].terms.allSatisfy(\.isToken) }
    }

    // MARK: - Terms

    /// - Parameters:
    ///   - usesLists: Whether to find the documents of a prefix by its stored list.
    ///   - comparesPlaces: Whether terms may share a position, which counts once.
    private func postings(
        _ term: QueryTerm, _ columns: ColumnFilter?, usesLists: Bool, comparesPlaces: Bool
    ) throws -> LeafIterator {
        if term.isForgiving { return try forgivingPostings(term, columns, usesLists: usesLists) }
        guard term.isPrefix else {
            let tokens = term.synonyms.isEmpty ? [term.bytes] : Array(Set([term.bytes] + term.synonyms))
            let entries = try tokens.compactMap { try entry(withKey: [0] + $0) }
            return try union(entries, columns, comparesPlaces: comparesPlaces)
        }
        if usesLists, let key = term.listKey(segment.shape) {
            guard let entry = try entry(withKey: key) else { return LeafIterator() }
            // A stored list counts each term at a position.
            return PrefixListPostings(try segment.postings(entry), columns: columns) {
                try postings(term, columns, usesLists: false, comparesPlaces: false)
            }
        }
        let expansions = try TermExpansions(
            segment, prefixes: ([term.bytes] + term.synonyms).map { [0] + $0 }, comparesPlaces: comparesPlaces,
            shares: expression.prefixCount)
        if expansions.count > UnionPostings.termLimit {
            return try PrefixPostings(expansions, columns: columns, shares: expression.prefixCount)
        }
        var entries: [TermEntry] = []
        try expansions.forEach { entry, _ in entries.append(entry) }
        return try union(entries, columns, comparesPlaces: comparesPlaces)
    }

    /// Each term counts at its position, as in a stored list.
    private func forgivingPostings(
        _ term: QueryTerm, _ columns: ColumnFilter?, usesLists: Bool
    ) throws -> LeafIterator {
        var members = [try postings(term.exact, columns, usesLists: usesLists, comparesPlaces: false)]
        var factors = [1.0]
        for variant in term.variants {
            guard let entry = try entry(withKey: [0] + variant.bytes) else { continue }
            members.append(TermPostings(try segment.postings(entry), columns: columns))
            factors.append(variant.factor)
        }
        return UnionPostings(members, factors: factors, comparesPlaces: false)
    }

    /// Whether several terms may share a position.
    private var comparesPlaces: Bool { segment.shape.hasPositions && segment.hasColocatedTokens }

    private func entry(withKey key: [UInt8]) throws -> TermEntry? {
        try key.withUnsafeBufferPointer(segment.find).flatMap { $0.count > 0 ? $0 : nil }
    }

    private func union(_ entries: [TermEntry], _ columns: ColumnFilter?, comparesPlaces: Bool) throws -> LeafIterator {
        let members = try entries.map { TermPostings(try segment.postings($0), columns: columns) }
        switch members.count {
        case 0: return LeafIterator()
        case 1: return members[0]
        default: return UnionPostings(members, comparesPlaces: comparesPlaces)
        }
    }
}

extension QueryTerm {
    /// The key of the prefix's stored list; nil if there is none.
    func listKey(_ shape: IndexShape) -> [UInt8]? {
        guard isPrefix, synonyms.isEmpty, !isForgiving else { return nil }
        for (index, length) in shape.prefixes.enumerated() {
            let size = bytes.withUnsafeBufferPointer { PrefixKey.byteCount(of: $0, characters: length) }
            if size == bytes.count, let list = UInt8(exactly: index + 1) { return [list] + bytes }
        }
        return nil
    }
}
