/// A set of letters by their codes.
struct StemLetterSet: Equatable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// All letters, including those that the rules do not know.
    static let all = StemLetterSet().inverted

    var inverted: StemLetterSet {
        var inverted = self
        inverted.words = (~words.0, ~words.1, ~words.2, ~words.3)
        return inverted
    }

    mutating func insert(_ code: UInt8) {
        let bit: UInt64 = 1 << UInt64(code & 63)
        switch code >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    mutating func formUnion(_ other: StemLetterSet) {
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
    }

    func contains(_ code: UInt8) -> Bool {
        let word =
            switch code >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word & 1 << UInt64(code & 63) != 0
    }

    static func == (left: StemLetterSet, right: StemLetterSet) -> Bool { left.words == right.words }
}
