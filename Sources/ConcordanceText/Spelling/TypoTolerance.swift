/// How many typos a word may have: characters left out, added or exchanged, and neighbours swapped, with no character
/// edited twice (the optimal string alignment distance). A first character that is another one counts as one more.
package enum TypoTolerance: Hashable, Sendable {
    case none
    /// By the number of characters: none up to 3, one up to 7, two from 8 on.
    case automatic
    /// The same if the word is in no row of the index, and none if it is.
    case ifUnknown
    /// One or two.
    case upTo(Int)

    /// The most that a word may have.
    package static let maximum = 2

    /// The number for a word of so many characters.
    package func limit(characterCount: Int) -> Int {
        switch self {
        case .none: 0
        case .automatic, .ifUnknown: characterCount < 4 ? 0 : characterCount < 8 ? 1 : 2
        case .upTo(let limit): min(max(limit, 0), Self.maximum)
        }
    }
}
