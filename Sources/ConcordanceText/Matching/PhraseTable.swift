/// The tokens of all phrases to look for, laid out for a scan, which looks up every token of a text once.
///
/// Each place of each phrase is a bit. Phrases follow one another, so the bit of a place is next above that of the
/// place before it, and a scan advances a whole set of partly found phrases by one shift (the Shift-And method:
/// Baeza-Yates and Gonnet, A New Approach to Text Searching, 1992).
///
/// ```
/// phrases      "new york"   "trash"   "take out tr*"
/// bits          0    1        2        3    4   5
/// starts        x             x        x
/// ends               x        x                 x
/// ```
///
/// A bit needs a certain token. A hash table leads from the bytes of a token to its bits, which may belong to several
/// phrases; a second kind of entry stands for the beginnings of tokens. The table never changes. It owns its memory, so
/// that a scan reads it without reference counts.
final class PhraseTable {
    /// The most places of all phrases together; phrases beyond them are not looked for.
    static let mostPlaces = 4096
    /// FTS5 cuts longer tokens (`FTS5_MAX_TOKEN_SIZE`), in documents and in queries alike.
    static let longestToken = 32768

    /// One place of one phrase.
    struct Place {
        /// The number of the phrase among those given.
        var phrase: Int32
        /// The number of places of the phrase up to this one.
        var length: Int32
    }

    private struct Entry {
        var hash: UInt64
        /// Where the token stands in `bytes`.
        var offset: Int32
        /// The token's length, or -1 in an empty slot.
        var count: Int32
        var isPrefix: Bool
        /// Its bits: a part of `bits`.
        var firstBit: Int32
        var bitCount: Int32
    }

    /// The number of 64-bit words that a set of places takes.
    let wordCount: Int
    /// The number of places of the longest phrase.
    let longestPhrase: Int
    /// By place: its phrase.
    let places: UnsafeMutablePointer<Place>
    /// The first and the last places of phrases, as sets.
    let starts: UnsafeMutablePointer<UInt64>
    let ends: UnsafeMutablePointer<UInt64>
    /// Whether there is nothing to look for.
    let isEmpty: Bool

    private let entries: UnsafeMutablePointer<Entry>
    private let mask: UInt64
    private let bits: UnsafeMutablePointer<Int32>
    private let bytes: UnsafeMutablePointer<UInt8>
    /// By length below 64: whether a beginning of this length is looked for. Bit 63 stands for all greater lengths.
    private let prefixLengths: UInt64
    private let longestEntry: Int
    /// By byte: whether a token to look for begins with it. So most tokens of a text need no hash.
    private let firstBytes: UnsafeMutablePointer<Bool>
    /// Different tokens collide in each table, so that nobody can write a text whose tokens all collide.
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// A phrase to look for.
    struct Phrase {
        var number: Int
        /// Place by place, the tokens that may stand there.
        var places: [[[UInt8]]]
        /// Whether the last token may be the beginning of one.
        var isPrefix = false
        /// How many typos each token may have.
        var typos = TypoTolerance.none
    }

    /// The tokens that may have typos, and the bits of their places.
    private let typoMatchers: [(matcher: TypoMatcher, bits: [Int32])]

    init(_ phrases: [Phrase]) {
        var keys: [Key: [Int32]] = [:]
        var typoKeys: [TypoKey: [Int32]] = [:]
        var places: [Place] = []
        var lastBits: [Int] = []
        var longest = 0
        for phrase in phrases where places.count + phrase.places.count <= Self.mostPlaces {
            guard !phrase.places.isEmpty else { continue }
            for (index, alternatives) in phrase.places.enumerated() {
                let isLast = index == phrase.places.count - 1
                for token in Set(alternatives) {
                    let key = Key(bytes: token, isPrefix: isLast && phrase.isPrefix)
                    keys[key, default: []].append(Int32(places.count))
                    if phrase.typos != .none {
                        typoKeys[TypoKey(key: key, typos: phrase.typos), default: []].append(Int32(places.count))
                    }
                }
                places.append(Place(phrase: Int32(clamping: phrase.number), length: Int32(index + 1)))
            }
            lastBits.append(places.count - 1)
            longest = max(longest, phrase.places.count)
        }
        typoMatchers = typoKeys.compactMap { key, bits in
            key.key.bytes.withUnsafeBufferPointer { TypoMatcher($0, key.typos, isPrefix: key.key.isPrefix) }
                .map { ($0, bits) }
        }
        isEmpty = places.isEmpty
        longestPhrase = longest
        wordCount = (places.count + 63) / 64
        self.places = Self.allocate(places)
        var starts = [UInt64](repeating: 0, count: wordCount)
        var ends = starts
        for bit in lastBits {
            ends[bit / 64] |= 1 << UInt64(bit % 64)
            let first = bit + 1 - Int(places[bit].length)
            starts[first / 64] |= 1 << UInt64(first % 64)
        }
        self.starts = Self.allocate(starts)
        self.ends = Self.allocate(ends)

        var slotCount = 8
        while slotCount < keys.count * 2 { slotCount *= 2 }
        mask = UInt64(slotCount - 1)
        entries = .allocate(capacity: slotCount)
        entries.initialize(
            repeating: Entry(hash: 0, offset: 0, count: -1, isPrefix: false, firstBit: 0, bitCount: 0),
            count: slotCount)
        var bytes: [UInt8] = []
        var bits: [Int32] = []
        var prefixLengths: UInt64 = 0
        var longestEntry = 0
        firstBytes = Self.allocate(Array(repeating: false, count: 256))
        for (key, keyBits) in keys {
            let hash = Self.hash(key, seed: seed)
            var slot = Int(hash & mask)
            while entries[slot].count >= 0 { slot = (slot + 1) & Int(mask) }
            entries[slot] = Entry(
                hash: hash, offset: Int32(bytes.count), count: Int32(key.bytes.count), isPrefix: key.isPrefix,
                firstBit: Int32(bits.count), bitCount: Int32(keyBits.count))
            if let first = key.bytes.first { firstBytes[Int(first)] = true }
            bytes += key.bytes
            bits += keyBits
            longestEntry = max(longestEntry, key.bytes.count)
            if key.isPrefix { prefixLengths |= 1 << UInt64(min(key.bytes.count, 63)) }
        }
        self.bytes = Self.allocate(bytes)
        self.bits = Self.allocate(bits)
        self.prefixLengths = prefixLengths
        self.longestEntry = longestEntry
    }

