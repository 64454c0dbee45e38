/// Takes the endings off Russian words by the Snowball algorithm (M. F. Porter, Russian stemming algorithm,
/// https://snowballstem.org/algorithms/russian/stemmer.html), written from its description.
///
/// It works on UTF-8, where each Cyrillic letter has two bytes. A word with anything else in it is left alone.
enum RussianStemmer: Stemmer {
    static func stem(_ word: inout StemmedWord) -> Bool {
        guard normalize(word) else { return false }
        let regions = Regions(word)
        if !removeGerund(&word, regions.rv) {
            if let found = word.longestSuffix(reflexive, behind: regions.rv) { word.count -= found.length }
            _ = removeAdjectival(&word, regions.rv) || removeVerb(&word, regions.rv) || removeNoun(&word, regions.rv)
        }
        if word.longestSuffix(softVowel, behind: regions.rv) != nil { word.count -= 2 }
        if let found = word.longestSuffix(derivation, behind: regions.r2) { word.count -= found.length }
        tidy(&word, regions.rv)
        return true
    }

    /// Makes ё е; false for a word with other letters than а to я, ё.
    private static func normalize(_ word: StemmedWord) -> Bool {
        guard word.count > 0, word.count % 2 == 0 else { return false }
        for index in stride(from: 0, to: word.count, by: 2) {
            switch (word.bytes[index], word.bytes[index + 1]) {
            case (0xD0, 0xB0...0xBF), (0xD1, 0x80...0x8F): break
            case (0xD1, 0x91):
                word.bytes[index] = 0xD0
                word.bytes[index + 1] = 0xB5
            default: return false
            }
        }
        return true
    }

    /// Where the regions of a word begin: RV behind the first vowel; R2 behind the second consonant that follows a vowel.
    private struct Regions {
        var rv: Int
        var r2: Int

        init(_ word: StemmedWord) {
            rv = word.count
            r2 = word.count
            var changes = 0
            var wasVowel = false
            for index in stride(from: 0, to: word.count, by: 2) {
                let isVowel = RussianStemmer.isVowel(word.bytes[index], word.bytes[index + 1])
                if isVowel, rv == word.count { rv = index + 2 }
                if wasVowel, !isVowel {
                    changes += 1
                    if changes == 2 {
                        r2 = index + 2
                        return
                    }
                }
                wasVowel = isVowel
            }
        }
    }

    /// а е и о у ы э ю я
    private static func isVowel(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (0xD0, 0xB0), (0xD0, 0xB5), (0xD0, 0xB8), (0xD0, 0xBE), (0xD1, 0x83), (0xD1, 0x8B), (0xD1, 0x8D),
            (0xD1, 0x8E), (0xD1, 0x8F):
            true
        default: false
        }
    }

    /// Whether а or я stands before the last `length` bytes, behind `start`.
    private static func followsA(_ word: StemmedWord, _ length: Int, _ start: Int) -> Bool {
        word.count - length - 2 >= start
            && (word.ends(with: "а", before: length) || word.ends(with: "я", before: length))
    }

    /// Removes the longest of the endings; the first `conditional` of them only behind а or я.
    private static func remove(
        _ endings: [StaticString], conditional: Int, from word: inout StemmedWord, _ start: Int
    ) -> Bool {
        guard let found = word.longestSuffix(endings, behind: start) else { return false }
        if found.index < conditional, !followsA(word, found.length, start) { return false }
        word.count -= found.length
        return true
    }

    // MARK: Steps

    private static func removeGerund(_ word: inout StemmedWord, _ start: Int) -> Bool {
        remove(gerund, conditional: 3, from: &word, start)
    }

    private static func removeAdjectival(_ word: inout StemmedWord, _ start: Int) -> Bool {
        guard remove(adjective, conditional: 0, from: &word, start) else { return false }
        _ = remove(participle, conditional: 5, from: &word, start)
        return true
    }

    private static func removeVerb(_ word: inout StemmedWord, _ start: Int) -> Bool {
        remove(verb, conditional: 17, from: &word, start)
    }

    private static func removeNoun(_ word: inout StemmedWord, _ start: Int) -> Bool {
        remove(noun, conditional: 0, from: &word, start)
    }

    /// Step 4: the superlative, a double н, or a soft sign.
    private static func tidy(_ word: inout StemmedWord, _ start: Int) {
        if let found = word.longestSuffix(superlative, behind: start) { word.count -= found.length }
        if word.longestSuffix(doubleN, behind: start) != nil {
            word.count -= 2
        } else if word.longestSuffix(softSign, behind: start) != nil {
            word.count -= 2
        }
    }

    // MARK: Endings

    // Made once: a list that is written where it is used would be allocated for each word.
    private static let reflexive: [StaticString] = ["ся", "сь"]
    private static let softVowel: [StaticString] = ["и"]
    private static let derivation: [StaticString] = ["ост", "ость"]
    private static let superlative: [StaticString] = ["ейш", "ейше"]
    private static let doubleN: [StaticString] = ["нн"]
    private static let softSign: [StaticString] = ["ь"]
    private static let gerund: [StaticString] = [
        "в", "вши", "вшись", "ив", "ивши", "ившись", "ыв", "ывши", "ывшись",
    ]
    private static let adjective: [StaticString] = [
        "ее", "ие", "ые", "ое", "ими", "ыми", "ей", "ий", "ый", "ой", "ем", "им", "ым", "ом", "его", "ого", "ему",
        "ому",
        "их", "ых", "ую", "юю", "ая", "яя", "ою", "ею",
    ]
    private static let participle: [StaticString] = ["ем", "нн", "вш", "ющ", "щ", "ивш", "ывш", "ующ"]
    private static let verb: [StaticString] = [
        "ла", "на", "ете", "йте", "ли", "й", "л", "ем", "н", "ло", "но", "ет", "ют", "ны", "ть", "ешь", "нно", "ила",
        "ыла",
        "ена", "ейте", "уйте", "ите", "или", "ыли", "ей", "уй", "ил", "ыл", "им", "ым", "ен", "ило", "ыло", "ено", "ят",
        "ует", "уют", "ит", "ыт", "ены", "ить", "ыть", "ишь", "ую", "ю",
    ]
    private static let noun: [StaticString] = [
        "а", "ев", "ов", "ие", "ье", "е", "иями", "ями", "ами", "еи", "ии", "и", "ией", "ей", "ой", "ий", "й", "иям",
        "ям",
        "ием", "ем", "ам", "ом", "о", "у", "ах", "иях", "ях", "ы", "ь", "ию", "ью", "ю", "ия", "ья", "я",
    ]
}
