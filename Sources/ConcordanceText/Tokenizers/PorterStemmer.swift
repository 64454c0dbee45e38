/// Removes the endings of English words, as FTS5's `porter` does.
///
/// The algorithm is Porter's (M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980) with the changes of
/// his later reference implementation (`bli` and `logi` in step 2) and those of SQLite: words of fewer than three bytes
/// are not changed, and `ies` keeps `ie` unless something stands before it. Every byte but a, e, i, o, u and, after a
/// consonant, y is a consonant; case counts, so a word is folded first.
package enum PorterStemmer {
    /// The lengths in bytes of the words that SQLite stems; it passes shorter and longer ones on.
    package static let stemmedLengths = 3...64

    /// Stems the word of `count` bytes at `word`, in place. Allocates nothing.
    ///
    /// - Returns: The length of the stem in bytes, at most `count`; `count` itself, with the word unchanged, if it is
    ///   not in `stemmedLengths`.
    @inlinable
    package static func stem(_ word: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        guard stemmedLengths.contains(count) else { return count }
        return stemAnyLength(word, count: count)
    }

    @usableFromInline
    static func stemAnyLength(_ word: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var word = PorterWord(bytes: word, count: count)
        word.removePlural()
        word.removePastAndProgressive()
        if word.last == "y", word.hasVowel(before: word.count - 1) { word.last = "i" }
        word.replaceDoubleSuffix()
        word.replaceSuffix()
        word.removeSuffix()
        word.removeFinalE()
        return word.count
    }
}

/// A word that is being stemmed. Its measure m is the number of times that a run of vowels is followed by a run of
/// consonants: `[C](VC){m}[V]`.
private struct PorterWord {
    let bytes: UnsafeMutablePointer<UInt8>
    var count: Int

    @inline(__always)
    var last: Character8 {
        get { self[fromEnd: 1] }
        nonmutating set { bytes[count - 1] = newValue.byte }
    }

    /// The byte at `distance` from the end; zero if the word is shorter.
    @inline(__always)
    subscript(fromEnd distance: Int) -> Character8 {
        distance <= count ? Character8(byte: bytes[count - distance]) : Character8(byte: 0)
    }

    // MARK: Steps

    /// Step 1a: `caresses` to `caress`, `ponies` to `poni`, `cats` to `cat`.
    mutating func removePlural() {
        guard last == "s" else { return }
        if self[fromEnd: 2] == "e" {
            let isLong = (count > 4 && ends(with: "sses")) || (count > 3 && ends(with: "ies"))
            count -= isLong ? 2 : 1
        } else if self[fromEnd: 2] != "s" {
            count -= 1
        }
    }

    /// Step 1b: `agreed` to `agree`, `plastered` to `plaster`, `motoring` to `motor`; then mends the stem: `hopping` to
    /// `hop`, `filing` to `file`.
    mutating func removePastAndProgressive() {
        if count > 3, ends(with: "eed") {
            if measure(before: count - 3) > 0 { count -= 1 }
            return
        }
        if count > 2, ends(with: "ed"), hasVowel(before: count - 2) {
            count -= 2
        } else if count > 3, ends(with: "ing"), hasVowel(before: count - 3) {
            count -= 3
        } else {
            return
        }
        if count > 2, ends(with: "at") || ends(with: "bl") || ends(with: "iz") {
            append("e")
        } else if !last.isVowel(afterConsonant: false), last != "l", last != "s", last != "z",
            last == self[fromEnd: 2]
        {
            count -= 1
        } else if measure(before: count) == 1, endsInShortSyllable(before: count) {
            append("e")
        }
    }

    /// Step 2: `relational` to `relate`, if the rest has m > 0.
    mutating func replaceDoubleSuffix() {
        guard last.isOne(of: "ilmnrs") else { return }
        switch self[fromEnd: 2] {
        case "a": _ = replace("ational", "ate") || replace("tional", "tion")
        case "c": _ = replace("enci", "ence") || replace("anci", "ance")
        case "e": _ = replace("izer", "ize")
        case "g": _ = replace("logi", "log")
        case "l":
            _ =
                replace("bli", "ble") || replace("alli", "al") || replace("entli", "ent") || replace("eli", "e")
                || replace("ousli", "ous")
        case "o": _ = replace("ization", "ize") || replace("ation", "ate") || replace("ator", "ate")
        case "s":
            _ =
                replace("alism", "al") || replace("iveness", "ive") || replace("fulness", "ful")
                || replace("ousness", "ous")
        case "t": _ = replace("aliti", "al") || replace("iviti", "ive") || replace("biliti", "ble")
        default: break
        }
    }

    /// Step 3: `electrical` to `electric`, if the rest has m > 0.
    mutating func replaceSuffix() {
        guard last.isOne(of: "eils") else { return }
        switch self[fromEnd: 2] {
        case "a": _ = replace("ical", "ic")
        case "s": _ = replace("ness", "")
        case "t": _ = replace("icate", "ic") || replace("iciti", "ic")
        case "u": _ = replace("ful", "")
        case "v": _ = replace("ative", "")
        case "z": _ = replace("alize", "al")
        default: break
        }
    }

