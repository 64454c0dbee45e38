// How good the first hits are, on collections of documents and queries with known answers: typed indexes with what the
// article on ranking recommends for the language, beside plain FTS5.
//
// The collections are not part of the package; where they are missing the program says so and ends.

import BenchmarkSupport
import Concordance
import ConcordanceText
import Foundation

/// Words as FTS5's `unicode61` cuts them: letters and digits.
func words(_ text: String) -> [String] {
    text.unicodeScalars.split {
        !($0.properties.isAlphabetic || $0.properties.numericType != nil
            || $0.properties.generalCategory == .nonspacingMark)
    }
    .map { String(String.UnicodeScalarView($0)) }
}

/// All runs of three characters.
func trigrams(_ text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.dropLast(2).map { String(String.UnicodeScalarView(scalars[$0...$0 + 2])) }
}

/// FTS5's configurations for any language, and those that leave the language's stop words out of queries.
func fts5(_ stopWords: StopWords?) -> [Contender] {
    let plain = [
        Contender.fts5("unicode61", pieces: words), .fts5("trigram", pieces: words, name: "trigram, words"),
        .fts5("trigram", pieces: trigrams, name: "trigram, pieces"),
    ]
    guard let stopWords, !stopWords.words.isEmpty else { return plain }
    let suffix = ", query without stop words and with repeats"
    return plain + [
        .fts5("unicode61", pieces: words, name: "unicode61" + suffix, ignoring: stopWords),
        .fts5("trigram", pieces: words, name: "trigram, words" + suffix, ignoring: stopWords),
    ]
}

let porter = [
    Contender.fts5("porter unicode61", pieces: words, name: "porter"),
    .fts5(
        "porter unicode61", pieces: words, name: "porter, query without stop words and with repeats",
        ignoring: .language(.english)),
]

/// What the article on ranking recommends for questions where it is not the language's analyzer without stop words.
let recommendations: [TextLanguage: Analyzer] = [
    .arabic: .trigram, .german: .trigram, .hindi: .trigram, .thai: .trigram,
]

/// What there is to try for a language, by its code.
@MainActor func contenders(_ code: String) -> [Contender] {
    guard let language = TextLanguage(named: code) else {
        return fts5(nil) + [.index("standard", .standard, .recommended, isRecommended: true)]
    }
    let stopWords = StopWords.language(language)
    let hasStopWords = !stopWords.words.isEmpty
    let other = recommendations[language]
    var all = fts5(stopWords)
    if language == .english { all += porter }
    all += [
        .index("standard", .standard, .recommended),
        .index("\(language.name), bm25", language.analyzer, .bm25),
        .index(language.name, language.analyzer, .recommended, isRecommended: !hasStopWords && other == nil),
    ]
    if hasStopWords {
        all.append(
            .index(
                "\(language.name), query without stop words", language.analyzer, .recommended, ignoring: stopWords,
                isRecommended: other == nil))
    }
    if hasStopWords {
        all.append(.fused("\(language.name) fused with pieces", language.analyzer, ignoring: stopWords))
    }
    all.append(.index("trigram", .trigram, .recommended, isRecommended: other == .trigram))
    return all
}

/// Those beside this checkout; or folders that are named, such as `xquad-es`, which end in the language's code.
let known = ["cranfield", "cisi", "medline", "xquad-en", "xquad-de", "xquad-ru", "xquad-zh", "xquad-th", "jsquad-ja"]
let chosen = Array(CommandLine.arguments.dropFirst())
if chosen.first == "pairs" {
    try comparePairs(listing: chosen.contains("missed"))
    exit(0)
}
if chosen.first == "readings" {
    try compareReadings()
    exit(0)
}
if chosen.first == "mixed" {
    let paths = Array(chosen.dropFirst())
    try compareMixed(paths.isEmpty ? ["xquad-en", "xquad-de", "xquad-ru"] : paths)
    exit(0)
}
let collections = (chosen.isEmpty ? known : chosen).map { path in
    let parts = path.split(separator: "-")
    return (name: path, contenders: contenders(parts.count > 1 ? String(parts[parts.count - 1]) : "en"))
}
for (name, contenders) in collections {
    guard let collection = try Collection(name) else {
        print(
            "\n## \(name)\n\nSKIPPED: neither a folder \(name), nor shared/data/relevance/\(name) beside this checkout")
        continue
    }
    print("\n## \(name): \(collection.documents.count) documents, \(collection.queries.count) queries\n")
    var best = 0.0
    var ours = 0.0
    var rows = [["", "nDCG@10", "MAP", "recall@100", "per query"]]
    func measure(_ contender: Contender) throws -> Double {
        let search = try contender.search(collection)
        var quality: Quality?
        let time = try ContinuousClock().measure { quality = try Quality(collection, rank: search) }
        guard let quality else { return 0 }
        rows.append([
            contender.isRecommended ? "**\(contender.name)**" : contender.name, fixed(quality.nDCG),
            fixed(quality.averagePrecision), fixed(quality.recall),
            duration(time.seconds / Double(collection.queries.count)),
        ])
        return quality.nDCG
    }
    var exact = 0.0
    for contender in contenders {
        let nDCG = try measure(contender)
        if contender.isFTS5 { best = max(best, nDCG) }
        guard contender.isRecommended else { continue }
        ours = nDCG
        if let withoutTypos = contender.withoutTypos { exact = try measure(withoutTypos()) }
    }
    print(markdown(rows))
    let verdict = ours >= best ? "at least as good as FTS5" : "NOT as good as FTS5"
    print("\n\(name): recommended \(fixed(ours)), FTS5's best \(fixed(best)): \(verdict)")
    print(
        "\(name): typos change it by \(fixed(ours - exact))"
            + (ours - exact >= -0.003 ? "" : ", a loss of more than .003"))
}

func fixed(_ value: Double) -> String { String(format: "%.4f", value) }

if chosen.isEmpty { try compareSpeed() }
