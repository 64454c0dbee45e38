/// Cuts words into pieces of a few characters, so that queries find parts of words.
///
/// A document yields, at each character, a position with the pieces of every length that begin there, the shortest
/// first and the others colocated. A query yields its pieces of the greatest length, one position each, which FTS5
/// treats as a phrase; a query word shorter than that is one piece. If another word follows, the shorter pieces that end
/// the word come before it, since documents have positions for them. A word shorter than the shortest piece stays whole.
/// Every piece stands where its whole word stands.
package final class NGramFilter: TokenFilter {
    /// The lengths that pieces may have, in characters.
    package static let lengths = 1...255

    private let range: ClosedRange<Int>
    @exclusivity(unchecked) private var characters = CharacterStarts()
    /// The end of a query's last word, of which there are pieces if another word follows.
    @exclusivity(unchecked) private var tail = TokenBuffer()
    @exclusivity(unchecked) private var tailStart = 0
    @exclusivity(unchecked) private var tailEnd = 0

    /// - Parameter range: The least and the greatest length of a piece, in characters; kept within `lengths`.
    package init(_ range: ClosedRange<Int>) { self.range = range.clamped(to: Self.lengths) }

    package override func begin() { tail.count = 0 }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        if isQuery, !flags.contains(.colocated) {
            let code = sendTail()
            if code != 0 { return code }
        }
        characters.scan(token)
        let count = characters.count
        if isQuery, !flags.contains(.colocated), count > range.lowerBound { keepTail(of: token, start, end) }
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

    /// Keeps what follows the beginning of the last piece of the scanned token.
    private func keepTail(of token: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        let length = min(characters.count, range.upperBound) - 1
        if length < range.lowerBound { return }
        let piece = characters.piece(of: token, characters.count - length, length)
        if let base = piece.baseAddress { tail.append(base, count: piece.count) }
        (tailStart, tailEnd) = (start, end)
    }

    private func sendTail() -> Int32 {
        defer { tail.count = 0 }
        if tail.count == 0 { return 0 }
        characters.scan(tail.contents)
        let count = characters.count
        for length in (range.lowerBound...max(count, range.lowerBound)).reversed() {
            let piece = characters.piece(of: tail.contents, count - length, length)
            let code = emit(piece, flags: [], start: tailStart, end: tailEnd)
            if code != 0 { return code }
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
