import TestSupport
import Testing

@testable import ConcordanceText

@Suite("Typos of words that come in the order of a dictionary")
struct TypoMatcherTests {
    private static let letters = ["a", "b", "c", "é", "ж", "日", "𝄞"]

    private func word(_ random: inout SeededGenerator, length: ClosedRange<Int>) -> String {
        let count = Int.random(in: length, using: &random)
        return (0..<count).map { _ in Self.letters.randomElement(using: &random) ?? "a" }.joined()
    }

    /// The typos of each word, read as from a page of a dictionary: without the shared beginnings.
    private func read(_ words: [[UInt8]], by matcher: TypoMatcher, _ random: inout SeededGenerator) -> [Int?] {
        var last: [UInt8] = []
        return words.map { word in
            let common = zip(last, word).prefix { $0 == $1 }.count
            // A page begins with a whole word.
            let shared = Int.random(in: 0..<10, using: &random) == 0 ? 0 : common
            last = word
            return word.dropFirst(shared).withUnsafeBytes { matcher.typos(keeping: shared, $0) }
        }
    }

    @Test(arguments: 1...40) func `are those of the full table of distances`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let words = Set((0..<300).map { _ in word(&random, length: 1...9) }).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        var ruledOut = 0
        for _ in 0..<20 {
            let typed = word(&random, length: 1...9)
            let isPrefix = Bool.random(using: &random)
            let tolerance: TypoTolerance =
                [.automatic, .upTo(1), .upTo(2), .unknownWord, .knownWord].randomElement(using: &random) ?? .automatic
            let limits = tolerance.limits(characterCount: typed.unicodeScalars.count)
            let matcher = Array(typed.utf8).withUnsafeBufferPointer { TypoMatcher($0, tolerance, isPrefix: isPrefix) }
            guard let matcher else {
                #expect(limits.edits == 0)
                continue
            }
            let found = read(words.map { Array($0.utf8) }, by: matcher, &random)
            for (word, found) in zip(words, found) {
                let mayMatch = Array(word.utf8).withUnsafeBufferPointer { matcher.mayMatch(WordSignature($0)) }
                #expect(mayMatch || found == nil, "\(typed) \(word) \(isPrefix) \(tolerance)")
                if !mayMatch { ruledOut += 1 }
                let expected = beginnings(of: word, isPrefix).filter { editDistance(typed, $0) <= limits.edits }
                    .filter {
                        !isPrefix || tolerance != .knownWord || $0.unicodeScalars.last == typed.unicodeScalars.last
                    }
                    .map { typoCount(typed, of: $0) }.filter { $0 <= limits.typos }.min()
                #expect(found == expected, "\(typed) \(word) \(isPrefix) \(tolerance)")
            }
        }
        #expect(ruledOut > 0)
    }

    /// The word, or all its beginnings.
    private func beginnings(of word: String, _ isPrefix: Bool) -> [String] {
        let scalars = Array(word.unicodeScalars)
        return (isPrefix ? 1...scalars.count : scalars.count...scalars.count).map {
            String(String.UnicodeScalarView(scalars.prefix($0)))
        }
    }

    @Test(arguments: 1...30) func `a range that can have no match has none`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let words = Set((0..<400).map { _ in word(&random, length: 1...7) }).map { Array($0.utf8) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        var rejected = 0
        for _ in 0..<20 {
            let typed = Array(word(&random, length: 3...8).utf8)
            let isPrefix = Bool.random(using: &random)
            let tolerance = TypoTolerance.upTo(.random(in: 1...2, using: &random))
            let matcher = try #require(
                typed.withUnsafeBufferPointer { TypoMatcher($0, tolerance, isPrefix: isPrefix) })
            for _ in 0..<100 {
                // Bounds are beginnings of words, as in the index of a dictionary.
                let first = Int.random(in: 0..<words.count - 1, using: &random)
                let ends = [first, .random(in: first..<min(first + 4, words.count), using: &random)]
                let lower = Array(words[ends[0]].prefix(.random(in: 1...30, using: &random)))
                let upper = Array(words[ends[1]].prefix(.random(in: 1...30, using: &random)))
                guard lower.lexicographicallyPrecedes(upper) else { continue }
                let isOpen = Int.random(in: 0..<10, using: &random) == 0
                let mayMatch = lower.withUnsafeBufferPointer { lower in
                    upper.withUnsafeBufferPointer { matcher.mayMatch(from: lower, below: isOpen ? nil : $0) }
                }
                if mayMatch { continue }
                rejected += 1
                let beginning = lower.prefix(matcher.deadLength)
                for word in words where !beginning.isEmpty && word.starts(with: beginning) {
                    #expect(word.withUnsafeBufferPointer { matcher.typos($0) } == nil, "\(typed) \(word)")
                }
                for word in words where !word.lexicographicallyPrecedes(lower) {
                    if !isOpen, !word.lexicographicallyPrecedes(upper) { break }
                    let typos = word.withUnsafeBufferPointer { matcher.typos($0) }
                    #expect(typos == nil, "\(typed) \(word) in \(lower)..<\(upper)")
                }
            }
        }
        #expect(rejected > 0)
    }

    @Test func `bytes that are not UTF-8 count one each`() throws {
        let typed: [UInt8] = [0x61, 0xC3, 0x62, 0x63]
        let matcher = try #require(typed.withUnsafeBufferPointer { TypoMatcher($0, .upTo(1), isPrefix: false) })
        let words: [([UInt8], Int?)] = [
            ([0x61, 0x62, 0x63], 1), ([0x61, 0xC3], nil), ([0x61, 0xC3, 0x62], 1), ([0x61, 0xC3, 0x62, 0x63], 0),
            ([0x61, 0xC3, 0x62, 0x64], 1), ([0x61, 0xC3, 0x62, 0x64, 0x65, 0x66], nil),
            ([0x61, 0xC3, 0xA9, 0x62, 0x63], 1), ([0x61, 0xFF, 0x62, 0x63], 1),
        ]
        var last: [UInt8] = []
        for (word, typos) in words {
            let shared = zip(last, word).prefix { $0 == $1 }.count
            let rest = Array(word.dropFirst(shared))
            #expect(rest.withUnsafeBytes { matcher.typos(keeping: shared, $0) } == typos, "\(word)")
            last = word
        }
    }

    @Test func `words that may have no typos have no matcher`() {
        func matcher(_ word: String, _ tolerance: TypoTolerance) -> TypoMatcher? {
            Array(word.utf8).withUnsafeBufferPointer { TypoMatcher($0, tolerance, isPrefix: false) }
        }
        #expect(matcher("abc", .automatic) == nil)
        #expect(matcher("abcd", .none) == nil)
        #expect(matcher("", .upTo(2)) == nil)
        #expect(matcher(String(repeating: "a", count: 61), .upTo(2)) == nil)
        #expect(matcher(String(repeating: "a", count: 1_000_000), .upTo(2)) == nil)
    }
}
