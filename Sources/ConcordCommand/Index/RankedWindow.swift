import Concordance

/// What is known of a document beside its words.
struct DocumentStanding: Sendable {
    /// What multiplies the score of its words.
    var factor: Double
    /// The same for documents of the same content; nil where nothing is known of it.
    var content: Int64?
}

/// A hit where it is shown.
struct RankedHit: Sendable {
    var hit: SearchHit<Row>
    var score: Double
    /// Further hits with the same content, which this one stands for.
    var similarCount = 0
}

/// The first hits by relevance, brought into the order of what is known of their documents beside their words; those of the
/// same content are folded into one. What follows them stays in the engine's order.
struct RankedWindow {
    /// How many hits of the engine are looked at: the right document is among them for 97 of 100 known-item questions.
    static let size = 100
    /// How many hits are added, at most, for each way to take the words less strictly.
    static let looseSize = 30
    /// What such a hit counts beside one with all words.
    static let looseFactor = 0.85

    /// More hits than any window has.
    static let greatestCount = size + 2 * looseSize

    private(set) var hits: [RankedHit] = []
    /// How many of the hits have only some of the words, doubles included.
    let looseCount: Int

    /// - Parameters:
    ///   - strict: The engine's first hits, best first.
    ///   - loose: Hits with some of the words, best first; those of `strict` among them count once.
    ///   - standings: What is known of the documents, hit by hit.
    init(
        strict: [SearchHit<Row>], loose: [SearchHit<Row>],
        standings: ([SearchHit<Row>]) throws -> [DocumentStanding]
    ) rethrows {
        let known = Set(strict.map(\.id))
        let others = loose.filter { !known.contains($0.id) }
        looseCount = others.count
        let all = strict + others
        var ranked: [(place: Int, score: Double, content: Int64?)] = []
        for (place, standing) in try standings(all).enumerated() {
            let factor = place < strict.count ? standing.factor : standing.factor * Self.looseFactor
            ranked.append((place, all[place].score * factor, standing.content))
        }
        // Equal scores keep the engine's order, so that each page is cut from the same list.
        ranked.sort { ($1.score, $0.place) < ($0.score, $1.place) }
        var places: [Int64: Int] = [:]
        for (place, score, content) in ranked {
            if let content, let first = places[content] {
                hits[first].similarCount += 1
                continue
            }
            if let content { places[content] = hits.count }
            hits.append(RankedHit(hit: all[place], score: score))
        }
    }
}
