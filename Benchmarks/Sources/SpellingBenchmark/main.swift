// Corrections and completions: how often the right word is found for misspellings that people made, how long it takes
// among a million distinct words, what the words cost in memory, and how soon an index of 100,000 texts has them.
//
// The vocabulary is all words of the documentation corpus and the right words of the misspellings. For the times it is
// filled up to a million: to words of the corpus drawn by their frequencies come an ending, a beginning or another word,
// as languages and programs make words, each with a count of one to three. The words asked for are the misspellings.

import BenchmarkSupport
import Concordance
import ConcordanceText
import Foundation

guard let misspellings = Misspelling.all() else {
    print("\n# Spelling: skipped, no spelling/pairs.tsv in ../shared/data")
    exit(0)
}
let corpus = try Corpus.english(count: 100_000, bytes: 74_060_000)
print("\n# Spelling: \(corpus.description), \(misspellings.count) misspellings")

let counter = WordCounter()
let counting = ContinuousClock().measure {
    for text in corpus.texts { counter.add(text) }
    for misspelling in misspellings { counter.add(misspelling.right) }
}
var dictionary = SpellingDictionary()
let building = ContinuousClock().measure { dictionary = counter.makeDictionary() }
report("count the words of the texts", "\(duration(counting.seconds)), on one thread")
report("build the dictionary", "\(duration(building.seconds)), \(dictionary.wordCount) words, \(megabytes(dictionary))")

print("\n## The right word first, and among five\n")
var targets: [(first: Int, five: Int, asked: Int)] = []
for source in ["norvig", "wikipedia", "birkbeck", "codespell"] {
    let asked = misspellings.filter { $0.source == source && $0.isMistake }
    guard !asked.isEmpty else { continue }
    let (first, five) = accuracy(dictionary, asked)
    if source == "norvig" || source == "wikipedia" { targets.append((first, five, asked.count)) }
    report(
        "\(source), \(asked.count)", "\(percent(first, asked.count)) first, \(percent(five, asked.count)) among five")
}
let asked = targets.reduce(0) { $0 + $1.asked }
let first = targets.reduce(0) { $0 + $1.first }
let five = targets.reduce(0) { $0 + $1.five }
report(
    "norvig and wikipedia together, wanted 70% and 85%",
    "\(percent(first, asked)) and \(percent(five, asked)): "
        + (first * 100 >= asked * 70 && five * 100 >= asked * 85 ? "met" : "not met"))

print("\n## A million words\n")
let million = enlarged(dictionary, to: 1_000_000)
report("memory", "\(million.wordCount) words, \(megabytes(million))")
let typed = misspellings.filter(\.isMistake).map(\.wrong)
let slowest = latency("corrections(of:)", of: stride(from: 0, to: typed.count, by: 5).map { typed[$0] }) {
    _ = million.corrections(of: $0)
}
report("wanted under 5 ms", slowest < 0.005 ? "met" : "not met by the slowest")
let prefixes = Set(typed.flatMap { word in (1...4).map { String(word.prefix($0)) } }).sorted()
_ = latency("completions(of:), one to four letters", of: prefixes) { _ = million.completions(of: $0) }
_ = latency("completions(of:), one letter", of: prefixes.filter { $0.count == 1 }) { _ = million.completions(of: $0) }

try measureIndex(of: corpus.texts)

func accuracy(_ dictionary: SpellingDictionary, _ misspellings: [Misspelling]) -> (first: Int, five: Int) {
    var (first, five) = (0, 0)
    for misspelling in misspellings {
        let guesses = dictionary.corrections(of: misspelling.wrong, limit: 5).map { folded($0.text) }
        let right = folded(misspelling.right)
        if guesses.first == right { first += 1 }
        if guesses.contains(right) { five += 1 }
    }
    return (first, five)
}

/// Prints the median, the 99th percentile and the maximum of the times of `body`; returns the maximum. Each time is the
/// better of two, so that another process which had the core does not count.
func latency(_ name: String, of words: [String], _ body: (String) -> Void) -> Double {
    let clock = ContinuousClock()
    let times = words.map { word in
        min(clock.measure { body(word) }.seconds, clock.measure { body(word) }.seconds)
    }.sorted()
    guard let slowest = times.last else { return 0 }
    report(
        "\(name), \(times.count) times",
        "median \(duration(times[times.count / 2])), 99th percentile \(duration(times[times.count * 99 / 100])), "
            + "slowest \(duration(slowest))")
    return slowest
}

