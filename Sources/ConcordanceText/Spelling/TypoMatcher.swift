/// Counts the typos between each of many words and the one that was typed. Words come in the order of a dictionary, so
/// that the characters that a word shares with the one before are read only once.
package final class TypoMatcher {
    private let automaton: EditAutomaton
    /// The distinct characters that were typed.
    private let alphabet: [UInt32]
    private let first: UInt32
    /// The most edits, and the most edits if the first character differs.
    private let limit: Int
    private let limitOfOthers: Int
    private let isPrefix: Bool
    /// The character with which a matching beginning of a word must end; nil for any.
    private let last: UInt32?
    private let signature: WordSignature

    /// The bytes of the last word, as far as they were read.
    private let bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var byteCount = 0
    /// The state after each beginning of the word that ends between two characters; the first is the empty one.
    private let steps: UnsafeMutablePointer<Step>
    @exclusivity(unchecked) private var depth = 1
    /// The length of a beginning whose words all have the same number of typos, and that number.
    @usableFromInline @exclusivity(unchecked) internal var settled = Int.max
    @usableFromInline @exclusivity(unchecked) internal var settledTypos: Int?

    private struct Step {
        /// How many bytes the beginning has.
        var end: Int32
        /// The most edits that the automaton may find, and what is added to them: both depend on the first character.
        var limit: Int8
        var surcharge: Int8
        /// The fewest typos of the beginning or of one of its own beginnings.
        var best: Int8
        var state: EditAutomaton.State

        var isAlive: Bool {
            switch limit {
            case 0: state.within0 != 0
            case 1: state.within1 != 0
            default: state.within2 != 0
            }
        }
    }

    private static let tooMany: Int8 = .max
    /// Beyond as many characters as were typed, and as many more as are allowed, the result is settled.
    private static let stepCapacity = SpellingKey.maximumLength + TypoTolerance.maximum + 3
    /// Bytes of a word beyond this number do not matter.
    package static let byteCapacity = 4 * stepCapacity

    /// Returns nil if the word may have no typos: if the tolerance allows none, or if it is empty or too long.
    ///
    /// - Parameter isPrefix: Whether words match that begin with what was typed, apart from typos.
    package init?(_ typed: UnsafeBufferPointer<UInt8>, _ tolerance: TypoTolerance, isPrefix: Bool) {
        guard typed.count <= SpellingKey.maximumLength * 4 else { return nil }
        var characters: [UInt32] = []
        var index = 0
        while index < typed.count {
            let (scalar, length) = UTF8Scalars.decode(typed, at: index)
            characters.append(scalar)
            index += length
        }
        let limits = tolerance.limits(characterCount: characters.count)
        limit = limits.edits
        limitOfOthers = min(limits.edits, limits.typos - 1)
        guard limit > 0, let first = characters.first, characters.count <= SpellingKey.maximumLength else { return nil }
        self.first = first
        self.isPrefix = isPrefix
        last = isPrefix && tolerance == .knownWord ? characters.last : nil
        signature = WordSignature(typed)
        alphabet = Array(Set(characters))
        automaton = EditAutomaton(characters)
        bytes = .allocate(capacity: Self.byteCapacity)
        steps = .allocate(capacity: Self.stepCapacity)
        steps[0] = Step(
            end: 0, limit: Int8(limit), surcharge: 0, best: Self.tooMany, state: automaton.start(limit: limit))
    }

    deinit {
        bytes.deallocate()
        steps.deallocate()
    }

    // MARK: - Words

    /// The number of typos in a word; nil if there are too many.
    ///
    /// - Parameters:
    ///   - shared: How many bytes it shares with the word before; may be fewer than it does.
    ///   - rest: The others.
    @inlinable
    package func typos(keeping shared: Int, _ rest: UnsafeRawBufferPointer) -> Int? {
        shared >= settled ? settledTypos : typosOfWord(shared, rest)
    }

    /// The number of typos in a complete word; nil if there are too many.
    package func typos(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
        let kept = sharedCount(word, word.count)
        return typosOfWord(kept, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: word[kept...])))
    }

    /// How many leading bytes a word shares with the last word.
    private func sharedCount(_ word: UnsafeBufferPointer<UInt8>, _ count: Int) -> Int {
        let limit = min(byteCount, count)
        var shared = 0
        while shared < limit, word[shared] == bytes[shared] { shared &+= 1 }
        return shared
    }

    @usableFromInline
    internal func typosOfWord(_ shared: Int, _ rest: UnsafeRawBufferPointer) -> Int? {
        read(shared, rest)
        guard settled == .max else { return settledTypos }
        var end = steps[depth - 1]
        // The bytes of a character that is cut off, which may be complete in the next word, count one by one here.
        while end.end < byteCount {
            let (character, length) = UTF8Scalars.decode(
                UnsafeBufferPointer(start: bytes, count: byteCount), at: Int(end.end))
            take(automaton, character, length, &end)
            if !end.isAlive { break }
        }
        if isPrefix { return end.best == Self.tooMany ? nil : Int(end.best) }
        return typos(of: end)
    }

    /// The typos of a word that ends here.
    private func typos(of step: Step) -> Int? {
        guard step.isAlive, let edits = automaton.edits(step.state, limit: limit), edits <= step.limit else {
            return nil
        }
        return edits + Int(step.surcharge)
    }

    /// Reads the characters that are complete, until the number of typos is settled.
    private func read(_ shared: Int, _ rest: UnsafeRawBufferPointer) {
        settled = .max
        let kept = min(shared, byteCount)
        let count = min(rest.count, Self.byteCapacity - kept)
        if count > 0, let source = rest.baseAddress {
            UnsafeMutableRawPointer(bytes + kept).copyMemory(from: source, byteCount: count)
        }
        byteCount = kept + count
        // Bytes that were no character in the last word may begin one in this word.
        let safe = kept > 0 && bytes[kept - 1] >= 0x80 ? kept - 3 : kept
        while depth > 1, steps[depth - 1].end > safe { depth -= 1 }
        var step = steps[depth - 1]
        let automaton = automaton
        while step.end < byteCount {
            let here = Int(step.end)
            var character = UInt32(bytes[here])
            var length = 1
            if character >= 0x80 {
                (character, length) = UTF8Scalars.decode(
                    UnsafeBufferPointer(start: bytes, count: byteCount), at: here)
                // The bytes that follow may complete a character that is cut off.
                if character >= UTF8Scalars.invalidBase, byteCount - here < 4 { return }
            }
            take(automaton, character, length, &step)
            if !step.isAlive || depth == Self.stepCapacity {
                settled = Int(step.end)
                settledTypos = isPrefix && step.best != Self.tooMany ? Int(step.best) : nil
                return
            }
            steps[depth] = step
            depth += 1
        }
    }

    @inline(__always)
    private func take(_ automaton: EditAutomaton, _ character: UInt32, _ length: Int, _ step: inout Step) {
        if step.end == 0, character != first {
            step.limit = Int8(limitOfOthers)
            step.surcharge = 1
        }
        step.end += Int32(length)
        step.state = automaton.step(step.state, character, limit: limit)
        if isPrefix, last == nil || last == character,
            let edits = automaton.edits(step.state, limit: limit), edits <= step.limit
        {
            step.best = min(step.best, Int8(edits) + step.surcharge)
        }
    }

    /// Whether a word with that signature may match.
    @inline(__always)
    package func mayMatch(_ word: WordSignature) -> Bool {
        signature.mayBecome(word, edits: limit, isPrefix: isPrefix)
    }

    // MARK: - Ranges of words

    /// After `mayMatch(from:below:)` returned false: how many leading bytes of `lower` no matching word begins with; 0
    /// if there may be such words.
    @exclusivity(unchecked) package private(set) var deadLength = 0

    /// Whether there may be a matching word from `lower` on and before `upper`; nil comes after all words.
    package func mayMatch(from lower: UnsafeBufferPointer<UInt8>, below upper: UnsafeBufferPointer<UInt8>?) -> Bool {
        var common = 0
        if let upper {
            let limit = min(lower.count, upper.count)
            while common < limit, lower[common] == upper[common] { common += 1 }
        }
        let kept = sharedCount(lower, common)
        read(kept, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: lower[kept..<common])))
        deadLength = settled == .max ? 0 : settled
        guard settled == .max else { return settledTypos != nil }
        let step = steps[depth - 1]
        if step.end < common || step.best != Self.tooMany { return true }
        // The bound itself may be a word.
        if common == lower.count, typos(of: step) != nil { return true }
        let low = common < lower.count ? lower[common] : 0
        guard let upper, common < upper.count else { return mayGoOn(step, low...UInt8.max) }
        // If the upper bound ends with this byte, words before the bound have a lower one here.
        let isLast = upper.count == common + 1
        guard upper[common] > 0 || !isLast else { return false }
        let high = isLast ? upper[common] - 1 : upper[common]
        return low <= high && mayGoOn(step, low...high)
    }

    /// Whether a word may match that continues with one of these bytes.
    private func mayGoOn(_ step: Step, _ bytes: ClosedRange<UInt8>) -> Bool {
        func isAlive(_ character: UInt32) -> Bool {
            var next = step
            take(automaton, character, 1, &next)
            return next.isAlive || next.best != Self.tooMany
        }
        // This number is not a character, so it stands for any that was not typed.
        if isAlive(.max - 1) { return true }
        for character in alphabet where isAlive(character) {
            if character >= 0x80 {
                if bytes.upperBound >= 0x80 { return true }
            } else if bytes.contains(UInt8(character)) {
                return true
            }
        }
        return false
    }
}
