import Concordance

/// Where the next page of a search begins, and how strictly the pages before it took the query. Its description is a text
/// for clients; one that they have changed is refused, or refers to another place of the same results.
struct LadderCursor: Equatable, Sendable, LosslessStringConvertible {
    enum Place: Equatable, Sendable {
        /// Behind so many hits of the ranked window.
        case window(Int)
        /// Behind a hit in the engine's order.
        case hit(SearchCursor)
    }

    var strictness: Strictness
    /// Whether words with typos follow those as they are.
    var hasTypos: Bool
    var place: Place

    init(strictness: Strictness, hasTypos: Bool, place: Place) {
        self.strictness = strictness
        self.hasTypos = hasTypos
        self.place = place
    }

    /// What stands before the number of a window's hit.
    private static let windowMark: Character = "~"

    init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let strictness = Strictness(rawValue: String(parts[0])), ["0", "1"].contains(parts[1])
        else { return nil }
        let place: Place
        if parts[2].first == Self.windowMark {
            guard let count = Int(parts[2].dropFirst()), (0...RankedWindow.greatestCount).contains(count) else {
                return nil
            }
            place = .window(count)
        } else {
            guard let cursor = SearchCursor(String(parts[2])) else { return nil }
            place = .hit(cursor)
        }
        self.init(strictness: strictness, hasTypos: parts[1] == "1", place: place)
    }

    var description: String {
        let place =
            switch place {
            case .window(let count): "\(Self.windowMark)\(count)"
            case .hit(let cursor): "\(cursor)"
            }
        return "\(strictness.rawValue).\(hasTypos ? 1 : 0).\(place)"
    }
}