    deinit {
        places.deallocate()
        starts.deallocate()
        ends.deallocate()
        entries.deallocate()
        firstBytes.deallocate()
        bits.deallocate()
        bytes.deallocate()
    }

    /// Adds the places where this token may stand to `set`, and returns whether there are any.
    @inline(__always)
    func addPlaces(of token: UnsafePointer<UInt8>, count: Int, to set: UnsafeMutablePointer<UInt64>) -> Bool {
        let found = addExactPlaces(of: token, count: count, to: set)
        return typoMatchers.isEmpty ? found : addSimilarPlaces(of: token, count: count, to: set) || found
    }

    @inline(never)
    private func addSimilarPlaces(
        of token: UnsafePointer<UInt8>, count: Int, to set: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        var found = false
        let token = UnsafeBufferPointer(start: token, count: min(count, Self.longestToken))
        for (matcher, bits) in typoMatchers where matcher.typos(token) != nil {
            for bit in bits { set[Int(bit) >> 6] |= 1 << UInt64(bit & 63) }
            found = true
        }
        return found
    }

    @inline(__always)
    private func addExactPlaces(
        of token: UnsafePointer<UInt8>, count: Int, to set: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        guard count == 0 || firstBytes[Int(token[0])] else { return false }
        let count = min(count, Self.longestToken)
        var hash = seed
        var found = false
        let end = min(count, longestEntry)
        var index = 0
        while index < end {
            hash = Self.step(hash, token[index])
            index &+= 1
            if prefixLengths >> UInt64(min(index, 63)) & 1 != 0 {
                found = add(Self.finish(hash, isPrefix: true), token, count: index, isPrefix: true, to: set) || found
            }
        }
        if count == end {
            found = add(Self.finish(hash, isPrefix: false), token, count: count, isPrefix: false, to: set) || found
        }
        return found
    }

    @inline(__always)
    private func add(
        _ hash: UInt64, _ token: UnsafePointer<UInt8>, count: Int, isPrefix: Bool, to set: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        var slot = hash & mask
        while true {
            let entry = entries + Int(slot)
            if entry.pointee.count < 0 { return false }
            if entry.pointee.hash == hash, Int(entry.pointee.count) == count, entry.pointee.isPrefix == isPrefix,
                Self.isEqual(token, bytes + Int(entry.pointee.offset), count: count)
            {
                for index in Int(entry.pointee.firstBit)..<Int(entry.pointee.firstBit + entry.pointee.bitCount) {
                    let bit = Int(bits[index])
                    set[bit >> 6] |= 1 << UInt64(bit & 63)
                }
                return true
            }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    private static func isEqual(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, count: Int) -> Bool {
        var index = 0
        while index < count, one[index] == other[index] { index &+= 1 }
        return index == count
    }

    private struct TypoKey: Hashable {
        var key: Key
        var typos: TypoTolerance
    }

    private struct Key: Hashable {
        var bytes: [UInt8]
        var isPrefix: Bool
    }

    private static func hash(_ key: Key, seed: UInt64) -> UInt64 {
        finish(key.bytes.reduce(seed, step), isPrefix: key.isPrefix)
    }

    /// One step of FNV-1a (Fowler, Noll, Vo), here with a random seed.
    @inline(__always)
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    @inline(__always)
    private static func finish(_ hash: UInt64, isPrefix: Bool) -> UInt64 {
        let hash = isPrefix ? ~hash : hash
        return hash ^ hash >> 32
    }

    private static func allocate<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
        return memory
    }
}
