// The engine (`USING concordance`) against SQLite's FTS5: ranked queries by class, stored values, growth to a million documents,
// building, size, commits of one row, a table after many of these, opening, memory, and queries that do not rank. All in one
// process, over the texts and queries of ../shared/data/perf; both sides index the same rows with the same options.
//
// usage: EngineBenchmark [--keep FOLDER] [--rows N] [--large N] [--without fts5] [PART...]
//   PART: classes, words, ranking, values, growth, scans, cold, build, commits, edited, memory; default all
//   peers: Lucene and tantivy, which Scripts/make-peers installs, on the same documents and queries; only if it is named
//   --keep: leaves the databases in that folder, and uses those that exist
//   --rows: the number of documents, instead of those of the corpus; more are mixed from these
//   --large: the number of documents for `growth`, instead of a million
//   --without fts5: leaves FTS5 out of `peers`, which takes half an hour with a million documents

import BenchmarkSupport
import Concordance
import Foundation

let options = try Options(
    CommandLine.arguments.dropFirst(), options: ["--keep", "--rows", "--large", "--without", MemoryTask.option],
    parts: [
        "classes", "words", "ranking", "values", "growth", "scans", "cold", "build", "commits", "edited", "memory",
        "peers",
    ])
if let task = options[MemoryTask.option] {
    try MemoryTask(task).run()
    exit(0)
}
guard let data = try DocumentationTexts.read() else {
    print("\n# Engine: skipped, no perf/medium.jsonl.gz in ../shared/data")
    exit(0)
}
let documents = Documents(data, count: try options.number("--rows") ?? data.texts.count)
print("\n# Engine against FTS5 of SQLite \(try Module.libraryVersion()): \(documents.count) documents")
let folder = try BenchmarkFolder(kept: options["--keep"], name: "engine")
defer { folder.remove() }
let databases = Databases(folder: folder)
if options.isWanted("classes") {
    try QueryClasses(data: data, databases: databases, documents: documents).ranked()
}
if options.isWanted("words") { try ManyWords(data: data, databases: databases, documents: documents).run() }
if options.isWanted("ranking") {
    try QueryClasses(data: data, databases: databases, documents: documents).rankings()
}
if options.isWanted("values") { try StoredValues(data: data, databases: databases, documents: documents).run() }
if options.isWanted("growth") {
    let large = Documents(data, count: try options.number("--large") ?? 1_000_000)
    try Growth(data: data, databases: databases, small: documents, large: large).run()
}
if options.isWanted("scans") {
    try QueryClasses(data: data, databases: databases, documents: documents).unranked()
}
if options.isWanted("cold") { try ColdOpening(data: data, databases: databases, documents: documents).run() }
if options.isWanted("build") { try Building(databases: databases, documents: documents).run() }
if options.isWanted("commits") { try Commits(databases: databases, documents: documents).run() }
if options.isWanted("edited") { try EditedTable(data: data, databases: databases, documents: documents).run() }
if options.isNamed("peers") {
    let withoutFTS5 = options["--without"] == Module.fts5.rawValue
    try Peers(data: data, databases: databases, documents: documents, withoutFTS5: withoutFTS5).run()
}
if options.isWanted("memory") {
    try Memory(databases: databases, documents: documents, queries: data.queries).run()
}
