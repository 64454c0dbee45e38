import Concordance

/// Where the next page of a search begins, and how strictly the earlier pages took the query. Its description is a text
/// for clients; a text that they have changed is refused, or means another place in the same results.
struct LadderCursor: Equatable, Sendable, LosslessStringConvertible {
    enum Place: Equatable, Sendable {
        /// After this many hits of the ranked window of a search for this text.
        case window(Int, text: UInt32)
        /// After a hit in the engine's order.
        case hit(SearchCursor)
    }

    var strictness: Strictness
    /// Whether rows with similar words follow those with the exact words.
    var hasTypos: Bool
    var place: Place

    init(strictness: Strictness, hasTypos: Bool, place: Place) {
        self.strictness = strictness
        self.hasTypos = hasTypos
        self.place = place
    }

    /// A number that distinguishes cursors of a search for this text from those of other searches.
    static func mark(of text: String) -> UInt32 {
        // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }

    /// The character before the numbers of a window.
    private static let windowMark: Character = "~"

    init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let strictness = Strictness(rawValue: String(parts[0])), ["0", "1"].contains(parts[1])
        else { return nil }
        let place: Place
        if parts[2].first == Self.windowMark {
            let numbers = parts[2].dropFirst().split(separator: Self.windowMark, omittingEmptySubsequences: false)
            guard numbers.count == 2, let count = Int(numbers[0]), (0...RankedWindow.greatestCount).contains(count),
                let text = UInt32(numbers[1], radix: 36)
            else { return nil }
            place = .window(count, text: text)
        } else {
            guard let cursor = SearchCursor(String(parts[2])) else { return nil }
            place = .hit(cursor)
        }
        self.init(strictness: strictness, hasTypos: parts[1] == "1", place: place)
    }

    var description: String {
        let place =
            switch place {
            case .window(let count, let text):
                "\(Self.windowMark)\(count)\(Self.windowMark)\(String(text, radix: 36))"
            case .hit(let cursor): "\(cursor)"
            }
        return "\(strictness.rawValue).\(hasTypos ? 1 : 0).\(place)"
    }
}
