import ConcordanceFTS5

/// What the places of hits may add to a score, as far as the numbers of hits tell.
///
/// Of a phrase with the share s = f / (f + norm), the pairs are at most its hits and those of the phrase before. The sum
/// over its neighbours is at most f · reach, where reach is twice the greatest idf of another word: a hit has two
/// neighbours, one token away at least. Saturated, that is (k1 + 1) · reach · s / (1 + (reach - 1) · s).
struct BonusBounds {
    private let phrases: [Phrase]
    private let phraseBonus: Double
    private let scale: Double

    private struct Phrase {
        var word: Int32
        var idf: Double
        /// proximityBonus · min(1, idf) · (k1 + 1)
        var proximity: Double
        /// weight · (k1 + 1), which turns what the phrase adds by its hits into s.
        var whole: Double
        /// The most that its pairs and neighbours add, whatever its hits are.
        var ceiling: Double
    }

    /// Nil where nothing can be added.
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
        phraseBonus = parameters.phraseBonus
        self.scale = scale
    }

    /// The most that is added where only these phrases may stand.
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

    /// The most that is added to the score of a document.
    ///
    /// - Parameters:
    ///   - count: How many phrases stand in it.
    ///   - phrase: Their numbers.
    ///   - share: What the hits of each add.
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
