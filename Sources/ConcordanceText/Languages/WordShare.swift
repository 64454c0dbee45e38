/// How much of a text is words: letters between white space, perhaps with punctuation before and after them, and with apostrophes
/// and hyphens in them. Paths, addresses, names with underscores, and whatever has digits in it are none.
enum WordShare {
    /// Whether at least half of the bytes of a text that are not white space belong to words and their punctuation.
    ///
    /// - Parameter limit: How many bytes are looked at, and no part of a word at their end.
    static func isMostlyWords(_ text: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        var count = min(text.count, limit)
        if count < text.count { while count > 0, text[count - 1] > 0x20 { count -= 1 } }
        var (words, all) = (0, 0)
        var place = 0
        while place < count {
            guard text[place] > 0x20 else {
                place += 1
                continue
            }
            let start = place
            while place < count, text[place] > 0x20 { place += 1 }
            all += place - start
            if isWord(text, start..<place) { words += place - start }
        }
        // Where there is no white space the language tells.
        return 2 * words >= all
    }

    private static func isWord(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isAround(text[start]) { start += 1 }
        while end > start, isAround(text[end - 1]) { end -= 1 }
        return start < end && text[start..<end].allSatisfy { isLetter($0) || $0 == 0x27 || $0 == 0x2D }
    }

    /// Letters of ASCII, and whatever is beyond it.
    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) }

    /// What stands before and after words of sentences: quotation marks, brackets, marks of a sentence and of emphasis.
    private static func isAround(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "."), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "*"),
            UInt8(ascii: "`"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
