// Analyzers and stemmers by language, beside ICU's break iterator and libstemmer, where these are installed.

import BenchmarkSupport
import CLanguageLibraries
import ConcordanceText
import Foundation

/// The words of a language, in no order: each once, so that nothing is gained by remembering stems.
private struct Vocabulary {
    let words: [[UInt8]]
    /// The words with spaces between them.
    let text: [UInt8]

    /// The words of Snowball's vocabulary beside the checkout; of Arabic and Tamil, which have none, those of our tests.
    init?(_ language: TextLanguage) {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let vocabulary = root.appendingPathComponent("../shared/data/snowball/\(language.name).tsv")
        let tests = root.appendingPathComponent("Tests/ConcordanceTextTests/Stemming/libstemmer.tsv")
        var words: [String] = []
        if let table = try? String(contentsOf: vocabulary, encoding: .utf8) {
            words = table.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        } else if let table = try? String(contentsOf: tests, encoding: .utf8) {
            words = table.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "\t")
                return parts.count == 3 && parts[0] == language.rawValue ? String(parts[1]) : nil
            }
        }
        guard !words.isEmpty else { return nil }
        var generator = SplitMix(state: 1)
        self.words = words.shuffled(using: &generator).map { Array($0.utf8) }
        text = Array(self.words.joined(separator: [UInt8(ascii: " ")]))
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Sends words that are cut already, so that stemmers are timed and nothing else.
private final class CutWords: Tokenizer {
    private let words: [[UInt8]]

    init(_ words: [[UInt8]]) { self.words = words }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        for word in words {
            let code = word.withUnsafeBufferPointer { word in
                word.baseAddress.map { sink.emit($0, count: word.count, start: 0, end: 0) } ?? 0
            }
            if code != 0 { return code }
        }
        return 0
    }
}

/// Prints MB/s for each language with a stemmer: words by ICU and by ours, the whole analyzer, stems by libstemmer and by
/// ours; and names the languages whose stemmer has less than half the speed of libstemmer's.
func compareLanguages() {
    print("\n## Languages, MB/s over vocabularies, medians of 15 rounds\n")
    var rows = [
        ["", "ICU, words", "ours, words", "ours, analyzer", "libstemmer", "ours, stems", "of libstemmer's speed"]
    ]
    var slow: [String] = []
    var missing = (vocabulary: [String](), libstemmer: [String](), icu: false)
    for language in TextLanguage.allCases {
        guard let stemming = StemmingLanguage(rawValue: language.rawValue) else { continue }
        guard let vocabulary = Vocabulary(language) else {
            missing.vocabulary.append(language.name)
            continue
        }
        let words = rate(vocabulary, Analyzer(.words()).makeTokenizer())
        let analyzer = rate(vocabulary, language.analyzer.makeTokenizer())
        let stems = rate(vocabulary, FilteredTokenizer(CutWords(vocabulary.words), [StemFilter(stemming)]))
        let icu = icuRate(vocabulary, language)
        let libstemmer = libstemmerRate(vocabulary, language)
        missing.icu = missing.icu || icu == nil
        if let libstemmer {
            if stems < libstemmer / 2 { slow.append(language.name) }
        } else {
            missing.libstemmer.append(language.name)
        }
        rows.append([
            language.name, icu.map(short) ?? "", short(words), short(analyzer), libstemmer.map(short) ?? "",
            short(stems), libstemmer.map { short(stems / $0) } ?? "",
        ])
    }
    print(markdown(rows))
    print("\nless than half of libstemmer's speed: \(slow.isEmpty ? "none" : slow.joined(separator: ", "))")
    if !missing.vocabulary.isEmpty {
        print("SKIPPED, no words: \(missing.vocabulary.joined(separator: ", "))")
    }
    if !missing.libstemmer.isEmpty {
        print("SKIPPED, libstemmer is not installed or lacks them: \(missing.libstemmer.joined(separator: ", "))")
    }
    if missing.icu { print("SKIPPED: ICU's libicuuc is not installed") }
}

/// MB/s of the median of 15 rounds, each of 20 runs.
private func rate(_ bytes: Int, _ body: () -> Void) -> Double {
    body()
    let clock = ContinuousClock()
    let times = (0..<15).map { _ in
        clock.measure { for _ in 0..<20 { body() } }.seconds / 20
    }
    return Double(bytes) / 1e6 / times.sorted()[7]
}

private func rate(_ vocabulary: Vocabulary, _ tokenizer: any Tokenizer) -> Double {
    rate(vocabulary.text.count) {
        var tally = Tally()
        vocabulary.text.withUnsafeBufferPointer { text in
            withUnsafeMutablePointer(to: &tally) { tally in
                _ = tokenizer.tokenize(text, for: .document, into: TokenSink(context: tally, callback: Tally.add))
            }
        }
    }
}

private func icuRate(_ vocabulary: Vocabulary, _ language: TextLanguage) -> Double? {
    var isThere = true
    let rate = rate(vocabulary.text.count) {
        vocabulary.text.withUnsafeBytes { text in
            let count = text.withMemoryRebound(to: CChar.self) {
                clanguage_count_words(language.rawValue, $0.baseAddress, $0.count)
            }
            if count < 0 { isThere = false }
        }
    }
    return isThere ? rate : nil
}

private func libstemmerRate(_ vocabulary: Vocabulary, _ language: TextLanguage) -> Double? {
    guard let stemmer = clanguage_stemmer(language.rawValue) else { return nil }
    defer { clanguage_free_stemmer(stemmer) }
    var bytes = 0
    return rate(vocabulary.text.count) {
        for word in vocabulary.words {
            word.withUnsafeBufferPointer { word in
                var count: Int32 = 0
                _ = clanguage_stem(stemmer, word.baseAddress, Int32(word.count), &count)
                bytes &+= Int(count)
            }
        }
    }
}
