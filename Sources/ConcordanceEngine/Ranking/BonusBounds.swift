import ConcordanceFTS5

/// Upper bounds on what the positions of hits add to a score, from the numbers of hits alone.
///
/// A phrase with the share s = f / (f + norm) has at most as many pairs as it has hits, and at most as many as the
/// phrase before it has hits. The sum over its neighbours is at most f · reach, where reach is twice the greatest idf
/// of another word: a hit has two neighbours, at least one token away. Saturated, that is (k1 + 1) · reach · s / (1 +
/// (reach - 1) · s).
struct BonusBounds {
    private let phrases: [Phrase]
    /// Whether the bounds hold, which they do if no bonus is negative.
    let hold: Bool
    private let phraseBonus: Double
    private let scale: Double

    private struct Phrase {
        var word: Int32
        var idf: Double
        /// proximityBonus · min(1, idf) · (k1 + 1)
        var proximity: Double
        /// weight · (k1 + 1): what the hits of the phrase contribute, divided by this, is s.
        var whole: Double
        /// An upper bound for its pairs and neighbours, for any number of hits.
        var ceiling: Double
    }

    /// Nil if positions cannot add anything.
    init?(_ scorer: RowScorer, _ parameters: RankParameters) {
        guard parameters.hasBonus, scorer.phraseCount > 1 else { return nil }
        let scale = parameters.k1 + 1
        let words = Set((0..<scorer.phraseCount).map { scorer.word[$0] })
        guard parameters.phraseBonus != 0 || words.count > 1 else { return nil }
        phrases = (0..<scorer.phraseCount).map { phrase in
            let idf = scorer.idf[phrase]
            let proximity = words.count > 1 ? parameters.proximityBonus * min(1, idf) * scale : 0
            let pairs = phrase == 0 ? 0 : parameters.phraseBonus * min(scorer.idf[phrase - 1], idf) * scale
            return Phrase(
                word: scorer.word[phrase], idf: idf, proximity: proximity,
                whole: scorer.weight(phrase, parameters) * scale, ceiling: proximity + pairs)
        }
        hold = parameters.phraseBonus >= 0 && parameters.proximityBonus >= 0
        phraseBonus = parameters.phraseBonus
        self.scale = scale
    }

    /// An upper bound for documents that may contain only these phrases.
    func ceiling(of phrases: some Sequence<Int>) -> Double {
        var sum = 0.0
        var first: Int32?
        var hasNeighbours = phraseBonus != 0
        for phrase in phrases {
            sum += self.phrases[phrase].ceiling
            if let first, first != self.phrases[phrase].word { hasNeighbours = true }
            first = first ?? self.phrases[phrase].word
        }
        return hasNeighbours ? sum : 0
    }

    /// An upper bound for one document.
    ///
    /// - Parameters:
    ///   - count: How many phrases it contains.
    ///   - phrase: Their numbers.
    ///   - share: What the hits of each contribute.
    func bound(count: Int, phrase: (Int) -> Int, share: (Int) -> Double) -> Double {
        guard count > 1 else { return 0 }
        var sum = 0.0
        for index in 0..<count {
            let one = phrases[phrase(index)]
            let s = min(share(index) / one.whole, 1)
            var idf = 0.0
            for other in 0..<count {
                let two = phrases[phrase(other)]
                if two.word != one.word { idf = max(idf, two.idf) }
                if phraseBonus != 0, phrase(other) + 1 == phrase(index) {
                    sum += phraseBonus * min(one.idf, two.idf) * scale * min(s, share(other) / two.whole, 1)
                }
            }
            let reach = 2 * idf
            sum += one.proximity * reach * s / (1 + (reach - 1) * s)
        }
        return sum
    }
}
