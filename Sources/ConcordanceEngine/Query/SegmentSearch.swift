/// Makes the iterators of a query for one segment.
struct SegmentSearch {
    private let expression: QueryExpression
    private let segment: Segment

    init(_ expression: QueryExpression, segment: Segment) {
        self.expression = expression
        self.segment = segment
    }

    /// The documents that match the query.
    func iterator() throws -> DocumentIterator {
        try expression.root.map(iterator) ?? DocumentIterator()
    }

    private func iterator(_ node: QueryNode) throws -> DocumentIterator {
        switch node {
        case .nothing: return DocumentIterator()
        case .near(let group): return try leaf(group)
        case .and(let nodes): return ConjunctionIterator(try nodes.map(iterator))
        case .or(let nodes): return DisjunctionIterator(try nodes.map(iterator))
        case .not(let left, let right):
            return DifferenceIterator(try iterator(left), without: try iterator(right))
        }
    }

    /// The documents that match a group of phrases.
    ///
    /// - Parameter isRandom: Whether it is moved to single documents rather than along all.
    func leaf(_ group: NearGroup, isRandom: Bool = false) throws -> LeafIterator {
        let phrases = group.phrases.map { expression.phrases[$0] }
        guard phrases.count != 1 else { return try leaf(phrases[0], isRandom: isRandom) }
        return NearIterator(
            try phrases.map { try leaf($0, isPart: true, isRandom: isRandom) }, lengths: phrases.map(\.terms.count),
            distance: group.distance)
    }

    /// The documents that match one phrase by itself.
    ///
    /// - Parameter isPart: Whether its places decide about every document.
    func leaf(_ phrase: QueryPhrase, isPart: Bool = false, isRandom: Bool = false) throws -> LeafIterator {
        let columns = ColumnFilter(phrase.columns, columnCount: segment.shape.columnCount)
        if phrase.terms.isEmpty || phrase.columns?.columns.isEmpty == true { return LeafIterator() }
        if phrase.terms.count == 1, !phrase.isInitial {
            return try postings(
                phrase.terms[0], columns, needsPositions: isPart && !isRandom, usesLists: !isPart,
                comparesPlaces: comparesPlaces)
        }
        // A list would have counted each term at a place.
        let countsTerms = phrase.terms.count == 1 && !isPart && listKey(of: phrase.terms[0]) != nil
        let terms = try phrase.terms.map {
            try postings(
                $0, columns, needsPositions: !isRandom, usesLists: false, comparesPlaces: comparesPlaces && !countsTerms
            )
        }
        return PhraseIterator(terms, isInitial: phrase.isInitial)
    }

    /// The documents that match a phrase of several terms, moved to single documents.
    ///
    /// - Parameter known: Of each term, what is used for it instead of postings of its own.
    func leaf(_ phrase: QueryPhrase, known: [LeafIterator?]) throws -> LeafIterator {
        let columns = ColumnFilter(phrase.columns, columnCount: segment.shape.columnCount)
        let terms = try zip(phrase.terms, known).map { term, known in
            try known
                ?? postings(
                    term, columns, needsPositions: false, usesLists: false, comparesPlaces: comparesPlaces)
        }
        return PhraseIterator(terms, isInitial: phrase.isInitial)
    }

    // MARK: - Terms

    private func postings(
        _ term: QueryTerm, _ columns: ColumnFilter?, needsPositions: Bool, usesLists: Bool, comparesPlaces: Bool
    ) throws -> LeafIterator {
        guard term.isPrefix else {
            return try union([term.bytes] + term.synonyms.filter { $0 != term.bytes }, columns)
        }
        if usesLists, let key = listKey(of: term) {
            guard let list = try postings(key: key, columns) else { return LeafIterator() }
            // A list has counted each term at a place.
            return PrefixListPostings(list) {
                try expansions(of: term, columns, needsPositions: false, comparesPlaces: false)
            }
        }
        return try expansions(of: term, columns, needsPositions: needsPositions, comparesPlaces: comparesPlaces)
    }

    /// Whether several terms can stand at one place, as far as is known.
    private var comparesPlaces: Bool { segment.shape.hasPositions && segment.hasColocatedTokens }

    /// The key of the stored list of a prefix; nil where there is none.
    private func listKey(of term: QueryTerm) -> [UInt8]? {
        term.isPrefix ? term.listKey(segment.shape) : nil
    }

    private func postings(key: [UInt8], _ columns: ColumnFilter?) throws -> TermPostings? {
        guard let entry = try key.withUnsafeBufferPointer(segment.find), entry.count > 0 else { return nil }
        return TermPostings(try segment.postings(entry), columns: columns)
    }

    private func union(_ tokens: [[UInt8]], _ columns: ColumnFilter?) throws -> LeafIterator {
        let members = try Set(tokens).compactMap { try postings(key: [0] + $0, columns) }
        switch members.count {
        case 0: return LeafIterator()
        case 1: return members[0]
        default: return UnionPostings(members, comparesPlaces: comparesPlaces)
        }
    }

    private func expansions(
        of term: QueryTerm, _ columns: ColumnFilter?, needsPositions: Bool, comparesPlaces: Bool
    ) throws -> LeafIterator {
        let expansions = try TermExpansions(
            segment, prefixes: ([term.bytes] + term.synonyms).map { [0] + $0 }, comparesPlaces: comparesPlaces)
        guard expansions.count > 0 else { return LeafIterator() }
        guard expansions.count > UnionPostings.termLimit else {
            var members: [TermPostings] = []
            try expansions.forEach {
                members.append(TermPostings(try segment.postings($0), columns: columns))
            }
            return members.count == 1 ? members[0] : UnionPostings(members, comparesPlaces: comparesPlaces)
        }
        if needsPositions { return WindowedPostings(expansions, columns: columns) }
        return PrefixPostings(expansions, columns: columns)
    }
}

extension QueryTerm {
    /// The key of the list that is stored for the prefix; nil where none is.
    func listKey(_ shape: IndexShape) -> [UInt8]? {
        guard isPrefix, synonyms.isEmpty else { return nil }
        for (index, length) in shape.prefixes.enumerated() {
            let size = bytes.withUnsafeBufferPointer { PrefixKey.byteCount(of: $0, characters: length) }
            if size == bytes.count, let list = UInt8(exactly: index + 1) { return [list] + bytes }
        }
        return nil
    }
}
