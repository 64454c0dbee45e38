/// Vietnamese syllables that are written in two ways: the tone mark stands on the first or the second of the last two
/// vowels (hòa, hoà; thủy, thuỷ), and i or y stands behind a single consonant or qu (kĩ, kỹ; lí, lý; quí, quý).
enum VietnameseSpelling {
    /// Vowels without a mark and with each of the five.
    private static let a = marks("aàáảãạ"), e = marks("eèéẻẽẹ"), i = marks("iìíỉĩị"), o = marks("oòóỏõọ")
    private static let u = marks("uùúủũụ"), y = marks("yỳýỷỹỵ")
    /// The consonants before which both letters are written.
    private static let consonants = Set(marks("hklmst"))

    /// Vowels with a tone, those of above included.
    private static let tones: Set<UInt32> = {
        let simple = [a, e, i, o, u, y].flatMap { $0.dropFirst() }
        return Set(simple).union(marks("ằắẳẵặầấẩẫậềếểễệồốổỗộờớởỡợừứửữự"))
    }()

    private static func marks(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// Writes a token to `output` as it is indexed; false where that is as it stands.
    static func rewrite(_ token: UnsafeBufferPointer<UInt8>, to output: inout TokenBuffer) -> Bool {
        // A vowel in one to three bytes, and one before it.
        guard token.count >= 2, let last = lastScalar(token, token.count),
            let before = lastScalar(token, token.count - last.length), let base = token.baseAddress
        else { return false }
        let start = token.count - last.length - before.length
        let isBehindConsonant =
            start == 0 && consonants.contains(before.scalar)
            || start == 1 && token[0] == UInt8(ascii: "q") && before.scalar == u[0]
        if isBehindConsonant, let mark = y.firstIndex(of: last.scalar) {
            output.count = 0
            output.append(base, count: token.count - last.length)
            output.append(scalar: i[mark])
            return true
        }
        for (first, second) in [(o, a), (o, e), (u, y)] where before.scalar == first[0] {
            guard let mark = second.firstIndex(of: last.scalar), mark > 0 else { continue }
            output.count = 0
            output.append(base, count: start)
            output.append(scalar: first[mark])
            output.append(scalar: second[0])
            return true
        }
        return false
    }

    /// Whether a half-typed word may get its tone last: it has none yet, and two vowels of which the second has a mark already, as
    /// ngươi has on the way to người.
    static func mayGetTone(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        var before: UInt32 = 0
        var hasMarkedPair = false
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            if tones.contains(scalar) { return false }
            hasMarkedPair = hasMarkedPair || vowelPairs.contains { $0 == before && $1 == scalar }
            before = scalar
            index += length
        }
        return hasMarkedPair
    }

    /// ươ, iê, yê, uô and uâ.
    private static let vowelPairs: [(UInt32, UInt32)] = [
        (0x1B0, 0x1A1), (0x69, 0xEA), (0x79, 0xEA), (0x75, 0xF4), (0x75, 0xE2),
    ]

    /// The last character of the first `count` bytes.
    private static func lastScalar(
        _ token: UnsafeBufferPointer<UInt8>, _ count: Int
    ) -> (scalar: UInt32, length: Int)? {
        var start = count - 1
        while start > 0, count - start < 4, token[start] & 0xC0 == 0x80 { start -= 1 }
        guard start >= 0 else { return nil }
        let (scalar, length) = StrictUTF8.decode(token, at: start)
        guard let scalar, start + length == count else { return nil }
        return (scalar, length)
    }
}
