import ConcordanceSQLite

/// Which words of a query the index did not have, so that others were looked for in their place
/// (`TypoTolerance.unknownWord`). Each run of the query adds to it.
package final class TypoReport: Sendable {
    private let found = Locked<Set<[UInt8]>>([])

    package init() {}

    /// Tokens.
    package var unknown: Set<[UInt8]> { found.withLock { $0 } }

    /// Notes the terms of a query that have turned out to be unknown on a snapshot, and to have variants.
    func note(_ query: QueryExpression, bound: QueryExpression) {
        for (phrase, boundPhrase) in zip(query.phrases, bound.phrases) {
            for (term, boundTerm) in zip(phrase.terms, boundPhrase.terms)
            where term.typos != boundTerm.typos && boundTerm.typos == .unknownWord && !boundTerm.variants.isEmpty {
                found.withLock { _ = $0.insert(term.bytes) }
            }
        }
    }
}
