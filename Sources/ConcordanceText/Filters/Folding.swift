/// Which differences between characters a fold takes away. The order in which they apply is fixed (see
/// `ScalarFolder`), so that the set alone says what happens.
public struct Folding: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Full case folding (CaseFolding.txt, statuses C and F): Straße = STRASSE, final sigma = sigma.
    public static let caseFolding = Folding(rawValue: 1 << 0)
    /// Full case folding where I is the capital of ı and İ that of i (CaseFolding.txt, status T).
    public static let turkicCaseFolding = Folding(rawValue: 1 << 1)
    /// Compatibility normalization (NFKC): ﬁ = fi, ２ = 2, ｶﾞ = ガ, ² = 2; conjoining jamo become syllables.
    public static let compatibility = Folding(rawValue: 1 << 2)
    /// Accents, points and vowel signs that writers leave out: é = e, ё = е, ά = α. Й, ї and ў keep theirs, and so do
    /// kana and Indic vowels: there the mark makes another letter.
    public static let diacritics = Folding(rawValue: 1 << 3)
    /// Latin letters and typographic signs become ASCII: ß ss, æ ae, ø o, đ d, ł l, þ th, ı i, ’ '.
    public static let latin = Folding(rawValue: 1 << 4)
    /// Half-width and full-width forms become the usual ones: ｶﾞ = ガ, Ａ = A.
    public static let width = Folding(rawValue: 1 << 5)
    /// Hiragana becomes katakana: がっこう = ガッコウ.
    public static let kana = Folding(rawValue: 1 << 6)
    /// Characters that are not seen (Default_Ignorable_Code_Point) go: soft hyphens, joiners, variation selectors.
    public static let ignorables = Folding(rawValue: 1 << 7)
    /// German umlauts: ä, ae and a are one, so are ö, oe, o and ü, ue, u, and ß is ss; but an e after another vowel or
    /// after q stays, since it is no umlaut there: Bauer, Quelle. (The rule of Snowball's german2 and of Lucene's
    /// GermanNormalizationFilter.)
    public static let german = Folding(rawValue: 1 << 8)
    /// Scandinavian letters by any spelling: å, aa and a are one, so are ä, æ, ae and ö, ø, oe, o.
    public static let scandinavian = Folding(rawValue: 1 << 9)

    /// What nearly everyone wants: `compatibility`, `caseFolding`, `diacritics`, `ignorables`.
    public static let common: Folding = [.compatibility, .caseFolding, .diacritics, .ignorables]

    /// Whether characters are taken apart on the way, and composed at the end.
    var decomposes: Bool {
        !isDisjoint(with: [.compatibility, .diacritics, .latin, .width, .german, .scandinavian])
    }

    /// Whether pairs of letters are looked at once the characters are folded.
    var foldsDigraphs: Bool { !isDisjoint(with: [.german, .scandinavian]) }
}

/// Folds sequences of scalars: the definition of every `Folding`, at no great speed. `FoldingTable` remembers its
/// answers for the characters whose neighbours do not matter.
///
/// The steps, each only where an option asks for it: Turkish i; decomposition (compatibility, width or canonical);
/// removal of ignorable characters and of marks; Latin to ASCII; case folding; hiragana to katakana; canonical ordering
/// and composition.
struct ScalarFolder {
    let folding: Folding
    /// The present sequence.
    var scalars: [UInt32] = []
    private var other: [UInt32] = []

    private let canonical = PackedMapping(FoldingTables.canonical, pool: FoldingTables.pool)
    private let compatible = PackedMapping(FoldingTables.compatible, pool: FoldingTables.pool)
    private let width = PackedMapping(FoldingTables.width, pool: FoldingTables.pool)
    private let caseFolding = PackedMapping(FoldingTables.caseFolding, pool: FoldingTables.pool)
    private let latin = PackedMapping(FoldingTables.latin, pool: FoldingTables.pool)
    private let marks = PackedRanges(FoldingTables.marks)
    private let ignorable = PackedRanges(FoldingTables.ignorable)
    private let joining = PackedRanges(FoldingTables.joining)
    private var composer = Composer()

    // Asking an option set about several options at once allocates where the compiler does not optimize.
    private let decomposes: Bool
    private let removesMarks: Bool
    private let foldsCase: Bool

    init(_ folding: Folding) {
        self.folding = folding
        decomposes = folding.decomposes
        removesMarks = !folding.isDisjoint(with: [.diacritics, .latin, .german, .scandinavian, .ignorables])
        foldsCase = !folding.isDisjoint(with: [.caseFolding, .turkicCaseFolding])
    }

