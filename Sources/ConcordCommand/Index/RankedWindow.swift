import Concordance

/// What ranks a document besides its words.
struct DocumentStanding: Sendable {
    /// The factor for the score of its words.
    var factor: Double
    /// The same number for documents with the same content; nil if nothing is known about the content.
    var content: Int64?
    /// That of its content; nil where it is short or not known.
    var signature: ContentSignature?
}

/// A hit in its final place.
struct RankedHit: Sendable {
    var hit: SearchHit<Row>
    var score: Double
    /// The number of further hits with the same content, which this one represents.
    var similar: [Int64] = []

    var similarCount: Int { similar.count }
}

/// The first hits by relevance, ordered again by the standing of their documents; hits with the same content are folded
/// into one. Hits with words that differ by typos stay behind those with the exact words. All further hits stay in the
/// engine's order.
struct RankedWindow {
    /// How many of the engine's hits are ordered again: for 97 of 100 known-item questions, the right document is among
    /// them.
    static let size = 100
    /// The most hits that are added for each less strict way to take the words.
    static let looseSize = 30
    /// The factor for such a hit, compared with one that has all words.
    static let looseFactor = 0.85

    /// The best hit with words that differ by typos has at most so much of the score of any with the exact words.
    static let similarFactor = 0.99

    /// More hits than any window has.
    static let greatestCount = size + 2 * looseSize

    private(set) var hits: [RankedHit] = []
    /// How many of the hits have only some of the words, folded ones included.
    let looseCount: Int

    /// - Parameters:
    ///   - strict: The engine's first hits, best first.
    ///   - exactCount: How many of these have the exact words; the others follow them.
    ///   - loose: Hits with some of the words, best first; those of `strict` among them count once.
    ///   - standings: Returns the standing of each hit's document.
    init(
        strict: [SearchHit<Row>], exactCount: Int, loose: [SearchHit<Row>],
        standings: ([SearchHit<Row>]) throws -> [DocumentStanding]
    ) rethrows {
        let known = Set(strict.map(\.id))
        let others = loose.filter { !known.contains($0.id) }
        looseCount = others.count
        let all = strict + others
        var ranked: [(place: Int, score: Double, standing: DocumentStanding)] = []
        for (place, standing) in try standings(all).enumerated() {
            let factor = place < strict.count ? standing.factor : standing.factor * Self.looseFactor
            ranked.append((place, all[place].score * factor, standing))
        }
        let exactCount = min(exactCount, strict.count)
        if let least = ranked[..<exactCount].map(\.score).min(),
            let greatest = ranked[exactCount..<strict.count].map(\.score).max(), greatest >= least, greatest > 0
        {
            for place in exactCount..<strict.count { ranked[place].score *= Self.similarFactor * least / greatest }
        }
        // Equal scores keep the engine's order, so that each page is cut from the same list.
        ranked.sort { ($1.score, $0.place) < ($0.score, $1.place) }
        var kept: [DocumentStanding] = []
        for (place, score, standing) in ranked {
            // Near to the hit itself: what is near to something folded into it may be far from what is shown.
            if let best = kept.firstIndex(where: { Self.isSame($0, standing) }) {
                hits[best].similar.append(all[place].id)
            } else {
                kept.append(standing)
                hits.append(RankedHit(hit: all[place], score: score))
            }
        }
    }

    private static func isSame(_ first: DocumentStanding, _ second: DocumentStanding) -> Bool {
        if let content = first.content, content == second.content { return true }
        guard let known = first.signature, let other = second.signature else { return false }
        return known.isNear(other)
    }
}
