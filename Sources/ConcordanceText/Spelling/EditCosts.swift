/// How likely people make the mistakes that lead from a word to what was typed, in bits (-log2 of the probability): the
/// channel of the noisy-channel model (Kernighan, Church and Gale, "A spelling correction program based on a noisy
/// channel model", 1990).
///
/// Their tables of counts by letter are replaced by what such tables show in every collection of mistakes, so that no
/// keyboard and hardly any language is assumed: letters are left out sooner than added, most of all one of two equal
/// ones; neighbours change places; vowels are taken for each other, and consonants for those that sound alike; the first
/// letter is seldom wrong. The numbers are relative to each other, since all corrections share the same typed word. They
/// were fitted to one half of collected misspellings, by coordinate descent on the share of right first guesses, rounded,
/// and do as well on the other half.
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
    /// Such a letter that is a vowel or an h.
    var softInsertion = 7.0
    /// Such a letter that is its neighbour's twin.
    var doubledInsertion = 3.0
    /// A letter that is missing.
    var deletion = 3.0
    /// A missing letter that is its neighbour's twin.
    var doubledDeletion = 0.75
    /// An apostrophe or a hyphen too much or missing.
    var mark = 1.0
    /// What a mistake in the first letter costs besides.
    var first = 3.0
    /// What two mistakes cost besides.
    var second = 3.0
    /// What a bit of the word's frequency counts.
    var rarity = 0.7
    /// A space that is missing.
    var space = 8.0

    static let standard = EditCosts()

    /// The least that this many edits can cost.
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

    /// The letter `typed` is too much; `before` and `after` are its neighbours in what was typed, or zero.
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

/// What letters of ASCII have in common when they are mistaken for each other.
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
        // Sounds made at the same place of the mouth: the groups of Soundex (Russell, US patent 1,261,167, 1918), with c
        // once for each of its sounds, and y and j with i and g.
        for (number, group) in (["ckqx", "csz", "gj", "dt", "bp", "fv", "vw", "mn", "lr", "iyj"] as [StaticString])
            .enumerated()
        { mark(group, 1 << UInt16(3 + number)) }
        return table
    }()
}
