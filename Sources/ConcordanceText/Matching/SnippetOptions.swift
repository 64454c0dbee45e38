/// How much of a text a snippet shows, and how.
public struct SnippetOptions: Hashable, Sendable {
    /// The greatest length of a fragment of a text.
    public enum Length: Hashable, Sendable {
        /// Words as UAX #29 defines them, where every ideograph is one. A word of more than 64 bytes counts as several.
        case words(Int)
        /// Characters as people count them.
        case characters(Int)

        /// The nearest length within the limits.
        var clamped: Length {
            switch self {
            case .words(let count): .words(min(max(count, 1), 4096))
            case .characters(let count): .characters(min(max(count, 1), 65536))
            }
        }
    }

    static let mostFragments = 100

    /// The length of each fragment, ellipses not counted: from one word or character to 4,096 words or 65,536
    /// characters.
    public var length: Length
    /// The greatest number of fragments, from 1 to 100; the snippet shows them in the order of the text.
    public var fragments: Int
    /// The text shown in place of text that is left out.
    public var ellipsis: String
    /// Whether line ends are kept. Otherwise all white space between two words becomes one space.
    public var keepsLines: Bool

    /// Creates options; by default one fragment of 16 words on one line.
    public init(
        length: Length = .words(16), fragments: Int = 1, ellipsis: String = "…", keepsLines: Bool = false
    ) {
        self.length = length
        self.fragments = fragments
        self.ellipsis = ellipsis
        self.keepsLines = keepsLines
    }
}
