/// The documents that have an instance of each of several phrases close together.
final class NearIterator: LeafIterator {
    private let phrases: [LeafIterator]
    /// The documents that have all phrases.
    private let candidates: ConjunctionIterator
    private var window: NearWindow

    /// - Parameters:
    ///   - lengths: How many terms each phrase has.
    ///   - distance: How many tokens may lie between the end of the first and the start of the last phrase.
    init(_ phrases: [LeafIterator], lengths: [Int], distance: Int) {
        self.phrases = phrases
        candidates = ConjunctionIterator(phrases)
        window = NearWindow(lengths: lengths, distance: distance)
    }

    override var cost: Int { candidates.cost }

    override func rewind() { candidates.reset() }

    override func find(_ target: UInt32) throws -> UInt32 {
        var document = try candidates.seek(target)
        while document != Self.exhausted, try !match() { document = try candidates.seek(document &+ 1) }
        return document
    }

    override func expect(_ documents: [UInt32]) throws { for phrase in phrases { try phrase.expect(documents) } }

    override func move(to document: UInt32) throws -> Bool {
        settle(at: document)
        for phrase in phrases where try !phrase.move(to: document) {
            window.clear()
            return false
        }
        return try match()
    }

    private func match() throws -> Bool {
        try window.match { index, positions in
            try phrases[index].readInstances(ofMember: 0, into: &positions)
        }
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        if window.instances.indices.contains(member) { result.append(contentsOf: window.instances[member]) }
    }
}

/// Finds which instances of phrases lie close together in one document.
///
/// As in FTS5: the phrases' places are swept once. A set of one place of each phrase matches where none begins more than
/// its own length and the distance before the one that begins last; each place of the set is then an instance. Behind a
/// match, the phrase goes on whose next place is the first; the sweep ends with the places of any phrase.
struct NearWindow {
    private let lengths: [Int]
    private let distance: Int
    private var places: [[Position]]
    private var next: [Int]
    /// Of each phrase, ascending.
    private(set) var instances: [[Position]]

    init(lengths: [Int], distance: Int) {
        self.lengths = lengths
        self.distance = distance
        places = Array(repeating: [], count: lengths.count)
        next = Array(repeating: 0, count: lengths.count)
        instances = places
    }

    mutating func clear() {
        for index in instances.indices { instances[index].removeAll(keepingCapacity: true) }
    }

    /// Finds the instances among the places that `read` gives for each phrase; false where there are none.
    mutating func match(_ read: (Int, inout [Position]) throws -> Void) throws -> Bool {
        clear()
        for index in places.indices {
            try read(index, &places[index])
            if places[index].isEmpty { return false }
            next[index] = 0
        }
        guard !places.isEmpty else { return false }
        while align() {
            for index in places.indices {
                let place = places[index][next[index]]
                if instances[index].last != place { instances[index].append(place) }
            }
            guard let phrase = phraseWithFirstNextPlace() else { break }
            next[phrase] += 1
        }
        return !instances[0].isEmpty
    }

    /// Goes on to the next set that matches; false where the places of a phrase are at an end.
    private mutating func align() -> Bool {
        var last = places[0][next[0]]
        var isAligned = false
        while !isAligned {
            isAligned = true
            for index in places.indices {
                let reach = UInt64(lengths[index] + distance)
                let first = last.rawValue < reach ? 0 : last.rawValue - reach
                while places[index][next[index]].rawValue < first {
                    isAligned = false
                    next[index] += 1
                    if next[index] == places[index].count { return false }
                }
                if places[index][next[index]] > last {
                    isAligned = false
                    last = places[index][next[index]]
                }
            }
        }
        return true
    }

    private func phraseWithFirstNextPlace() -> Int? {
        var result: Int?
        var least = Position(rawValue: .max)
        for index in places.indices where next[index] + 1 < places[index].count {
            let place = places[index][next[index] + 1]
            if place < least {
                least = place
                result = index
            }
        }
        return result
    }
}
