/// The readings of Chinese characters.
enum HanReadings {
    /// The tables have at most this many readings of a character.
    static let limit = 3

    private static let unified = PackedDigits(ReadingTables.unified)
    private static let others = PackedDigits(ReadingTables.others)
    private static let further = PackedDigits(ReadingTables.further)
    private static let on = PackedDigits(ReadingTables.on)

    /// Whether the character belongs to the Han script (the ideographs, their marks of repetition, and 〇).
    @inline(__always)
    static func isHan(_ scalar: UInt32) -> Bool {
        scalar >= 0x3400 && scalar <= 0x9FFF && !(0x4DC0...0x4DFF).contains(scalar)
            || scalar >= 0xF900 && scalar <= 0xFAFF || scalar >= 0x2_0000 && scalar <= 0x3_FFFF
            || scalar >= 0x3005 && scalar <= 0x3007
    }

    /// The number of known pinyin readings.
    static func pinyinCount(_ scalar: UInt32) -> Int {
        guard firstPinyin(scalar) != 0 else { return 0 }
        guard let record = record(scalar, in: further, width: 8) else { return 1 }
        return further.number(at: record + 6, width: 2) == 0 ? 2 : 3
    }

    /// Appends a reading in pinyin without its tone; `index` is below `pinyinCount`.
    static func appendPinyin(_ scalar: UInt32, _ index: Int, to output: inout TokenBuffer) {
        let syllable = syllable(scalar, index)
        if syllable > 0 { appendName(Int(syllable) - 1, of: ReadingTables.syllables, to: &output) }
    }

    /// The distinct first letters of a character's pinyin readings.
    struct Initials {
        private(set) var count = 0
        private var letters: (UInt8, UInt8, UInt8) = (0, 0, 0)

        subscript(index: Int) -> UInt8 { index == 0 ? letters.0 : index == 1 ? letters.1 : letters.2 }

        fileprivate mutating func insert(_ letter: UInt8) {
            if letter == letters.0 || letter == letters.1 { return }
            if count == 0 { letters.0 = letter } else if count == 1 { letters.1 = letter } else { letters.2 = letter }
            count += 1
        }
    }

    static func initials(_ scalar: UInt32) -> Initials {
        var initials = Initials()
        for index in 0..<pinyinCount(scalar) {
            let syllable = Int(syllable(scalar, index))
            if syllable > 0 { initials.insert(ReadingTables.syllables.utf8Start[(syllable - 1) * 6]) }
        }
        return initials
    }

    /// Appends the on reading of a common kanji; false if there is none.
    static func appendOn(_ scalar: UInt32, to output: inout TokenBuffer) -> Bool {
        guard let record = record(scalar, in: on, width: 6) else { return false }
        appendName(Int(on.number(at: record + 4, width: 2)), of: ReadingTables.onNames, to: &output)
        return true
    }

    /// The number of a syllable, from one; zero if there is none.
    private static func syllable(_ scalar: UInt32, _ index: Int) -> UInt32 {
        if index == 0 { return firstPinyin(scalar) }
        guard let record = record(scalar, in: further, width: 8) else { return 0 }
        return further.number(at: record + (index == 1 ? 4 : 6), width: 2)
    }

    private static func firstPinyin(_ scalar: UInt32) -> UInt32 {
        if scalar >= 0x4E00, scalar <= 0x9FFF { return unified.number(at: Int(scalar - 0x4E00) * 2, width: 2) }
        guard let record = record(scalar, in: others, width: 6) else { return 0 }
        return others.number(at: record + 4, width: 2)
    }

    private static func record(_ scalar: UInt32, in table: PackedDigits, width: Int) -> Int? {
        guard let record = table.lastRecord(notAbove: scalar, width: width),
            table.number(at: record, width: 4) == scalar
        else { return nil }
        return record
    }

    private static func appendName(_ index: Int, of names: StaticString, to output: inout TokenBuffer) {
        for offset in 0..<6 {
            let byte = names.utf8Start[index * 6 + offset]
            if byte == 0x2E { return }
            output.append(byte)
        }
    }
}
