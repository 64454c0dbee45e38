/// Other ways to write what a person typed, for searches that look for any of them. Colocated tokens cannot express
/// that several pairs of characters together stand for one reading.
extension Analyzer {
    /// The texts that mean the same word as one in Japanese: its forms and other spellings by rules, for an analyzer with
    /// `japanese` and `cjk`; with `japaneseReadings` the romaji of one in kana, by which kanji are found, and the kana of
    /// one with kanji, by which words written in kana are found.
    package func spellings(of text: String) -> [String] {
        let byRules = filters.contains(.japanese) && filters.contains(.cjk) ? JapaneseSpellings.others(text) : []
        return filters.contains(.japaneseReadings) ? byRules + readings(of: text) : byRules
    }

    private func readings(of text: String) -> [String] {
        var text = text
        return text.withUTF8 { utf8 in
            guard utf8.count >= 2 * 3, utf8.count <= Self.longestSpelled else { return [] }
            var hasHan = false
            var index = 0
            while index < utf8.count {
                let (scalar, length) = UTF8Scalars.decode(utf8, at: index)
                if HanReadings.isHan(scalar) { hasHan = true } else if !Romaji.isKana(scalar) { return [] }
                index += length
            }
            return hasHan ? Self.kana(of: utf8) : Self.romaji(of: utf8)
        }
    }

    /// In bytes; longer texts are not words.
    private static let longestSpelled = 96
    private static let mostSpellings = 3
    private static let mostWords = 8

    private static func romaji(of kana: UnsafeBufferPointer<UInt8>) -> [String] {
        var romaji = TokenBuffer()
        var isDoubled = false
        var index = 0
        while index < kana.count {
            let (scalar, length) = UTF8Scalars.decode(kana, at: index)
            Romaji.appendKana(scalar, to: &romaji, from: 0, isDoubled: &isDoubled)
            index += length
        }
        Romaji.collapse(&romaji, from: 0)
        return romaji.count > 1 ? [String(decoding: romaji.contents, as: UTF8.self)] : []
    }

    private static func kana(of text: UnsafeBufferPointer<UInt8>) -> [String] {
        var words = JapaneseWords(isUsed: true)
        guard let first = words.word(at: 0, in: text) else { return [] }
        var spellings: [String] = []
        for length in 1...mostWords {
            guard let end = words.end(ofJoined: first, length) else { return [] }
            if end < text.count { continue }
            let combinations = (first..<first + length).reduce(1) { $0 * words.readingCount($1) }
            for combination in 0..<min(combinations, mostSpellings) {
                var kana = String.UnicodeScalarView()
                words.forEachKana(first, length, combination) { scalar in
                    // Hiragana, the script of words that could also be written in kanji.
                    let hiragana = (0x30A1...0x30F6).contains(scalar) ? scalar - 0x60 : scalar
                    if let letter = Unicode.Scalar(hiragana) { kana.append(letter) }
                }
                spellings.append(String(kana))
            }
            return spellings
        }
        return []
    }
}
