/// Recognizes pinyin as people type it: adjacent syllables, optionally with tones as digits (pin1yin1) or with
/// apostrophes between them (xi'an), and v or u for ü. Also recognizes zhuyin (ㄆㄧㄣㄧㄣ).
struct PinyinQuery: ~Copyable {
    /// Syllables and their beginnings, with the first letter in the highest byte that is used.
    private var syllables: Set<UInt64> = []
    private var beginnings: Set<UInt64> = []
    private static let longestSyllable = 6
    /// Longer tokens are not words.
    private static let longest = 64

    /// The letters of the token that was parsed last.
    private(set) var letters = TokenBuffer()
    /// Where its syllables end.
    private(set) var ends: [Int] = []
    /// By position: where the syllable that begins there ends, if the rest after it is pinyin, otherwise zero.
    private var nextEnds: [Int] = []

    init() {
        let names = ReadingTables.syllables
        for index in 0..<names.utf8CodeUnitCount / Self.longestSyllable {
            var key: UInt64 = 0
            for offset in 0..<Self.longestSyllable {
                let byte = names.utf8Start[index * Self.longestSyllable + offset]
                if byte == UInt8(ascii: ".") { break }
                key = key << 8 | UInt64(byte)
                beginnings.insert(key)
            }
            syllables.insert(key)
        }
    }

    /// Whether a token is pinyin. With `isPrefix` the last syllable may be incomplete.
    mutating func parse(_ token: UnsafeBufferPointer<UInt8>, isPrefix: Bool) -> Bool {
        // Each letter of zhuyin is three bytes that begin with 0xE3; the tones begin with 0xCB.
        if let first = token.first, first == 0xE3 || first == 0xCB { return parseZhuyin(token, isPrefix: isPrefix) }
        guard token.count <= Self.longest, reduceToLetters(token), letters.count > 0 else { return false }
        let count = letters.count
        nextEnds.removeAll(keepingCapacity: true)
        nextEnds.append(contentsOf: repeatElement(0, count: count))
        for start in stride(from: count - 1, through: 0, by: -1) {
            var key: UInt64 = 0
            for end in start + 1...min(start + Self.longestSyllable, count) {
                key = key << 8 | UInt64(letters.base[end - 1])
                let isWhole = syllables.contains(key) || isPrefix && end == count && beginnings.contains(key)
                // The longest syllable after which the rest is still pinyin.
                if isWhole, end == count || nextEnds[end] > 0 { nextEnds[start] = end }
            }
        }
        ends.removeAll(keepingCapacity: true)
        var position = 0
        while position < count, nextEnds[position] > 0 {
            position = nextEnds[position]
            ends.append(position)
        }
        return position == count
    }

    private mutating func parseZhuyin(_ token: UnsafeBufferPointer<UInt8>, isPrefix: Bool) -> Bool {
        guard token.count <= Self.longest * 3 else { return false }
        letters.count = 0
        ends.removeAll(keepingCapacity: true)
        var syllable = Zhuyin.Syllable()
        var index = 0
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            guard let letter = Zhuyin.letter(scalar) else { return false }
            index += length
            if syllable.take(letter) { continue }
            end(syllable, isIncomplete: false)
            syllable = Zhuyin.Syllable()
            _ = syllable.take(letter)
        }
        if !syllable.isEmpty { end(syllable, isIncomplete: isPrefix) }
        return !ends.isEmpty
    }

    private mutating func end(_ syllable: Zhuyin.Syllable, isIncomplete: Bool) {
        syllable.append(to: &letters, isIncomplete: isIncomplete)
        ends.append(letters.count)
    }

    private mutating func reduceToLetters(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        letters.count = 0
        var followsLetter = false
        for byte in token {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                letters.append(byte == UInt8(ascii: "v") ? UInt8(ascii: "u") : byte)
                followsLetter = true
            case UInt8(ascii: "1")...UInt8(ascii: "5") where followsLetter, UInt8(ascii: "'") where followsLetter:
                followsLetter = false
            default: return false
            }
        }
        return true
    }
}
