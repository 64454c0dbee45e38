/// Frequencies and lengths in eight bits: numbers below 32 as they are, then sixteen steps an octave.
///
///     code < 32     code
///     else          (16 + (code - 32) % 16) << (1 + (code - 32) / 16)
enum ImpactCode {
    /// The greatest code whose value is at most `number`, to store a length so that scores are bounded from above.
    @inline(__always)
    static func floor(_ number: UInt32) -> UInt8 {
        if number < 32 { return UInt8(truncatingIfNeeded: number) }
        let octave = UInt32(truncatingIfNeeded: 31 &- number.leadingZeroBitCount)
        let code = 32 &+ (octave &- 5) &* 16 &+ (number &>> (octave &- 4)) & 15
        return UInt8(truncatingIfNeeded: min(code, 255))
    }

    /// The least code whose value is at least `number`, to store a frequency; 255 stands for all that are greater.
    @inline(__always)
    static func ceiling(_ number: UInt32) -> UInt8 {
        let code = floor(number)
        return code == 255 || value(code) >= number ? code : code &+ 1
    }

    /// The length that a code stands for.
    @inline(__always)
    static func value(_ code: UInt8) -> UInt32 {
        let code = UInt32(code)
        return code < 32 ? code : (16 &+ (code & 15)) &<< (1 &+ (code &- 32) &>> 4)
    }

    /// The frequency that a code stands for.
    @inline(__always)
    static func frequency(_ code: UInt8) -> UInt32 { code == 255 ? .max : value(code) }
}

/// Upper bounds of what the documents of a block score: at most four pairs of a frequency and a length such that for
/// every document one pair has at least its frequency and at most its length. A score that grows with the frequency and
/// falls with the length is at most its largest value over the pairs.
///
/// Stored as eight bytes: four times the codes of a frequency, rounded up, and of a length, rounded down; frequency 0
/// for pairs that there are not.
struct Impacts: Equatable {
    static let capacity = 4

    /// Pair i in bits 16 i ..< 16 i + 16: the frequency's code, then the length's.
    let codes: UInt64

    @inline(__always)
    init(codes: UInt64) { self.codes = codes }

    /// One pair.
    init(frequency: UInt32, length: UInt32) {
        codes = UInt64(ImpactCode.ceiling(frequency)) | UInt64(ImpactCode.floor(length)) << 8
    }

    /// How many pairs there are.
    @inline(__always)
    var count: Int {
        if codes >> 16 & 0xFF == 0 { return codes & 0xFF == 0 ? 0 : 1 }
        return codes >> 32 & 0xFF == 0 ? 2 : codes >> 48 & 0xFF == 0 ? 3 : 4
    }

    /// Pair `i`, 0 ..< count, by descending frequency, and descending length.
    @inline(__always)
    subscript(i: Int) -> (frequency: UInt32, length: UInt32) {
        let pair = codeValues(i)
        return (ImpactCode.frequency(pair.frequency), ImpactCode.value(pair.length))
    }

    /// The codes of pair `i`, for tables that have an element for each code of a length.
    @inline(__always)
    func codeValues(_ i: Int) -> (frequency: UInt8, length: UInt8) {
        let pair = codes &>> UInt64(truncatingIfNeeded: i &* 16)
        return (UInt8(truncatingIfNeeded: pair), UInt8(truncatingIfNeeded: pair &>> 8))
    }
}

/// What is known of a block of postings without decoding it.
struct BlockSummary {
    var lastDocument: UInt32
    /// For all columns together.
    var impacts: Impacts
    /// The columns that occur, as bits; bit 15 stands for the columns from 15 on.
    var columns: UInt16
}

/// Gathers the frequencies and lengths of documents, and reduces them to four pairs that bound all.
final class ImpactsBuilder {
    /// The shortest length, as a code, of each code of a frequency; 255 for none. (255 as a length is stored as 254.)
    private let shortest: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var highest = 0

    private typealias Pair = (frequency: UInt8, length: UInt8)

    init() {
        shortest = .allocate(capacity: 256)
        shortest.initialize(repeating: 255, count: 256)
    }

    deinit { shortest.deallocate() }

    @inline(__always)
    func add(frequency: UInt32, lengthCode: UInt8) { add(ImpactCode.ceiling(frequency), lengthCode) }

    func add(_ impacts: Impacts) {
        for i in 0..<impacts.count {
            let pair = impacts.codeValues(i)
            add(pair.frequency, pair.length)
        }
    }

    @inline(__always)
    private func add(_ frequency: UInt8, _ length: UInt8) {
        let index = Int(frequency)
        highest = max(highest, index)
        shortest[index] = min(shortest[index], min(length, 254))
    }

    /// The pairs of what was added, and begins anew. `averageLength` decides which pairs are put together: those whose
    /// common bound is the least too high.
    func finish(averageLength: Double) -> Impacts {
        withUnsafeTemporaryAllocation(of: Pair.self, capacity: 256) { pairs in
            var count = 0
            var limit: UInt8 = 255
            for index in stride(from: highest, through: 0, by: -1) where shortest[index] < limit {
                limit = shortest[index]
                pairs[count] = (UInt8(truncatingIfNeeded: index), limit)
                count += 1
            }
            forget()
            while count > Impacts.capacity {
                Self.joinTwo(UnsafeMutableBufferPointer(rebasing: pairs[..<count]), averageLength)
                count -= 1
            }
            var codes: UInt64 = 0
            for index in 0..<count {
                codes |= (UInt64(pairs[index].frequency) | UInt64(pairs[index].length) << 8) << UInt64(index * 16)
            }
            return Impacts(codes: codes)
        }
    }

    /// Begins anew.
    @inline(__always)
    func forget() {
        shortest.update(repeating: 255, count: highest + 1)
        highest = 0
    }

    /// Puts together two pairs next to each other; the last place is free then.
    private static func joinTwo(_ pairs: UnsafeMutableBufferPointer<Pair>, _ averageLength: Double) {
        var best = 0
        var leastLoss = Double.infinity
        for index in 0..<pairs.count - 1 {
            let joined = score(pairs[index].frequency, pairs[index + 1].length, averageLength)
            let apart = max(
                score(pairs[index].frequency, pairs[index].length, averageLength),
                score(pairs[index + 1].frequency, pairs[index + 1].length, averageLength))
            if joined - apart < leastLoss {
                leastLoss = joined - apart
                best = index
            }
        }
        pairs[best].length = pairs[best + 1].length
        for index in best + 1..<pairs.count - 1 { pairs[index] = pairs[index + 1] }
    }

    /// BM25's share of a frequency with FTS5's k1 = 1.2 and b = 0.75.
    private static func score(_ frequency: UInt8, _ length: UInt8, _ averageLength: Double) -> Double {
        let frequency = Double(ImpactCode.frequency(frequency))
        return frequency / (frequency + 1.2 * (0.25 + 0.75 * Double(ImpactCode.value(length)) / max(averageLength, 1)))
    }
}
