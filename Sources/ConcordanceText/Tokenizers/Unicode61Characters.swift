/// How `unicode61` with certain options treats each character: whether it belongs to tokens, and what it is folded to.
struct Unicode61Characters: ~Copyable {
    /// The treatment of one character.
    struct Outcome {
        /// Its folded form in UTF-8, the first byte lowest.
        var bytes: UInt32
        /// The number of these bytes; zero if it is removed.
        var count: Int
        /// Whether a token can begin with it.
        var startsToken: Bool
        /// Whether it continues a token that has begun.
        var continuesToken: Bool
    }

    /// An outcome of at most three bytes in one word: the bytes, in bits 24 to 26 their number, and two flags.
    private struct PackedOutcome {
        var bits: UInt32

        init(_ outcome: Outcome) {
            bits =
                outcome.bytes | UInt32(outcome.count) << 24 | (outcome.startsToken ? 1 << 30 : 0)
                | (outcome.continuesToken ? 1 << 31 : 0)
        }

        @inline(__always)
        var outcome: Outcome {
            // The fourth byte is also written, after the others, where the next character overwrites it.
            Outcome(
                bytes: bits, count: Int(bits >> 24 & 7), startsToken: bits & 1 << 30 != 0,
                continuesToken: bits & 1 << 31 != 0)
        }
    }

    /// The treatment of all characters of a class of SQLiteUnicodeTables.
    private struct ClassRule {
        var foldDelta: Int32
        var isToken: Bool
        var isDiacritic: Bool
    }

    /// Whether the ASCII characters that belong to tokens are the letters and digits.
    let hasStandardASCII: Bool
    /// By byte: whether it is an ASCII character that belongs to tokens. 256 entries.
    let isTokenASCII: ConstantTable<Bool>
    /// By code point below U+0800: every character of one or two bytes.
    private let shortOutcomes: ConstantTable<PackedOutcome>
    private let rules: ConstantTable<ClassRule>
    /// Sorted characters from 0x80 on that the options treat unlike their class.
    private let exceptions: ConstantTable<UInt32>

    /// For the default options, which every pattern made from a text needs: computed once, then copied.
    private static let standard = Unicode61Characters(computing: Unicode61Tokenizer.Options())

    init(_ options: Unicode61Tokenizer.Options) {
        if options == Unicode61Tokenizer.Options() {
            self.init(copying: Self.standard)
        } else {
            self.init(computing: options)
        }
    }

    private init(copying other: borrowing Unicode61Characters) {
        hasStandardASCII = other.hasStandardASCII
        isTokenASCII = ConstantTable(copying: other.isTokenASCII)
        shortOutcomes = ConstantTable(copying: other.shortOutcomes)
        rules = ConstantTable(copying: other.rules)
        exceptions = ConstantTable(copying: other.exceptions)
    }

    private init(computing options: Unicode61Tokenizer.Options) {
        let rules = Self.rules(options)
        let exceptions = Self.exceptions(options, rules)
        let characters = CharacterRules(tokenCharacters: options.tokenCharacters, separators: options.separators)
        let isTokenASCII = (UInt8.min...UInt8.max).map { byte -> Bool in
            guard byte != 0, byte < 0x80 else { return false }
            return characters.areTokens(ascii: byte) ?? rules[SQLiteUnicodeTables.value(of: UInt32(byte))].isToken
        }
        hasStandardASCII = (UInt8(0)..<0x80).allSatisfy { isTokenASCII[Int($0)] == ASCII.isAlphanumeric($0) }
        shortOutcomes = ConstantTable(
            (UInt32(0)..<0x800).map { scalar in
                if scalar >= 0x80 {
                    let isException = exceptions.contains(scalar)
                    return PackedOutcome(
                        Self.outcome(scalar, rules[SQLiteUnicodeTables.value(of: scalar)], isException: isException))
                }
                let isToken = isTokenASCII[Int(scalar)]
                let folded = UInt32(ASCII.lowercased(UInt8(scalar)))
                return PackedOutcome(Outcome(bytes: folded, count: 1, startsToken: isToken, continuesToken: isToken))
            })
        self.isTokenASCII = ConstantTable(isTokenASCII)
        self.rules = ConstantTable(rules)
        self.exceptions = ConstantTable(exceptions)
    }

    private static func rules(_ options: Unicode61Tokenizer.Options) -> [ClassRule] {
        let deltas =
            switch options.removeDiacritics {
            case .none: SQLiteUnicodeTables.caseFold
            case .simple: SQLiteUnicodeTables.simpleFold
            case .full: SQLiteUnicodeTables.fullFold
            }
        return zip(SQLiteUnicodeTables.properties, deltas).map { properties, delta in
            let category = Int(properties & 0x1F)
            return ClassRule(
                foldDelta: delta, isToken: category == 0 || options.categories.contains(number: category),
                isDiacritic: properties & 0x80 != 0)
        }
    }

    private static func exceptions(_ options: Unicode61Tokenizer.Options, _ rules: [ClassRule]) -> [UInt32] {
        func changed(_ list: String, areTokens: Bool) -> [UInt32] {
            list.unicodeScalars.map { $0.value & ~1 == 0xFFFE ? 0xFFFD : $0.value }.filter { scalar in
                let rule = rules[SQLiteUnicodeTables.value(of: scalar)]
                return scalar >= 0x80 && rule.isToken != areTokens && !rule.isDiacritic
            }
        }
        let all = changed(options.tokenCharacters, areTokens: true) + changed(options.separators, areTokens: false)
        return Set(all).sorted()
    }

    @inline(__always)
    private static func outcome(_ scalar: UInt32, _ rule: ClassRule, isException: Bool) -> Outcome {
        let folded = scalar &+ UInt32(bitPattern: rule.foldDelta)
        let (bytes, count) = SQLiteUTF8.encode(folded)
        let isToken = rule.isToken != isException
        return Outcome(
            bytes: bytes, count: folded == 0 ? 0 : count, startsToken: isToken,
            continuesToken: isToken || rule.isDiacritic)
    }

    /// The outcome for a character below U+0800.
    @inline(__always)
    func outcome(short scalar: Int) -> Outcome { shortOutcomes[scalar].outcome }

    /// The outcome for any character.
    @inline(__always)
    func outcome(_ scalar: UInt32) -> Outcome {
        if scalar < 0x800 { return outcome(short: Int(scalar)) }
        return Self.outcome(
            scalar, rules[SQLiteUnicodeTables.value(of: scalar)],
            isException: exceptions.count > 0 && isException(scalar))
    }

    private func isException(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = exceptions.count
        while low < high {
            let middle = (low + high) / 2
            if exceptions[middle] < scalar { low = middle + 1 } else { high = middle }
        }
        return low < exceptions.count && exceptions[low] == scalar
    }
}
