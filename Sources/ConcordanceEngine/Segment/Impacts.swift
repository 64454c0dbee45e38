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

    /// The pairs of what was added, and begins anew.
    ///
    /// Of more than four, neighbours are put together, by a bound on the scores of pairs for FTS5's k1 and b and this
    /// average length: the least with which four groups suffice. A group may reach it, or the best score in the group. The
    /// bound of the block is therefore its best score, unless the groups do not suffice for that.
    func finish(averageLength: Double) -> Impacts {
        withUnsafeTemporaryAllocation(of: Candidate.self, capacity: 256) { candidates in
            var count = 0
            var limit: UInt8 = 255
            for index in stride(from: highest, through: 0, by: -1) where shortest[index] < limit {
                limit = shortest[index]
                let pair = (frequency: UInt8(truncatingIfNeeded: index), length: limit)
                candidates.initializeElement(at: count, to: Candidate(pair, averageLength))
                count += 1
            }
            forget()
            let all = UnsafeMutableBufferPointer(rebasing: candidates[..<count])
            var bound = 0.0
            if count > Impacts.capacity {
                // Scores are between 0 and 1.
                var step = 0.5
                bound = 1
                while step > 1e-4 {
                    if Self.group(all, reaching: bound - step).count <= Impacts.capacity { bound -= step }
                    step /= 2
                }
            }
            return Impacts(codes: Self.group(all, reaching: bound).codes)
        }
    }

    /// A pair that no other one bounds.
    private struct Candidate {
        let pair: Pair
        let frequency: Double
        let norm: Double
        let score: Double

        init(_ pair: Pair, _ averageLength: Double) {
            self.pair = pair
            frequency = Double(ImpactCode.frequency(pair.frequency))
            norm = 1.2 * (0.25 + 0.75 * Double(ImpactCode.value(pair.length)) / max(averageLength, 1))
            score = frequency / (frequency + norm)
        }
    }

    /// Puts candidates together, from the greatest frequency on, as long as their common score is at most `bound` or the best
    /// of theirs. Returns the number of groups, and the pairs of the first four.
    private static func group(
        _ candidates: UnsafeMutableBufferPointer<Candidate>, reaching bound: Double
    ) -> (count: Int, codes: UInt64) {
        var (count, codes) = (0, UInt64(0))
        var first = 0
        while first < candidates.count {
            let frequency = candidates[first].frequency
            var limit = max(bound, candidates[first].score)
            var last = first
            while last + 1 < candidates.count {
                let next = candidates[last + 1]
                limit = max(limit, next.score)
                if frequency > limit * (frequency + next.norm) { break }
                last += 1
            }
            if count < Impacts.capacity {
                let pair = (candidates[first].pair.frequency, candidates[last].pair.length)
                codes |= (UInt64(pair.0) | UInt64(pair.1) << 8) << UInt64(count * 16)
            }
            count += 1
            first = last + 1
        }
        return (count, codes)
    }

    /// Begins anew.
    @inline(__always)
    func forget() {
        shortest.update(repeating: 255, count: highest + 1)
        highest = 0
    }
}
