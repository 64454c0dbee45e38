import ConcordanceText

/// Random queries for words with typos.
struct RandomSimilarQuery {
    let schema: RandomSchema

    /// Whether the tokenizer makes one known token of a word in lower case.
    var isPossible: Bool { !schema.isTrigram && !schema.sharesPlaces }

    func make(_ chance: inout Chance) -> SimilarQuery {
        let words = (0..<chance.weighted([(65, 1), (35, 2)])).map { _ in word(&chance) }
        return SimilarQuery(words: words, operation: chance.pick([.and, .or, .not]))
    }

    private func word(_ chance: inout Chance) -> TypedWord {
        // The latter occur in texts made in bulk.
        var word = chance.percent(92) ? chance.pickZipf(Vocabulary.letters) : chance.pick(["w1", "w12", "w345"])
        let isPrefix = chance.percent(30)
        if isPrefix, chance.percent(60) { word = String(word.prefix(chance.int(1...5))) }
        word = mistyped(word, &chance)
        var result = TypedWord(
            word: word, token: token(word),
            tolerance: chance.weighted([(10, .exact), (35, .automatic), (35, .one), (20, .two)]), isPrefix: isPrefix)
        if schema.detail != "none", chance.percent(20) {
            result.columns = chance.percent(50) ? [chance.pick(schema.columns)] : chance.some(schema.columns)
        }
        return result
    }

    private func mistyped(_ word: String, _ chance: inout Chance) -> String {
        var letters = Array(word)
        for _ in 0..<chance.weighted([(30, 0), (50, 1), (20, 2)]) {
            let letter = chance.pick(Array("abcdelnoprstu"))
            let place = chance.int(0...letters.count - 1)
            switch chance.int(0...3) {
            case 0: letters.insert(letter, at: place)
            case 1 where letters.count > 1: letters.remove(at: place)
            case 2 where place > 0: letters.swapAt(place, place - 1)
            default: letters[place] = letter
            }
        }
        return String(letters)
    }

    private func token(_ word: String) -> String {
        guard schema.tokenizer?.hasPrefix("porter") == true else { return word }
        var bytes = Array(word.utf8)
        let count = bytes.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { PorterStemmer.stem($0, count: bytes.count) } ?? 0
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
