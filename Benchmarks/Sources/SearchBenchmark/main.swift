// What the typed index costs: pages compared with FTS5's, also while a word is typed, filters, words with typos, changes
// compared with triggers written by hand and with no index, building an index and how long others wait for it, and live
// results. All in one process, over the texts and queries of ../shared/data/perf.
//
// usage: SearchBenchmark [--keep FOLDER] [--rows N] [--queries N] [PART...]
//   PART: pages, typed, filters, typos, install, live, writes, waits; default all
//   --keep: leaves the databases in that folder, and uses those that are there
//   --rows: so many documents; beyond those of the corpus they are mixed from them; default: those of the corpus
//   --queries: so many queries of each class at most

import BenchmarkSupport
import Concordance
import Foundation

let options = try Options(
    CommandLine.arguments.dropFirst(), options: ["--keep", "--rows", "--queries"],
    parts: ["pages", "typed", "filters", "typos", "install", "live", "writes", "waits"])
guard let data = try DocumentationTexts.read() else {
    print("\n# Search: skipped, no perf/medium.jsonl.gz in ../shared/data")
    exit(0)
}
let documents = Documents(data, count: try options.number("--rows") ?? data.texts.count)
let queryLimit = try options.number("--queries") ?? .max
let classes = data.classes.map { (name: $0.name, queries: Array($0.queries.prefix(queryLimit))) }
print("\n# Search: \(documents.count) texts, \(classes.reduce(0) { $0 + $1.queries.count }) queries")
let folder = try BenchmarkFolder(kept: options["--keep"], name: "search")
defer { folder.remove() }
let databases = Databases(folder: folder, documents: documents)
if ["pages", "typed", "filters", "typos"].contains(where: options.isWanted) {
    let database = try PageDatabase(databases)
    if options.isWanted("pages") { try Pages(database: database, classes: classes).run() }
    if options.isWanted("typed") { try TypedWords(database: database, classes: classes).run() }
    if options.isWanted("filters") { try FilteredPages(database: database, classes: classes).run() }
    if options.isWanted("typos") {
        try KnownItems(database: database, documentCount: documents.count, texts: data.texts).run()
    }
}
let installation = Installation(databases: databases)
if ["install", "live", "writes"].contains(where: options.isWanted) {
    let (triggers, index, kept) = try installation.rates()
    if options.isWanted("live") { try await LiveDelays(pool: index, path: folder.path("index")).run() }
    if options.isWanted("writes") {
        try Writes(
            documents: documents,
            targets: [
                ("no index", databases.copy("none")), ("triggers by hand", triggers), ("Concordance", index),
                ("with texts kept", kept),
            ]
        ).run()
    }
}
if options.isWanted("waits") { try await installation.waits() }
