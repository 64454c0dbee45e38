/// Hangul syllables by arithmetic (The Unicode Standard, section 3.12).
enum Hangul {
    private static let syllableBase: UInt32 = 0xAC00
    private static let leadBase: UInt32 = 0x1100
    private static let vowelBase: UInt32 = 0x1161
    private static let tailBase: UInt32 = 0x11A7
    private static let tails: UInt32 = 28
    private static let vowels: UInt32 = 21
    private static let leads: UInt32 = 19

    static func isSyllable(_ scalar: UInt32) -> Bool {
        scalar >= syllableBase && scalar - syllableBase < leads * vowels * tails
    }

    /// Whether a scalar is a letter (jamo) that no syllable has.
    static func isLetter(_ scalar: UInt32) -> Bool { (0x1100...0x11FF).contains(scalar) }

    /// A syllable without a tail, and after it those that it becomes with each tail; nil for other scalars.
    static func openSyllable(_ scalar: UInt32) -> Range<UInt32>? {
        guard isSyllable(scalar), (scalar - syllableBase) % tails == 0 else { return nil }
        return scalar..<scalar + tails
    }

    /// Appends the jamo of a syllable; false where `scalar` is none.
    static func append(_ scalar: UInt32, to output: inout [UInt32]) -> Bool {
        guard isSyllable(scalar) else { return false }
        let index = scalar - syllableBase
        output.append(leadBase + index / (vowels * tails))
        output.append(vowelBase + index % (vowels * tails) / tails)
        if index % tails != 0 { output.append(tailBase + index % tails) }
        return true
    }

    /// Composes a lead and a vowel, or a syllable without a tail and a tail.
    static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if first >= leadBase, first - leadBase < leads, second >= vowelBase, second - vowelBase < vowels {
            return syllableBase + ((first - leadBase) * vowels + second - vowelBase) * tails
        }
        if first >= syllableBase, first - syllableBase < leads * vowels * tails, (first - syllableBase) % tails == 0,
            second > tailBase, second - tailBase < tails
        {
            return first + second - tailBase
        }
        return nil
    }
}

/// Canonical ordering and composition (UAX #15).
struct Composer {
    private let classes = PackedClasses(FoldingTables.combiningClasses)
    private let pairs = PackedPairs(FoldingTables.compositions)
    private var run: [(scalar: UInt32, order: UInt8)] = []

    func hasMarks(in range: ClosedRange<UInt32>) -> Bool { classes.intersects(range) }

    /// Sorts each run of combining marks by class; equal classes keep their order.
    mutating func order(_ scalars: inout [UInt32], _ traits: inout ScalarTraits) {
        var index = 0
        while index < scalars.count {
            guard traits.combiningClass(scalars[index]) != 0 else {
                index += 1
                continue
            }
            let start = index
            run.removeAll(keepingCapacity: true)
            while index < scalars.count {
                let order = traits.combiningClass(scalars[index])
                if order == 0 { break }
                run.append((scalars[index], order))
                index += 1
            }
            if run.count > 1 { sortRun(into: &scalars, at: start) }
        }
    }

    /// A counting sort, because a hostile run may be as long as the text.
    private func sortRun(into scalars: inout [UInt32], at start: Int) {
        var target = start
        var order: UInt8 = 0
        while target < start + run.count {
            var next = UInt8.max
            for index in run.indices where run[index].order > order { next = min(next, run[index].order) }
            order = next
            for index in run.indices where run[index].order == order {
                scalars[target] = run[index].scalar
                target += 1
            }
        }
    }

    /// Orders, then composes every character with the last starter before it that nothing blocks.
    mutating func compose(_ scalars: inout [UInt32], _ traits: inout ScalarTraits) {
        order(&scalars, &traits)
        var starter: Int?
        var lastClass: UInt8 = 0
        var count = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            let order = traits.combiningClass(scalar)
            if let starter, lastClass < order || count == starter + 1,
                traits.of(scalar) & ScalarTraits.joining != 0,
                let composite = composite(scalars[starter], scalar)
            {
                scalars[starter] = composite
                continue
            }
            if order == 0 { starter = count }
            lastClass = order
            scalars[count] = scalar
            count += 1
        }
        scalars.removeLast(scalars.count - count)
    }

    private func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if second < 0x300 { return nil }
        return Hangul.composite(first, second) ?? pairs.composite(first, second)
    }
}
