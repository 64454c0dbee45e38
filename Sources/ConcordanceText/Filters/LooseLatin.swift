/// One spelling for the many ways to write a word of another alphabet in Latin letters, so that Tchaikovsky,
/// Tschaikowski and Chaykovskiy meet: each romanization system has its own letters for the same sound, and people mix
/// them.
///
/// It is applied both to what a person types and to the romanization of a text, so it does not matter which letter
/// stands for a sound, only that all spellings agree: y and j are i, w is v, c, ts and tz are c, x is ks, kh is h, th
/// is t, ph is f, tch is ch, shch and sch are sh, ie is e, doubled letters are single.
enum LooseLatin {
    /// Appends the spelling of a word in lower-case ASCII letters, ignoring apostrophes; false, with part of it
    /// appended, if it has other characters.
    static func append(_ word: UnsafeBufferPointer<UInt8>, to output: inout TokenBuffer) -> Bool {
        let start = output.count
        var index = 0
        while index < word.count {
            let letter = word[index]
            if letter == UInt8(ascii: "'") {
                index += 1
                continue
            }
            guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { return false }
            index += appendSound(letter, at: index, of: word, to: &output, from: start)
        }
        return output.count > start
    }

    /// Appends the sound that begins at a letter, and returns how many letters spell it.
    private static func appendSound(
        _ letter: UInt8, at index: Int, of word: UnsafeBufferPointer<UInt8>, to output: inout TokenBuffer,
        from start: Int
    ) -> Int {
        func follows(_ letters: StaticString) -> Bool {
            guard index + 1 + letters.utf8CodeUnitCount <= word.count else { return false }
            for offset in 0..<letters.utf8CodeUnitCount where word[index + 1 + offset] != letters.utf8Start[offset] {
                return false
            }
            return true
        }
        func write(_ sound: StaticString, _ length: Int) -> Int {
            for offset in 0..<sound.utf8CodeUnitCount { append(sound.utf8Start[offset], to: &output, from: start) }
            return length
        }
        switch letter {
        case UInt8(ascii: "s"):
            if follows("hch") { return write("sh", 4) }
            if follows("ch") { return write("sh", 3) }
        case UInt8(ascii: "t"):
            if follows("sch") { return write("ch", 4) }
            if follows("ch") { return write("ch", 3) }
            if follows("s") || follows("z") { return write("c", 2) }
            if follows("h") { return write("t", 2) }
        case UInt8(ascii: "c"):
            if follows("h") { return write("ch", 2) }
            if follows("k") { return write("k", 2) }
        case UInt8(ascii: "d"):
            if follows("zh") { return write("i", 3) }
        case UInt8(ascii: "k"):
            if follows("h") { return write("h", 2) }
        case UInt8(ascii: "p"):
            if follows("h") { return write("f", 2) }
        case UInt8(ascii: "g"):
            if follows("h") || follows("k") { return write("g", 2) }
        case UInt8(ascii: "x"): return write("ks", 1)
        case UInt8(ascii: "q"): return write("k", 1)
        case UInt8(ascii: "w"): return write("v", 1)
        case UInt8(ascii: "y"), UInt8(ascii: "j"): return write("i", 1)
        default: break
        }
        append(letter, to: &output, from: start)
        return 1
    }

    /// Appends a letter, unless it repeats the last one; e replaces an i before it.
    private static func append(_ letter: UInt8, to output: inout TokenBuffer, from start: Int) {
        let last = output.count > start ? output.base[output.count - 1] : 0
        if letter == last { return }
        if letter == UInt8(ascii: "e"), last == UInt8(ascii: "i") {
            output.count -= 1
            return append(letter, to: &output, from: start)
        }
        output.append(letter)
    }
}
