import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Nearly the same documents are one hit")
struct NearDuplicateTests {
    private static func words(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            String(
                (0..<Int.random(in: 2...8, using: &generator)).map { _ in
                    "abcdefghijklmnop".randomElement(using: &generator)!
                })
        }
    }

    private static func signature(_ words: [String]) -> ContentSignature? {
        ContentSignature(words.joined(separator: " "))
    }

    /// How alike two texts are: the share of sequences of three words that both have.
    private static func resemblance(_ first: [String], _ second: [String]) -> Double {
        func sequences(_ words: [String]) -> Set<[String]> {
            Set(zip(zip(words, words.dropFirst()), words.dropFirst(2)).map { [$0.0, $0.1, $1] })
        }
        let (first, second) = (sequences(first), sequences(second))
        return Double(first.intersection(second).count) / Double(max(first.union(second).count, 1))
    }

    @Test func textsThatDifferByADateAreNear() throws {
        for (count, seed) in [(150, 1), (400, 2), (5000, 3)] as [(Int, UInt64)] {
            let text = Self.words(count, seed: seed)
            var other = text
            other.replaceSubrange(40..<44, with: ["Mon", "24", "June", "2024"])
            #expect(try #require(Self.signature(text)).isNear(#require(Self.signature(other))), "\(count) words")
        }
    }

    @Test func textsOfWhichHalfIsChangedAreNot() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            let text = Self.words(600, seed: seed)
            let other = text[..<300] + Self.words(300, seed: seed + 1000)
            #expect(try !#require(Self.signature(text)).isNear(#require(Self.signature(Array(other)))), "\(seed)")
            // Nor one that is twice as long.
            #expect(
                try !#require(Self.signature(text)).isNear(
                    #require(Self.signature(text + Self.words(600, seed: seed + 2000)))))
        }
    }

    @Test func shortTextsHaveNoSignature() {
        #expect(ContentSignature("") == nil)
        #expect(ContentSignature("two words") == nil)
        #expect(Self.signature(Self.words(30, seed: 1)) == nil)
        // Nor those that say the same again and again.
        #expect(ContentSignature(String(repeating: "over and over ", count: 10_000)) == nil)
        #expect(ContentSignature(String(repeating: "--- ", count: 10_000)) == nil)
        #expect(Self.signature(Self.words(150, seed: 1)) != nil)
    }

    /// The share of bits that differ is half of that of the sequences that differ.
    @Test(arguments: [200, 2000])
    func theDistanceIsThatOfTheFormula(_ count: Int) throws {
        var (found, expected) = (0.0, 0.0)
        for seed in 1...60 as ClosedRange<UInt64> {
            let text = Self.words(count, seed: seed)
            let changed = Int(seed) * count / 100
            let other = Self.words(changed, seed: seed + 500) + text[changed...]
            let distance = try #require(Self.signature(text)).distance(to: #require(Self.signature(Array(other))))
            found += Double(distance)
            expected += 64 * (1 - Self.resemblance(text, Array(other)))
        }
        // Sixty sums of 128 bits: the standard deviation of a mean is below 0.75 bits, more where bins are empty.
        #expect(abs(found - expected) / 60 < 3, "\(found / 60) \(expected / 60)")
    }

    @Test func whatIsBesideTheWordsDoesNotCount() throws {
        let words = Self.words(200, seed: 9)
        let plain = try #require(Self.signature(words))
        #expect(ContentSignature("* " + words.map { $0.uppercased() }.joined(separator: ",\n\t“") + "”.") == plain)
        #expect(ContentSignature(plain.stored) == plain)
        #expect(ContentSignature(Array(plain.stored.dropLast())) == nil)
    }

    @Test func scriptsWithoutSpaces() throws {
        var generator = SeededGenerator(seed: 4)
        let signs = (0..<400).map { _ in String(UnicodeScalar(UInt32.random(in: 0x4E00...0x7E00, using: &generator))!) }
        var other = signs
        other.replaceSubrange(100..<104, with: ["二", "〇", "二", "四"])
        let text = try #require(ContentSignature(signs.joined()))
        #expect(try text.isNear(#require(ContentSignature(other.joined()))))
        #expect(try !text.isNear(#require(ContentSignature((signs[200...] + signs[..<200].reversed()).joined()))))
    }

    @Test func anyTextHasOne() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0..<2000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(ContentSignature(text) == ContentSignature(text))
        }
    }

    @Test(arguments: [nil, "fts5"])
    func theyFoldIntoTheBest(_ engine: String?) throws {
        let folder = try TemporaryFolder()
        let text = Self.words(300, seed: 21)
        for number in 0..<4 {
            try folder.write("docs/\(number)/notes.txt", "Report of day \(number)\n" + text.joined(separator: " "))
        }
        try folder.write("docs/report.txt", (["report"] + text).joined(separator: " "))
        try folder.write("docs/other/notes.txt", (["report"] + Self.words(300, seed: 22)).joined(separator: " "))
        for number in 0..<3 { try folder.write("docs/short \(number).txt", "report number \(number)") }
        let command = try #require(BuiltCommand())
        let database = folder["i.db"]
        let index = ["index", "-q", "--db", database, folder["docs"]] + (engine.map { ["--engine", $0] } ?? [])
        #expect(try command.run(index).code == 0)
        let result = try Searcher(IndexFile(path: database, isReadOnly: true)).search("report")
        #expect(result.total == 9)
        let counts = Dictionary(
            uniqueKeysWithValues: result.hits.map {
                (String($0.path.dropFirst(folder["docs/"].count)), $0.similarCount)
            })
        #expect(
            counts == ["report.txt": 4, "other/notes.txt": 0, "short 0.txt": 0, "short 1.txt": 0, "short 2.txt": 0])
        let explained = try command.run(["explain", "report", folder["docs/2/notes.txt"], "--db", database]).output
        #expect(explained.contains("docs/report.txt, which stands for it as number "), "\(explained)")
        let shown = try command.run(["search", "report", "--db", database]).output
        #expect(shown.contains("report.txt  4 similar"), "\(shown)")
        #expect(try command.run(["search", "report", "--json", "--db", database]).output.contains("\"similar\":4"))
    }
}
