import ConcordanceFTS5

/// Upper bounds on what the positions of hits add to a score, from the numbers of hits alone.
///
/// A phrase with the share s = f / (f + norm) has at most as many pairs as it has hits, and at most as many as the
/// phrase before it has hits, unless it has several at one place. The sum over its neighbours is at most f · reach,
/// where reach is twice the greatest idf of another word: a hit has two neighbours, at least one token away. Saturated,
/// that is (k1 + 1) · reach · s / (reach · s + 1 - s).
///
/// Typos lower f, but neither pairs nor neighbours. So s is first raised to the share that the hits would have without
/// typos, which is at most 2^t · s / (2^t · s + 1 - s) with t typos.
struct BonusBounds {
    private let phrases: [Phrase]
    /// Whether the bounds hold, which they do if no bonus is negative and the hits of every phrase count.
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
        /// The most hits for each one that is counted in its frequency.
        var hitsPerCount: Double
        /// Whether it may have several hits at one place.
        var repeatsPlaces: Bool
        /// Whether its places do not count in a row with a rarer phrase.
        var isCommon: Bool

        /// An upper bound on the share that the hits would have if each counted in full.
        func share(_ contribution: Double) -> Double {
            // With the slack, rounding does not matter even where the bound is the bonus itself.
            BonusBounds.raised(min(contribution / whole * RankingStatistics.slack, 1), hitsPerCount)
        }
    }

    /// The share of `factor` times as many hits, which grows with both. At most 1; 0 for a factor of 0.
    private static func raised(_ share: Double, _ factor: Double) -> Double {
        factor == 0 ? 0 : factor * share / (factor * share + (1 - share))
    }

    /// Nil if positions cannot add anything.
    ///
    /// - Parameters:
    ///   - expression: With the terms that those with typos stand for.
    ///   - hasColocatedTokens: Whether several terms may be at one place.
    init?(
        _ scorer: RowScorer, _ parameters: RankParameters, _ expression: QueryExpression, hasColocatedTokens: Bool
    ) {
        guard parameters.hasBonus, scorer.phraseCount > 1 else { return nil }
        let scale = parameters.k1 + 1
        let words = Set((0..<scorer.phraseCount).map { scorer.word[$0] })
        guard parameters.phraseBonus != 0 || words.count > 1 else { return nil }
        phrases = (0..<scorer.phraseCount).map { phrase in
            let idf = scorer.idf[phrase]
            let proximity = words.count > 1 ? parameters.proximityBonus * min(1, idf) * scale : 0
            let pairs = phrase == 0 ? 0 : parameters.phraseBonus * min(scorer.idf[phrase - 1], idf) * scale
            let terms = expression.phrases[phrase].terms
            return Phrase(
                word: scorer.word[phrase], idf: idf, proximity: proximity,
                whole: scorer.weight(phrase, parameters) * scale, ceiling: proximity + pairs,
                hitsPerCount: 1 / (terms.lazy.flatMap(\.variants).map(\.factor).min() ?? 1),
                repeatsPlaces: hasColocatedTokens && terms.contains { $0.isPrefix || $0.isForgiving },
                isCommon: scorer.isCommon(phrase))
        }
        hold =
            parameters.phraseBonus >= 0 && parameters.proximityBonus >= 0
            // If hits do not count, their number is not known.
            && phrases.allSatisfy { $0.whole > 0 }
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

    /// An upper bound for documents with some of these phrases.
    ///
    /// - Parameters:
    ///   - count: How many phrases there are.
    ///   - phrase: Their numbers.
    ///   - share: What the hits of each contribute at most.
    ///   - hasAll: Whether the documents have all of them.
    func bound(count: Int, hasAll: Bool, phrase: (Int) -> Int, share: (Int) -> Double) -> Double {
        let rare = bound(count: count, areCommon: false, phrase: phrase, share: share)
        if hasAll, (0..<count).contains(where: { !phrases[phrase($0)].isCommon }) { return rare }
        return max(rare, bound(count: count, areCommon: true, phrase: phrase, share: share))
    }

    /// The same for those of the phrases that are common, or for those that are not. Takes linear time.
    private func bound(count: Int, areCommon: Bool, phrase: (Int) -> Int, share: (Int) -> Double) -> Double {
        guard count > 1 else { return 0 }
        var neighbours = Neighbours()
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: phrases.count) { shares in
            // By phrase, the greatest share, since a phrase may be there twice; negative if it is not there.
            shares.initialize(repeating: -1)
            for index in 0..<count where phrases[phrase(index)].isCommon == areCommon {
                let number = phrase(index)
                neighbours.add(phrases[number])
                shares[number] = max(shares[number], phrases[number].share(share(index)))
            }
            var sum = 0.0
            for number in 0..<phrases.count where shares[number] >= 0 {
                let one = phrases[number]
                let s = shares[number]
                sum += one.proximity * Self.raised(s, 2 * neighbours.greatestIDF(besides: one.word))
                guard phraseBonus != 0, number > 0, shares[number - 1] >= 0 else { continue }
                let most = one.repeatsPlaces ? s : min(s, shares[number - 1])
                sum += phraseBonus * min(one.idf, phrases[number - 1].idf) * scale * most
            }
            return sum
        }
    }

    /// The greatest idf of some words besides any one of them.
    private struct Neighbours {
        private var first: (word: Int32, idf: Double)?
        /// That of the other words than the first.
        private var second = 0.0

        mutating func add(_ phrase: Phrase) {
            guard let first else {
                first = (phrase.word, phrase.idf)
                return
            }
            if phrase.word == first.word { return }
            second = max(second, min(first.idf, phrase.idf))
            if phrase.idf > first.idf { self.first = (phrase.word, phrase.idf) }
        }

        func greatestIDF(besides word: Int32) -> Double {
            guard let first else { return 0 }
            return word == first.word ? second : max(first.idf, 0)
        }
    }
}
