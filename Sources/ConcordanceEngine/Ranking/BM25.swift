#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The ranking function of FTS5 (https://www.sqlite.org/fts5.html#the_bm25_function), operation by operation, so that scores
/// are the same doubles: of a row, the sum over phrases of
///
///     idf * (f * (k1 + 1)) / (f + k1 * (1 - b + b * D / average))
///
/// where f is the phrase's hits in the row, each counted with the weight of its column, and D the row's length in tokens.
/// FTS5 shows the sum negated, so that an ascending order has the best row first; inside the engine it is positive.
struct BM25 {
    static let k1 = 1.2
    static let b = 0.75

    /// Tokens of the average row.
    let averageLength: Double

    /// - Parameters:
    ///   - tokenCount: Tokens of all indexed columns of all rows.
    init(rowCount: Int, tokenCount: Int64) { averageLength = Double(tokenCount) / Double(rowCount) }

    /// The weight of a phrase that so many of the rows have: never negative, since words of more than half of the rows
    /// would count against a row.
    static func inverseDocumentFrequency(rowCount: Int, documentFrequency: Int) -> Double {
        let idf = log((Double(rowCount) - Double(documentFrequency) + 0.5) / (Double(documentFrequency) + 0.5))
        return idf <= 0 ? 1e-6 : idf
    }

    /// What stands beside the frequency in the divisor for a row of that length; grows with the length.
    @inline(__always)
    func lengthNorm(_ length: Double) -> Double {
        Self.k1 * (1 - Self.b + Self.b * length / averageLength)
    }

    /// What a phrase adds to a row's score.
    ///
    /// For whole frequencies below ten million it never falls with the frequency and never grows with the norm, rounding
    /// included: one hit more changes the quotient by far more than the rounding of its three operations does.
    @inline(__always)
    static func score(idf: Double, frequency: Double, norm: Double) -> Double {
        idf * ((frequency * (k1 + 1)) / (frequency + norm))
    }
}

extension BM25 {
    /// The same for several rows at once.
    @inline(__always)
    static func score(idf: Double, frequency: SIMD4<Double>, norm: SIMD4<Double>) -> SIMD4<Double> {
        idf * ((frequency * (k1 + 1)) / (frequency + norm))
    }
}
