/// Reads a word of the dictionary, one character at a time, and knows how many edits turn a typed word into it:
/// characters deleted, inserted or substituted, and neighbours swapped, with no character edited twice (the optimal
/// string alignment distance).
///
/// It is Wu and Manber's automaton ("Fast text searching allowing errors", 1992) with the swaps of Hyyrö ("A bit-vector
/// algorithm for computing Levenshtein and Damerau edit distances", 2003): bit i of `within(e)` says that at most e
/// edits turn the first i characters typed into the characters read so far. A step costs a dozen operations, whatever
/// the words, and a state is five machine words, so a walk over a trie keeps one for each level.
struct EditAutomaton {
    /// Where each character stands in the typed word: bit i for place i. A hash table with open addressing, in which
    /// ASCII and most small alphabets have no collisions.
    private var characters: [UInt32]
    private var places: [UInt64]
    private let accepting: UInt64
    private let mask: UInt64

    private static let slots = 256
    private static let vacant = UInt32.max

    /// - Parameter typed: At most `SpellingKey.maximumLength` characters; further ones are ignored.
    init(_ typed: [UInt32]) {
        characters = Array(repeating: Self.vacant, count: Self.slots)
        places = Array(repeating: 0, count: Self.slots)
        let count = min(typed.count, SpellingKey.maximumLength)
        accepting = 1 << UInt64(count)
        mask = accepting << 1 - 1
        for index in 0..<count {
            var slot = Int(typed[index]) % Self.slots
            while characters[slot] != Self.vacant, characters[slot] != typed[index] { slot = (slot + 1) % Self.slots }
            characters[slot] = typed[index]
            places[slot] |= 1 << UInt64(index)
        }
    }

    struct State {
        var within0: UInt64
        var within1: UInt64
        var within2: UInt64
        /// Where the first of two swapped characters has been read, for one and two edits including the swap.
        var swapped1: UInt64
        var swapped2: UInt64

        /// Whether no continuation can lead to a word within two edits.
        var isDead: Bool { within2 == 0 }
    }

    /// The state in which nothing has been read. With a limit of one edit, `within2` follows `within1`.
    func start(limit: Int) -> State {
        State(
            within0: 1 & mask, within1: 3 & mask, within2: (limit > 1 ? 7 : 3) & mask, swapped1: 0, swapped2: 0)
    }

    /// The state after one more character.
    @inline(__always)
    func step(_ state: State, _ character: UInt32, limit: Int) -> State {
        let here = places(of: character)
        let within0 = (state.within0 & here) << 1
        let within1 =
            (state.within1 & here) << 1 | state.within0 | state.within0 << 1 | within0 << 1
            | (state.swapped1 & here) << 2
        guard limit > 1 else {
            return State(
                within0: within0 & mask, within1: within1 & mask, within2: within1 & mask,
                swapped1: state.within0 & here >> 1, swapped2: 0)
        }
        let within2 =
            (state.within2 & here) << 1 | state.within1 | state.within1 << 1 | within1 << 1
            | (state.swapped2 & here) << 2
        return State(
            within0: within0 & mask, within1: within1 & mask, within2: within2 & mask,
            swapped1: state.within0 & here >> 1, swapped2: state.within1 & here >> 1)
    }

    /// The edits between the typed word and the characters read; nil if there are more than the limit.
    @inline(__always)
    func edits(_ state: State, limit: Int) -> Int? {
        if state.within0 & accepting != 0 { return 0 }
        if state.within1 & accepting != 0 { return 1 }
        return limit > 1 && state.within2 & accepting != 0 ? 2 : nil
    }

    @inline(__always)
    private func places(of character: UInt32) -> UInt64 {
        var slot = Int(character) % Self.slots
        while true {
            let found = characters[slot]
            if found == character { return places[slot] }
            if found == Self.vacant { return 0 }
            slot = (slot + 1) % Self.slots
        }
    }
}
