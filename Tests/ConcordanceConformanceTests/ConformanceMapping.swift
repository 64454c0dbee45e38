import CConcordanceSQLite
import DifferentialFuzzing

/// All the ways in which the engine may differ from a case recorded from FTS5.
enum ConformanceMapping {
    /// Cases that assert FTS5's private storage, and why that does not exist in the engine.
    static let exclusions: [String: String] = {
        let reasons: [(String, cases: [String])] = [
            (
                "asserts the names and columns of FTS5's shadow tables; the engine has no _idx and no _docsize",
                ["fts5aa#1", "fts5aa#5", "fts5aa#9", "fts5content#30"]
            ),
            (
                "counts the rows of FTS5's _docsize and _data",
                [
                    "fts5hash#2", "fts5hash#3",
                    "fts5columnsize#2", "fts5columnsize#4", "fts5columnsize#7", "fts5content#18", "fts5content#19",
                    "fts5content#22", "fts5unindexed#7",
                ]
            ),
            ("counts the blocks of FTS5's index that a query reads", ["fts5aa#29", "fts5aa#67", "fts5aa#105"]),
            ("drops FTS5's _idx", ["fts5savepoint#2"]),
        ]
        return Dictionary(
            reasons.flatMap { reason, cases in cases.map { ($0, reason) } }, uniquingKeysWith: { first, _ in first })
    }()

    /// Cases in which the engine differs by design; they are compared with what it does.
    static let differences: [String: (reason: String, expected: SQLResult)] = [
        "fts5delete#2": (
            "'delete' with the wrong text removes the row, and damages nothing", SQLResult(rows: [])
        ),
        "fts5delete#3": (
            "'delete' with the wrong text removes the row, and damages nothing",
            SQLResult(rows: [[.integer(124)], [.integer(125)]])
        ),
        "fts5misc#5": ("the number of the cursor that '*reads' gives", SQLResult(error: "no such cursor: 0")),
        "fts5vocab2#19": ("a vocabulary table shows the rows as they were when the query began", SQLResult(rows: [])),
    ]

    /// The result of a module, in FTS5's words.
    static func normalize(_ result: SQLResult, of module: FullTextModule) -> SQLResult {
        guard module.name != "fts5" else { return result }
        var result = result
        // FTS5 has one message for all damage; the engine says what is damaged.
        if result.code & 0xFF == SQLITE_CORRUPT { result.error = "database disk image is malformed" }
        // If FTS5 only has SQLite's message for the code, the engine adds what is wrong.
        if result.error?.hasPrefix("SQL logic error: ") == true { result.error = "SQL logic error" }
        // The version of the format in <t>_config: FTS5's is 4.
        result.rows = result.rows.map { $0 == [.text("version"), .integer(1)] ? [.text("version"), .integer(4)] : $0 }
        return result
    }
}
