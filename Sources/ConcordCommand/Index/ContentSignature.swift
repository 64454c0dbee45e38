/// A sketch of a text's word sequences by which near-duplicates are told: of two texts, about half as large a share of the bits
/// differs as of their sequences (Broder, "On the resemblance and containment of documents", 1997).
///
/// One hash of each sequence of three words is sorted into bins, and of each bin's smallest hash one bit is kept
/// (Li, Owen and Zhang, "One Permutation Hashing", 2012; Li and König, "b-Bit Minwise Hashing", 2010: with the resemblance R,
/// two bits differ with the probability (1 - R) / 2). An empty bin borrows from the next one that is not (Shrivastava and Li,
/// "Densifying One Permutation Hashing via Rotation", 2014). Sequences that are repeated count once.
struct ContentSignature: Equatable, Sendable {
    private let bits: (UInt64, UInt64)

    private static let bins = 128
    /// Texts with fewer bins in use, about 60 different sequences, are too short to be judged by a sketch.
    private static let fewestBins = 48
    /// How many bits of near-duplicates differ at most. On the documentation of a Debian machine, all 916 pairs of files that
    /// this folds share 79 of 100 sequences or more. `Benchmarks/near-duplicates` prints what an index folds.
    private static let greatestDistance = 6

    /// nil for a text that is too short.
    init?(_ text: String) {
        var text = text
        var sketch = SequenceSketch(bins: Self.bins)
        text.withUTF8 { sketch.add($0) }
        guard sketch.usedBins >= Self.fewestBins else { return nil }
        bits = (sketch.bits(0..<64), sketch.bits(64..<128))
    }

    /// A signature as it is stored; nil for what is not one.
    init?(_ stored: [UInt8]) {
        guard stored.count == Self.bins / 8 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        bits = (number(stored[..<8]), number(stored[8...]))
    }

    /// The bytes that are stored, the first bit first.
    var stored: [UInt8] {
        [bits.0, bits.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    }

    func distance(to other: ContentSignature) -> Int {
        (bits.0 ^ other.bits.0).nonzeroBitCount + (bits.1 ^ other.bits.1).nonzeroBitCount
    }

    func isNear(_ other: ContentSignature) -> Bool { distance(to: other) <= Self.greatestDistance }

    static func == (left: ContentSignature, right: ContentSignature) -> Bool { left.bits == right.bits }
}

/// The smallest hash of the word sequences in each of some bins.
private struct SequenceSketch {
    private var smallest: [UInt64]
    /// Hashes of the last two words, the newest last; 0 where there was none.
    private var last: (UInt64, UInt64) = (0, 0)
    private let shift: UInt64

    /// - Parameter bins: A power of two.
    init(bins: Int) {
        smallest = [UInt64](repeating: .max, count: bins)
        shift = UInt64(64 - bins.trailingZeroBitCount)
    }

    var usedBins: Int { smallest.reduce(0) { $0 + ($1 == .max ? 0 : 1) } }

    /// One bit of each of up to 64 bins, some of which are used.
    func bits(_ range: Range<Int>) -> UInt64 {
        range.reduce(0) { bits, bin in
            var steps = 0
            while smallest[(bin + steps) % smallest.count] == .max, steps < smallest.count { steps += 1 }
            let hash = smallest[(bin + steps) % smallest.count]
            return bits << 1 | (steps == 0 ? hash : Self.mixed(hash &+ UInt64(steps))) & 1
        }
    }

    /// Words are runs of letters and digits, ASCII letters without regard to case; characters of scripts that are written
    /// without spaces are words of their own.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        var hash = Self.seed
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                place += 1
                if (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) {
                    // Digits have the bit of small letters.
                    hash = Self.step(hash, byte | 0x20)
                } else if hash != Self.seed {
                    add(word: hash)
                    hash = Self.seed
                }
                continue
            }
            let end = min(place + Self.length(byte), text.count)
            let role = Self.role(byte, place + 1 < text.count ? text[place + 1] : 0)
            if role != .letter, hash != Self.seed {
                add(word: hash)
                hash = Self.seed
            }
            if role != .separator { for index in place..<end { hash = Self.step(hash, text[index]) } }
            if role == .word {
                add(word: hash)
                hash = Self.seed
            }
            place = end
        }
        if hash != Self.seed { add(word: hash) }
    }

    private mutating func add(word: UInt64) {
        if last.0 != 0 {
            let hash = Self.mixed(Self.mixed(Self.mixed(last.0) &+ last.1) &+ word)
            let bin = Int(hash >> shift)
            if hash < smallest[bin] { smallest[bin] = hash }
        }
        last = (last.1, word)
    }

    // MARK: Characters

    private enum Role {
        case letter, word, separator
    }

    private static func length(_ lead: UInt8) -> Int { lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

    /// What a character beyond ASCII is, as far as the first two bytes of its UTF-8 tell.
    private static func role(_ lead: UInt8, _ second: UInt8) -> Role {
        switch lead {
        // Signs of Latin-1; punctuation, arrows, mathematics; punctuation of East Asia.
        case 0xC2: .separator
        case 0xE2 where second < 0xB0: .separator
        case 0xE3 where second == 0x80: .separator
        // Thai and Lao; Burmese and Khmer; Chinese and kana, Yi; what lies beyond the basic plane.
        case 0xE0 where (0xB8...0xBB).contains(second): .word
        case 0xE1 where second < 0x82 || (0x9E...0x9F).contains(second): .word
        case 0xE2 where second >= 0xBA: .word
        case 0xE3...0xE9: .word
        case 0xEA where second < 0x94: .word
        case 0xF0...: .word
        default: .letter
        }
    }

    // MARK: Hashes

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
