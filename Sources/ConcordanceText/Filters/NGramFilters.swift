/// Cuts words into pieces of a few characters, so that queries find parts of words.
///
/// A document yields, at each character, a position with the pieces of every length that begin there, the shortest
/// first and the others colocated. A query yields its pieces of the greatest length, one position each, which FTS5
/// treats as a phrase; a query word shorter than that is one piece. A word shorter than the shortest piece stays whole.
/// Every piece stands where its whole word stands.
package final class NGramFilter: TokenFilter {
    /// The lengths that pieces may have, in characters.
    package static let lengths = 1...255

    private let range: ClosedRange<Int>
    @exclusivity(unchecked) private var characters = CharacterStarts()

    /// - Parameter range: The least and the greatest length of a piece, in characters; kept within `lengths`.
    package init(_ range: ClosedRange<Int>) { self.range = range.clamped(to: Self.lengths) }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        characters.scan(token)
        let count = characters.count
        if count <= range.lowerBound || isQuery && count <= range.upperBound {
            return emit(token, flags: flags, start: start, end: end)
        }
        let shortest = isQuery ? range.upperBound : range.lowerBound
        for first in 0...count - shortest {
            for length in shortest...min(range.upperBound, count - first) {
                // Pieces of a synonym, and all but the shortest piece, share an existing position.
                let isHead = length == shortest && !flags.contains(.colocated)
                let piece = characters.piece(of: token, first, length)
                let code = emit(piece, flags: isHead ? flags : flags.union(.colocated), start: start, end: end)
                if code != 0 { return code }
            }
        }
        return 0
    }
}

/// Indexes documents under the beginnings of their words, so that a word is found while it is typed, without a prefix
/// query. Queries pass unchanged. The beginnings stand where the word stands, colocated with it.
package final class EdgeNGramFilter: TokenFilter {
    private let range: ClosedRange<Int>
    @exclusivity(unchecked) private var characters = CharacterStarts()

    /// - Parameter range: The least and the greatest length of a beginning, in characters; kept within
    ///   `NGramFilter.lengths`.
    package init(_ range: ClosedRange<Int>) { self.range = range.clamped(to: NGramFilter.lengths) }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let code = emit(token, flags: flags, start: start, end: end)
        if code != 0 || isQuery { return code }
        characters.scan(token)
        let longest = min(range.upperBound, characters.count - 1)
        if longest < range.lowerBound { return 0 }
        for length in range.lowerBound...longest {
            let piece = characters.piece(of: token, 0, length)
            let code = emit(piece, flags: flags.union(.colocated), start: start, end: end)
            if code != 0 { return code }
        }
        return 0
    }
}

/// Where the characters (Unicode scalars) of a token begin.
struct CharacterStarts {
    private var starts: [Int] = []

    /// The number of characters.
    var count: Int { starts.count - 1 }

    mutating func scan(_ token: UnsafeBufferPointer<UInt8>) {
        starts.removeAll(keepingCapacity: true)
        for index in 0..<token.count where token[index] & 0xC0 != 0x80 || index == 0 { starts.append(index) }
        starts.append(token.count)
    }

    /// `length` characters of the scanned token.
    func piece(of token: UnsafeBufferPointer<UInt8>, _ first: Int, _ length: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: token[starts[first]..<starts[first + length]])
    }
}