/// The dictionary with made words beside its own.
func enlarged(_ dictionary: SpellingDictionary, to count: Int) -> SpellingDictionary {
    var words: [(word: String, count: Int)] = []
    var stems: [String] = []
    dictionary.forEachWord { word, count in
        words.append((word, count))
        if count > 2, word.count > 3 { stems.append(word.lowercased()) }
    }
    let endings = [
        "s", "ed", "ing", "er", "ers", "ly", "ness", "able", "ment", "ation", "ize", "ism", "ful", "less", "ish",
    ]
    let beginnings = [
        "un", "re", "in", "dis", "pre", "non", "over", "sub", "inter", "mis", "anti", "co", "de", "out", "up",
    ]
    var known = Set(words.map { folded($0.word) })
    var choice = SplitMix(state: 1)
    while known.count < count, stems.count > 1 {
        let stem = stems[choice.below(stems.count)]
        let made =
            switch choice.below(3) {
            case 0: stem + endings[choice.below(endings.count)]
            case 1: beginnings[choice.below(beginnings.count)] + stem
            default: String(stem.prefix(8)) + stems[choice.below(stems.count)].prefix(6)
            }
        if known.insert(made).inserted { words.append((made, 1 + choice.below(3))) }
    }
    var large = SpellingDictionary()
    let time = ContinuousClock().measure { large = SpellingDictionary(words) }
    report("build from \(words.count) words in no order", duration(time.seconds))
    return large
}

/// Suggestions from an index: how long the first call takes, the next ones, and those after a commit.
func measureIndex(of texts: [String]) throws {
    print("\n## Suggestions from an index of \(texts.count) texts\n")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spelling-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try DatabasePool(path: folder.appendingPathComponent("texts.sqlite").path)
    let index = SearchIndex("noteTexts", in: "notes") {
        Field("body")
        Analysis(.standard)
    }
    try pool.write { db in
        try db.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        let insert = try db.makeStatement(sql: "INSERT INTO notes(body) VALUES (?)")
        for text in texts { try insert.execute(arguments: [text]) }
        try db.install(index)
    }
    let clock = ContinuousClock()
    let building = try clock.measure { _ = try pool.suggestions(for: "re", in: index) }
    report("the first call, which reads all texts", duration(building.seconds))
    for typed in ["r", "re", "set the re", "visual stud"] {
        var times: [Double] = []
        for _ in 0..<21 {
            times.append(try clock.measure { _ = try pool.suggestions(for: typed, in: index) }.seconds)
        }
        report("suggestions(for: \"\(typed)\")", "median \(duration(times.sorted()[10]))")
    }
    var times: [Double] = []
    for word in ["recieve the mesage", "\"visaul studio\" -exampel"] {
        for _ in 0..<21 {
            times.append(try clock.measure { _ = try pool.didYouMean(word, in: index) }.seconds)
        }
    }
    report("didYouMean", "median \(duration(times.sorted()[21]))")
    try pool.write { db in try db.execute(sql: "INSERT INTO notes(body) VALUES ('Brobdingnagian')") }
    let start = clock.now
    while try pool.suggestions(for: "brobdi", in: index).isEmpty, clock.now - start < .seconds(60) {
        Thread.sleep(forTimeInterval: 0.01)
    }
    report("a new word is suggested after", duration((clock.now - start).seconds))
}

extension Misspelling {
    /// Whether folding leaves a difference.
    var isMistake: Bool { folded(wrong) != folded(right) }
}

func folded(_ word: String) -> String {
    word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).replacingOccurrences(
        of: "’", with: "'")
}

func percent(_ part: Int, _ whole: Int) -> String {
    let tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole
    return "\(tenths / 10).\(tenths % 10)%"
}

func megabytes(_ dictionary: SpellingDictionary) -> String { "\(short(Double(dictionary.byteCount) / 1e6)) MB" }

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
