extension Unicode61Tokenizer {
    /// What `remove_diacritics` does to a letter with marks.
    public enum DiacriticRemoval: Int, Hashable, Sendable, CaseIterable {
        /// Marks stay.
        case none = 0
        /// A letter loses its mark if it has exactly one (SQLite's default, for compatibility with old indexes).
        case simple = 1
        /// A letter loses all its marks; `ệ` becomes `e`, too.
        case full = 2
    }

    /// The options of the tokenizer, with SQLite's names and meanings.
    public struct Options: Hashable, Sendable {
        /// What happens to a letter's marks.
        public var removeDiacritics = DiacriticRemoval.simple
        /// The general categories that belong to tokens.
        public var categories = Categories.standard
        /// Characters that belong to tokens although their category does not.
        public var tokenCharacters = ""
        /// Characters that separate tokens although their category belongs to tokens. For ASCII characters they
        /// override `tokenCharacters`.
        public var separators = ""

        /// Creates options with these values; the defaults are SQLite's.
        public init(
            removeDiacritics: DiacriticRemoval = .simple, categories: Categories = .standard,
            tokenCharacters: String = "", separators: String = ""
        ) {
            self.removeDiacritics = removeDiacritics
            self.categories = categories
            self.tokenCharacters = tokenCharacters
            self.separators = separators
        }

        /// Reads the options from FTS5's arguments, such as `["remove_diacritics", "2", "tokenchars", "-_"]`.
        ///
        /// - Throws: `TokenizerError` for what SQLite refuses.
        package init(arguments: [String]) throws(TokenizerError) {
            let arguments = try TokenizerArguments(
                arguments, tokenizer: Unicode61Tokenizer.name,
                known: ["remove_diacritics", "categories", "tokenchars", "separators"])
            var characters = CharacterRules()
            for (option, value) in arguments.pairs {
                switch option {
                case "remove_diacritics":
                    let level = try arguments.digit(value, of: option, in: 0...2)
                    removeDiacritics = DiacriticRemoval(rawValue: level) ?? .simple
                case "tokenchars": characters.add(value, areTokens: true)
                case "separators": characters.add(value, areTokens: false)
                default: break
                }
            }
            tokenCharacters = characters.tokenCharacters
            separators = characters.separators
            // SQLite only reads the last list.
            if let list = arguments.pairs.last(where: { $0.option == "categories" })?.value {
                guard let parsed = Categories(list) else {
                    throw .invalidValue(
                        list, option: "categories", tokenizer: Unicode61Tokenizer.name,
                        expected: "names of general categories, such as 'L* N* Co'")
                }
                categories = parsed
            }
        }

        /// The options as FTS5's arguments; empty for the defaults.
        package var arguments: [String] {
            let rules = CharacterRules(tokenCharacters: tokenCharacters, separators: separators)
            return (removeDiacritics == .simple ? [] : ["remove_diacritics", String(removeDiacritics.rawValue)])
                + (categories == .standard ? [] : ["categories", categories.description]) + rules.arguments
        }
    }
}
