// What the typed index costs: pages against SQL written by hand over the same tables, changes against triggers written by
// hand and against no index, the building of an index and what others wait for it, and live results. All in one process,
// over 100,000 texts of documentation.
//
// usage: SearchBenchmark [PART...]    PART: install, waits, pages, writes, live; default all

import BenchmarkSupport
import Concordance
import Foundation

let parts = Set(CommandLine.arguments.dropFirst())
func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }

guard let documents = try Documents.read() else {
    print("\n# Search: skipped, no perf/medium.jsonl.gz in ../shared/data")
    exit(0)
}
print("\n# Search: \(documents.rows.count) texts, \(documents.queries.count) queries")
let databases = try Databases(documents.rows)
defer { databases.remove() }
let installation = Installation(databases: databases, rowCount: documents.rows.count)
let (triggers, index, kept) = try installation.rates()
if isWanted("pages") {
    try Pages(documents: documents, pool: index, db: Database(path: databases.path("index"))).run()
}
if isWanted("live") { try await LiveDelays(pool: index, path: databases.path("index")).run() }
if isWanted("writes") {
    try Writes(
        documents: documents.rows,
        targets: [
            ("no index", databases.copy("none")), ("triggers by hand", triggers), ("Concordance", index),
            ("with texts kept", kept),
        ]
    ).run()
}
if isWanted("waits") { try await installation.waits() }
