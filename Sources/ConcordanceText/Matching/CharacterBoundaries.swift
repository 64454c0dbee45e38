/// Finds the boundaries of characters (extended grapheme clusters) on both sides of places in a text, from front to
/// back.
///
/// A place deep in a text costs as much as one at its beginning: the search goes back to the nearest two characters
/// that are certainly separate, such as two letters, and forward from there. It never goes back beyond the previous
/// place, so even a text that is one endless character is read only once.
package struct CharacterBoundaries {
    private let text: String
    private let utf8: UnsafeBufferPointer<UInt8>
    private var known: String.Index

    /// - Parameter utf8: The bytes of `text`, which must be contiguous UTF-8.
    init(_ text: String, utf8: UnsafeBufferPointer<UInt8>) {
        self.text = text
        self.utf8 = utf8
        known = text.startIndex
    }

    /// The last boundary up to `position` and the first one from it on, as byte offsets; equal if `position` is a
    /// boundary. Positions must not decrease from one call to the next.
    mutating func around(_ position: Int) -> (before: Int, after: Int) {
        let position = min(max(position, 0), utf8.count)
        if position == 0 || position == utf8.count || isCertain(position) { return (position, position) }
        let knownOffset = offset(known)
        guard position > knownOffset else { return (knownOffset, knownOffset) }
        var anchor = position - 1
        while anchor > knownOffset, !isCertain(anchor) { anchor -= 1 }
        var before = anchor > knownOffset ? text.utf8.index(text.startIndex, offsetBy: anchor) : known
        while true {
            let after = text.index(after: before)
            let offset = offset(after)
            if offset == position || after == text.endIndex && offset <= position {
                known = after
                return (offset, offset)
            }
            if offset > position {
                known = before
                return (self.offset(before), offset)
            }
            before = after
        }
    }

    /// The range with its ends moved outward to boundaries.
    mutating func extending(_ range: Range<Int>) -> Range<Int> {
        let start = around(range.lowerBound).before
        return start..<max(start, around(range.upperBound).after)
    }

    /// Where the next `count` characters from `position`, a boundary, end.
    func after(_ count: Int, from position: Int) -> Int {
        guard position < utf8.count, count > 0 else { return position }
        // A substring does not look back to find where its first character begins.
        let rest = text[text.utf8.index(text.startIndex, offsetBy: position)...]
        return offset(rest.index(rest.startIndex, offsetBy: count, limitedBy: rest.endIndex) ?? rest.endIndex)
    }

    /// How many characters begin in a range of bytes whose start is a boundary.
    func characterCount(in range: Range<Int>) -> Int {
        guard !range.isEmpty else { return 0 }
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)].count
    }

    private func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }

    /// Whether there is a boundary before the byte at `position`, judged by the two characters there alone.
    private func isCertain(_ position: Int) -> Bool {
        guard position > 0, position < utf8.count, utf8[position] & 0xC0 != 0x80 else { return false }
        if utf8[position - 1] < 0x80, utf8[position] < 0x80 {
            return !(utf8[position - 1] == 0x0D && utf8[position] == 0x0A)
        }
        var previous = position - 1
        while previous > 0, utf8[previous] & 0xC0 == 0x80 { previous -= 1 }
        return Self.standsAlone(StrictUTF8.decode(utf8, at: previous).scalar)
            && Self.standsAlone(StrictUTF8.decode(utf8, at: position).scalar)
    }

    /// Whether a character is in one of the blocks that contain only letters which never join each other (UAX #29,
    /// Grapheme_Cluster_Break Other, LV or LVT).
    private static func standsAlone(_ scalar: UInt32?) -> Bool {
        guard let scalar else { return false }
        switch scalar {
        case 0x20...0x7E, 0xC0...0x2FF, 0x370...0x482, 0x48A...0x58A, 0x3041...0x3096, 0x30A1...0x30FA,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return false
        }
    }
}

extension CharacterBoundaries {
    /// The ranges of a text's bytes in order, joined where they overlap, with their ends moved outward to boundaries of
    /// characters; empty ones are left out.
    package static func extending(_ ranges: [Range<Int>], in text: String) -> [Range<Int>] {
        var text = text
        text.makeContiguousUTF8()
        let ranges = ranges.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        return text.utf8.withContiguousStorageIfAvailable { utf8 in
            var boundaries = CharacterBoundaries(text, utf8: utf8)
            return boundaries.extending(ranges)
        } ?? []
    }

    /// The same for ranges that are sorted by their starts.
    mutating func extending(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges where !range.isEmpty && range.lowerBound < utf8.count {
            let reach = result.last?.upperBound ?? 0
            // A range within the character in which the previous range ends adds nothing.
            if range.upperBound <= reach { continue }
            let extended = extending(max(range.lowerBound, reach)..<range.upperBound)
            if let last = result.last, range.lowerBound < reach {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, extended.upperBound)
            } else if !extended.isEmpty {
                result.append(extended)
            }
        }
        return result
    }
}
