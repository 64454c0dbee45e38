import ConcordanceSQLite

/// Which words of a query the index did not have, so that others were looked for in their place
/// (`TypoTolerance.unknownWord`). Queries fill it when they run.
package final class TypoReport: Sendable {
    private let found = Locked<Set<[UInt8]>>([])

    package init() {}

    /// Tokens.
    package var unknown: Set<[UInt8]> { found.withLock { $0 } }

    /// Notes the terms of a query that have turned out to be unknown on a snapshot.
    func note(_ query: QueryExpression, bound: QueryExpression) {
        for (phrase, boundPhrase) in zip(query.phrases, bound.phrases) {
            for (term, boundTerm) in zip(phrase.terms, boundPhrase.terms)
            where term.typos != boundTerm.typos && boundTerm.typos == .unknownWord {
                found.withLock { _ = $0.insert(term.bytes) }
            }
        }
    }
}