    /// Folds `scalars` in place.
    mutating func fold() {
        if folding.contains(.turkicCaseFolding) { foldTurkicI() }
        if decomposes { decompose() }
        if removesMarks { removeMarks() }
        if folding.contains(.latin) { map(latin) }
        if foldsCase { map(caseFolding) }
        if folding.contains(.german) { replace(0xDF, 0x1E9E, with: 0x73, 0x73) }
        if folding.contains(.scandinavian) { foldScandinavianLetters() }
        if folding.contains(.kana) { foldKana() }
        if decomposes { composer.compose(&scalars) }
    }

    /// Whether any character of `range` may fold to another, or depend on its neighbours: false for most of Unicode.
    func mayFold(in range: ClosedRange<UInt32>) -> Bool {
        range.lowerBound < 0x3100 || canonical.maps(in: range) || compatible.maps(in: range)
            || caseFolding.maps(in: range) || latin.maps(in: range) || marks.intersects(range)
            || ignorable.intersects(range) || joining.intersects(range) || composer.hasMarks(in: range)
    }

    /// Whether what `scalar` folds to depends on the characters before it.
    mutating func dependsOnContext(_ scalar: UInt32) -> Bool {
        if folding.contains(.turkicCaseFolding), scalar == 0x307 { return true }
        guard decomposes else { return false }
        scalars.removeAll(keepingCapacity: true)
        scalars.append(scalar)
        decompose()
        guard let first = scalars.first else { return false }
        if Self.isKeptMark(first) { return true }
        if isMark(first) { return !folding.contains(.diacritics) }
        scalars.removeAll(keepingCapacity: true)
        scalars.append(scalar)
        fold()
        guard let first = scalars.first else { return false }
        return composer.combiningClass(first) != 0 || joining.contains(first)
    }

    private func isMark(_ scalar: UInt32) -> Bool { scalar >= 0x300 && marks.contains(scalar) }

    /// The marks that some Cyrillic letters keep.
    private static func isKeptMark(_ scalar: UInt32) -> Bool { scalar == 0x306 || scalar == 0x308 }

    private mutating func foldTurkicI() {
        other.removeAll(keepingCapacity: true)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if scalar == 0x130 {
                other.append(0x69)
            } else if scalar == 0x49 {
                let isDotted = index < scalars.count && scalars[index] == 0x307
                other.append(isDotted ? 0x69 : 0x131)
                if isDotted { index += 1 }
            } else {
                other.append(scalar)
            }
        }
        swap(&scalars, &other)
    }

    private mutating func decompose() {
        other.removeAll(keepingCapacity: true)
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar < 0xA0 {
                other.append(scalar)
            } else if Hangul.append(scalar, to: &other) {
                continue
            } else if folding.contains(.compatibility), compatible.append(scalar, to: &other) {
                continue
            } else if folding.contains(.width), width.append(scalar, to: &other) {
                continue
            } else if !canonical.append(scalar, to: &other) {
                other.append(scalar)
            }
        }
        swap(&scalars, &other)
        composer.order(&scalars)
    }

    private mutating func removeMarks() {
        other.removeAll(keepingCapacity: true)
        var base: UInt32 = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            if isMark(scalar) {
                if !removes(scalar, after: base) { other.append(scalar) }
            } else if !(folding.contains(.ignorables) && scalar >= 0xAD && ignorable.contains(scalar)) {
                base = scalar
                other.append(scalar)
            }
        }
        swap(&scalars, &other)
    }

    private func removes(_ mark: UInt32, after base: UInt32) -> Bool {
        if folding.contains(.diacritics) {
            // Й and ў, with breve, and ї, with diaeresis, are letters of their own.
            let isBreveLetter = base == 0x438 || base == 0x418 || base == 0x443 || base == 0x423
            let isDiaeresisLetter = base == 0x456 || base == 0x406
            return !(mark == 0x306 && isBreveLetter || mark == 0x308 && isDiaeresisLetter)
        }
        if folding.contains(.latin), base < 0x300 || latin.contains(base) { return true }
        let isUmlaut = mark == 0x308 && isOne(of: "aouAOU", base)
        if folding.contains(.german) { return isUmlaut }
        return folding.contains(.scandinavian) && (isUmlaut || mark == 0x30A && isOne(of: "aA", base))
    }

    private func isOne(of letters: StaticString, _ scalar: UInt32) -> Bool {
        for index in 0..<letters.utf8CodeUnitCount where UInt32(letters.utf8Start[index]) == scalar { return true }
        return false
    }

    private mutating func map(_ mapping: PackedMapping) {
        other.removeAll(keepingCapacity: true)
        for index in scalars.indices where !mapping.append(scalars[index], to: &other) { other.append(scalars[index]) }
        swap(&scalars, &other)
    }

    private mutating func replace(_ small: UInt32, _ capital: UInt32, with first: UInt32, _ second: UInt32) {
        other.removeAll(keepingCapacity: true)
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar == small || scalar == capital {
                other.append(first)
                other.append(second)
            } else {
                other.append(scalar)
            }
        }
        swap(&scalars, &other)
    }

    private mutating func foldScandinavianLetters() {
        for index in scalars.indices {
            switch scalars[index] {
            case 0xE6: scalars[index] = 0x61  // æ
            case 0xC6: scalars[index] = 0x41
            case 0xF8: scalars[index] = 0x6F  // ø
            case 0xD8: scalars[index] = 0x4F
            default: break
            }
        }
    }

    private mutating func foldKana() {
        for index in scalars.indices {
            let scalar = scalars[index]
            if (0x3041...0x3096).contains(scalar) || scalar == 0x309D || scalar == 0x309E {
                scalars[index] = scalar + 0x60
            }
        }
    }
}

