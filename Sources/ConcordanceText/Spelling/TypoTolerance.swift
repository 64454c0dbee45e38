/// How many typos a word may have: characters deleted, inserted or substituted, and neighbours swapped, with no
/// character edited twice (the optimal string alignment distance). A different first character counts as one more.
package enum TypoTolerance: Hashable, Sendable {
    case none
    /// By the number of characters: none up to 3, one up to 7, two from 8 on.
    case automatic
    /// One or two.
    case upTo(Int)
    /// `unknownWord` if the word is in no row of the index, and none if it is.
    case ifUnknown
    /// `unknownWord` if the word is in no row of the index, and `knownWord` if it is.
    case typed
    /// As `automatic`, but a single edit may also change the first character.
    case unknownWord
    /// One from 4 characters on, since a word of the texts is seldom wrong. If the word is still being typed, the typo
    /// is not at its end, since the next character will tell.
    case knownWord

    /// The most that a word may have.
    package static let maximum = 2

    /// The most edits and the most typos in a word of this many characters.
    package func limits(characterCount: Int) -> (edits: Int, typos: Int) {
        let suited = characterCount < 4 ? 0 : characterCount < 8 ? 1 : 2
        switch self {
        case .none: return (0, 0)
        case .automatic: return (suited, suited)
        case .upTo(let limit): return (min(max(limit, 0), Self.maximum), min(max(limit, 0), Self.maximum))
        case .ifUnknown, .typed, .unknownWord: return (suited, suited == 0 ? 0 : Self.maximum)
        case .knownWord: return (min(suited, 1), min(suited, 1))
        }
    }
}
