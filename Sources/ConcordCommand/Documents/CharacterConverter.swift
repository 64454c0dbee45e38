import CConcordanceCharset

/// Converts a text from an encoding to UTF-8, piece by piece, with the system's iconv.
final class CharacterConverter {
    private let converter: UnsafeMutableRawPointer
    /// Whether a letter waits for a mark with which it would be composed. In encodings that switch between sets of characters, to
    /// write what waits would switch back.
    private let holdsBack: Bool
    /// How many bytes an invalid character has at least.
    private let unitBytes: Int
    /// The beginning of a character of which the rest has not come.
    private var pending: [UInt8] = []

    private static let outputBytes = 16 << 10
    /// More bytes do not wait for the rest of a character, which has four, and escape sequences before them.
    private static let longestCharacter = 32
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Encodings that stand for others with more characters, as on the web (https://encoding.spec.whatwg.org/#names-and-labels).
    private static let supersets = [
        "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252", "latin1": "windows-1252",
        "iso-8859-9": "windows-1254", "tis-620": "cp874", "iso-8859-11": "cp874", "shift_jis": "cp932",
        "x-sjis": "cp932", "ms_kanji": "cp932", "big5": "big5-hkscs", "gb2312": "gb18030", "gbk": "gb18030",
        "gb_2312-80": "gb18030", "x-gbk": "gb18030", "x-x-big5": "big5-hkscs", "x-euc-jp": "euc-jp", "euc-kr": "cp949",
        "ks_c_5601-1987": "cp949", "ks_c_5601-1989": "cp949", "ksc5601": "cp949", "windows-949": "cp949",
        "uhc": "cp949",
        "iso-8859-8-i": "iso-8859-8", "iso-8859-6-i": "iso-8859-6", "x-mac-roman": "macintosh",
        // iconv's names on other systems.
        "mac-cyrillic": "maccyrillic", "mac-centraleurope": "maccentraleurope",
        // Ukrainian's letters in place of eight that draw boxes.
        "koi8-r": "koi8-u",
    ]

    /// Parts of the names of encodings in which marks follow their letters.
    private static let composing = ["1255", "1258", "tcvn", "big5", "jisx0213"]

    /// Nil if iconv does not know the encoding.
    ///
    /// - Parameter name: In small letters.
    init?(encoding name: String) {
        // The length and the characters of a name are limited because iconv also reads options in it.
        guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte),
            let converter = Self.supersets[name].flatMap({ ccharset_open($0) }) ?? ccharset_open(name)
        else { return nil }
        self.converter = converter
        holdsBack = Self.composing.contains(where: (Self.supersets[name] ?? name).contains)
        unitBytes = ["utf-16": 2, "utf-32": 4].first { name.hasPrefix($0.key) }?.value ?? 1
    }

    deinit { ccharset_close(converter) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte) || "-_.:".utf8.contains(byte)
    }

    /// Appends the text of the next bytes. Invalid ones become U+FFFD; part of a character waits for the rest of it.
    func convert(_ bytes: [UInt8], into text: inout [UInt8]) {
        var input = pending + bytes
        pending = []
        input.withUnsafeMutableBytes { input in
            var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            var size = input.count
            while size > 0 {
                let before = (size, text.count)
                let result = step(&next, &size, &text)
                if result == CCHARSET_INCOMPLETE, size <= Self.longestCharacter {
                    pending = Array(input.suffix(size))
                    return
                }
                if result != CCHARSET_INVALID, (size, text.count) != before { continue }
                if holdsBack { writeHeldBack(into: &text) }
                text.append(contentsOf: Self.replacement)
                let skipped = min(unitBytes, size)
                next = next.map { $0 + skipped }
                size -= skipped
            }
        }
    }

    /// Ends the text: a character of which only a part has come becomes U+FFFD.
    func finish(into text: inout [UInt8]) {
        writeHeldBack(into: &text)
        if !pending.isEmpty { text.append(contentsOf: Self.replacement) }
        pending = []
    }

    /// Writes a letter that waits for a mark with which it would be composed.
    private func writeHeldBack(into text: inout [UInt8]) {
        var (input, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        _ = step(&input, &size, &text)
    }

    /// Converts as much as there is room for.
    private func step(
        _ input: inout UnsafeMutablePointer<CChar>?, _ size: inout Int, _ text: inout [UInt8]
    ) -> ccharset_result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.outputBytes) { output in
            var (target, room) = (output.baseAddress, output.count)
            let result = ccharset_convert(converter, &input, &size, &target, &room)
            text.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<(output.count - room)]))
            return result
        }
    }
}
