/// The options `tokenchars` and `separators` of `unicode61` and `ascii`: characters that are moved into or out of
/// tokens.
///
/// SQLite applies them in the order given. For an ASCII character the last one counts, so adding it to one list removes
/// it from the other. For any other character the order makes no difference: a list that moves it away from its default
/// side always prevails.
struct CharacterRules {
    private(set) var tokenCharacters: String
    private(set) var separators: String

    init(tokenCharacters: String = "", separators: String = "") {
        self.tokenCharacters = tokenCharacters
        self.separators = separators
    }

    mutating func add(_ characters: String, areTokens: Bool) {
        let named = Set(characters.unicodeScalars)
        func append(to list: inout String) { list.unicodeScalars.append(contentsOf: characters.unicodeScalars) }
        func removeASCII(from list: inout String) {
            list.unicodeScalars.removeAll { $0.isASCII && named.contains($0) }
        }
        if areTokens {
            append(to: &tokenCharacters)
            removeASCII(from: &separators)
        } else {
            append(to: &separators)
            removeASCII(from: &tokenCharacters)
        }
    }

    /// Whether the rules make the ASCII character part of tokens; nil if they do not mention it. They cannot mention
    /// NUL, which ends SQLite's arguments.
    func areTokens(ascii byte: UInt8) -> Bool? {
        if byte == 0 { return nil }
        if separators.utf8.contains(byte) { return false }
        return tokenCharacters.utf8.contains(byte) ? true : nil
    }

    var arguments: [String] {
        (tokenCharacters.isEmpty ? [] : ["tokenchars", tokenCharacters])
            + (separators.isEmpty ? [] : ["separators", separators])
    }
}