    /// Step 4: `adjustment` to `adjust`, if the rest has m > 1.
    mutating func removeSuffix() {
        guard last.isOne(of: "ceilmnrstu") else { return }
        switch self[fromEnd: 2] {
        case "a": _ = remove("al")
        case "c": _ = remove("ance") || remove("ence")
        case "e": _ = remove("er")
        case "i": _ = remove("ic")
        case "l": _ = remove("able") || remove("ible")
        case "n": _ = remove("ant") || remove("ement") || remove("ment") || remove("ent")
        case "o":
            if count > 3, ends(with: "ion") {
                if self[fromEnd: 4] == "s" || self[fromEnd: 4] == "t" { _ = remove("ion") }
            } else {
                _ = remove("ou")
            }
        case "s": _ = remove("ism")
        case "t": _ = remove("ate") || remove("iti")
        case "u": _ = remove("ous")
        case "v": _ = remove("ive")
        case "z": _ = remove("ize")
        default: break
        }
    }

    /// Step 5: `probate` to `probat`, `controll` to `control`.
    mutating func removeFinalE() {
        if last == "e" {
            let measure = measure(before: count - 1)
            if measure > 1 || (measure == 1 && !endsInShortSyllable(before: count - 1)) { count -= 1 }
        }
        if last == "l", self[fromEnd: 2] == "l", measure(before: count - 1) > 1 { count -= 1 }
    }

    // MARK: Conditions

    /// The measure of the first `end` bytes, as far as it matters: 0, 1, or 2 for any greater.
    func measure(before end: Int) -> Int {
        var measure = 0
        var isConsonant = false
        for index in 0..<end {
            let wasVowel = !isConsonant && index > 0
            isConsonant = !Character8(byte: bytes[index]).isVowel(afterConsonant: isConsonant)
            if isConsonant, wasVowel {
                measure += 1
                if measure == 2 { break }
            }
        }
        return measure
    }

    /// Condition `*v*`: a vowel among the first `end` bytes; here a y counts unless it begins the word.
    func hasVowel(before end: Int) -> Bool {
        for index in 0..<end where Character8(byte: bytes[index]).isVowel(afterConsonant: index > 0) { return true }
        return false
    }

    /// Condition `*o`: the first `end` bytes end in consonant, vowel, consonant, the last of them not w, x or y.
    func endsInShortSyllable(before end: Int) -> Bool {
        guard end > 0 else { return false }
        let last = Character8(byte: bytes[end - 1])
        if last == "w" || last == "x" || last == "y" { return false }
        var pattern = 0
        var isConsonant = false
        for index in 0..<end {
            isConsonant = !Character8(byte: bytes[index]).isVowel(afterConsonant: isConsonant)
            pattern = pattern << 1 | (isConsonant ? 1 : 0)
        }
        return pattern & 0b111 == 0b101
    }

    @inline(__always)
    func ends(with suffix: StaticString) -> Bool {
        let length = suffix.utf8CodeUnitCount
        guard length <= count else { return false }
        for index in 0..<length where bytes[count - length + index] != suffix.utf8Start[index] { return false }
        return true
    }

    // MARK: Changes

    @inline(__always)
    mutating func append(_ character: Character8) {
        bytes[count] = character.byte
        count += 1
    }

    /// Replaces the suffix if the rest has m > 0. No replacement is longer than its suffix.
    ///
    /// - Returns: Whether the word has the suffix and more, which ends the search for one.
    @inline(__always)
    mutating func replace(_ suffix: StaticString, _ replacement: StaticString) -> Bool {
        let length = suffix.utf8CodeUnitCount
        guard count > length, ends(with: suffix) else { return false }
        if measure(before: count - length) > 0 {
            count -= length
            for index in 0..<replacement.utf8CodeUnitCount {
                append(Character8(byte: replacement.utf8Start[index]))
            }
        }
        return true
    }

    /// Removes the suffix if the rest has m > 1.
    ///
    /// - Returns: Whether the word has the suffix and more, which ends the search for one.
    @inline(__always)
    mutating func remove(_ suffix: StaticString) -> Bool {
        let length = suffix.utf8CodeUnitCount
        guard count > length, ends(with: suffix) else { return false }
        if measure(before: count - length) > 1 { count -= length }
        return true
    }
}

/// One byte that can be written as a letter, so that the rules are readable.
private struct Character8: Equatable, ExpressibleByUnicodeScalarLiteral {
    let byte: UInt8

    @inline(__always)
    init(byte: UInt8) { self.byte = byte }

    @inline(__always)
    init(unicodeScalarLiteral scalar: Unicode.Scalar) { byte = UInt8(truncatingIfNeeded: scalar.value) }

    /// Whether it is one of these lower case letters: one test for the last letters of a step's suffixes.
    @inline(__always)
    func isOne(of letters: StaticString) -> Bool {
        var set: UInt32 = 0
        for index in 0..<letters.utf8CodeUnitCount { set |= 1 << UInt32(letters.utf8Start[index] & 0x1F) }
        return byte & 0xE0 == 0x60 && set >> UInt32(byte & 0x1F) & 1 == 1
    }

    @inline(__always)
    func isVowel(afterConsonant: Bool) -> Bool {
        switch byte {
        case 0x61, 0x65, 0x69, 0x6F, 0x75: true
        case 0x79: afterConsonant
        default: false
        }
    }
}

private func ~= (pattern: Character8, value: Character8) -> Bool { pattern == value }
