import ConcordanceText

/// Finds the terms of an index that are a few typos away from those of a query.
///
/// An automaton reads the dictionaries, and knows early when no term with a certain beginning can be near enough. Most
/// of a dictionary is not read: between most of the bounds in memory (`DictionaryGroups`) the automaton accepts no
/// word, and most of the remaining terms have too many different characters.
struct TypoSearch {
    /// The most variants of a term.
    private static let variantLimit = 64

    /// The variants of a term: the terms with the fewest typos and the most rows, in the order of their bytes.
    static func variants(of term: QueryTerm, in snapshot: Snapshot) throws -> [TermVariant] {
        let tokens = [term.bytes] + term.synonyms + term.spellings
        var candidates = TypoCandidates()
        let matchers = tokens.compactMap { token in
            token.withUnsafeBufferPointer { TypoMatcher($0, term.typos, isPrefix: term.isPrefix) }
        }
        for (number, live) in snapshot.segments.enumerated() {
            for matcher in matchers {
                // Terms without typos are not variants, nor are the synonyms of a single token.
                try live.segment.forEachTerm(of: matcher, from: tokens.count > 1 ? 0 : 1) { bytes, typos, entry in
                    // A dictionary stores a long common beginning once; in memory each term would repeat it.
                    guard bytes.count <= TypoMatcher.byteCapacity else { return }
                    candidates.add(bytes, typos: typos, documentFrequency: try live.liveCount(entry), segment: number)
                }
            }
        }
        return candidates.best(variantLimit, besides: tokens)
    }
}

extension Segment {
    /// Calls `body` with each term of the dictionary that matches with at least this many typos, their number, and its
    /// entry.
    fileprivate func forEachTerm(
        of matcher: TypoMatcher, from least: Int,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ typos: Int, _ entry: TermEntry) throws -> Void
    ) throws {
        var found: [(place: Int, typos: Int)] = []
        var current = 0
        try groups().forEachGroup(of: matcher) { page, offset, places, first in
            if page != current {
                try forEachTerm(at: found, inPage: current, body)
                found.removeAll(keepingCapacity: true)
                current = page
            }
            try findTerms(inPage: page, from: offset, first, places, matcher, least, &found)
        }
        try forEachTerm(at: found, inPage: current, body)
    }

    /// Finds the places in a page of the terms of a group that match with at least this many typos.
    private func findTerms(
        inPage number: Int, from offset: Int, _ first: UnsafeBufferPointer<UInt8>, _ places: Range<Int>,
        _ matcher: TypoMatcher, _ least: Int, _ found: inout [(place: Int, typos: Int)]
    ) throws {
        var (page, owner) = try dictionaryPage(number, from: offset)
        defer { withExtendedLifetime(owner) {} }
        _ = try page.readKey()
        if let typos = matcher.typos(first), typos >= least { found.append((places.lowerBound, typos)) }
        for place in places.dropFirst() {
            try page.skipEntry()
            guard !page.isAtEnd else { return }
            let (shared, suffix) = try page.readKey()
            // Stored lists of prefixes follow all terms.
            if shared == 0 { return }
            if let typos = matcher.typos(keeping: shared &- 1, suffix), typos >= least { found.append((place, typos)) }
        }
    }

    /// Reads the page up to the last of the places, which ascend.
    private func forEachTerm(
        at places: [(place: Int, typos: Int)], inPage number: Int,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ typos: Int, _ entry: TermEntry) throws -> Void
    ) throws {
        if places.isEmpty { return }
        let cursor = try TermCursor(self, page: number)
        var place = 0
        for wanted in places {
            while place <= wanted.place, try cursor.next(inPage: number) { place += 1 }
            try cursor.withKey { try body(UnsafeBufferPointer(rebasing: $0.dropFirst()), wanted.typos, cursor.entry) }
        }
    }
}

extension Snapshot {
    /// The query, with variants for those of its terms that may have typos.
    func withVariants(_ expression: QueryExpression) throws -> QueryExpression {
        guard expression.phrases.contains(where: { $0.terms.contains(where: \.isForgiving) }) else { return expression }
        let phrases = try expression.phrases.map { phrase in
            var phrase = phrase
            phrase.terms = try phrase.terms.map { term in
                guard term.isForgiving else { return term }
                var bound = term
                bound.typos = try resolved(term)
                if bound.isForgiving { bound.variants = try variants(of: bound) }
                return bound
            }
            return phrase
        }
        return QueryExpression(root: expression.root, phrases: phrases)
    }

    /// The tolerance of a term, resolved if it depends on whether a row has the term.
    private func resolved(_ term: QueryTerm) throws -> TypoTolerance {
        switch term.typos {
        case .ifUnknown: try isKnown(term) ? .none : .unknownWord
        case .typed: try isKnown(term) ? .knownWord : .unknownWord
        default: term.typos
        }
    }

    /// Whether a row has the term or, for a prefix, a term that begins with it.
    private func isKnown(_ term: QueryTerm) throws -> Bool {
        for token in [term.bytes] + term.synonyms {
            if term.isPrefix {
                if try liveTerms(beginningWith: token)?.isEmpty != true { return true }
            } else if try documentFrequency(of: [0] + token) > 0 {
                return true
            }
        }
        return false
    }

    private func variants(of term: QueryTerm) throws -> [TermVariant] {
        var key = term
        key.variants = []
        return try termVariants.value(for: key) { try TypoSearch.variants(of: key, in: self) }
    }
}
