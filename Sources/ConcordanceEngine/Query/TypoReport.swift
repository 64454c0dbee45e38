import ConcordanceSQLite

/// The words of a query that the index did not have, and for which similar ones were used
/// (`TypoTolerance.unknownWord`). Each run of the query adds to it.
package final class TypoReport: Sendable {
    private let found = Locked<Set<[UInt8]>>([])

    package init() {}

    /// The words, as tokens.
    package var unknown: Set<[UInt8]> { found.withLock { $0 } }

    /// Notes the terms of a query that are unknown in a snapshot and have variants.
    func note(_ query: QueryExpression, bound: QueryExpression) {
        for (phrase, boundPhrase) in zip(query.phrases, bound.phrases) {
            for (term, boundTerm) in zip(phrase.terms, boundPhrase.terms)
            where term.typos != boundTerm.typos && boundTerm.typos == .unknownWord && !boundTerm.variants.isEmpty {
                found.withLock { _ = $0.insert(term.bytes) }
            }
        }
    }
}
