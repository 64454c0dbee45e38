import TestSupport
import Testing

@testable import ConcordanceText

@Suite("A spelling dictionary finds what a search through all its words finds")
struct SpellingPropertyTests {
    /// Alphabets of a few letters, so that words are near each other: ASCII, two, three and four bytes a character. All
    /// fold to themselves.
    private static let alphabets = ["ab", "abc'", "aбгд", "漢字abя", "𐐨𐐩ab", "abcdefgh"]

    private struct Vocabulary {
        var counts: [String: Int] = [:]
        let alphabet: [Character]
        var generator: SeededGenerator

        init(seed: UInt64, alphabet: String, words: Int, longest: Int) {
            generator = SeededGenerator(seed: seed)
            self.alphabet = Array(alphabet)
            for _ in 0..<words {
                counts[word(longest: longest)] = Int.random(
                    in: 1...(Bool.random(using: &generator) ? 5 : 5000), using: &generator)
            }
        }

        mutating func word(longest: Int) -> String {
            let length = Int.random(in: 1...longest, using: &generator)
            return String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
        }

        var dictionary: SpellingDictionary { SpellingDictionary(counts.map { (word: $0.key, count: $0.value) }) }
    }

    @Test(arguments: 0..<UInt64(60))
    func `corrections are all words within the allowed edits, and no others`(seed: UInt64) {
        let alphabet = Self.alphabets[Int(seed) % Self.alphabets.count]
        var vocabulary = Vocabulary(seed: seed, alphabet: alphabet, words: 150, longest: 9)
        let dictionary = vocabulary.dictionary
        for _ in 0..<12 {
            let typed = vocabulary.word(longest: 10)
            let allowed = SpellingDictionary.allowedEdits(typed.unicodeScalars.count)
            var expected: [String: Int] = [:]
            for word in vocabulary.counts.keys where word != typed {
                let distance = editDistance(typed, word)
                if distance <= allowed { expected[word] = distance }
            }
            let all = dictionary.corrections(of: typed, limit: 1000)
            let single = all.filter { !$0.text.contains(" ") }
            var found: [String: Int] = [:]
            for correction in single {
                #expect(
                    found.updateValue(correction.distance, forKey: correction.text) == nil, "seed \(seed), \(typed)")
                #expect(correction.count == vocabulary.counts[correction.text], "seed \(seed), \(typed)")
            }
            #expect(found == expected, "seed \(seed), typed \(typed)")
            for (better, worse) in zip(all, all.dropFirst()) {
                #expect(better.score >= worse.score, "seed \(seed), typed \(typed)")
            }
            // What a small limit lets the walk skip is not missed.
            for limit in [1, 2, 5] {
                let best = dictionary.corrections(of: typed, limit: limit)
                #expect(best == Array(all.prefix(limit)), "seed \(seed), typed \(typed), limit \(limit)")
            }
        }
    }

    @Test(arguments: 0..<UInt64(40))
    func `completions are the most frequent words with the prefix`(seed: UInt64) {
        let alphabet = Self.alphabets[Int(seed) % Self.alphabets.count]
        var vocabulary = Vocabulary(seed: seed, alphabet: alphabet, words: 300, longest: 9)
        let dictionary = vocabulary.dictionary
        for round in 0..<20 {
            let prefix = round == 0 ? "" : vocabulary.word(longest: 4)
            let expected = vocabulary.counts
                .filter { Array($0.key.utf8).starts(with: Array(prefix.utf8)) }
                .sorted {
                    $0.value != $1.value
                        ? $0.value > $1.value : Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8))
                }
                .map { SpellingDictionary.Completion(word: $0.key, count: $0.value) }
            for limit in [1, 3, 1000] {
                let found = dictionary.completions(of: prefix, limit: limit)
                #expect(found == Array(expected.prefix(limit)), "seed \(seed), prefix \(prefix), limit \(limit)")
            }
        }
    }

    @Test(arguments: 0..<UInt64(20))
    func `every word is found again, and nothing else`(seed: UInt64) {
        let alphabet = Self.alphabets[Int(seed) % Self.alphabets.count]
        var vocabulary = Vocabulary(seed: seed, alphabet: alphabet, words: 300, longest: Int(seed) + 1)
        let dictionary = vocabulary.dictionary
        var listed: [String: Int] = [:]
        var order: [[UInt8]] = []
        dictionary.forEachWord { word, count in
            listed[word] = count
            order.append(Array(word.utf8))
        }
        #expect(listed == vocabulary.counts, "seed \(seed)")
        #expect(zip(order, order.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        #expect(dictionary.wordCount == vocabulary.counts.count)
        for _ in 0..<200 {
            let word = vocabulary.word(longest: 5)
            #expect(dictionary.count(of: word) == vocabulary.counts[word] ?? 0, "seed \(seed), \(word)")
        }
    }

    @Test(arguments: 0..<UInt64(20))
    func `words counted in parts make the dictionary of the words counted at once`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "Große", "GROSSE", "große", "grosse", "Gross", "a", "A", "résumé", "resume", "Ｗide", "naïve", "naive",
        ]
        let parts = (0..<4).map { _ in (0..<30).map { _ in words.randomElement(using: &generator) ?? "a" } }
        let whole = WordCounter()
        var dictionary = SpellingDictionary()
        for part in parts {
            let counter = WordCounter()
            counter.add(part.joined(separator: " "))
            whole.add(part.joined(separator: " "))
            dictionary = counter.makeDictionary(adding: dictionary)
        }
        var counts: [[String: Int]] = [[:], [:]]
        dictionary.forEachWord { counts[0][fold($0)] = $1 }
        whole.makeDictionary().forEachWord { counts[1][fold($0)] = $1 }
        #expect(counts[0] == counts[1], "seed \(seed)")
    }

    private func fold(_ word: String) -> String {
        var key = SpellingKey()
        return key.make(word) ? String(decoding: key.bytes, as: UTF8.self) : ""
    }
}
