/// Other ways to write a Japanese word, by rules: the forms of verbs and adjectives, endings in kana that are left out,
/// foreign words in katakana, and numbers.
///
/// They are looked for beside what was typed, as phrases of pairs of characters, so the index holds nothing for them.
enum JapaneseSpellings {
    /// In characters; what is longer is no word.
    private static let longest = 24
    private static let most = 12

    /// The other spellings, without the text itself; none for a text that is no single word.
    static func others(_ text: String) -> [String] {
        var scalars: [UInt32] = []
        for scalar in text.unicodeScalars {
            guard scalars.count < longest else { return [] }
            scalars.append(narrowed(scalar.value))
        }
        var found: [[UInt32]] = []
        if let forms = numbers(scalars) { found.append(forms) }
        if scalars.count >= 2, scalars.allSatisfy(isKatakana) {
            found += foreign(scalars)
        } else if scalars.allSatisfy({ HanReadings.isHan($0) || isHiragana($0) || $0 == iterationMark }) {
            found += inflections(scalars) + withoutEndings(scalars) + [repeated(scalars)]
        }
        var texts: [String] = []
        for word in found where word != scalars {
            let text = String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init)))
            if !texts.contains(text), texts.count < most { texts.append(text) }
        }
        return texts
    }

    private static func isHiragana(_ scalar: UInt32) -> Bool { (0x3041...0x3096).contains(scalar) }

    private static func isKatakana(_ scalar: UInt32) -> Bool { (0x30A1...0x30FA).contains(scalar) || scalar == 0x30FC }

    /// Digits of full width as ASCII.
    private static func narrowed(_ scalar: UInt32) -> UInt32 {
        (0xFF10...0xFF19).contains(scalar) ? scalar - 0xFF10 + 0x30 : scalar
    }

    private static func letters(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    // MARK: Verbs and adjectives

    /// What stands in place of the last kana of a verb or adjective whose ending is that kana alone. The forms of verbs in
    /// る are those of both conjugations.
    private static let endings: [(last: Unicode.Scalar, others: String)] = [
        ("う", "いわえおっ"), ("く", "きかけこいっ"), ("ぐ", "ぎがげごい"), ("す", "しさせそ"), ("つ", "ちたてとっ"),
        ("ぬ", "になねのん"), ("ぶ", "びばべぼん"), ("む", "みまめもん"), ("る", "りられろっまてたなよ"), ("い", "くかけ"),
    ]

    /// The beginnings of the other forms of a word that ends in kana as the form in dictionaries does.
    private static func inflections(_ word: [UInt32]) -> [[UInt32]] {
        guard let last = word.last, let lastHan = word.lastIndex(where: HanReadings.isHan),
            let forms = endings.first(where: { $0.last.value == last })?.others
        else { return [] }
        let kana = word.count - 1 - lastHan
        let suru = letters("する")
        if kana == 2, word.suffix(2).elementsEqual(suru) {
            let noun = Array(word.dropLast(2))
            return noun.count > 1 ? [noun] : letters("しさせ").map { noun + [$0] }
        }
        switch kana {
        case 1: return letters(forms).map { word.dropLast() + [$0] }
        // 食べ begins every form of 食べる, 新し of 新しい, 動か of 動かす.
        case 2...4: return [Array(word.dropLast())]
        default: return []
        }
    }

    // MARK: Endings left out

    /// Particles, which are no endings.
    private static let particles = Set(letters("のをはがにへでともや"))

    /// 引っ越し as 引越し and 引越, 打ち合わせ as 打合せ: words of several parts of which each ends in kana.
    private static func withoutEndings(_ word: [UInt32]) -> [[UInt32]] {
        guard let first = word.first, HanReadings.isHan(first) else { return [] }
        // Ideographs, each run with the kana behind it.
        var parts: [(han: [UInt32], kana: [UInt32])] = []
        for scalar in word {
            if isHiragana(scalar) {
                parts[parts.count - 1].kana.append(scalar)
            } else if parts.last?.kana.isEmpty == false || parts.isEmpty {
                parts.append(([scalar], []))
            } else {
                parts[parts.count - 1].han.append(scalar)
            }
        }
        let inner = parts.dropLast()
        let areWords = inner.allSatisfy { part in
            part.kana.count <= 2 && !(part.kana.count == 1 && part.kana.contains(where: particles.contains))
        }
        guard let last = parts.last, !inner.isEmpty, areWords, last.kana.count <= 3 else { return [] }
        let front = inner.flatMap(\.han) + last.han
        let long = inner.flatMap { $0.han + $0.kana } + last.han
        return last.kana.isEmpty
            ? [front] : [front + last.kana, front + last.kana.suffix(1), long + last.kana.suffix(1), front]
    }

    private static let iterationMark: UInt32 = 0x3005

    /// 人々 as 人人, and the reverse.
    private static func repeated(_ word: [UInt32]) -> [UInt32] {
        word.indices.map { index in
            guard index > 0 else { return word[index] }
            if word[index] == iterationMark { return word[index - 1] }
            return word[index] == word[index - 1] && HanReadings.isHan(word[index]) ? iterationMark : word[index]
        }
    }

    // MARK: Katakana

    /// Small vowels behind ウ, and large ones: ウィルス, ウイルス.
    private static let vowels = Array(zip(letters("ィェォ"), letters("イエオ")))
    /// Kana with the vowel i, behind which ア and ヤ sound alike.
    private static let soundingI = Set(letters("イキギシジチヂニヒビピミリ"))

    private static func foreign(_ word: [UInt32]) -> [[UInt32]] {
        var vowels = word
        var glides = word
        for index in word.indices.dropFirst() {
            if word[index - 1] == 0x30A6 {
                for (small, large) in Self.vowels {
                    if word[index] == small {
                        vowels[index] = large
                    } else if word[index] == large {
                        vowels[index] = small
                    }
                }
            }
            if soundingI.contains(word[index - 1]) {
                if word[index] == 0x30E4 {
                    glides[index] = 0x30A2
                } else if word[index] == 0x30A2 {
                    glides[index] = 0x30E4
                }
            }
        }
        // コンピューター is found by the beginning that it has in common with コンピュータ.
        return [vowels, glides] + (word.last == 0x30FC && word.count >= 4 ? [word.dropLast()] : [])
    }

    // MARK: Numbers

    private static let digits = letters("〇一二三四五六七八九")
    private static let ten: UInt32 = 0x5341

    /// The word with its numbers up to 99 in the other digits, 第2回 for 第二回; nil for a word that is no more than a number.
    private static func numbers(_ word: [UInt32]) -> [UInt32]? {
        let isNumber = { (scalar: UInt32) in
            (0x30...0x39).contains(scalar) || scalar == ten || digits.contains(scalar)
        }
        guard word.contains(where: isNumber), !word.allSatisfy(isNumber) else { return nil }
        var result: [UInt32] = []
        var index = 0
        while index < word.count {
            let end = word[index...].firstIndex { !isNumber($0) } ?? word.count
            guard end > index else {
                result.append(word[index])
                index += 1
                continue
            }
            let number = Array(word[index..<end])
            guard let other = number.allSatisfy({ $0 < 0x80 }) ? inHan(number) : inDigits(number) else { return nil }
            result += other
            index = end
        }
        return result
    }

    private static func inHan(_ number: [UInt32]) -> [UInt32]? {
        let values = number.map { Int($0 - 0x30) }
        switch values.count {
        case 1: return [digits[values[0]]]
        case 2 where values[0] > 0:
            return (values[0] > 1 ? [digits[values[0]]] : []) + [ten] + (values[1] > 0 ? [digits[values[1]]] : [])
        default: return nil
        }
    }

    private static func inDigits(_ number: [UInt32]) -> [UInt32]? {
        guard let place = number.firstIndex(of: ten) else {
            let values = number.compactMap { digits.firstIndex(of: $0) }
            return values.count == number.count ? values.map { UInt32($0) + 0x30 } : nil
        }
        let (front, back) = (number[..<place], number[(place + 1)...])
        guard front.count <= 1, back.count <= 1 else { return nil }
        let tens = front.first.map { digits.firstIndex(of: $0) } ?? 1
        let ones = back.first.map { digits.firstIndex(of: $0) } ?? 0
        guard let tens, let ones else { return nil }
        return [UInt32(tens) + 0x30, UInt32(ones) + 0x30]
    }
}
