// What fetching a row through Concordance costs, compared with SQLite's C interface called from C. Both read the same file,
// each on a connection of its own, with the same statement: 20,000 matches of a full-text query, and 20,000 rows of a plain
// table, where SQLite itself does least, so that any overhead shows most.

import BenchmarkSupport
import CBaseline
import Concordance
import ConcordanceSQLite
import Foundation

let rowCount = 20_000
let file = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString).db")
defer {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
}
let db = try Database(path: file.path)
try db.inTransaction {
    try db.execute(
        sql: """
            CREATE VIRTUAL TABLE doc USING fts5(title, body);
            CREATE TABLE plain (id INTEGER PRIMARY KEY, score REAL, title TEXT);
            """)
    var sample = SampleText()
    let insertDocument = try db.makeStatement(sql: "INSERT INTO doc (rowid, title, body) VALUES (?, ?, ?)")
    let insertPlain = try db.makeStatement(sql: "INSERT INTO plain (id, score, title) VALUES (?, ?, ?)")
    for number in 1...rowCount {
        let title = sample.text(bytes: 40)
        try insertDocument.execute(arguments: [number, title, "everywhere " + sample.text(bytes: 300)])
        try insertPlain.execute(arguments: [number, Double(number) / 7, title])
    }
    return .commit
}

struct Totals: Equatable {
    var rows: Int64 = 0
    var identifiers: Int64 = 0
    var scores = 0.0
    var bytes: Int64 = 0
}

struct Hit: Codable, FetchableRecord {
    var id: Int64
    var score: Double
    var title: String
}

let queries = [
    (
        "matches of a full-text query, ranked by bm25",
        "SELECT rowid AS id, bm25(doc) AS score, title FROM doc WHERE doc MATCH ?"
    ),
    ("matches of a full-text query", "SELECT rowid AS id, 1.5 AS score, title FROM doc WHERE doc MATCH ?"),
    ("rows of a plain table", "SELECT id, score, title FROM plain WHERE title <> ?"),
]
for (name, sql) in queries {
    guard let baseline = baseline_prepare(file.path, sql, "everywhere") else { exit(1) }
    defer { baseline_close(baseline) }
    let statement = try db.makeStatement(sql: sql)
    let arguments: StatementArguments = ["everywhere"]
    try statement.setArguments(arguments)

    var totals = baseline_totals()
    guard baseline_visit(baseline, &totals) == SQLITE_OK else { exit(1) }
    let expected = Totals(
        rows: totals.rows, identifiers: totals.identifiers, scores: totals.scores, bytes: totals.bytes)
    let found = try visit(statement)
    guard found == expected, found.rows == Int64(rowCount) else {
        print("C read \(expected), Concordance \(found)")
        exit(1)
    }

    let amount = Comparison.Amount(Double(rowCount) / 1e6, "M rows")
    var visiting = Comparison("Visit \(rowCount) \(name)", rounds: 51)
    visiting.add("C", amount) { _ = baseline_visit(baseline, &totals) }
    visiting.add("Concordance, forEachRow", amount) { _ = try visit(statement) }
    let visits = try visiting.run()
    report("overhead", "\(short((visits[1].median / visits[0].median - 1) * 100)) %")

    var keeping = Comparison("Keep \(rowCount) \(name)", rounds: 21)
    keeping.add("C calls from Swift, structs", amount) { _ = hits(of: baseline) }
    keeping.add("Concordance, forEachRow, structs", amount) { _ = try hits(of: statement) }
    keeping.add("Concordance, Row.fetchAll", amount) { _ = try Row.fetchAll(statement) }
    keeping.add("Concordance, Codable records", amount) {
        _ = try Hit.fetchAll(db, sql: sql, arguments: arguments)
    }
    try keeping.run()
}

func visit(_ statement: Statement) throws -> Totals {
    var totals = Totals()
    try statement.forEachRow { row in
        totals.rows += 1
        totals.identifiers += row.int64(at: 0)
        totals.scores += row.double(at: 1)
        row.withBytes(at: 2) { text in
            if let first = text.first, let last = text.last {
                totals.bytes += Int64(text.count) + Int64(first) + Int64(last)
            }
        }
    }
    return totals
}

func hits(of statement: Statement) throws -> [Hit] {
    var hits: [Hit] = []
    try statement.forEachRow { row in
        hits.append(Hit(id: row.int64(at: 0), score: row.double(at: 1), title: row.string(at: 2) ?? ""))
    }
    return hits
}

func hits(of statement: OpaquePointer) -> [Hit] {
    var hits: [Hit] = []
    while sqlite3_step(statement) == SQLITE_ROW {
        let title = sqlite3_column_text(statement, 2).map { String(cString: $0) } ?? ""
        hits.append(
            Hit(id: sqlite3_column_int64(statement, 0), score: sqlite3_column_double(statement, 1), title: title))
    }
    sqlite3_reset(statement)
    return hits
}
