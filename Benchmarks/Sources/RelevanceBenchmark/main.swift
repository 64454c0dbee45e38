// How good the first hits are, on collections of documents and queries with known answers: typed indexes with what the
// article on ranking recommends for the language, beside plain FTS5.
//
// The collections are not part of the package; where they are missing the program says so and ends.

import BenchmarkSupport
import Concordance
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

let spaced = [
    Contender.fts5("unicode61", pieces: words), .fts5("trigram", pieces: words, name: "trigram, words"),
    .fts5("trigram", pieces: trigrams, name: "trigram, pieces"),
]
let trigram = Contender.index("trigram", .trigram, .recommended)
let english =
    spaced + [
        .fts5("porter unicode61", pieces: words, name: "porter"),
        .index("english, bm25", .english, .bm25),
        .index("english", .english, .recommended),
        .index("english with stop words", .english.appending(.stop(.english)), .recommended),
        .index(
            "english, query without stop words", .english, .recommended, ignoring: .english, isRecommended: true),
    ]
let german =
    spaced + [
        .index("german, bm25", .german, .bm25),
        .index("german, stems, bm25", .german.appending(.stem(.german)), .bm25),
        .index("german, stems", .german.appending(.stem(.german)), .recommended),
        .index("trigram", .trigram, .recommended, isRecommended: true),
    ]
let russianAnalyzer = Analyzer(.words(), .fold, .latin, .stem(.russian))
let russian =
    spaced + [
        .index("standard, bm25", .standard, .bm25),
        .index("russian, bm25", russianAnalyzer, .bm25),
        .index("russian", russianAnalyzer, .recommended, isRecommended: true),
        trigram,
    ]
let chinese =
    spaced + [
        .index("chinese, bm25", .chinese, .bm25),
        .index("chinese", .chinese, .recommended, isRecommended: true), trigram,
    ]
let japanese =
    spaced + [
        .index("japanese, bm25", .japanese, .bm25),
        .index("japanese", .japanese, .recommended, isRecommended: true), trigram,
    ]
let thai =
    spaced + [
        .index("standard", .standard, .recommended), .index("trigram, bm25", .trigram, .bm25),
        Contender.index("trigram", .trigram, .recommended, isRecommended: true),
    ]

let collections: [(name: String, contenders: [Contender])] = [
    ("cranfield", english), ("cisi", english), ("medline", english), ("xquad-en", english), ("xquad-de", german),
    ("xquad-ru", russian), ("xquad-zh", chinese), ("xquad-th", thai), ("jsquad-ja", japanese),
]
let chosen = CommandLine.arguments.dropFirst()
for (name, contenders) in collections where chosen.isEmpty || chosen.contains(name) {
    guard let collection = try Collection(name) else {
        print("\n## \(name)\n\nSKIPPED: no shared/data/relevance/\(name) beside this checkout")
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

try compareSpeed()
