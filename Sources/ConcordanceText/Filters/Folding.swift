/// Which differences between characters folding removes. The order of the steps is fixed (see `ScalarFolder`), so that
/// the set alone determines the result.
package struct Folding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Full case folding (CaseFolding.txt, statuses C and F): Straße = STRASSE, final sigma = sigma.
    package static let caseFolding = Folding(rawValue: 1 << 0)
    /// Full case folding where I is the capital of ı and İ that of i (CaseFolding.txt, status T).
    package static let turkicCaseFolding = Folding(rawValue: 1 << 1)
    /// Compatibility normalization (NFKC): ﬁ = fi, ２ = 2, ｶﾞ = ガ, ² = 2; conjoining jamo become syllables.
    package static let compatibility = Folding(rawValue: 1 << 2)
    /// Accents, points and vowel signs that writers leave out: é = e, ё = е, ά = α. Й, ї and ў keep theirs, and so do
    /// kana and Indic vowels, where the mark makes a different letter.
    package static let diacritics = Folding(rawValue: 1 << 3)
    /// Latin letters and typographic signs become ASCII: ß ss, æ ae, ø o, đ d, ł l, þ th, ı i, ’ '.
    package static let latin = Folding(rawValue: 1 << 4)
    /// Half-width and full-width forms become the usual ones: ｶﾞ = ガ, Ａ = A.
    package static let width = Folding(rawValue: 1 << 5)
    /// Hiragana becomes katakana: がっこう = ガッコウ.
    package static let kana = Folding(rawValue: 1 << 6)
    /// Invisible characters (Default_Ignorable_Code_Point) are removed: soft hyphens, joiners, variation selectors.
    package static let ignorables = Folding(rawValue: 1 << 7)
    /// German umlauts: ä, ae and a are one, so are ö, oe, o and ü, ue, u, and ß is ss; but the e of a ue after another
    /// vowel or after q stays, since that is not an umlaut: Bauer, Quelle. (The rule of Snowball's german2 and of
    /// Lucene's GermanNormalizationFilter.)
    package static let german = Folding(rawValue: 1 << 8)
    /// Scandinavian letters by any spelling: å, aa and a are one, so are ä, æ, ae and ö, ø, oe, o.
    package static let scandinavian = Folding(rawValue: 1 << 9)
    /// Characters that writers of other scripts interchange: digits of all scripts become ASCII digits; Arabic letters
    /// lose their hamza, and Persian letters become Arabic ones; geresh, gershayim and nukta are removed; candrabindu,
    /// and a nasal before a consonant, become anusvara; Thai marks get one order.
    package static let scripts = Folding(rawValue: 1 << 10)
    /// Traditional Chinese characters become simplified ones (Unihan's kSimplifiedVariant). Some of those stand for
    /// several: 後 and 后 are one.
    package static let simplified = Folding(rawValue: 1 << 11)
    /// Japanese spellings: 國 = 国 and 學 = 学, ヴァ = バ, and no long mark at the end of a word: サーバー = サーバ.
    package static let japanese = Folding(rawValue: 1 << 12)

    /// What nearly every index wants: `compatibility`, `caseFolding`, `diacritics`, `ignorables`.
    package static let common: Folding = [.compatibility, .caseFolding, .diacritics, .ignorables]

    /// Whether characters are decomposed on the way, and composed at the end.
    var decomposes: Bool {
        !isDisjoint(with: [.compatibility, .diacritics, .latin, .width, .german, .scandinavian])
    }

    /// Whether pairs of letters are folded after the characters.
    var foldsDigraphs: Bool { !isDisjoint(with: [.german, .scandinavian]) }
}
