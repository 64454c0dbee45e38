/// A pending term in the order of bytes, with what mostly suffices to compare it: terms lie all over memory.
struct SortedTerm {
    /// The first eight bytes, the first one highest, with zeros behind a shorter term.
    let beginning: UInt64
    let number: UInt32
    let length: UInt32
}

/// A prefix of a pending term.
struct TermPrefix {
    /// The first eight bytes of the prefix, as those of `SortedTerm`.
    fileprivate let beginning: UInt64
    let term: UInt32
    let length: UInt32

    fileprivate init(of term: SortedTerm, length: Int) {
        let mask: UInt64 = length < 8 ? ~(.max &>> UInt64(8 * length)) : .max
        beginning = term.beginning & mask
        self.term = term.number
        self.length = UInt32(truncatingIfNeeded: length)
    }
}

extension PendingTerms {
    /// All terms.
    var sorted: [SortedTerm] {
        var result: [SortedTerm] = []
        result.reserveCapacity(count)
        for number in 0..<count {
            result.append(
                SortedTerm(
                    beginning: terms[number].beginning.byteSwapped, number: UInt32(truncatingIfNeeded: number),
                    length: terms[number].length))
        }
        result.sort {
            $0.beginning != $1.beginning
                ? $0.beginning < $1.beginning : Self.precedes(key(Int($0.number)), key(Int($1.number)))
        }
        return result
    }

    /// The first characters of a term (`PrefixKey`); nil if it has fewer.
    @inline(__always)
    func prefix(of term: SortedTerm, characters: Int) -> TermPrefix? {
        if characters <= min(Int(term.length), 8),
            term.beginning & (0x8080_8080_8080_8080 &<< (64 - 8 * characters)) == 0
        {
            return TermPrefix(of: term, length: characters)
        }
        return PrefixKey.byteCount(of: key(Int(term.number)), characters: characters).map {
            TermPrefix(of: term, length: $0)
        }
    }

    /// The bytes of a prefix, until the next `removeAll`.
    func bytes(of prefix: TermPrefix) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: key(Int(prefix.term))[..<Int(prefix.length)])
    }

    /// Whether a prefix comes before another one.
    @inline(__always)
    func precedes(_ left: TermPrefix, _ right: TermPrefix) -> Bool {
        if left.beginning != right.beginning { return left.beginning < right.beginning }
        if left.length <= 8, right.length <= 8 { return left.length < right.length }
        return Self.precedes(bytes(of: left), bytes(of: right))
    }

    private static func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let common = min(left.count, right.count)
        var index = 0
        while index < common, left[index] == right[index] { index += 1 }
        return index < common ? left[index] < right[index] : left.count < right.count
    }
}
