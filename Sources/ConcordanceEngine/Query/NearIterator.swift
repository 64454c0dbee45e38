/// The documents in which several phrases occur near each other.
final class NearIterator: LeafIterator {
    private let phrases: [LeafIterator]
    /// The documents that contain all phrases.
    private let candidates: ConjunctionIterator
    private let window: NearWindow
    private let reader: SegmentReader
    /// How many phrases have been looked at since the last check for an interruption.
    private var work = 0

    private static let workBetweenChecks = 1 << 14

    /// - Parameters:
    ///   - lengths: The number of terms of each phrase.
    ///   - distance: How many tokens there may be between the end of the first phrase and the start of the last one.
    ///   - reader: Of the segment.
    init(_ phrases: [LeafIterator], lengths: [Int], distance: Int, reader: SegmentReader) {
        self.phrases = phrases
        self.reader = reader
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

    override var gathersPositions: Bool { phrases.contains(where: \.gathersPositions) }

    override func willReadAll() {
        for phrase in phrases { phrase.willReadAll() }
    }

    override func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        for phrase in phrases { try phrase.expect(documents) }
    }

    override func keepFew(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try gathersPositions ? gatherFew(documents, count, of: phrases) : keep(documents, count)
    }

    override func mayMatch(_ document: UInt32) throws -> Bool {
        for phrase in phrases where try !phrase.mayMatch(document) { return false }
        return true
    }

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
            try phrases[index].readInstances(ofMember: 0, into: positions)
        } onPass: {
            // No block is read here, so nothing else notices an interruption.
            work += phrases.count
            guard work >= Self.workBetweenChecks else { return }
            work = 0
            try reader.checkInterruption()
        }
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        if window.instances.indices.contains(member) { result.append(contentsOf: window.instances[member].values) }
    }
}

/// Finds the instances of phrases that are near each other in one document.
///
/// As in FTS5, the positions of the phrases are swept once. A set with one position of each phrase matches if none of
/// them begins more than its own length plus the distance before the one that begins last; then each position of the
/// set is an instance. After a match, the phrase whose next position comes first moves on. The sweep ends when any
/// phrase has no position left.
final class NearWindow {
    private let lengths: [Int]
    private let distance: Int
    private let places: [GrowingBuffer<Position>]
    private var next: [Int]
    /// The positions of each phrase, ascending.
    let instances: [GrowingBuffer<Position>]

    init(lengths: [Int], distance: Int) {
        self.lengths = lengths
        self.distance = distance
        places = lengths.map { _ in GrowingBuffer() }
        next = Array(repeating: 0, count: lengths.count)
        instances = lengths.map { _ in GrowingBuffer() }
    }

    func clear() {
        for found in instances { found.removeAll() }
    }

    /// Finds the instances among the positions that `read` returns for each phrase; false if there are none.
    ///
    /// - Parameter onPass: Called before each pass over all phrases.
    func match(
        _ read: (Int, GrowingBuffer<Position>) throws -> Void, onPass: () throws -> Void
    ) throws -> Bool {
        clear()
        try onPass()
        for index in places.indices {
            try read(index, places[index])
            if places[index].isEmpty { return false }
            next[index] = 0
        }
        guard !places.isEmpty else { return false }
        while try align(onPass) {
            for index in places.indices {
                let place = places[index].values[next[index]]
                if instances[index].values.last != place { instances[index].append(place) }
            }
            guard let phrase = phraseWithFirstNextPlace() else { break }
            next[phrase] += 1
        }
        return !instances[0].isEmpty
    }

    /// Moves to the next set that matches; false if a phrase has no position left.
    private func align(_ onPass: () throws -> Void) rethrows -> Bool {
        var last = places[0].values[next[0]]
        var isAligned = false
        while !isAligned {
            try onPass()
            isAligned = true
            for index in places.indices {
                let reach = UInt64(lengths[index] + distance)
                let first = last.rawValue < reach ? 0 : last.rawValue - reach
                let places = places[index].values
                while places[next[index]].rawValue < first {
                    isAligned = false
                    next[index] += 1
                    if next[index] == places.count { return false }
                }
                if places[next[index]] > last {
                    isAligned = false
                    last = places[next[index]]
                }
            }
        }
        return true
    }

    private func phraseWithFirstNextPlace() -> Int? {
        var result: Int?
        var least = Position(rawValue: .max)
        for index in places.indices where next[index] + 1 < places[index].count {
            let place = places[index].values[next[index] + 1]
            if place < least {
                least = place
                result = index
            }
        }
        return result
    }
}
