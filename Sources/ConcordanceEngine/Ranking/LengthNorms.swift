import ConcordanceFTS5

/// Tables of `BM25.lengthNorm`, which is needed for every posting that is scored and several times for every block.
final class LengthNorms {
    /// The norms of lengths below this are in the table.
    static let tabulatedLengths = 2048

    let bm25: BM25
    /// The norm of every row, if the table does not know lengths.
    private let constant: Double?
    private let norms: FixedBuffer<Double>
    /// By `ImpactCode`: the norm of the length, and 1 divided by the frequency.
    private let codeNorms: FixedBuffer<Double>
    private let inverseFrequencies: FixedBuffer<Double>

    /// - Parameter constant: The norm of every row, if the lengths of rows do not count or are not known.
    init(_ bm25: BM25, constant: Double? = nil) {
        self.bm25 = bm25
        self.constant = constant
        norms = FixedBuffer(
            (0..<Self.tabulatedLengths).map { constant ?? bm25.lengthNorm(Double($0)) })
        let codes = UInt8.min...UInt8.max
        codeNorms = FixedBuffer(codes.map { constant ?? bm25.lengthNorm(Double(ImpactCode.value($0))) })
        inverseFrequencies = FixedBuffer(codes.map { 1 / Double(ImpactCode.frequency($0)) })
    }

    @inline(__always)
    func norm(_ length: UInt32) -> Double {
        length < Self.tabulatedLengths ? norms[Int(length)] : constant ?? bm25.lengthNorm(Double(length))
    }

    /// The least quotient of norm and frequency among the documents that the impacts describe: the smaller the
    /// quotient, the higher the score. Infinite if there are no impacts.
    @inline(__always)
    func leastQuotient(_ impacts: Impacts) -> Double {
        var quotient = Double.infinity
        var codes = impacts.codes
        while codes & 0xFF != 0 {
            let pair = codeNorms[Int(codes >> 8 & 0xFF)] * inverseFrequencies[Int(codes & 0xFF)]
            quotient = min(quotient, pair)
            codes >>= 16
        }
        return quotient
    }

    /// The least norm among the documents that the impacts describe.
    @inline(__always)
    func leastNorm(_ impacts: Impacts) -> Double {
        var norm = Double.infinity
        var codes = impacts.codes
        while codes & 0xFF != 0 {
            norm = min(norm, codeNorms[Int(codes >> 8 & 0xFF)])
            codes >>= 16
        }
        return norm
    }
}