/// Hangul syllables by arithmetic (The Unicode Standard, section 3.12).
enum Hangul {
    private static let syllableBase: UInt32 = 0xAC00
    private static let leadBase: UInt32 = 0x1100
    private static let vowelBase: UInt32 = 0x1161
    private static let tailBase: UInt32 = 0x11A7
    private static let tails: UInt32 = 28
    private static let vowels: UInt32 = 21
    private static let leads: UInt32 = 19

    /// Appends the jamo of a syllable; false where `scalar` is none.
    static func append(_ scalar: UInt32, to output: inout [UInt32]) -> Bool {
        guard scalar >= syllableBase, scalar - syllableBase < leads * vowels * tails else { return false }
        let index = scalar - syllableBase
        output.append(leadBase + index / (vowels * tails))
        output.append(vowelBase + index % (vowels * tails) / tails)
        if index % tails != 0 { output.append(tailBase + index % tails) }
        return true
    }

    /// A lead and a vowel, or a syllable without tail and a tail, in one.
    static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if first >= leadBase, first - leadBase < leads, second >= vowelBase, second - vowelBase < vowels {
            return syllableBase + ((first - leadBase) * vowels + second - vowelBase) * tails
        }
        if first >= syllableBase, first - syllableBase < leads * vowels * tails, (first - syllableBase) % tails == 0,
            second > tailBase, second - tailBase < tails
        {
            return first + second - tailBase
        }
        return nil
    }
}

/// Canonical ordering and composition (UAX #15).
struct Composer {
    private let classes = PackedClasses(FoldingTables.combiningClasses)
    private let pairs = PackedPairs(FoldingTables.compositions)
    private var run: [(scalar: UInt32, order: UInt8)] = []

    func hasMarks(in range: ClosedRange<UInt32>) -> Bool { classes.intersects(range) }

    func combiningClass(_ scalar: UInt32) -> UInt8 { scalar < 0x300 ? 0 : classes.value(scalar) }

    /// Sorts each run of combining marks by class; equal classes keep their order.
    mutating func order(_ scalars: inout [UInt32]) {
        var index = 0
        while index < scalars.count {
            guard combiningClass(scalars[index]) != 0 else {
                index += 1
                continue
            }
            let start = index
            run.removeAll(keepingCapacity: true)
            while index < scalars.count {
                let order = combiningClass(scalars[index])
                if order == 0 { break }
                run.append((scalars[index], order))
                index += 1
            }
            if run.count > 1 { sortRun(into: &scalars, at: start) }
        }
    }

    /// A counting sort, since a hostile run may be as long as the text.
    private func sortRun(into scalars: inout [UInt32], at start: Int) {
        var target = start
        var order: UInt8 = 0
        while target < start + run.count {
            var next = UInt8.max
            for index in run.indices where run[index].order > order { next = min(next, run[index].order) }
            order = next
            for index in run.indices where run[index].order == order {
                scalars[target] = run[index].scalar
                target += 1
            }
        }
    }

    /// Orders, then composes every character with the last starter before it that nothing blocks.
    mutating func compose(_ scalars: inout [UInt32]) {
        order(&scalars)
        var starter: Int?
        var lastClass: UInt8 = 0
        var count = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            let order = combiningClass(scalar)
            if let starter, lastClass < order || count == starter + 1,
                let composite = composite(scalars[starter], scalar)
            {
                scalars[starter] = composite
                continue
            }
            if order == 0 { starter = count }
            lastClass = order
            scalars[count] = scalar
            count += 1
        }
        scalars.removeLast(scalars.count - count)
    }

    private func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if second < 0x300 { return nil }
        return Hangul.composite(first, second) ?? pairs.composite(first, second)
    }
}
