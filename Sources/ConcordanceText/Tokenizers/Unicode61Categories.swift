extension Unicode61Tokenizer {
    /// Unicode general categories, as the option `categories` of `unicode61` names them.
    ///
    /// The tables are SQLite's (Unicode 6.1), where ideographs, Hangul syllables and unassigned code points are in no
    /// category and always belong to tokens.
    public struct Categories: OptionSet, Hashable, Sendable, CustomStringConvertible {
        /// Bit n - 1 is category n of SQLiteUnicodeTables.
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `L*`
        public static let letters = group("L")
        /// `M*`
        public static let marks = group("M")
        /// `N*`
        public static let numbers = group("N")
        /// `P*`
        public static let punctuation = group("P")
        /// `S*`
        public static let symbols = group("S")
        /// `Z*`
        public static let separators = group("Z")
        /// `C*`
        public static let others = group("C")
        /// `Co`
        public static let privateUse = named("Co")

        /// SQLite's default: `L* N* Co`.
        public static let standard: Categories = [.letters, .numbers, .privateUse]

        /// The two-letter names in the order of their bits.
        private static let names = [
            "Cc", "Cf", "Cn", "Co", "Cs", "LC", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc",
            "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs",
        ]

        private static func group(_ letter: Character) -> Categories {
            Categories(names.indices.filter { names[$0].first == letter }.map { Categories(rawValue: 1 << $0) })
        }

        private static func named(_ name: String) -> Categories {
            Categories(names.indices.filter { names[$0] == name }.map { Categories(rawValue: 1 << $0) })
        }

        /// Reads a list such as `L* N* Co`, as SQLite does: names are separated by spaces and tabs, only the first two
        /// bytes of each count, and a name that does not begin with the letter of a group adds nothing. Returns nil if
        /// a name begins with such a letter but is not a category.
        package init?(_ list: String) {
            self = []
            for word in list.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
                let name = String(decoding: word.prefix(2), as: UTF8.self)
                guard let group = name.first.map(Self.group), !group.isEmpty else { continue }
                let found = name.dropFirst() == "*" ? group : Self.named(name)
                guard !found.isEmpty else { return nil }
                formUnion(found)
            }
        }

        /// The list that `init(_:)` reads.
        public var description: String {
            let groups: [(String, Categories)] = [
                ("L*", .letters), ("M*", .marks), ("N*", .numbers), ("P*", .punctuation), ("S*", .symbols),
                ("Z*", .separators), ("C*", .others),
            ]
            return groups.flatMap { name, group in
                isSuperset(of: group)
                    ? [name] : Self.names.filter { $0.first == name.first && contains(Self.named($0)) }
            }.joined(separator: " ")
        }

        /// Whether the category of that number, from 1, is in the set.
        func contains(number: Int) -> Bool { rawValue >> UInt32(truncatingIfNeeded: number - 1) & 1 == 1 }
    }
}
