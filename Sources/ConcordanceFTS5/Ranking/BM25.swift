#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Okapi BM25 as FTS5 computes it (https://www.sqlite.org/fts5.html#the_bm25_function), operation by operation, so that
/// scores are the same doubles: each phrase adds to the score of a row
///
///     idf * (f * (k1 + 1)) / (f + k1 * (1 - b + b * length / averageLength))
///
/// where f is the number of the phrase's hits in the row, each counted with the weight of its column, and length the
/// number of the row's tokens. FTS5 returns the sum negated, so that an ascending order puts the best row first; here
/// scores are positive.
package struct BM25: Equatable, Sendable {
    @usableFromInline package let k1: Double
    @usableFromInline package let b: Double
    /// The average number of tokens of a row.
    @usableFromInline package let averageLength: Double

    /// - Parameter tokenCount: The number of tokens in all indexed columns of all rows.
    package init(k1: Double = 1.2, b: Double = 0.75, rowCount: Int, tokenCount: Int64) {
        self.k1 = k1
        self.b = b
        averageLength = Double(tokenCount) / Double(rowCount)
    }

    /// The weight of a phrase that at least half of the rows contain.
    package static let leastIDF = 1e-6

    /// The weight of a phrase that `documentFrequency` of the rows contain. Never negative: otherwise a word in more
    /// than half of the rows would lower a row's score.
    package static func inverseDocumentFrequency(rowCount: Int, documentFrequency: Int) -> Double {
        let idf = log((Double(rowCount) - Double(documentFrequency) + 0.5) / (Double(documentFrequency) + 0.5))
        return idf <= 0 ? leastIDF : idf
    }

    /// The term beside the frequency in the divisor, for a row of `length` tokens; grows with the length.
    ///
    /// Never zero, so that a phrase without hits adds zero if k1 is 0.
    @inlinable @inline(__always)
    package func lengthNorm(_ length: Double) -> Double {
        let norm = k1 * (1 - b + b * length / averageLength)
        return norm == 0 ? .leastNormalMagnitude : norm
    }

    /// The share of `idf` that hits add: from 0 for none, towards k1 + 1.
    ///
    /// For whole frequencies below ten million it never falls with the frequency and never grows with the norm,
    /// rounding included: one more hit changes the quotient by far more than the rounding of its three operations does.
    @inlinable @inline(__always)
    package static func saturated(_ frequency: Double, norm: Double, k1: Double) -> Double {
        (frequency * (k1 + 1)) / (frequency + norm)
    }
}
