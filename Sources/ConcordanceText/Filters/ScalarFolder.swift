/// Folds sequences of scalars: the slow definition of every `Folding`. `FoldingTable` remembers its results for
/// characters whose neighbours do not matter.
///
/// The steps, each only if an option asks for it: Turkish i; decomposition (compatibility, width or canonical); removal
/// of ignorable characters and of marks; Latin to ASCII; case folding; letters of other scripts; hiragana to katakana;
/// canonical ordering and composition; Chinese and Japanese characters.
struct ScalarFolder {
    let folding: Folding
    /// The current sequence.
    var scalars: [UInt32] = []
    private var other: [UInt32] = []

    private let canonical = PackedMapping(FoldingTables.canonical, pool: FoldingTables.pool)
    private let compatible = PackedMapping(FoldingTables.compatible, pool: FoldingTables.pool)
    private let width = PackedMapping(FoldingTables.width, pool: FoldingTables.pool)
    private let caseFolding = PackedMapping(FoldingTables.caseFolding, pool: FoldingTables.pool)
    private let latin = PackedMapping(FoldingTables.latin, pool: FoldingTables.pool)
    private let scripts = PackedMapping(FoldingTables.scripts, pool: FoldingTables.pool)
    private let simplified = PackedMapping(FoldingTables.simplified, pool: FoldingTables.pool)
    private let modern = PackedMapping(FoldingTables.modern, pool: FoldingTables.pool)
    private let marks = PackedRanges(FoldingTables.marks)
    private let ignorable = PackedRanges(FoldingTables.ignorable)
    private let joining = PackedRanges(FoldingTables.joining)
    private var composer = Composer()
    private var traits: ScalarTraits

    // Testing an option set for several options at once allocates in unoptimized builds.
    private let decomposes: Bool
    private let removesMarks: Bool
    private let foldsCase: Bool

    init(_ folding: Folding) {
        self.folding = folding
        decomposes = folding.decomposes
        removesMarks = !folding.isDisjoint(with: [.diacritics, .latin, .german, .scandinavian, .ignorables])
        foldsCase = !folding.isDisjoint(with: [.caseFolding, .turkicCaseFolding])
        traits = ScalarTraits(
            mappings: [
                (ScalarTraits.canonical, canonical), (ScalarTraits.compatible, compatible),
                (ScalarTraits.width, width), (ScalarTraits.caseFolding, caseFolding), (ScalarTraits.latin, latin),
                (ScalarTraits.scripts, scripts), (ScalarTraits.simplified, simplified), (ScalarTraits.modern, modern),
            ],
            sets: [
                (ScalarTraits.mark, marks), (ScalarTraits.ignorable, ignorable), (ScalarTraits.joining, joining),
            ])
    }

    /// Folds `scalars` in place.
    mutating func fold() {
        if folding.contains(.turkicCaseFolding) { foldTurkicI() }
        if decomposes { decompose() }
        if removesMarks { removeMarks() }
        if folding.contains(.latin) { map(latin, ScalarTraits.latin) }
        if foldsCase { map(caseFolding, ScalarTraits.caseFolding) }
        if folding.contains(.german) { replace(0xDF, 0x1E9E, with: 0x73, 0x73) }
        if folding.contains(.scandinavian) { foldScandinavianLetters() }
        if folding.contains(.scripts) { foldScripts() }
        if folding.contains(.kana) { foldKana() }
        if folding.contains(.japanese) { foldJapanese() }
        if decomposes { composer.compose(&scalars, &traits) }
        if folding.contains(.simplified) { map(simplified, ScalarTraits.simplified) }
        if folding.contains(.japanese) { map(modern, ScalarTraits.modern) }
    }

    /// Whether any character of `range` may fold to another or depend on its neighbours; false for most of Unicode.
    func mayFold(in range: ClosedRange<UInt32>) -> Bool {
        range.lowerBound < 0x3100 || canonical.maps(in: range) || compatible.maps(in: range)
            || caseFolding.maps(in: range) || latin.maps(in: range) || marks.intersects(range)
            || ignorable.intersects(range) || joining.intersects(range) || composer.hasMarks(in: range)
            || scripts.maps(in: range) || simplified.maps(in: range) || modern.maps(in: range)
    }

    /// Whether what `scalar` folds to depends on its neighbours.
    mutating func dependsOnContext(_ scalar: UInt32) -> Bool {
        if folding.contains(.turkicCaseFolding), scalar == 0x307 { return true }
        if folding.contains(.scripts), ScriptFolding.dependsOnContext(scalar) { return true }
        if folding.contains(.japanese), JapaneseFolding.dependsOnContext(scalar) { return true }
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
        return traits.combiningClass(first) != 0 || traits.of(first) & ScalarTraits.joining != 0
    }

    private mutating func isMark(_ scalar: UInt32) -> Bool {
        scalar >= 0x300 && traits.of(scalar) & ScalarTraits.mark != 0
    }

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
        let expanding = ScalarTraits.canonical | ScalarTraits.compatible | ScalarTraits.width
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar < 0xA0 || traits.of(scalar) & expanding == 0 && !Hangul.isSyllable(scalar) {
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
        composer.order(&scalars, &traits)
    }

    private mutating func removeMarks() {
        other.removeAll(keepingCapacity: true)
        var base: UInt32 = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            if isMark(scalar) {
                if !removes(scalar, after: base) { other.append(scalar) }
            } else if !(folding.contains(.ignorables) && scalar >= 0xAD
                && traits.of(scalar) & ScalarTraits.ignorable != 0)
            {
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

    /// Maps by a table the characters that have the trait of those in it.
    private mutating func map(_ mapping: PackedMapping, _ trait: UInt32) {
        guard let first = scalars.firstIndex(where: { traits.of($0) & trait != 0 }) else { return }
        other.removeAll(keepingCapacity: true)
        other.append(contentsOf: scalars[..<first])
        for index in first..<scalars.count where !mapping.append(scalars[index], to: &other) {
            other.append(scalars[index])
        }
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

    private mutating func foldScripts() {
        ScriptFolding.fold(&scalars)
        map(scripts, ScalarTraits.scripts)
    }

    private mutating func foldJapanese() { JapaneseFolding.fold(&scalars) }

    private mutating func foldKana() {
        for index in scalars.indices {
            let scalar = scalars[index]
            if (0x3041...0x3096).contains(scalar) || scalar == 0x309D || scalar == 0x309E {
                scalars[index] = scalar + 0x60
            }
        }
    }
}
