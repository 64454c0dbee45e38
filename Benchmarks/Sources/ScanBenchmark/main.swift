// One word in 42 MB of text files, scan against index, as an article of 2013 measured it on an iPod touch: 1682 files;
// the scan took 9.34 s, SQLite's index of that time 1.48 s.
//
// Here the scan is `LIKE '%word%'`, and `instr`, which is the fastest way in SQL, both over a plain table in a database
// file. The index is Concordance's.

import BenchmarkSupport
import Concordance
import ConcordanceFTS5
import Foundation

let corpus = try Corpus.english(count: 1682, bytes: 42_000_000)
print("\n# Scan against index: \(corpus.description)")

let file = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString).db")
defer {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
}
let queue = try DatabaseQueue(path: file.path)
let clock = ContinuousClock()
let building = try clock.measure {
    try queue.write { db in
        try ConcordanceTokenizers.register(on: db)
        try db.execute(sql: "CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT NOT NULL, contents TEXT NOT NULL)")
        try db.create(virtualTable: "docs", using: FTS5()) { t in
            t.tokenizer = .concordance(Analyzer(.words(), .fold))
            t.content = .external(table: "plain", rowID: "id")
            t.column("contents")
        }
        let insert = try db.makeStatement(sql: "INSERT INTO plain (id, name, contents) VALUES (?, ?, ?)")
        let insertIndexed = try db.makeStatement(sql: "INSERT INTO docs (rowid, contents) VALUES (?, ?)")
        for (number, text) in corpus.texts.enumerated() {
            try insert.execute(arguments: [number, "file\(number).txt", text])
            try insertIndexed.execute(arguments: [number, text])
        }
    }
}
report(
    "texts stored and indexed, once",
    "\(duration(building.seconds)), \(short(Double(corpus.bytes) / 1e6 / building.seconds)) MB/s")

// A word that a few dozen files contain.
let word = try queue.read { db in
    let words = ["telescope", "orchestra", "umbrella", "gradient", "database", "keyboard"]
    return try words.first { word in try indexed(word, db).count > 10 } ?? SampleText().word(rank: 12_000)
}
let counts = try queue.read { db in try (scanned(word, db).count, indexed(word, db).count) }
report("word", "\"\(word)\": in \(counts.0) files as a substring, in \(counts.1) as a word")

var scan = Comparison("Find the files with one word, by a scan", rounds: 7)
scan.add("LIKE '%word%'", .megabytes(ofBytes: corpus.bytes)) { _ = try queue.read { db in try scanned(word, db) } }
scan.add("instr(contents, word)", .megabytes(ofBytes: corpus.bytes)) {
    _ = try queue.read { db in
        try String.fetchAll(db, sql: "SELECT name FROM plain WHERE instr(contents, ?)", arguments: [word])
    }
}
let scans = try scan.run()

var index = Comparison("Find the files with one word, by the index", rounds: 101, repetitions: 10)
index.add("Concordance, all matches") { _ = try queue.read { db in try indexed(word, db) } }
index.add("Concordance, the ten best") {
    _ = try queue.read { db in
        try String.fetchAll(
            db,
            sql: "SELECT name FROM docs JOIN plain ON id = docs.rowid WHERE docs MATCH ? ORDER BY docs.rank LIMIT 10",
            arguments: [FTS5Pattern(matchingAllTokensIn: word)])
    }
}
let lookups = try index.run()
report("LIKE against index", "\(short(scans[0].median / lookups[0].median)) times as fast")

func scanned(_ word: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
        db, sql: "SELECT name FROM plain WHERE contents LIKE ?", arguments: ["%\(word)%"])
}

func indexed(_ word: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
        db, sql: "SELECT name FROM docs JOIN plain ON id = docs.rowid WHERE docs MATCH ?",
        arguments: [FTS5Pattern(matchingAllTokensIn: word)])
}
