// The engine (`USING concordance`) against SQLite's FTS5: ranked queries by class, their growth to a million documents,
// building, size, commits of one row, opening, memory, and queries that do not rank. All in one process, over the texts and
// queries of ../shared/data/perf; both sides index the same rows with the same options.
//
// usage: EngineBenchmark [--keep FOLDER] [--rows N] [--large N] [PART...]
//   PART: classes, ranking, growth, scans, cold, build, commits, memory; default all
//   --keep: leaves the databases in that folder, and uses those that are there
//   --rows: so many documents instead of all; --large: so many for `growth`, instead of a million

import BenchmarkSupport
import Concordance
import Foundation

let options = try Options(CommandLine.arguments.dropFirst())
if let task = options.memoryTask {
    try task.run()
    exit(0)
}
guard let data = try DocumentationTexts.read() else {
    print("\n# Engine: skipped, no perf/medium.jsonl.gz in ../shared/data")
    exit(0)
}
let documents = Documents(data, count: min(options.rowCount, data.texts.count))
print("\n# Engine against FTS5 of SQLite \(try Module.libraryVersion()): \(documents.count) documents")
let databases = try Databases(folder: options.folder)
defer { databases.remove() }
let parts: [(name: String, run: () throws -> Void)] = [
    ("classes", { try QueryClasses(data: data, databases: databases, documents: documents).ranked() }),
    ("ranking", { try QueryClasses(data: data, databases: databases, documents: documents).recommended() }),
    (
        "growth",
        {
            try Growth(
                data: data, databases: databases, small: documents, large: Documents(data, count: options.largeCount)
            ).run()
        }
    ),
    ("scans", { try QueryClasses(data: data, databases: databases, documents: documents).unranked() }),
    ("cold", { try ColdOpening(data: data, databases: databases, documents: documents).run() }),
    ("build", { try Building(databases: databases, documents: documents).run() }),
    ("commits", { try Commits(databases: databases, documents: documents).run() }),
    ("memory", { try Memory(databases: databases, documents: documents, queries: data.queries).run() }),
]
for part in parts where options.isWanted(part.name) { try part.run() }
