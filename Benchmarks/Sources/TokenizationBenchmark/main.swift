// Tokenizers and analyzers in MB/s of text: SQLite's own and ours, with the same C callback, in one process.

import BenchmarkSupport
import CConcordanceSQLite
import ConcordanceText
import Foundation

/// What the callback counts, so that the work has a result.
struct Tally {
    var tokens = 0
    var bytes = 0

    static let add: TokenCallback = { context, _, _, count, _, _ in
        guard let tally = context?.assumingMemoryBound(to: Tally.self) else { return 1 }
        tally.pointee.tokens &+= 1
        tally.pointee.bytes &+= Int(count)
        return 0
    }
}

/// Times SQLite's tokenizer and ours that have the same components, then others of ours.
func compare(_ text: BenchmarkText, sqlite components: [String], with others: [[String]] = []) throws {
    var comparison = Comparison("\(text.name), \(components.joined(separator: " "))", rounds: 21)
    var bytes = text.bytes
    bytes.append(0)
    let contenders: [(String, any Tokenizer)] =
        [("SQLite \(components[0])", try SQLiteTokenizer(components))]
        + (try ([components] + others).map { components in
            (
                "ours: \(components.joined(separator: " "))",
                try Analyzer(components: components).makeTokenizer()
            )
        })
    for (name, tokenizer) in contenders {
        comparison.add(name, .megabytes(ofBytes: text.bytes.count)) {
            var tally = Tally()
            bytes.withUnsafeBufferPointer { buffer in
                withUnsafeMutablePointer(to: &tally) { tally in
                    _ = tokenizer.tokenize(
                        UnsafeBufferPointer(rebasing: buffer.dropLast()), for: .document,
                        into: TokenSink(context: tally, callback: Tally.add))
                }
            }
        }
    }
    try comparison.run()
}

if CommandLine.arguments.dropFirst().first == "languages" {
    compareLanguages()
    exit(0)
}
print("# Tokenization. SQLite \(String(cString: csqlite_libversion()))")
for text in BenchmarkText.all() {
    try compare(text, sqlite: ["unicode61"], with: [["words"], ["words", "fold"], ["words", "fold", "latin"]])
}
if let english = BenchmarkText.all().first {
    try compare(english, sqlite: ["ascii"])
    try compare(english, sqlite: ["porter"], with: [["standard"], ["english"]])
    try compare(english, sqlite: ["trigram"])
    try compare(english, sqlite: ["unicode61", "tokenchars", "-_"])
}
compareLanguages()
