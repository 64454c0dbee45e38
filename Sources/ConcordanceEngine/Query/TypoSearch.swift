import ConcordanceText

/// Finds the terms of an index that are a few typos away from those of a query.
///
/// An automaton reads the dictionaries, and tells early that no term is near enough which begins so. Most pages are not
/// read: the dictionary's index, in memory, has bounds of their terms, between which the automaton finds none.
struct TypoSearch {
    /// The most variants of a term.
    static let variantLimit = 64
    /// The most terms that are compared by frequency, about 8 MB.
    private static let candidateLimit = 1 << 16

    private struct Candidate {
        var typos: Int
        var documentFrequency: Int
    }

    private var candidates: [[UInt8]: Candidate] = [:]

    /// The variants of a term, the terms with the fewest typos and the most rows, in the order of their bytes.
    static func variants(of term: QueryTerm, in snapshot: Snapshot) throws -> [TermVariant] {
        var search = TypoSearch()
        for token in [term.bytes] + term.synonyms {
            try token.withUnsafeBufferPointer { try search.add($0, term, snapshot) }
        }
        for token in [term.bytes] + term.synonyms { search.candidates[token] = nil }
        return search.best(variantLimit).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private mutating func add(_ token: UnsafeBufferPointer<UInt8>, _ term: QueryTerm, _ snapshot: Snapshot) throws {
        guard let matcher = TypoMatcher(token, term.typos, isPrefix: term.isPrefix) else { return }
        for live in snapshot.segments {
            try live.segment.forEachTerm(of: matcher) { bytes, typos, entry in
                // Words that begin with the term itself have none.
                if typos == 0 { return }
                let count = try live.liveCount(entry)
                var candidate = candidates[bytes] ?? Candidate(typos: typos, documentFrequency: 0)
                candidate.typos = min(candidate.typos, typos)
                candidate.documentFrequency += count
                candidates[bytes] = candidate
                if candidates.count > Self.candidateLimit { shrink() }
            }
        }
    }

    private mutating func shrink() {
        let kept = best(Self.candidateLimit / 2)
        candidates = Dictionary(
            kept.map { ($0.bytes, Candidate(typos: $0.typos, documentFrequency: $0.documentFrequency)) }
        ) { first, _ in first }
    }

    private func best(_ count: Int) -> [TermVariant] {
        let variants = candidates.compactMap { bytes, candidate in
            candidate.documentFrequency > 0
                ? TermVariant(bytes: bytes, typos: candidate.typos, documentFrequency: candidate.documentFrequency)
                : nil
        }
        if variants.count <= count { return variants }
        return Array(variants.sorted { $0.precedes($1) }.prefix(count))
    }
}

extension TermVariant {
    fileprivate func precedes(_ other: Self) -> Bool {
        if typos != other.typos { return typos < other.typos }
        if documentFrequency != other.documentFrequency { return documentFrequency > other.documentFrequency }
        return bytes.lexicographicallyPrecedes(other.bytes)
    }
}

extension Segment {
    /// Calls `body` with each term of the dictionary that matches, how many typos it has, and its entry.
    fileprivate func forEachTerm(
        of matcher: TypoMatcher, _ body: (_ term: [UInt8], _ typos: Int, _ entry: TermEntry) throws -> Void
    ) throws {
        guard reader.count(.dictionary) > 0 else { return }
        try index().forEachPage { number, lower, upper in
            // Keys of terms begin with 0 (`PrefixKey`), those of prefixes come behind.
            guard lower.first ?? 0 == 0 else { return }
            let end = upper.flatMap { $0.first == 0 ? UnsafeBufferPointer(rebasing: $0.dropFirst()) : nil }
            guard matcher.mayMatch(from: UnsafeBufferPointer(rebasing: lower.dropFirst()), below: end),
                try hasTerm(inPage: number, matcher)
            else { return }
            try forEachTerm(inPage: number, matcher, body)
        }
    }

    /// Whether a term of a page matches.
    private func hasTerm(inPage number: Int, _ matcher: TypoMatcher) throws -> Bool {
        var (page, owner) = try dictionaryPage(number)
        defer { withExtendedLifetime(owner) {} }
        return try page.contains { shared, suffix in
            if shared > 0 { return matcher.typos(keeping: shared &- 1, suffix) != nil }
            // Lists of prefixes come behind all terms.
            guard suffix.first == 0 else { return false }
            return matcher.typosOfFirst(UnsafeRawBufferPointer(rebasing: suffix.dropFirst())) != nil
        }
    }

    private func forEachTerm(
        inPage number: Int, _ matcher: TypoMatcher,
        _ body: (_ term: [UInt8], _ typos: Int, _ entry: TermEntry) throws -> Void
    ) throws {
        let cursor = try TermCursor(self, page: number)
        while try cursor.next(inPage: number), cursor.withKey({ $0.first == 0 }) {
            let typos = cursor.withKey { matcher.typos(UnsafeBufferPointer(rebasing: $0.dropFirst())) }
            if let typos { try body(cursor.withKey { Array($0.dropFirst()) }, typos, cursor.entry) }
        }
    }
}

extension Snapshot {
    /// The query with the variants of its terms that may have typos.
    func withVariants(_ expression: QueryExpression) throws -> QueryExpression {
        guard expression.phrases.contains(where: { $0.terms.contains(where: \.isForgiving) }) else { return expression }
        var expression = expression
        for phrase in expression.phrases.indices {
            for term in expression.phrases[phrase].terms.indices {
                let known = expression.phrases[phrase].terms[term]
                guard known.isForgiving else { continue }
                if known.typos == .ifUnknown, try isKnown(known) {
                    expression.phrases[phrase].terms[term].typos = .none
                } else {
                    expression.phrases[phrase].terms[term].variants = try variants(of: known)
                }
            }
        }
        return expression
    }

    /// Whether a row has a term, or one that begins so.
    private func isKnown(_ term: QueryTerm) throws -> Bool {
        for key in ([term.bytes] + term.synonyms).map({ [0] + $0 }) {
            var count = 0
            for live in segments {
                if term.isPrefix {
                    let cursor = try live.segment.makeTermCursor(from: key)
                    while try cursor.next(), cursor.withKey({ $0.starts(with: key) }) {
                        if try live.liveCount(cursor.entry) > 0 { return true }
                    }
                } else if let entry = try key.withUnsafeBufferPointer(live.segment.find) {
                    count += try live.liveCount(entry)
                }
            }
            if count > 0 { return true }
        }
        return false
    }

    private func variants(of term: QueryTerm) throws -> [TermVariant] {
        var key = term
        key.variants = []
        if key.typos == .ifUnknown { key.typos = .automatic }
        return try termVariants.value(for: key) { try TypoSearch.variants(of: key, in: self) }
    }
}
