/// How likely the mistakes are that lead from a word to what was typed, in bits (-log2 of the probability): the channel
/// of the noisy-channel model (Kernighan, Church and Gale, "A spelling correction program based on a noisy channel
/// model", 1990).
///
/// Instead of their tables of counts by letter, it uses what such tables show in every collection of mistakes, so that
/// it assumes no keyboard and hardly any language: letters are left out more often than added, most of all one of two
/// equal ones; neighbours are swapped; vowels are mistaken for each other, and consonants for those that sound alike;
/// the first letter is seldom wrong. Only differences between the numbers matter, since all corrections share the same
/// typed word. They were fitted to one half of a collection of misspellings, by coordinate descent on the share of
/// correct first guesses, then rounded, and do as well on the other half.
struct EditCosts: Sendable {
    /// Neighbours that have changed places.
    var swap = 3.0
    /// One letter for another.
    var substitution = 9.0
    /// One vowel for another.
    var vowel = 5.0
    /// One consonant for another that sounds alike.
    var consonant = 5.0
    /// A letter that does not belong there.
    var insertion = 10.0
    /// An inserted letter that is a vowel or an h.
    var softInsertion = 7.0
    /// An inserted letter that doubles its neighbour.
    var doubledInsertion = 3.0
    /// A letter that is missing.
    var deletion = 3.0
    /// A missing letter that doubles its neighbour.
    var doubledDeletion = 0.75
    /// An extra or missing apostrophe or hyphen.
    var mark = 1.0
    /// The additional cost of a mistake in the first letter.
    var first = 3.0
    /// The additional cost of a second mistake.
    var second = 3.0
    /// The weight of one bit of the word's frequency.
    var rarity = 0.7
    /// A space that is missing.
    var space = 8.0

    static let standard = EditCosts()

    /// The least cost of this many edits.
    func least(_ edits: Int) -> Double {
        let cheapest = min(
            min(swap, substitution, vowel, consonant),
            min(insertion, deletion, doubledInsertion, doubledDeletion), min(softInsertion, mark))
        return Double(edits) * cheapest + (edits > 1 ? second : 0)
    }

    // MARK: Single edits

    @inline(__always)
    func substitution(_ typed: UInt32, for right: UInt32, isFirst: Bool) -> Double {
        if typed == right { return 0 }
        let (left, other) = (LetterClass.of(typed), LetterClass.of(right))
        let cost =
            left & other & LetterClass.vowel != 0
            ? vowel : left & other & LetterClass.sounds != 0 ? consonant : substitution
        return isFirst ? cost + first : cost
    }

    /// The letter `typed` is extra; `before` and `after` are its neighbours in what was typed, or zero.
    @inline(__always)
    func insertion(_ typed: UInt32, before: UInt32, after: UInt32) -> Double {
        if typed == before || typed == after { return doubledInsertion }
        let kind = LetterClass.of(typed)
        if kind & LetterClass.mark != 0 { return mark }
        let cost = kind & LetterClass.soft != 0 ? softInsertion : insertion
        return before == 0 ? cost + first : cost
    }

    /// The letter `right` is missing; `before` and `after` are its neighbours in the right word, or zero.
    @inline(__always)
    func deletion(_ right: UInt32, before: UInt32, after: UInt32) -> Double {
        if right == before || right == after { return doubledDeletion }
        if LetterClass.of(right) & LetterClass.mark != 0 { return mark }
        return before == 0 ? deletion + first : deletion
    }

    @inline(__always)
    func swap(isFirst: Bool) -> Double { isFirst ? swap + first : swap }
}

/// What ASCII letters that are mistaken for each other have in common.
enum LetterClass {
    static let vowel: UInt16 = 1 << 0
    /// Vowels, and h, which is often silent.
    static let soft: UInt16 = 1 << 1
    static let mark: UInt16 = 1 << 2
    /// All groups of consonants that sound alike.
    static let sounds: UInt16 = 0xFFF8

    @inline(__always)
    static func of(_ scalar: UInt32) -> UInt16 {
        scalar < 128 ? table[Int(scalar)] : 0
    }

    private static let table: [UInt16] = {
        var table = [UInt16](repeating: 0, count: 128)
        func mark(_ letters: StaticString, _ bits: UInt16) {
            letters.withUTF8Buffer { for letter in $0 where letter < 128 { table[Int(letter)] |= bits } }
        }
        mark("aeiouy", vowel | soft)
        mark("h", soft)
        mark("'-", LetterClass.mark)
        // Sounds made at the same place in the mouth: the groups of Soundex (Russell, US patent 1,261,167, 1918), with
        // c once for each of its sounds, and y and j with i and g.
        for (number, group) in (["ckqx", "csz", "gj", "dt", "bp", "fv", "vw", "mn", "lr", "iyj"] as [StaticString])
            .enumerated()
        { mark(group, 1 << UInt16(3 + number)) }
        return table
    }()
}
