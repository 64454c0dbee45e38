/// What `unicode61` with certain options makes of each character: whether it belongs to tokens, what it is folded to.
struct Unicode61Characters {
    /// What holds for every character of a class of SQLiteUnicodeTables.
    private struct ClassRule {
        var isToken: Bool
        /// Whether it goes on with a token that has begun.
        var isDiacritic: Bool
        var foldDelta: Int32
    }

    /// By byte below 0x80: whether it belongs to tokens.
    let isTokenASCII: [Bool]
    private let rules: [ClassRule]
    /// Characters of 0x80 and up that are on the other side than their class.
    private let exceptions: Set<UInt32>

    init(_ options: Unicode61Tokenizer.Options) {
        let deltas =
            switch options.removeDiacritics {
            case .none: SQLiteUnicodeTables.caseFold
            case .simple: SQLiteUnicodeTables.simpleFold
            case .full: SQLiteUnicodeTables.fullFold
            }
        let rules = zip(SQLiteUnicodeTables.properties, deltas).map { properties, delta in
            let category = Int(properties & 0x1F)
            return ClassRule(
                isToken: category == 0 || options.categories.contains(number: category),
                isDiacritic: properties & 0x80 != 0, foldDelta: delta)
        }
        self.rules = rules
        let characters = CharacterRules(tokenCharacters: options.tokenCharacters, separators: options.separators)
        isTokenASCII = (0..<0x80).map { byte in
            byte != 0
                && characters.areTokens(ascii: byte)
                    ?? rules[SQLiteUnicodeTables.value(of: UInt32(byte))].isToken
        }
        func exceptions(in list: String, areTokens: Bool) -> [UInt32] {
            list.unicodeScalars.map { $0.value & ~1 == 0xFFFE ? 0xFFFD : $0.value }.filter { scalar in
                let rule = rules[SQLiteUnicodeTables.value(of: scalar)]
                return scalar >= 0x80 && rule.isToken != areTokens && !rule.isDiacritic
            }
        }
        self.exceptions = Set(
            exceptions(in: options.tokenCharacters, areTokens: true)
                + exceptions(in: options.separators, areTokens: false))
    }

    /// Whether the character, of 0x80 or more, belongs to tokens; as the first of one, or after others.
    @inline(__always)
    func isToken(_ scalar: UInt32, insideToken: Bool) -> Bool {
        let rule = rules[SQLiteUnicodeTables.value(of: scalar)]
        if rule.isDiacritic, insideToken { return true }
        return rule.isToken != (!exceptions.isEmpty && exceptions.contains(scalar))
    }

    /// What the character, of 0x80 or more, is folded to; zero where it is removed.
    @inline(__always)
    func folded(_ scalar: UInt32) -> UInt32 {
        scalar &+ UInt32(bitPattern: rules[SQLiteUnicodeTables.value(of: scalar)].foldDelta)
    }
}
